"""Lookup tables, filled once at import."""

from .machines import BACKWARD, FORWARD, Machine
from .translation import FOLDING, RANK, SYMBOLS

__all__ = ["BACKWARD", "FOLDING", "FORWARD", "RANK", "SYMBOLS", "Machine"]
