"""What a service cloud does with cases and leads: who gets them, by when, and who is told."""

from importlib import import_module
from typing import Final

# What takes jobs: it has to be known before the first one is due.
_TAKING_JOBS: Final = ("entitlements", "escalation", "milestones")


def register() -> None:
    """Make known what takes jobs and mail. Called at start."""
    for name in _TAKING_JOBS:
        import_module(f"{__name__}.{name}")
    import_module(f"{__name__}.mail_receiver").register()
