"""The gadgets that dashboards can hold, and the layouts that they stand in."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

COLOURS: Final = ("blue", "red", "yellow", "green", "cyan", "purple", "gray", "white")
# Columns are as many as letters: A is narrow, B wide.
LAYOUTS: Final = ("A", "AA", "AAA", "AB", "BA", "AAB", "ABA", "BAA")
MOST_GADGETS: Final = 20  # on a dashboard
_GADGETS: Final = "rest/gadgets/1.0/g/com.atlassian.jira.gadgets"


@dataclass(frozen=True, slots=True)
class GadgetKind:
    """A kind of gadgets: it is named by a module's key, or by an address where it is older.

    `kept_as` is the key by which rows of stores know a kind that the API names by its address.
    """

    title: str
    module_key: str | None = None
    uri: str | None = None
    kept_as: str | None = None


def _item(title: str, name: str, at: str = "", file: str = "") -> GadgetKind:
    """Return a kind whose rows have a key: `at` and `file` are the address's, by its name."""
    gadget = at or f"{name}-gadget"
    return GadgetKind(
        title,
        uri=f"{_GADGETS}:{gadget}/gadgets/{file or gadget}.xml",
        kept_as=f"com.atlassian.jira.gadgets:{name}-dashboard-item",
    )


def _old(title: str, at: str, file: str) -> GadgetKind:
    return GadgetKind(title, uri=f"{_GADGETS}:{at}/gadgets/{file}.xml")


_CREATED: Final = "created-vs-resolved-issues-chart-gadget"
KINDS: Final = (
    _item("Assigned to Me", "assigned-to-me"),
    _item("Filter Results", "filter-results"),
    _item("Pie Chart", "pie-chart", file="piechart-gadget"),
    _item("Two Dimensional Filter Statistics", "two-dimensional-stats"),
    _item(
        "Created vs. Resolved Chart", "created-vs-resolved", _CREATED, "createdvsresolved-gadget"
    ),
    _item("Issue Statistics", "stats"),
    _item("Favourite Filters", "favourite-filters"),
    _item("Watched Issues", "watched"),
    _item("Voted Issues", "voted"),
    _item("Introduction", "introduction"),
    GadgetKind(
        "Activity Stream",
        uri="rest/gadgets/1.0/g/com.atlassian.streams.streams-jira-plugin:activitystream-gadget/"
        "gadgets/activitystream-gadget.xml",
    ),
    GadgetKind(
        "Sprint Burndown Gadget",
        module_key="com.pyxis.greenhopper.jira:greenhopper-gadget-sprint-burndown-dashboard-item",
    ),
    GadgetKind(
        "Sprint Health Gadget",
        module_key="com.pyxis.greenhopper.jira:sprint-health-dashboard-item",
    ),
    _old("Average Age Chart", "average-age-chart-gadget", "average-age-gadget"),
    _old("Resolution Time", "resolution-time-gadget", "resolution-time-gadget"),
)


def keys_at(uris: Collection[str]) -> list[str]:
    """Return the keys by which rows know the kinds of some addresses."""
    return [kind.kept_as for kind in KINDS if kind.uri in uris and kind.kept_as is not None]


def kind_of(module_key: str | None, uri: str | None) -> GadgetKind | None:
    """Return the kind of gadgets that a key or an address names, None if there is none."""
    for kind in KINDS:
        if module_key is not None and module_key in (kind.module_key, kind.kept_as):
            return kind
        if uri is not None and kind.uri == uri.removeprefix("/"):
            return kind
    return None
