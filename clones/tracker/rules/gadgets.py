"""The gadgets that dashboards can hold, and the layouts that they stand in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

COLOURS: Final = ("blue", "red", "yellow", "green", "cyan", "purple", "gray", "white")
# Columns are as many as letters: A is narrow, B wide.
LAYOUTS: Final = ("A", "AA", "AAA", "AB", "BA", "AAB", "ABA", "BAA")
MOST_GADGETS: Final = 20  # on a dashboard
_GADGETS: Final = "rest/gadgets/1.0/g/com.atlassian.jira.gadgets"


@dataclass(frozen=True, slots=True)
class GadgetKind:
    """A kind of gadgets: it is named by a module's key, or by an address where it is older."""

    title: str
    module_key: str | None = None
    uri: str | None = None


def _item(title: str, name: str) -> GadgetKind:
    return GadgetKind(title, module_key=f"com.atlassian.jira.gadgets:{name}-dashboard-item")


def _old(title: str, name: str) -> GadgetKind:
    return GadgetKind(title, uri=f"{_GADGETS}:{name}-gadget/gadgets/{name}-gadget.xml")


KINDS: Final = (
    _item("Assigned to Me", "assigned-to-me"),
    _item("Filter Results", "filter-results"),
    _item("Pie Chart", "pie-chart"),
    _item("Two Dimensional Filter Statistics", "two-dimensional-stats"),
    _item("Created vs. Resolved Chart", "created-vs-resolved"),
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
    _old("Average Age Chart", "average-age-chart"),
    _old("Resolution Time", "resolution-time"),
)


def kind_of(module_key: str | None, uri: str | None) -> GadgetKind | None:
    """Return the kind of gadgets that a key or an address names, None if there is none."""
    for kind in KINDS:
        if module_key is not None and kind.module_key == module_key:
            return kind
        if uri is not None and kind.uri == uri.removeprefix("/"):
            return kind
    return None
