"""The registry of vendor operations: routing, input, tool catalogue and coverage from one place."""

from clones.core.operations.registry import (
    Call,
    InvalidInput,
    Operation,
    Operations,
    Reply,
)

__all__ = ["Call", "InvalidInput", "Operation", "Operations", "Reply"]
