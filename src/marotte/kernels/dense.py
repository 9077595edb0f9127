"""Small dense systems inside kernels: symmetric, positive, upper triangles, rows contiguous."""

from __future__ import annotations

import math

from .compiling import inline, inline_fused


@inline_fused
def factor(a, n):
    """a (n, n): the upper triangle becomes U with A = U Uᵀ; False if A is not positive.

    From the last row to the first: degrees of freedom are numbered from the root outwards, and
    what two limbs do not share stays zero that way, which is most of a figure (Featherstone 2008).
    """
    for k in range(n - 1, -1, -1):
        pivot = a[k, k]
        if not pivot > 0.0:
            return False
        root = math.sqrt(pivot)
        a[k, k] = root
        inverse = 1.0 / root
        for i in range(k):
            if a[i, k] != 0.0:
                s = a[i, k] * inverse
                a[i, k] = s
                for j in range(i + 1):
                    if a[j, k] != 0.0:  # those up to i are scaled already
                        a[j, i] -= a[j, k] * s
    return True


@inline_fused
def forth(a, n, b):
    """U y = b, in place."""
    for k in range(n - 1, -1, -1):
        if b[k] != 0.0:
            s = b[k] / a[k, k]
            b[k] = s
            for i in range(k):
                b[i] -= s * a[i, k]


@inline_fused
def back(a, n, b):
    """Uᵀ x = b, in place."""
    for k in range(n):
        s = b[k]
        for i in range(k):
            s -= a[i, k] * b[i]
        b[k] = s / a[k, k]


@inline
def solve(a, n, b):
    """A x = b in place, with the factor of A."""
    forth(a, n, b)
    back(a, n, b)
