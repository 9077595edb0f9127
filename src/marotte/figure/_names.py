"""Joint names to words: sides, namespaces and spellings of the field's many exporters."""

from __future__ import annotations

import re

# Words that mean the same role on a side, by what is left of a name once its side is taken off.
# Where one word means two things (a "shoulder" is a collar bone in one file and an upper arm in
# the next) it stands under both, and the chain decides.
SIDED_WORDS: dict[str, tuple[str, ...]] = {
    "shoulder": ("shoulder", "clavicle", "collar", "collarbone", "scapula", "innershoulder"),
    "upper_arm": ("arm", "upperarm", "uparm", "armupper", "shoulder", "humerus", "bicep", "shldr"),
    "lower_arm": ("forearm", "lowerarm", "lowarm", "elbow", "armlower", "radius", "ulna", "loarm"),
    "hand": ("hand", "wrist", "palm"),
    "upper_leg": ("upleg", "upperleg", "thigh", "legupper", "hip", "femur", "uleg"),
    "lower_leg": ("leg", "lowerleg", "lowleg", "knee", "shin", "calf", "leglower", "tibia", "lleg", "loleg"),
    "foot": ("foot", "ankle"),
    "toes": ("toe", "toes", "toebase", "ball", "forefoot", "balloffoot"),
    "eye": ("eye", "eyeball"),
}
MIDDLE_WORDS: dict[str, tuple[str, ...]] = {
    "hips": ("hips", "hip", "pelvis", "hipcenter", "hipscenter", "root", "reference", "bodyroot"),
    "neck": ("neck", "neck1", "neck01", "necklower"),
    "head": ("head", "skull"),
    "jaw": ("jaw", "mandible"),
}
_NAMESPACE = re.compile(r"^.*[:|/]")
_PREFIX = re.compile(
    r"^(mixamorig\d*|character\d*|bip\d+|def|mch|org|fk|jnt|bone|joint|ctrl|j|m|f|avg|c)[\s_.\-]+(?=.)",
    re.IGNORECASE,
)
_SUFFIX = re.compile(r"[\s_.\-]+(jnt|joint|bone|fk|bind|skin)$", re.IGNORECASE)
_TOKEN = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_SIDE_TOKENS = {"left": "left", "l": "left", "lft": "left", "right": "right", "r": "right", "rgt": "right"}


def split_name(name: str) -> tuple[str, str]:
    """A joint's side (`left`, `right` or nothing) and the rest as one lower-case word.

    >>> split_name("mixamorig:LeftUpLeg")
    ('left', 'upleg')
    >>> split_name("thigh.R")
    ('right', 'thigh')
    """
    text = _NAMESPACE.sub("", name)
    for _ in range(2):
        text = _SUFFIX.sub("", _PREFIX.sub("", text))
    tokens = [t.lower() for t in _TOKEN.findall(text)]
    side = ""
    kept = []
    for i, token in enumerate(tokens):
        if not side and token in _SIDE_TOKENS and (len(token) > 1 or i in (0, len(tokens) - 1)):
            side = _SIDE_TOKENS[token]
        else:
            kept.append(token)
    word = "".join(kept)
    if not side:  # lhand, rfoot: one lower-case word with the side glued on
        for letter, found in (("l", "left"), ("r", "right")):
            rest = word[1:]
            if word.startswith(letter) and any(rest in words for words in SIDED_WORDS.values()):
                side, word = found, rest
                break
    if side and word.rstrip("0123456789") != word:  # upperarm01: the first of a numbered chain
        bare = word.rstrip("0123456789")
        if int(word[len(bare) :]) <= 1 and any(bare in words for words in SIDED_WORDS.values()):
            word = bare
    return side, word
