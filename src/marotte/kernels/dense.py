"""Small dense systems inside kernels: symmetric, positive, lower triangles, rows contiguous."""

from __future__ import annotations

import math

from .compiling import inline, inline_fused


@inline_fused
def factor(a, n):
    """a (n, n): the lower triangle becomes L with A = Lᵀ L; False if A is not positive.

    From the last row to the first: degrees of freedom are numbered from the root outwards, and
    what two limbs do not share stays zero that way, which is most of a figure (Featherstone 2008).
    """
    for k in range(n - 1, -1, -1):
        row = a[k]
        pivot = row[k]
        if not pivot > 0.0:
            return False
        root = math.sqrt(pivot)
        row[k] = root
        inverse = 1.0 / root
        for i in range(k):
            row[i] *= inverse
        for i in range(k):
            s = row[i]
            if s != 0.0:
                other = a[i]
                for j in range(i + 1):
                    other[j] -= s * row[j]
    return True


@inline_fused
def forth(a, n, b):
    """Lᵀ y = b, in place."""
    for k in range(n - 1, -1, -1):
        if b[k] != 0.0:
            row = a[k]
            s = b[k] / row[k]
            b[k] = s
            for i in range(k):
                b[i] -= s * row[i]


@inline_fused
def back(a, n, b):
    """L x = b, in place."""
    for k in range(n):
        row = a[k]
        s = b[k]
        for i in range(k):
            s -= row[i] * b[i]
        b[k] = s / row[k]


@inline
def solve(a, n, b):
    """A x = b in place, with the factor of A."""
    forth(a, n, b)
    back(a, n, b)
