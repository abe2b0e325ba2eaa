"""Reading what forms and addresses say: ids, places, choices for filters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk.web.admin.inputs import Filter

DIGITS = 18


def number(text: str) -> int | None:
    """Return the number that a text is, None if it is none that a record can have."""
    fits = is_digits(text)
    return int(text) if fits else None


def filter_of(
    request: SandboxRequest, name: str, label: str, options: Sequence[tuple[str, str]]
) -> Filter:
    """Return a select that narrows a list down; its value is "" where nothing known is asked."""
    asked = request.GET.get(name, "")
    known = asked if any(value == asked for value, _ in options) else ""
    return Filter(name, label, known, options)


def numbers_in(texts: Iterable[str]) -> list[int]:
    """Return the ids among texts, each once."""
    found = [number(text) for text in texts]
    return list(dict.fromkeys(key for key in found if key is not None))
