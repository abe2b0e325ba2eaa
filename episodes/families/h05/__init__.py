"""H05, double charge: a customer says they were charged twice. Put it right."""

from episodes.families.h05.family import FAMILY

__all__ = ["FAMILY"]
