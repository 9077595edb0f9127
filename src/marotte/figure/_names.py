"""Joint names to words: sides, namespaces and spellings of the field's many exporters."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# Words that mean the same role on a side, by what is left of a name once its side is taken off,
# the surest spelling first. Where one word means two things (a "shoulder" is a collar bone in one
# file and an upper arm in the next, a "foot" is the ankle here and the toes there) it stands under
# both, and the chain decides.
SIDED_WORDS: dict[str, tuple[str, ...]] = {
    "shoulder": ("clavicle", "collar", "collarbone", "shoulder", "scapula", "innershoulder", "肩"),
    "upper_arm": (
        "upperarm", "arm", "uparm", "armupper", "shldr", "shldrbend", "upperarmbend", "shoulder", "humerus",
        "bicep", "armstretch", "uarm", "腕",
    ),
    "lower_arm": (
        "forearm", "lowerarm", "lowarm", "elbow", "armlower", "forearmbend", "forearmstretch", "radius",
        "ulna", "loarm", "farm", "larm", "ひじ", "肘",
    ),
    "hand": ("hand", "wrist", "palm", "手首", "手"),
    "upper_leg": (
        "upleg", "upperleg", "thigh", "legupper", "hip", "femur", "thighbend", "thighstretch", "uleg",
        "leg", "足", "太もも",
    ),
    "lower_leg": (
        "lowerleg", "leg", "lowleg", "knee", "shin", "calf", "leglower", "legstretch", "tibia", "lleg",
        "loleg", "ひざ", "膝",
    ),
    "foot": ("foot", "ankle", "足首"),
    "toes": (
        "toebase", "toe", "toes", "ball", "forefoot", "balloffoot", "toe0", "toe01", "metatarsals", "foot",
        "つま先", "足先ex", "足先",
    ),
    "eye": ("eye", "eyeball", "faceeye", "目"),
}  # fmt: skip
MIDDLE_WORDS: dict[str, tuple[str, ...]] = {
    "hips": ("hips", "pelvis", "hip", "hipcenter", "hipscenter", "midhip", "spinebase", "下半身"),
    "root": ("root", "reference", "bodyroot", "cog"),
    "neck": (
        "neck", "neck1", "neck01", "neck0", "necklower", "lowerneck", "necktwist01", "首",
    ),
    "head": ("head", "skull", "頭"),
    "jaw": ("jaw", "jawroot", "mandible"),
}  # fmt: skip
FINGER_WORDS: dict[str, tuple[str, ...]] = {
    "thumb": ("thumb", "pollex", "親指"),
    "index": ("index", "pointer", "人指", "人差指"),
    "middle": ("middle", "mid", "中指"),
    "ring": ("ring", "薬指"),
    "little": ("pinky", "pinkie", "little", "small", "小指"),
}
METACARPALS = ("metacarpal", "inhand", "carpal", "meta")

_NAMESPACE = re.compile(r"^.*[:|/]")
_PREFIX = re.compile(
    r"^(mixamorig\d*|character\d*|cc_base|bip\d*|biped\d*|valvebiped|def|org|fk|jnt|bone|joint|sk|skel|"
    r"skeleton|ctrl|rig|armature|adj|j|b|m|f|avg|c)[\s_.\-]+(?=.)",
    re.IGNORECASE,
)
_SUFFIX = re.compile(r"[\s_.\-]+(jnt|joint|bone|fk|bind|skin|jj|bn|smplhf|smplx|def)$", re.IGNORECASE)
_TOKEN = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
_SIDES = {"left": "left", "lft": "left", "lf": "left", "right": "right", "rgt": "right", "rt": "right"}
_LETTERS = {"l": "left", "r": "right"}
_KNOWN = frozenset(w for words in SIDED_WORDS.values() for w in words)
_GLUED = _KNOWN | {"thumb", "index", "middle", "ring", "pinky", "fingers", "hipjoint", "thighbend"}
# What rides along on a limb and is no part of its chain.
_HELPERS = re.compile(
    r"(?i:(?<!neck)twist|roll|捩|ｉｋ|rigmesh|_end$|"
    r"(^|[\W_])(ik|pole|target|mch|ctrl|vb|null|effector|socket|attach|tweak|helper|sec)($|[\W_]))"
    r"|IK$|^IK|ＩＫ|Nub$|[a-z0-9]End$"
)


@lru_cache(maxsize=4096)
def is_helper(name: str) -> bool:
    """Whether a name says that the joint twists, aims or ends another, and means nothing itself.

    >>> is_helper("upperarm_twist_01_l"), is_helper("ik_foot_l"), is_helper("upperarm_l")
    (True, True, False)
    """
    return _HELPERS.search(_NAMESPACE.sub("", name)) is not None


@lru_cache(maxsize=4096)
def split_name(name: str) -> tuple[str, str]:
    """A joint's side (`left`, `right` or nothing) and the rest as one lower-case word.

    >>> split_name("mixamorig:LeftUpLeg")
    ('left', 'upleg')
    >>> split_name("thigh.R")
    ('right', 'thigh')
    >>> split_name("J_Bip_L_UpperArm")
    ('left', 'upperarm')
    """
    text = unicodedata.normalize("NFKC", _NAMESPACE.sub("", name)).strip(" _")
    side = ""
    for mark, found in (("左", "left"), ("右", "right")):
        if mark in text:
            side, text = found, text.replace(mark, "")
    for _ in range(3):
        text = _SUFFIX.sub("", _PREFIX.sub("", text))
    kept: list[str] = []
    matches = list(_TOKEN.finditer(text))
    for i, match in enumerate(matches):
        token = match[0].lower()
        if not side and token in _SIDES:
            side = _SIDES[token]
        elif not side and token in _LETTERS and _stands_alone(text, match, i, len(matches)):
            side = _LETTERS[token]
        else:
            kept.append(token)
    word = "".join(kept)
    if not side:  # lhand, rfoot, leftfoot: one lower-case word with the side glued on
        for glued, found in (("left", "left"), ("right", "right"), ("l", "left"), ("r", "right")):
            rest = word[len(glued) :]
            if word.startswith(glued) and rest.rstrip("0123456789") in _GLUED:
                side, word = found, rest
                break
    if side and word not in _KNOWN:  # upperarm01: the first of a numbered chain
        bare = word.rstrip("0123456789")
        if bare in _KNOWN and len(bare) < len(word) and int(word[len(bare) :]) <= 1:
            word = bare
    return side, word


def _stands_alone(text: str, match: re.Match[str], i: int, count: int) -> bool:
    """Whether a lone L or R is a side: first, last, or between marks that part words."""
    if i in (0, count - 1):
        return True
    before, after = text[match.start() - 1], text[match.end()]
    return not before.isalnum() and not after.isalnum()
