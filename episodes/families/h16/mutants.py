"""Mutants of H16."""

from __future__ import annotations
from typing import Any


def mutants(acts: Any, facts: Any) -> list[Any]:
    """TODO."""
    return []
