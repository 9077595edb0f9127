"""The algebra of rotations that formats share, under the name that it has here."""

from .._turns import (
    IDENTITY,
    angle,
    from_matrix,
    matrices,
    product,
    slerp,
    turned,
    undone,
    unit,
)

__all__ = ["IDENTITY", "angle", "from_matrix", "matrices", "product", "slerp", "turned", "undone", "unit"]
