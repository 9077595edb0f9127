"""Roles from the shape of a skeleton: pairs of limbs alike in length, and what hangs between them.

Names are not looked at. Two children of one joint whose bones agree in length all the way down are
a pair of limbs; of all pairs, two have the measures of legs and arms and lead to each other by a
spine. Lengths say so in any rest pose, also in one that is no pose. Left and right, which mirror
each other in everything, follow from the way the figure faces: its feet, the bend of its knees.

Shares of the stature are those of Drillis and Contini (1966, in Winter's table): thigh 0.245,
shin 0.246, upper arm 0.186, forearm 0.146.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from ._arrays import FloatArray
from ._pairs import Pair, alike_limbs
from ._tree import Tree

_MOST_NODES = 3000  # more than any figure has; what is larger is not looked at
_NEAR = 0.03  # of the leg: joints nearer to each other than this are at one place
_UPPER_PER_THIGH, _FORE_PER_THIGH, _COLLAR_PER_THIGH = 0.76, 0.6, 0.5
_BENT = 3.0  # what a limb costs that is bent where neither its hinge nor its end is
_STIFF = 1.5  # what a leg costs that is bent by a right angle at its knee: ankles are, knees are not
_BARE = 0.04  # what a limb without a collar bone or a hip of its own costs
_BETWEEN = 0.06  # what a joint inside an upper or a lower limb costs: it is one with twists, or wrong


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a chain has its root, its hinge and its end, as places in it."""

    root: int
    hinge: int
    end: int
    cost: float


@dataclass(slots=True)
class Shape:
    """What the shape says: chains by limb, sides not told apart yet."""

    legs: Pair
    leg: Cut
    arms: Pair | None
    arm: Cut | None
    hips: int
    spine: tuple[int, ...]
    neck: int | None
    head: int | None
    likeness: float  # 0 to 1: how much it is a person's
    doubts: list[str] = field(default_factory=list)


def find_shape(tree: Tree) -> Shape | None:
    """The legs, arms and spine of a figure, or None where nothing is like a body."""
    if not 4 <= len(tree.parents) <= _MOST_NODES:
        return None
    pairs = alike_limbs(tree)
    best: tuple[float, Pair, Cut, Pair | None, Cut | None] | None = None
    cuts = [
        (leg.cost, i, legs, leg)
        for i, legs in enumerate(pairs)
        if (leg := _cut(tree, legs, _leg_cost, _STIFF))
    ]
    for least, _, legs, leg in sorted(cuts, key=lambda c: c[:2]):
        if best is not None and least >= best[0]:
            break  # nothing that follows can be likelier
        thigh = _length(tree, legs.first, leg.root, leg.hinge)
        for arms in [p for p in pairs if _apart(tree, legs, p)]:
            arm = _cut(tree, arms, partial(_arm_cost, thigh))
            if arm is None:
                continue
            cost = leg.cost + arm.cost + _together(tree, legs, leg, arms, arm)
            if best is None or cost < best[0]:
                best = (cost, legs, leg, arms, arm)
    if best is None:
        # legs alone carry a body too, as a bird's or a ball's; they begin at the root or near it
        for least, _, legs, leg in cuts:
            if least < 0.7 and len(tree.up(legs.hub)) <= 1 and (best is None or 1.0 + least < best[0]):
                best = (1.0 + least, legs, leg, None, None)
    if best is None:
        return None
    return _body(tree, pairs, *best)


def _length(tree: Tree, chain: tuple[int, ...], start: int, stop: int) -> float:
    """Along a chain, from one place in it to another."""
    return sum(tree.lengths[n] for n in chain[start + 1 : stop + 1])


CostOf = Callable[[float, float, float, float], float]


def _cut(tree: Tree, pair: Pair, cost_of: CostOf, stiff: float = 0.0) -> Cut | None:
    """Where hip, knee and ankle, or shoulder, elbow and wrist, most likely are.

    `stiff` is what a bend of the hinge by a right angle costs.
    """
    chain, lengths = pair.first[:16], tree.lengths
    mean = [0.5 * (lengths[a] + lengths[b]) for a, b in zip(chain, pair.second, strict=False)]
    along = [mean[0]]
    for length in mean[1:]:
        along.append(along[-1] + length)
    whole = along[-1]
    # the hand or the foot begins where the chain parts
    rest = tree.rest
    wide = [0.5 * _distance(rest, a, b) for a, b in zip(chain, pair.second, strict=False)]
    parts = next(
        (i for i, n in enumerate(chain) if _branches(tree, n, 0.02 * whole) > 1 and along[i] > 0.4 * whole),
        None,
    )
    bends: dict[tuple[int, int], float] = {}

    def bend(start: int, stop: int) -> float:
        """How far the bones between two places of the chain are from straight, 0 to 1."""
        if stop - start < 2:
            return 0.0
        if (start, stop) not in bends:
            direct = _distance(rest, chain[start], chain[stop])
            length = sum(lengths[n] for n in chain[start + 1 : stop + 1])
            bends[start, stop] = 1.0 - min(1.0, direct / max(length, 1e-12))
        return bends[start, stop]

    def turn(start: int, middle: int, stop: int) -> float:
        """1 - cosine of the bend at a hinge in the rest pose."""
        a, b = rest[chain[middle]] - rest[chain[start]], rest[chain[stop]] - rest[chain[middle]]
        size = math.sqrt(float(a @ a) * float(b @ b))
        return 1.0 - float(a @ b) / size if size > 0 else 0.0

    best: Cut | None = None
    for i in range(len(chain) - 2):
        if i + 1 < len(chain) and mean[i + 1] < _NEAR * whole and along[i + 1] > 0:
            continue  # of joints at one place, the last moves the bone
        for j in range(i + 1, len(chain) - 1):
            if chain[j] >= tree.joints or mean[j + 1] < _NEAR * whole:
                continue
            upper = along[j] - along[i]
            if upper < 0.08 * whole:
                continue
            for k in range(j + 1, len(chain)):
                if mean[k] < _NEAR * whole and k > j + 1:
                    continue  # and of those that end one, the first
                lower = along[k] - along[j]
                if lower < 0.06 * whole:
                    continue
                cost = cost_of(min(along[i], wide[i]), upper, lower, whole - along[k]) + (
                    _BARE if i == 0 else 0.0
                )
                cost += _BENT * (bend(i, j) + bend(j, k))
                cost += _BETWEEN * (k - i - 2)
                if parts is not None and abs(along[k] - along[parts]) > _NEAR * whole:
                    cost += 0.25 if k < parts else 0.6
                if chain[k] >= tree.joints:
                    cost += 0.5
                if stiff and (best is None or cost < best.cost):
                    cost += stiff * turn(i, j, k)
                if best is None or cost < best.cost - 1e-9:
                    best = Cut(i, j, k, cost)
    return best


def _distance(points: FloatArray, a: int, b: int) -> float:
    d = points[a] - points[b]
    return math.sqrt(float(d @ d))


def _branches(tree: Tree, node: int, least: float) -> int:
    """How many chains of some length begin at a node."""
    return sum(tree.reach[k] + tree.lengths[k] > least for k in tree.kids[node])


def _over(value: float, most: float) -> float:
    return max(0.0, value - most)


def _leg_cost(before: float, thigh: float, shin: float, foot: float) -> float:
    """How unlike a leg: 0 for one of the usual measures."""
    return (
        2.0 * math.log(thigh / shin) ** 2
        + (0.4 if before < 0.08 * thigh else 0.0)  # both legs would begin at one point
        + 3.0 * _over(before / thigh, 0.5) ** 2
        + 2.0 * _over(foot / shin, 0.75) ** 2
        + (0.15 if foot < 0.08 * shin else 0.0)
        + 0.6 * math.log(max(thigh + shin, 1e-12) / (0.82 * (before + thigh + shin + foot))) ** 2
    )


def _arm_cost(thigh_of_leg: float, before: float, upper: float, fore: float, hand: float) -> float:
    """How unlike an arm of a figure with such a thigh."""
    return (
        math.log(upper / fore / 1.15) ** 2
        + min(1.0, 0.3 * math.log(max(before, 1e-3 * upper) / (_COLLAR_PER_THIGH * thigh_of_leg)) ** 2)
        + 3.0 * _over(hand / fore, 1.1) ** 2
        + 0.5 * math.log(upper / (_UPPER_PER_THIGH * thigh_of_leg)) ** 2
        + 0.3 * math.log(fore / (_FORE_PER_THIGH * thigh_of_leg)) ** 2
    )


def _apart(tree: Tree, legs: Pair, arms: Pair) -> bool:
    """Whether two pairs can be the legs and the arms of one body."""
    for a in legs.tops:
        for b in arms.tops:
            if a == b or tree.is_below(a, b) or tree.is_below(b, a):
                return False
    return not any(tree.is_below(legs.hub, top) for top in arms.tops)


def _together(tree: Tree, legs: Pair, leg: Cut, arms: Pair, arm: Cut) -> float:
    """How unlike a body the two pairs are together."""
    cost = 0.0
    up, down = len(tree.up(legs.hub)), len(tree.up(arms.hub))
    cost += 0.0 if up <= down else 0.8  # files begin at the hips
    cost += 0.15 * max(0, up - 2)
    if legs.hub != arms.hub and tree.is_below(legs.hub, arms.hub):
        cost += 0.8
    fingers = max(_branches(tree, n, 0.0) for n in arms.first[arm.end - 1 : arm.end + 3])
    toes = max(_branches(tree, n, 0.0) for n in legs.first[leg.end - 1 : leg.end + 3])
    cost += 0.1 * max(0, toes - fingers)
    # a head, or a neck, goes on between the arms
    if not any(tree.reach[k] + tree.lengths[k] > 0 for k in tree.kids[arms.hub] if k not in arms.tops):
        cost += 0.25
    # feet turn forward at the ankle, hands do not; and arms do not point where the legs do
    rest = tree.rest
    cost += 0.5 * max(0.0, _turn(rest, arms.first, arm) - _turn(rest, legs.first, leg))
    return cost


def _turn(rest: FloatArray, chain: tuple[int, ...], cut: Cut) -> float:
    """1 - cosine of the turn at a limb's end, 0 where nothing follows it."""
    if cut.end + 1 >= len(chain):
        return 0.0
    a = rest[chain[cut.end]] - rest[chain[cut.hinge]]
    b = rest[chain[-1]] - rest[chain[cut.end]]
    size = math.sqrt(float(a @ a) * float(b @ b))
    return 1.0 - float(a @ b) / size if size > 0 else 0.0


def _body(
    tree: Tree, pairs: list[Pair], cost: float, legs: Pair, leg: Cut, arms: Pair | None, arm: Cut | None
) -> Shape:
    hips = _hips(tree, legs, leg)
    doubts: list[str] = []
    likeness = math.exp(-0.5 * cost)
    taken = {*legs.tops, *(arms.tops if arms else ())}
    others = {
        p.tops[0]
        for p in pairs
        if p.length > 0.6 * legs.length
        and not any(t == q or tree.is_below(t, q) or tree.is_below(q, t) for t in p.tops for q in taken)
    }
    if others:
        likeness *= 0.4
        doubts.append("it has more than two pairs of limbs")
    spine: tuple[int, ...] = ()
    neck = head = None
    if arms is not None and arm is not None:
        chain = _between(tree, hips, arms.hub)
        top, rest = arms.hub, tree.rest
        above = _trunk_child(tree, top, arms.tops)
        # a neck that carries the collar bones, as in 3ds Max: they begin below it
        if above is not None and len(chain) > 1 and _short(tree, above):
            along = rest[top] - rest[hips]
            collar = 0.5 * (rest[arms.tops[0]] + rest[arms.tops[1]]) - rest[top]
            if float(collar @ along) < -0.1 * math.sqrt(float(along @ along)) * tree.lengths[top]:
                neck, chain = top, chain[:-1]
        spine = tuple(chain)
        if above is not None:
            neck_found, head = _neck_and_head(tree, above, neck is not None)
            neck = neck_found if neck is None else neck
        if _on_all_fours(tree, legs, leg, arms, arm, hips):
            likeness *= 0.3
            doubts.append("its arms stand beside its legs, as those of four-legged animals do")
    else:
        doubts.append("it has no arms")
        likeness *= 0.5
    return Shape(legs, leg, arms, arm, hips, spine, neck, head, likeness, doubts)


def _hips(tree: Tree, legs: Pair, leg: Cut) -> int:
    """The joint that both legs hang on, or the one above it where that lies between the thighs."""
    hub, parent = legs.hub, tree.parents[legs.hub]
    if parent >= 0 and len(tree.kids[parent]) == 1:
        rest = tree.rest
        middle = 0.5 * (rest[legs.first[leg.root]] + rest[legs.second[leg.root]])
        a, b = rest[parent] - middle, rest[hub] - middle
        if float(a @ a) < 0.25 * float(b @ b):
            return parent
    return hub


def _between(tree: Tree, hips: int, top: int) -> list[int]:
    """The joints of the spine, from above the hips to the one that the arms hang on."""
    if top == hips:
        return []
    if tree.is_below(top, hips):
        return tree.way(hips, top)[1:]
    shared = tree.shared([hips, top])
    if shared is None:
        return []
    return tree.way(shared, top)[1:]


def _trunk_child(tree: Tree, hub: int, tops: tuple[int, int]) -> int | None:
    """The child of the chest that is neither arm: the largest one that goes on."""
    rest = [k for k in tree.kids[hub] if k not in tops and k < tree.joints]
    rest = [k for k in rest if tree.lengths[k] + tree.reach[k] > 0]
    return max(rest, key=lambda k: (tree.size[k] > 1, tree.lengths[k] + tree.reach[k]), default=None)


def _short(tree: Tree, node: int) -> bool:
    """Whether a chain is one joint, perhaps with a face, and no neck below it."""
    return _neck_and_head(tree, node, True)[1] == node


def _neck_and_head(tree: Tree, node: int, has_neck: bool) -> tuple[int | None, int | None]:
    """Neck and head on the chain that begins at `node`: the head is where a face or a tip begins."""
    chain = [node]
    while True:
        going = [k for k in tree.kids[chain[-1]] if k < tree.joints and tree.reach[k] + tree.lengths[k] > 0]
        if len(going) != 1 or len(tree.kids[chain[-1]]) > 2 or tree.reach[going[0]] <= 0:
            if len(going) == 1 and len(chain) == 1 and not has_neck and not tree.skeleton.ends:
                chain.append(going[0])  # a head without a tip, in a file without end sites
            break
        chain.append(going[0])
    if has_neck or len(chain) == 1:
        return None, chain[-1]
    return chain[0], chain[-1]


def _on_all_fours(tree: Tree, legs: Pair, leg: Cut, arms: Pair, arm: Cut, hips: int) -> bool:
    """Whether arms and legs stand side by side, square to a spine that lies."""
    rest = tree.rest
    down = rest[legs.first[leg.end]] + rest[legs.second[leg.end]]
    down = down - rest[legs.first[leg.root]] - rest[legs.second[leg.root]]
    reach = rest[arms.first[arm.end]] + rest[arms.second[arm.end]]
    reach = reach - rest[arms.first[arm.root]] - rest[arms.second[arm.root]]
    spine = rest[arms.hub] - rest[hips]
    return stands_on_four(down, reach, spine)


def stands_on_four(legs: FloatArray, arms: FloatArray, spine: FloatArray) -> bool:
    """Whether legs and arms point one way, square to the spine."""

    def cosine(a: FloatArray, b: FloatArray) -> float:
        size = math.sqrt(float(a @ a) * float(b @ b))
        return float(a @ b) / size if size > 0 else 0.0

    return cosine(legs, arms) > 0.7 and abs(cosine(legs, spine)) < 0.6 and abs(cosine(arms, spine)) < 0.6
