"""Bound mapping, step by step as L97 5.2.2 tells it, with loops and one pass only."""

import itertools


def displacement(signal, low, high):
    """What is added to each value of a signal, a list; None for a bound that is not there."""

    def off(value):
        if high is not None and value > high:
            return high - value
        if low is not None and value < low:
            return low - value
        return 0.0

    count = len(signal)
    points = [(0, off(signal[0]))]
    for i in range(1, count - 1):
        top = signal[i] > signal[i - 1] and signal[i] > signal[i + 1]
        bottom = signal[i] < signal[i - 1] and signal[i] < signal[i + 1]
        if (top or bottom) and off(signal[i]) != 0.0:
            points.append((i, off(signal[i])))
    if count > 1:
        points.append((count - 1, off(signal[-1])))
    extra = []
    for (i, a), (j, b) in itertools.pairwise(points):
        if a * b > 0.0 and j - i > 1:
            between = range(i + 1, j)
            # pulled down at both: the least between; pulled up at both: the greatest
            k = min(between, key=lambda n: signal[n]) if a < 0.0 else max(between, key=lambda n: signal[n])
            extra.append((k, off(signal[k])))
    points = sorted(points + extra)
    out = [0.0] * count
    for (i, a), (j, b) in itertools.pairwise(points):
        for f in range(i, j + 1):
            u = (f - i) / (j - i)
            out[f] = a + (b - a) * (3 * u**2 - 2 * u**3)
    if count == 1:
        out[0] = points[0][1]
    return out
