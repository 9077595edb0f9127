"""Bands of one signal, sample by sample, from the printed formula."""

from __future__ import annotations

KERNEL = {-2: 1 / 16, -1: 4 / 16, 0: 6 / 16, 1: 4 / 16, 2: 1 / 16}


def beyond(signal: list[float], i: int, edges: str) -> float:
    """The signal at any index: mirrored again and again, or held."""
    last = len(signal) - 1
    if edges == "hold" or last == 0:
        return signal[max(0, min(i, last))]
    while not 0 <= i <= last:
        i = -i if i < 0 else 2 * last - i
    return signal[i]


def levels(signal: list[float], bands: int, edges: str) -> list[list[float]]:
    """G_0 to G_bands."""
    out = [list(signal)]
    for k in range(bands):
        below = out[-1]
        out.append(
            [
                sum(share * beyond(below, i + 2**k * m, edges) for m, share in KERNEL.items())
                for i in range(len(below))
            ]
        )
    return out
