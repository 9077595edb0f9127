"""Bands of signals: lowpass sequences by a growing kernel, and sums of their differences.

The kernel (1, 4, 6, 4, 1)/16 skips 2^k samples at level k (BW95 2.1.1), so that every level has
as many samples as the signal. Each signal is worked through alone, in a buffer that holds its
samples and what lies beyond both of its ends.
"""

from __future__ import annotations

from .compiling import BOOL, IN2, INT, OUT2, OUT3, inline, kernel

A, B, C = 3.0 / 8.0, 1.0 / 4.0, 1.0 / 16.0  # BW95 2.1.1


@inline
def _extend(buffer, reach, frames, reflect):
    """Fill buffer (reach + frames + reach) beyond the signal that stands at reach."""
    first, last = reach, reach + frames - 1
    if not reflect or frames == 1:
        low, high = buffer[first], buffer[last]
        for i in range(reach):
            buffer[i] = low
            buffer[last + 1 + i] = high
        return
    # without repeating the edge: x(-i) = x(i); a signal shorter than the reach is met again
    near = min(reach, frames - 1)
    for i in range(1, near + 1):
        buffer[first - i] = buffer[first + i]
        buffer[last + i] = buffer[last - i]
    period = 2 * (frames - 1)
    for i in range(near + 1, reach + 1):
        buffer[first - i] = buffer[first - i + period]
        buffer[last + i] = buffer[last + i - period]


@inline
def _smooth(source, at, step, frames, target):
    """target[at + i] = the kernel over source, `step` samples apart, for i below frames."""
    left2, left = source[at - 2 * step :], source[at - step :]
    middle, right, right2 = source[at:], source[at + step :], source[at + 2 * step :]
    out = target[at : at + frames]
    for i in range(frames):
        # BW95 2.1.1: G_k+1(i) = sum of w(m) G_k(i + 2^k m), m = -2 ... 2
        out[i] = A * middle[i] + (B * (left[i] + right[i]) + C * (left2[i] + right2[i]))


@inline
def _smooth_and_add(source, at, step, frames, target, weight, total):
    """As _smooth, and total[i] grows by weight times what comes out."""
    left2, left = source[at - 2 * step :], source[at - step :]
    middle, right, right2 = source[at:], source[at + step :], source[at + 2 * step :]
    out = target[at : at + frames]
    for i in range(frames):
        value = A * middle[i] + (B * (left[i] + right[i]) + C * (left2[i] + right2[i]))
        out[i] = value
        total[i] += weight * value


@kernel(IN2, IN2, BOOL, OUT2, OUT2, INT, INT)
def equalize(signals, weights, reflect, buffers, out, first, stop):
    """Signals first to stop of out (C, F) = the sum over levels k of weights[c, k] G_k.

    signals (C, F); weights (C, B + 1); buffers (2, F + 4 · 2^(B-1)) is scratch. G_0 is the signal.
    """
    frames, levels = signals.shape[1], weights.shape[1] - 1
    reach = 0 if levels == 0 else 2 << (levels - 1)
    for c in range(first, stop):
        source, target = buffers[0], buffers[1]
        row = out[c]
        top = weights[c, 0]
        for i in range(frames):
            value = signals[c, i]
            source[reach + i] = value
            row[i] = top * value
        last = levels
        while last > 0 and weights[c, last] == 0.0:  # what nothing asks for is not made
            last -= 1
        for k in range(last):
            step = 1 << k
            _extend(source[reach - 2 * step : reach + frames + 2 * step], 2 * step, frames, reflect)
            _smooth_and_add(source, reach, step, frames, target, weights[c, k + 1], row)
            source, target = target, source


@kernel(IN2, BOOL, OUT2, OUT3)
def lowpass(signals, reflect, buffers, levels):
    """levels (B + 1, C, F): G_0, the signals (C, F) themselves, to G_B, the smoothest.

    buffers (2, F + 4 · 2^(B-1)) is scratch.
    """
    count, frames = levels.shape[0] - 1, signals.shape[1]
    reach = 0 if count == 0 else 2 << (count - 1)
    for c in range(signals.shape[0]):
        source, target = buffers[0], buffers[1]
        for i in range(frames):
            source[reach + i] = signals[c, i]
            levels[0, c, i] = signals[c, i]
        for k in range(count):
            step = 1 << k
            _extend(source[reach - 2 * step : reach + frames + 2 * step], 2 * step, frames, reflect)
            _smooth(source, reach, step, frames, target)
            for i in range(frames):
                levels[k + 1, c, i] = target[reach + i]
            source, target = target, source
