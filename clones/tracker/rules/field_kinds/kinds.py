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
class Kind:
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


def _several(name: str, column: str | None = None) -> Kind:
    return Kind(name, ADD, column, several=True)


TEXT: Final = Kind("text", column="text", has_text=True)
URL: Final = Kind("url", column="text")
READ_ONLY: Final = Kind("readonly", column="text", has_text=True)
COLOUR: Final = Kind("text", column="text")
RICH: Final = Kind("rich", column="document", has_text=True)
NUMBER: Final = Kind("number", column="number")
DAY: Final = Kind("day", column="day")
MOMENT: Final = Kind("moment", column="moment")
OPTION: Final = Kind("option", column="option")
OPTIONS: Final = _several("options", "option")
CASCADE: Final = Kind("cascade", column="option")
USER: Final = Kind("user", column="user")
USERS: Final = _several("users", "user")
GROUP: Final = Kind("group", column="group")
GROUPS: Final = _several("groups", "group")
VERSION: Final = Kind("version", column="other")
VERSIONS: Final = _several("versions", "other")
PROJECT: Final = Kind("project", column="other")
LABELS: Final = _several("labels", "text")
SPRINT: Final = Kind("sprint")
RANK: Final = Kind("rank", NONE)
EPIC_LINK: Final = Kind("epic_link")
EPIC_NAME: Final = Kind("epic_name")
REQUEST_TYPE: Final = Kind("request_type", NONE)
SLA: Final = Kind("sla", NONE)
PARTICIPANTS: Final = Kind("participants", NONE)
ORGANIZATIONS: Final = Kind("organizations", NONE)
APPROVALS: Final = Kind("approvals", NONE)
UNKNOWN: Final = Kind("unknown", NONE)

# Custom field types by the vendor's whole keys.
CUSTOM: Final[Mapping[str, Kind]] = MappingProxyType(
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


def kind_of(type_key: str) -> Kind:
    """Return the kind of custom fields of a type; an app's is unknown and cannot be set."""
    return CUSTOM.get(type_key, UNKNOWN)
