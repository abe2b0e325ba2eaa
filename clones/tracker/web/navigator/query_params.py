"""What an address of the navigator asks for: a query or a filter, how it is shown, which page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from django.http import HttpRequest

from clones.core.digits import is_digits
from clones.tracker.domain.filters import find_filter
from clones.tracker.models import Filter
from clones.tracker.queries.rights import Rights

PAGE: Final = 50
VIEWS: Final = {"list": "List view", "detail": "Detail view"}
ADDRESS: Final = "/issues/"
DEFAULT_JQL: Final = "ORDER BY created DESC"


@dataclass(frozen=True, slots=True)
class NavigatorQuery:
    """What is asked for. `typed` is None where the address has no query of its own."""

    typed: str | None
    saved: Filter | None
    mode: str
    view: str
    start: int
    selected: str
    mine: bool

    @property
    def jql(self) -> str:
        """The query: as typed, else the filter's."""
        if self.typed is not None:
            return self.typed
        return self.saved.jql if self.saved is not None else DEFAULT_JQL

    @property
    def is_edited(self) -> bool:
        """Whether the query is no longer that of the filter."""
        return self.saved is not None and self.jql.strip() != self.saved.jql.strip()

    def address(self, **changes: str | int | None) -> str:
        """Return the address of the same with some changes; None leaves a part out."""
        parts: dict[str, str | int | None] = {
            "filter": None if self.saved is None else self.saved.id,
            "jql": self.typed,
            "mode": self.mode,
            "view": None if self.view == "list" else self.view,
            "columns": "mine" if self.mine else None,
            "startIndex": None,
        }
        parts.update(changes)
        kept = {name: value for name, value in parts.items() if value not in {None, 0}}
        return f"{ADDRESS}?{urlencode(kept)}"

    def of_jql(self, jql: str) -> NavigatorQuery:
        """Return the same with another query."""
        return replace(self, typed=jql)


def read_navigator_query(request: HttpRequest, rights: Rights) -> NavigatorQuery:
    """Read an address of the navigator.

    Raises:
        NotFound: there is no such filter, or not for them.
    """
    given = request.GET
    key = given.get("filter", "")
    saved = find_filter(rights, key) if key else None
    start = given.get("startIndex", "")
    view = given.get("view", "")
    return NavigatorQuery(
        typed=given.get("jql"),
        saved=saved,
        mode="basic" if given.get("mode") == "basic" else "jql" if given.get("mode") else "",
        view=view if view in VIEWS else "list",
        start=int(start) if is_digits(start, 6) else 0,
        selected=given.get("selectedIssue", ""),
        mine=given.get("columns") == "mine",
    )
