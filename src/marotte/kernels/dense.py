"""Small dense systems inside kernels: symmetric, positive, upper triangles, rows contiguous."""

from __future__ import annotations

import math

from .compiling import inline, inline_fused


@inline_fused
def factor(a, n):
    """a (n, n): the upper triangle becomes U with A = Uᵀ U; False if A is not positive."""
    for k in range(n):
        pivot = a[k, k]
        if not pivot > 0.0:
            return False
        root = math.sqrt(pivot)
        a[k, k] = root
        inverse = 1.0 / root
        for j in range(k + 1, n):
            a[k, j] *= inverse
        for i in range(k + 1, n):
            s = a[k, i]
            if s != 0.0:
                for j in range(i, n):
                    a[i, j] -= s * a[k, j]
    return True


@inline_fused
def forth(a, n, b):
    """Uᵀ y = b, in place."""
    for i in range(n):
        b[i] /= a[i, i]
        s = b[i]
        for j in range(i + 1, n):
            b[j] -= s * a[i, j]


@inline_fused
def back(a, n, b):
    """U x = b, in place."""
    for i in range(n - 1, -1, -1):
        s = b[i]
        for j in range(i + 1, n):
            s -= a[i, j] * b[j]
        b[i] = s / a[i, i]


@inline
def solve(a, n, b):
    """A x = b in place, with the factor of A."""
    forth(a, n, b)
    back(a, n, b)
