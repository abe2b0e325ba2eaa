"""Sandlot's tasks as a taskset of verifiers."""

from sandlot_verifiers.taskset import SandlotTaskset

__all__ = ["SandlotTaskset"]
