"""What several operations on spaces and people read from queries and bodies alike."""

from __future__ import annotations

import re
from typing import Final

from pydantic import Field

from clones.core.operations import Call
from clones.tracker.api.operations import Query, csv
from clones.tracker.domain.errors import Invalid

_NUMBER: Final = re.compile(r"\d{1,18}")


class PagedQuery(Query):
    """Which part of a list."""

    start: str | None = Field(None, alias="startAt", description="0 unless said")
    most: str | None = Field(None, alias="maxResults")


class ExpandQuery(Query):
    """What is shown beside the thing itself."""

    expand: str | None = None


def expands(text: str | None) -> frozenset[str]:
    """Return what is to be shown beside the thing itself."""
    return frozenset(csv(text))


def several(call: Call, name: str) -> list[str]:
    """Return the values of a parameter, given several times or between commas."""
    return list(dict.fromkeys(csv(call.request.GET.getlist(name))))


def ids(call: Call, name: str, *, called: str = "id") -> list[int]:
    """Return the ids of a parameter, given several times or between commas.

    Raises:
        Invalid: one is no number.
    """
    found = several(call, name)
    for text in found:
        if not _NUMBER.fullmatch(text):
            raise Invalid(
                f"{text} is not a valid value. {called} must be zero or a positive integer."
            )
    return [int(text) for text in found]


def is_given(text: str | None) -> bool:
    """Tell whether a parameter says anything."""
    return text is not None and text != ""
