"""Uniform cubic B-splines through time: scattered data to control points, and back to frames.

A frame f lies at t = f / spacing. With i = ⌊t⌋ the curve there is Σ B_k(t − i) c[i + k], k = 0 … 3
(LS99 3.2; c is shifted by one, so that it begins at 0). Frames 0 to F − 1 need ⌊(F − 1) / spacing⌋ + 4
control points.
"""

from __future__ import annotations

import math

from .compiling import FLOAT, IN1, IN2, INT, OUT1, OUT2, inline, kernel

# What a datum adds to a control point whose spline hardly begins there is rounding, and counts as none.
_LEAST = 1e-100


@inline
def weights(u):
    """The four basis functions at u, 0 ≤ u < 1; they add up to 1."""
    v = 1.0 - u
    return (
        v * v * v / 6.0,
        (3.0 * u * u * u - 6.0 * u * u + 4.0) / 6.0,
        (3.0 * v * v * v - 6.0 * v * v + 4.0) / 6.0,
        u * u * u / 6.0,
    )


@inline
def at(frame, spacing):
    """Where a frame lies: the first of its four control points, and how far it is past its knot."""
    t = frame / spacing
    i = math.floor(t)
    return i, t - i


@kernel(IN1, IN2, FLOAT, INT, INT, OUT1, OUT2)
def fit_level(times, values, spacing, first, stop, shares, control):
    """control (K, D), rows first to stop, by local least squares through values (N, D) at times (N,).

    times are frames, rising. LS99 eq. 2, with the square that its β lacks: a datum alone comes out
    exactly. shares (K,) is scratch. Control points that no datum reaches are 0.
    """
    many = values.shape[1]
    for j in range(first, stop):
        shares[j] = 0.0
        for d in range(many):
            control[j, d] = 0.0
    for n in range(times.shape[0]):
        i, u = at(times[n], spacing)
        if i + 3 < first:
            continue
        if i >= stop:
            break
        w = weights(u)
        total = w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + w[3] * w[3]
        for k in range(4):
            j = i + k
            if first <= j < stop:
                # ω² β, with β = ω x / Σ ω²
                square = w[k] * w[k]
                pull = square * w[k] / total
                shares[j] += square
                for d in range(many):
                    control[j, d] += pull * values[n, d]
    for j in range(first, stop):
        if shares[j] > _LEAST:
            inverse = 1.0 / shares[j]
            for d in range(many):
                control[j, d] *= inverse
        else:
            for d in range(many):
                control[j, d] = 0.0


@kernel(IN2, FLOAT, IN1, OUT2)
def evaluate(control, spacing, times, out):
    """out (N, D) at times (N,) in frames, of control points (K, D); the ends are held."""
    last = control.shape[0] - 4
    for n in range(times.shape[0]):
        i, u = at(times[n], spacing)
        if i < 0:
            i, u = 0, 0.0
        if i > last:
            i, u = last, 1.0
        a, b, c, e = weights(u)
        for d in range(control.shape[1]):
            out[n, d] = (
                a * control[i, d] + b * control[i + 1, d] + c * control[i + 2, d] + e * control[i + 3, d]
            )
