"""The kinds of gadgets that pages can show, and what each is set to.

Settings are kept as the vendor keeps them: texts under the property `config` of the gadget.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from clones.tracker.models import Gadget
from clones.tracker.rules.gadgets import KINDS, GadgetKind, kind_of

Input = Literal["source", "filter", "stat", "number", "choice", "flag", "columns", "board"]
CONFIG: Final = "config"
STATS: Final = {
    "statuses": "Status",
    "assignees": "Assignee",
    "issuetype": "Work type",
    "priorities": "Priority",
    "reporter": "Reporter",
    "creator": "Creator",
    "resolution": "Resolution",
    "project": "Space",
    "labels": "Labels",
    "components": "Components",
    "fixfor": "Fix versions",
    "version": "Affects versions",
}
PERIODS: Final = {
    "daily": "Daily",
    "weekly": "Weekly",
    "monthly": "Monthly",
    "quarterly": "Quarterly",
    "yearly": "Yearly",
}
COLUMNS: Final = "issuetype|issuekey|priority|summary"


@dataclass(frozen=True, slots=True)
class GadgetSetting:
    """Something that a gadget is set to: its name in the settings, its control, its usual value.

    `choices` are the values of a choice by what they are called.
    """

    name: str
    label: str
    input: Input
    usual: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    most: int = 0


@dataclass(frozen=True, slots=True)
class GadgetDisplay:
    """A kind that pages show: `name` is that of the template of what is in it."""

    title: str
    name: str
    about: str
    settings: tuple[GadgetSetting, ...] = ()

    @property
    def kind(self) -> GadgetKind:
        """The kind as the site knows it."""
        return {kind.title: kind for kind in KINDS}[self.title]

    @property
    def needs(self) -> tuple[str, ...]:
        """The settings without which it shows nothing."""
        return tuple(
            one.name for one in self.settings if one.input in {"source", "filter", "board"}
        )


def _number(name: str, label: str, usual: int, most: int) -> GadgetSetting:
    return GadgetSetting(name, label, "number", str(usual), most=most)


_SOURCE: Final = GadgetSetting("projectOrFilterId", "Space or saved filter", "source")
_ROWS: Final = _number("num", "Number of results", 10, 50)
_LISTED: Final = GadgetSetting("columnNames", "Columns to display", "columns", COLUMNS)
_REFRESH: Final = GadgetSetting("refresh", "Refresh every 15 minutes", "flag", "false")
_KINDS: Final = (
    GadgetDisplay(
        "Assigned to Me",
        "list",
        "Work that is assigned to you and not resolved.",
        (_ROWS, _LISTED),
    ),
    GadgetDisplay(
        "Filter Results",
        "list",
        "What a saved filter finds.",
        (GadgetSetting("filterId", "Saved filter", "filter"), _ROWS, _LISTED),
    ),
    GadgetDisplay("Watched Issues", "list", "Work that you watch.", (_ROWS, _LISTED)),
    GadgetDisplay("Voted Issues", "list", "Work that you voted for.", (_ROWS, _LISTED)),
    GadgetDisplay(
        "Pie Chart",
        "pie",
        "What is found, by a field, as parts of a circle.",
        (_SOURCE, GadgetSetting("statType", "Statistic type", "stat", "assignees")),
    ),
    GadgetDisplay(
        "Issue Statistics",
        "stats",
        "What is found, by a field, as bars.",
        (
            _SOURCE,
            GadgetSetting("statType", "Statistic type", "stat", "assignees"),
            GadgetSetting("includeResolvedIssues", "Include resolved work", "flag", "false"),
        ),
    ),
    GadgetDisplay(
        "Two Dimensional Filter Statistics",
        "grid",
        "What a saved filter finds, by two fields.",
        (
            GadgetSetting("filterId", "Saved filter", "filter"),
            GadgetSetting("xstattype", "XAxis", "stat", "statuses"),
            GadgetSetting("ystattype", "YAxis", "stat", "assignees"),
            GadgetSetting("showTotals", "Show totals", "flag", "true"),
            _number("numberToShow", "Number of results", 20, 50),
        ),
    ),
    GadgetDisplay(
        "Created vs. Resolved Chart",
        "created",
        "How much was created, and how much resolved, over time.",
        (
            _SOURCE,
            GadgetSetting("periodName", "Period", "choice", "daily", tuple(PERIODS.items())),
            _number("daysprevious", "Days previously", 30, 3650),
            GadgetSetting("isCumulative", "Cumulative totals", "flag", "true"),
        ),
    ),
    GadgetDisplay(
        "Activity Stream",
        "activity",
        "What happened lately.",
        (_number("numofentries", "Number of entries", 10, 50),),
    ),
    GadgetDisplay("Introduction", "introduction", "A greeting."),
    GadgetDisplay(
        "Favourite Filters", "filters", "The filters that you starred, with their counts."
    ),
    GadgetDisplay(
        "Sprint Burndown Gadget",
        "burndown",
        "How much of a sprint is left, day by day.",
        (GadgetSetting("rapidViewId", "Board", "board"),),
    ),
)
# What is set to anything can be set to refresh itself, too.
SHOWN: Final = tuple(
    replace(one, settings=(*one.settings, _REFRESH)) if one.settings else one for one in _KINDS
)
_BY_TITLE: Final[Mapping[str, GadgetDisplay]] = {shown.title: shown for shown in SHOWN}


def shown_kind(gadget: Gadget) -> GadgetDisplay | None:
    """Return how pages show a gadget, None if they cannot."""
    kind = kind_of(gadget.module_key, gadget.uri)
    return None if kind is None else _BY_TITLE.get(kind.title)


def kind_titled(title: str) -> GadgetDisplay | None:
    """Return the kind of a title, None if pages show none."""
    return _BY_TITLE.get(title)
