"""The oracle in a browser: by roles and names, as a person finds things."""

from __future__ import annotations

from episodes.tasks.acting import ActingSpace


def in_browser(space: ActingSpace) -> None:
    """Write the trigger through the pages."""
    raise NotImplementedError
