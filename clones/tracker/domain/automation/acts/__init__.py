"""What rules do: each kind of action, carried out through the functions that everybody uses.

Importing this package makes every action known to `registry`.
"""

from __future__ import annotations

from clones.tracker.domain.automation.acts import (
    assigning,
    changing,
    keeping,
    making,
    relating,
    sending,
    talking,
    versions,
)
from clones.tracker.domain.automation.acts.registry import perform

__all__ = [
    "assigning",
    "changing",
    "keeping",
    "making",
    "perform",
    "relating",
    "sending",
    "talking",
    "versions",
]
