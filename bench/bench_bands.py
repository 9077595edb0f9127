"""The equalizer: eleven bands of 80 channels over 3,000 frames, every gain of its own, summed again.

The plain rival is what one would write with NumPy: all channels at once, a padded copy and a sum of
five slices a band. SciPy correlates with kernels that grow by zeros between their values. Both give
our numbers. PyWavelets' stationary transform is another one, of the same depth and length: its bands
are not ours, and only that it gives the signals back is checked. It wants a length that is a multiple
of 2^11, so that it works on 4,096 frames.
"""

from __future__ import annotations

import numpy as np
import pywt
from numpy.typing import NDArray
from scipy import ndimage

from bench._clip import clip
from bench._measure import Row, compare, samples
from marotte.signals import band_count, equalize, equalized

NAME = "equalizer, one thread"
FRAMES, CHANNELS = 3000, 80
ROUNDS_OF_SLOW_RIVALS = 5  # a turn of theirs takes a second
AGREEMENT = 1e-11  # of signals of size 100
KERNEL = np.array([1.0, 4.0, 6.0, 4.0, 1.0]) / 16.0
WAVELET = "bior2.2"  # a spline with five taps, as ours

Floats = NDArray[np.float64]


def signals() -> tuple[Floats, Floats]:
    """(F, C) signals that wander, and (B,) gains."""
    generator = np.random.default_rng(80)
    moving = generator.normal(size=(FRAMES, CHANNELS)).cumsum(axis=0)
    return moving, np.linspace(0.3, 2.3, band_count(FRAMES))


def numpy_equalizer(x: Floats, gains: Floats) -> Floats:
    """Padded and sliced, all channels at once."""
    frames, level, out = len(x), x, np.zeros_like(x)
    for k, gain in enumerate(gains):
        s = 1 << k
        p = np.pad(level, ((2 * s, 2 * s), (0, 0)), mode="reflect")
        smoother = (
            0.375 * level
            + 0.25 * (p[s : s + frames] + p[3 * s : 3 * s + frames])
            + 0.0625 * (p[:frames] + p[4 * s : 4 * s + frames])
        )
        out += gain * (level - smoother)
        level = smoother
    return out + level


def scipy_equalizer(x: Floats, gains: Floats) -> Floats:
    """Kernels with zeros between their values."""
    level, out = x, np.zeros_like(x)
    for k, gain in enumerate(gains):
        wide = np.zeros(4 * (1 << k) + 1)
        wide[:: 1 << k] = KERNEL
        smoother = ndimage.correlate1d(level, wide, axis=0, mode="mirror")
        out += gain * (level - smoother)
        level = smoother
    return np.asarray(out + level)


def pywt_equalizer(x: Floats, gains: Floats) -> Floats:
    """A stationary wavelet transform, its details multiplied, and back."""
    depth = len(gains)
    length = -(-len(x) // (1 << depth)) << depth
    padded = np.pad(x, ((0, length - len(x)), (0, 0)), mode="reflect")
    found = pywt.swt(padded, WAVELET, level=depth, axis=0)
    scaled = [(slow, gain * quick) for (slow, quick), gain in zip(found, gains[::-1], strict=True)]
    return np.asarray(pywt.iswt(scaled, WAVELET, axis=0)[: len(x)])


def _check_agreement(x: Floats, gains: Floats) -> None:
    ours = equalized(x, gains)
    for name, rival in (("NumPy", numpy_equalizer), ("SciPy", scipy_equalizer)):
        worst = float(np.abs(rival(x, gains) - ours).max())
        if worst > AGREEMENT * float(np.abs(x).max()):
            raise SystemExit(f"{name} differs from ours by {worst:.3g}: not the same work")
    worst = float(np.abs(pywt_equalizer(x, np.ones_like(gains)) - x).max())
    if worst > 1e-6:
        raise SystemExit(f"PyWavelets gives signals back only to {worst:.3g}: not the same work")


def run(rounds: int) -> list[Row]:
    x, gains = signals()
    _check_agreement(x, gains)
    found = samples(
        {"ours": lambda: equalized(x, gains), "numpy": lambda: numpy_equalizer(x, gains)}, rounds=rounds
    )
    slow = samples(
        {
            "ours": lambda: equalized(x, gains),
            "scipy": lambda: scipy_equalizer(x, gains),
            "pywt": lambda: pywt_equalizer(x, gains),
        },
        rounds=min(rounds, ROUNDS_OF_SLOW_RIVALS),
    )
    motion = clip()
    some = np.linspace(0.3, 2.3, band_count(len(motion)))
    vectors = np.random.default_rng(0).normal(size=(len(motion), 3 * len(motion.skeleton) + 3))
    whole = samples(
        {
            "ours": lambda: equalize(motion, some.tolist(), parts="all"),
            "numpy": lambda: numpy_equalizer(vectors, some),
        },
        rounds=rounds,
    )
    task = f"equalized, {FRAMES} × {CHANNELS}, {len(gains)} bands"
    rows = [
        compare(
            task, unit="clip", rival="NumPy, padded and sliced", ours=found["ours"], theirs=found["numpy"]
        ),
        compare(task, unit="clip", rival="SciPy, dilated kernels", ours=slow["ours"], theirs=slow["scipy"]),
        compare(
            task, unit="clip", rival=f"PyWavelets swt/iswt, {WAVELET}", ours=slow["ours"], theirs=slow["pywt"]
        ),
    ]
    note = (
        f"the motion: {len(motion)} frames of {len(motion.skeleton)} joints, from quaternions to rotation "
        "vectors and back, checked; NumPy has only the filter of as many channels to do"
    )
    rows.append(
        compare(
            "equalize, a whole motion", unit="clip", rival="NumPy, the filter alone",
            ours=whole["ours"], theirs=whole["numpy"], note=note,
        )
    )  # fmt: skip
    return rows
