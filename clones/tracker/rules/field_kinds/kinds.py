"""Families of fields: what a value is, where it is kept, which operations change it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

NONE: Final[tuple[str, ...]] = ()
SET: Final = ("set",)
ADD: Final = ("add", "set", "remove")
_JIRA: Final = "com.atlassian.jira.plugin.system.customfieldtypes:"
_AGILE: Final = "com.pyxis.greenhopper.jira:"
_DESK: Final = "com.atlassian.servicedesk:"


@dataclass(frozen=True, slots=True)
class Estimates:
    """The estimates of `timetracking`: seconds of work, None where nobody estimated."""

    original: int | None = None
    remaining: int | None = None


@dataclass(frozen=True, slots=True)
class FieldKind:
    """A family of fields.

    `operations` are those of `update`; without any the field cannot be set. `column` is the column
    of `FieldValue` that holds a custom field's value; None: it is kept elsewhere. `several` says
    that a value is a tuple. `has_text` says that searches for words look into it.
    """

    name: str
    operations: tuple[str, ...] = SET
    column: str | None = None
    several: bool = False
    has_text: bool = False


def _several(name: str, column: str | None = None) -> FieldKind:
    return FieldKind(name, ADD, column, several=True)


TEXT: Final = FieldKind("text", column="text", has_text=True)
URL: Final = FieldKind("url", column="text")
READ_ONLY: Final = FieldKind("readonly", column="text", has_text=True)
COLOUR: Final = FieldKind("text", column="text")
RICH: Final = FieldKind("rich", column="document", has_text=True)
NUMBER: Final = FieldKind("number", column="number")
DAY: Final = FieldKind("day", column="day")
MOMENT: Final = FieldKind("moment", column="moment")
OPTION: Final = FieldKind("option", column="option")
OPTIONS: Final = _several("options", "option")
CASCADE: Final = FieldKind("cascade", column="option")
USER: Final = FieldKind("user", column="user")
USERS: Final = _several("users", "user")
GROUP: Final = FieldKind("group", column="group")
GROUPS: Final = _several("groups", "group")
VERSION: Final = FieldKind("version", column="other")
VERSIONS: Final = _several("versions", "other")
PROJECT: Final = FieldKind("project", column="other")
LABELS: Final = _several("labels", "text")
SPRINT: Final = FieldKind("sprint")
RANK: Final = FieldKind("rank", NONE)
EPIC_LINK: Final = FieldKind("epic_link")
EPIC_NAME: Final = FieldKind("epic_name")
REQUEST_TYPE: Final = FieldKind("request_type", NONE)
SLA: Final = FieldKind("sla", NONE)
PARTICIPANTS: Final = FieldKind("participants", NONE)
ORGANIZATIONS: Final = FieldKind("organizations", NONE)
APPROVALS: Final = FieldKind("approvals", NONE)
UNKNOWN: Final = FieldKind("unknown", NONE)

# Custom field types by the vendor's whole keys.
CUSTOM: Final[Mapping[str, FieldKind]] = MappingProxyType(
    {
        f"{_JIRA}cascadingselect": CASCADE,
        f"{_JIRA}datepicker": DAY,
        f"{_JIRA}datetime": MOMENT,
        f"{_JIRA}float": NUMBER,
        f"{_JIRA}grouppicker": GROUP,
        f"{_JIRA}importid": NUMBER,
        f"{_JIRA}labels": LABELS,
        f"{_JIRA}multicheckboxes": OPTIONS,
        f"{_JIRA}multigrouppicker": GROUPS,
        f"{_JIRA}multiselect": OPTIONS,
        f"{_JIRA}multiuserpicker": USERS,
        f"{_JIRA}multiversion": VERSIONS,
        f"{_JIRA}people": USERS,
        f"{_JIRA}project": PROJECT,
        f"{_JIRA}radiobuttons": OPTION,
        f"{_JIRA}readonlyfield": READ_ONLY,
        f"{_JIRA}select": OPTION,
        f"{_JIRA}textarea": RICH,
        f"{_JIRA}textfield": TEXT,
        f"{_JIRA}url": URL,
        f"{_JIRA}userpicker": USER,
        f"{_JIRA}version": VERSION,
        f"{_AGILE}gh-sprint": SPRINT,
        f"{_AGILE}gh-lexo-rank": RANK,
        f"{_AGILE}gh-epic-link": EPIC_LINK,
        f"{_AGILE}gh-epic-label": EPIC_NAME,
        f"{_AGILE}jsw-story-points": NUMBER,
        f"{_AGILE}jsw-issue-color": COLOUR,
        f"{_DESK}vp-origin": REQUEST_TYPE,
        f"{_DESK}sd-sla-field": SLA,
        f"{_DESK}sd-request-participants": PARTICIPANTS,
        f"{_DESK}sd-customer-organizations": ORGANIZATIONS,
        "com.atlassian.servicedesk.approvals-plugin:sd-approvals": APPROVALS,
    }
)


def kind_of(type_key: str) -> FieldKind:
    """Return the kind of custom fields of a type; an app's is unknown and cannot be set."""
    return CUSTOM.get(type_key, UNKNOWN)
