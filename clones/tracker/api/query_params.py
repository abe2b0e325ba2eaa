"""What several operations on spaces and people read from queries and bodies alike."""

from __future__ import annotations

from pydantic import Field

from clones.core.operations.inputs import CommaList
from clones.tracker.api.operations import Query


class PagedQuery(Query):
    """Paging of a list: where the page starts, and its size."""

    start: str | None = Field(None, alias="startAt", description="0 unless said")
    most: str | None = Field(None, alias="maxResults")


class ExpandQuery(Query):
    """The expansions of what is shown."""

    expand: CommaList[str] = []


def is_given(text: str | None) -> bool:
    """Tell whether a parameter says anything."""
    return text is not None and text != ""
