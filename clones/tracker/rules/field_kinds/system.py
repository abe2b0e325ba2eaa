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
    FieldKind,
)

_COMPONENTS: Final = FieldKind("components", ADD, several=True)
_SHOWN_MOMENT: Final = FieldKind("moment", NONE)
_SECONDS: Final = FieldKind("seconds", NONE)
_PROGRESS: Final = FieldKind("progress", NONE)
# In the order of the vendor's own lists of fields.
SYSTEM: Final[Mapping[str, FieldKind]] = MappingProxyType(
    {
        "statuscategorychangedate": _SHOWN_MOMENT,
        "issuetype": FieldKind("issuetype", NONE),
        "parent": FieldKind("parent"),
        "timespent": _SECONDS,
        "project": FieldKind("project"),
        "fixVersions": VERSIONS,
        "statusCategory": FieldKind("status_category", NONE),
        "aggregatetimespent": _SECONDS,
        "resolution": FieldKind("resolution"),
        "resolutiondate": _SHOWN_MOMENT,
        "workratio": _SECONDS,
        "issuerestriction": FieldKind("issuerestriction", NONE),
        "watches": FieldKind("watches", NONE),
        "lastViewed": _SHOWN_MOMENT,
        "created": _SHOWN_MOMENT,
        "priority": FieldKind("priority"),
        "labels": LABELS,
        "aggregatetimeoriginalestimate": _SECONDS,
        "timeestimate": _SECONDS,
        "versions": VERSIONS,
        "issuelinks": FieldKind("issuelinks", ("add", "copy")),
        "assignee": USER,
        "updated": _SHOWN_MOMENT,
        "status": FieldKind("status", NONE),
        "components": _COMPONENTS,
        "timeoriginalestimate": _SECONDS,
        "description": RICH,
        "timetracking": FieldKind("timetracking", ("set", "edit")),
        "security": FieldKind("security"),
        "attachment": FieldKind("attachment", ("set", "copy")),
        "aggregatetimeestimate": _SECONDS,
        "summary": TEXT,
        "creator": FieldKind("user", NONE),
        "subtasks": FieldKind("subtasks", NONE),
        "reporter": USER,
        "aggregateprogress": _PROGRESS,
        "environment": RICH,
        "duedate": DAY,
        "progress": _PROGRESS,
        "comment": FieldKind("comment", ("add", "edit", "remove")),
        "votes": FieldKind("votes", NONE),
        "worklog": FieldKind("worklog", ("add",)),
    }
)
# Names in histories that are not the field's id.
HISTORY: Final = {"fixVersions": "Fix Version", "versions": "Version", "components": "Component"}
# Not among the fields that lists show unless they are asked for.
NOT_NAVIGABLE: Final = frozenset({"comment", "worklog", "attachment", "timetracking"})
# What screens do not decide: it can always be set, or its own operations set it.
UNSCREENED: Final = frozenset({"issuetype", "project", "parent", "comment"})
