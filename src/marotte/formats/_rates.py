"""Frame rates that files say, or that are asked for."""

from __future__ import annotations

from ..errors import InputError

LEAST_RATE, GREATEST_RATE = 1e-3, 1e6  # frames a second
WANTED = f"frames a second from {LEAST_RATE:g} to {GREATEST_RATE:g}"


def is_rate(value: float) -> bool:
    """Whether there can be a motion of so many frames a second; NaN cannot."""
    return LEAST_RATE <= value <= GREATEST_RATE


def asked_rate(value: float) -> float:
    """A rate that was asked for."""
    if not is_rate(value):
        raise InputError(f"frame_rate must be {WANTED}, but is {value}")
    return float(value)
