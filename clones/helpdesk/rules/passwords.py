"""What a password must be like."""

from __future__ import annotations

from collections.abc import Callable

SHORTEST = 5
LONGEST = 128

Holds = Callable[[str, str], bool]
REQUIREMENTS: tuple[tuple[str, Holds], ...] = (
    (f"must be at least {SHORTEST} characters", lambda text, login: len(text) >= SHORTEST),
    (f"must be fewer than {LONGEST} characters", lambda text, login: len(text) < LONGEST),
    ("must be different from email address", lambda text, login: text.lower() != login.lower()),
)


def unmet(password: str, login: str) -> list[str]:
    """Return the requirements that a password does not meet."""
    return [text for text, holds in REQUIREMENTS if not holds(password, login)]
