"""Mutants of H13; see below."""
from __future__ import annotations
from typing import Any
def mutants(acts: Any, facts: Any) -> list[Any]:
    """TODO."""
    return []
