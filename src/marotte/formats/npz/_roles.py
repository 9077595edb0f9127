"""The rig of a skeleton whose joints are known."""

from __future__ import annotations

from collections.abc import Mapping

from ...figure import Rig, Skeleton, recognise


def rig_with(skeleton: Skeleton, known: Mapping[str, str]) -> Rig:
    """What is recognised, with the joints of `known` roles set right; those that are not there are
    passed over."""
    found = recognise(skeleton)
    wrong = {r: n for r, n in known.items() if n in skeleton and found.get(r) != skeleton.index(n)}
    return recognise(skeleton, wrong) if wrong else found
