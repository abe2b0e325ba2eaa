"""The kinds of the fields that every site has, and what histories call them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from clones.tracker.rules.field_kinds.kinds import (
    ADD,
    DAY,
    LABELS,
    NONE,
    RICH,
    TEXT,
    USER,
    VERSIONS,
    Kind,
)

_COMPONENTS: Final = Kind("components", ADD, several=True)
_SHOWN_MOMENT: Final = Kind("moment", NONE)
_SECONDS: Final = Kind("seconds", NONE)
_PROGRESS: Final = Kind("progress", NONE)
# In the order of the vendor's own lists of fields.
SYSTEM: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        "statuscategorychangedate": _SHOWN_MOMENT,
        "issuetype": Kind("issuetype", NONE),
        "parent": Kind("parent"),
        "timespent": _SECONDS,
        "project": Kind("project"),
        "fixVersions": VERSIONS,
        "statusCategory": Kind("status_category", NONE),
        "aggregatetimespent": _SECONDS,
        "resolution": Kind("resolution"),
        "resolutiondate": _SHOWN_MOMENT,
        "workratio": _SECONDS,
        "issuerestriction": Kind("issuerestriction", NONE),
        "watches": Kind("watches", NONE),
        "lastViewed": _SHOWN_MOMENT,
        "created": _SHOWN_MOMENT,
        "priority": Kind("priority"),
        "labels": LABELS,
        "aggregatetimeoriginalestimate": _SECONDS,
        "timeestimate": _SECONDS,
        "versions": VERSIONS,
        "issuelinks": Kind("issuelinks", ("add", "copy")),
        "assignee": USER,
        "updated": _SHOWN_MOMENT,
        "status": Kind("status", NONE),
        "components": _COMPONENTS,
        "timeoriginalestimate": _SECONDS,
        "description": RICH,
        "timetracking": Kind("timetracking", ("set", "edit")),
        "security": Kind("security"),
        "attachment": Kind("attachment", ("set", "copy")),
        "aggregatetimeestimate": _SECONDS,
        "summary": TEXT,
        "creator": Kind("user", NONE),
        "subtasks": Kind("subtasks", NONE),
        "reporter": USER,
        "aggregateprogress": _PROGRESS,
        "environment": RICH,
        "duedate": DAY,
        "progress": _PROGRESS,
        "comment": Kind("comment", ("add", "edit", "remove")),
        "votes": Kind("votes", NONE),
        "worklog": Kind("worklog", ("add",)),
    }
)
# Names in histories that are not the field's id.
HISTORY: Final = {"fixVersions": "Fix Version", "versions": "Version", "components": "Component"}
# Not among the fields that lists show unless they are asked for.
NOT_NAVIGABLE: Final = frozenset({"comment", "worklog", "attachment", "timetracking"})
# What screens do not decide: it can always be set, or its own operations set it.
UNSCREENED: Final = frozenset({"issuetype", "project", "parent", "comment"})
