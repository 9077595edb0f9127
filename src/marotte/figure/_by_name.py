"""Roles from the names of joints, as far as the tree confirms them.

What names propose, the tree must confirm: a knee hangs below a hip, a hand below an elbow.
"""

from __future__ import annotations

from ._names import FINGER_WORDS, METACARPALS, MIDDLE_WORDS, SIDED_WORDS, is_helper, split_name
from ._tree import Tree
from .rig import FINGERS, PHALANGES, SIDES

ARM = ("shoulder", "upper_arm", "lower_arm", "hand")
LEG = ("upper_leg", "lower_leg", "foot", "toes")
CHAINS = (ARM, LEG)
_LONGEST_FORE = 1.15  # of the upper arm; 0.785 is usual
_MOST = 4  # candidates that are tried for each role


class Names:
    """The joints' names, split into sides and words."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.words = [split_name(name) for name in tree.skeleton.names]
        self.helper = [is_helper(name) for name in tree.skeleton.names]
        self._found: dict[tuple[str, str], list[int]] = {}
        for j, key in enumerate(self.words):
            if not self.helper[j]:
                self._found.setdefault(key, []).append(j)

    def candidates(self, side: str, known: tuple[str, ...]) -> list[int]:
        """Joints of that side and one of these words, the surest first."""
        names = self.tree.skeleton.names
        hits = [
            (names[j].startswith("_"), i, j)
            for i, w in enumerate(known)
            for j in self._found.get((side, w), ())
        ]
        return [j for _, _, j in sorted(hits)]

    def side_of(self, joint: int) -> str:
        """The side that the names of a joint and of what hangs on it speak of, or nothing."""
        count = {"left": 0, "right": 0, "": 0}
        for node in (joint, *self.tree.below(joint)):
            if node < self.tree.joints:
                count[self.words[node][0]] += 1
        if count["left"] == count["right"]:
            return ""
        return "left" if count["left"] > count["right"] else "right"

    def roles(self) -> dict[str, int]:
        """All roles that names give."""
        roles: dict[str, int] = {}
        for side in SIDES:
            for chain in CHAINS:
                roles.update(self._chain(side, chain))
            eye = self.candidates(side, SIDED_WORDS["eye"])
            if eye:
                roles[f"{side}_eye"] = eye[0]
        self._middle(roles)
        return roles

    def _chain(self, side: str, chain: tuple[str, ...]) -> dict[str, int]:
        """The longest choice of joints for a chain in which each hangs below the one before."""
        tree = self.tree
        candidates: list[list[int | None]] = [
            [*self.candidates(side, SIDED_WORDS[role])[:_MOST], None] for role in chain
        ]
        best: tuple[float, dict[str, int]] = (0.0, {})

        def extend(level: int, above: int | None, chosen: dict[str, int], score: float) -> None:
            nonlocal best
            if level == len(chain):
                if score > best[0]:
                    best = (score, dict(chosen))
                return
            for rank, joint in enumerate(candidates[level]):
                if joint is None:
                    extend(level + 1, above, chosen, score)
                elif above is None or tree.is_below(joint, above):
                    # a missing collar bone or toe costs least; an early spelling is a better one
                    weight = 0.6 if chain[level] in ("shoulder", "toes") else 1.0
                    chosen[f"{side}_{chain[level]}"] = joint
                    extend(level + 1, joint, chosen, score + weight - 0.01 * rank)
                    del chosen[f"{side}_{chain[level]}"]

        extend(0, None, {}, 0.0)
        found = best[1]
        if chain is ARM:
            self._wrist(side, found)
        return found

    def _wrist(self, side: str, found: dict[str, int]) -> None:
        """The wrist, where the hand below it would make the forearm longer than the upper arm.

        SMPL's hand is the end of its palm; Acclaim's is the wrist, and its wrist a twist.
        """
        upper, elbow, hand = (found.get(f"{side}_{r}") for r in ("upper_arm", "lower_arm", "hand"))
        if upper is None or elbow is None or hand is None:
            return
        tree = self.tree
        arm = sum(tree.lengths[n] for n in tree.way(upper, elbow)[1:])
        fore = sum(tree.lengths[n] for n in tree.way(elbow, hand)[1:])
        above = [j for j in self.candidates(side, SIDED_WORDS["hand"]) if j in tree.way(elbow, hand)[1:-1]]
        if above and fore > _LONGEST_FORE * arm:
            found[f"{side}_hand"] = above[0]

    def _middle(self, roles: dict[str, int]) -> None:
        tree = self.tree
        legs = [roles[f"{side}_upper_leg"] for side in SIDES if f"{side}_upper_leg" in roles]
        named = self.candidates("", MIDDLE_WORDS["hips"])
        if len(legs) == 2:
            # the hips are the nearest joint that both legs hang on, whatever it is called
            shared = tree.shared(legs)
            if shared is not None:
                hubs = [j for j in named if all(j in tree.up(leg)[:3] for leg in legs)]
                roles["hips"] = hubs[0] if hubs else shared
        elif named or (named := self.candidates("", MIDDLE_WORDS["root"])):
            roles["hips"] = named[0]
        for role in ("neck", "head", "jaw"):
            found = self.candidates("", MIDDLE_WORDS[role])
            if found:
                roles[role] = found[0]
        if "neck" in roles and "head" in roles and not tree.is_below(roles["head"], roles["neck"]):
            del roles["neck"]


def finger_roles(tree: Tree, names: Names, side: str, hand: int) -> dict[str, int]:
    """Fingers by name below a hand, or beside it on the forearm as in the CMU skeletons."""
    below = [j for j in tree.below(hand) if j < tree.joints]
    if len(below) < 2 and tree.parents[hand] >= 0:
        below = [j for j in tree.below(tree.parents[hand]) if j < tree.joints and j != hand]
    words = {j: names.words[j][1] for j in below}
    # 3ds Max counts its fingers from 0 (Finger0, Finger01, …), MakeHuman from 1 (finger1-1, …)
    first = 0 if any(w.startswith("finger0") for w in words.values()) else 1
    chains: dict[str, list[int]] = {}
    for j, word in words.items():
        finger = _finger(word, first)
        if finger and not any(m in word for m in METACARPALS) and not names.helper[j]:
            chains.setdefault(finger, []).append(j)
    found: dict[str, int] = {}
    for finger, joints in chains.items():
        chain = [
            j for j in joints if all(k == j or tree.is_below(k, j) or tree.is_below(j, k) for k in joints)
        ]
        chain.sort(key=lambda j: tree.place[j])
        if len(chain) > 3 and not tree.kids[chain[-1]]:
            chain.pop()  # a tip
        if len(chain) > 3:
            chain = chain[1:]  # a metacarpal
        parts = ("metacarpal", "proximal", "distal") if finger == "thumb" else PHALANGES
        for part, joint in zip(parts, chain, strict=False):
            found[f"{side}_{finger}_{part}"] = joint
    return found


def _finger(word: str, first: int) -> str:
    """The finger that a word names, or nothing; numbered ones count from `first`."""
    for finger, known in FINGER_WORDS.items():
        if any(k in word for k in known):
            return finger
    digits = word[6:] if word.startswith("finger") else ""
    number = int(digits[0]) - first if digits.isdigit() else -1
    return FINGERS[number] if 0 <= number < len(FINGERS) else ""
