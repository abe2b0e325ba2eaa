"""A ticket while its story is replayed: its values, and how changes make new ones of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from clones.helpdesk.domain.values import CUSTOM, FIELD_ORDER
from clones.helpdesk.rules import lifecycle
from clones.helpdesk.rules.conditions import UpdateComment
from clones.helpdesk.rules.fields import field_value
from clones.helpdesk.rules.tags import add_tags, drop_tags, field_tags, split_tags
from seeds.kestrel.projection.counters import Counters
from seeds.kestrel.projection.desk import DeskIds
from seeds.kestrel.projection.roster import Roster

PLAIN = (
    "subject",
    "external_id",
    "recipient",
    "priority",
    "type",
    "assignee_id",
    "group_id",
    "problem_id",
    "satisfaction_score",
)
IDENTIFIERS = frozenset({"assignee_id", "group_id", "problem_id"})
KNOWN = frozenset(
    {*PLAIN, "status", "custom_fields", "tags", "additional_tags", "remove_tags", "email_cc_ids"}
)


class UnknownChange(Exception):
    """Raised when a rule or a story changes what the builder does not know how to change."""


@dataclass(slots=True)
class LiveTicket:
    """One ticket: `values` are under the names that audits use, `row` is what they leave out.

    `heard` are the public comments so far: when, and whether the desk said it.
    """

    number: int
    created: datetime
    values: dict[str, Any]
    row: dict[str, Any]
    counters: Counters
    clocks: dict[str, dict[str, Any]] = field(default_factory=dict)
    heard: list[tuple[datetime, bool]] = field(default_factory=list)

    @property
    def channel(self) -> str:
        """How the ticket came in."""
        return str(self.row["via"]["channel"])


@dataclass(frozen=True, slots=True)
class Touch:
    """One update of a ticket: when, by whom (None: a rule), how, what was said, what was before."""

    at: datetime
    actor: int | None
    channel: str
    before: Mapping[str, Any] | None
    said: UpdateComment | None = None


def blank_values() -> dict[str, Any]:
    """Return the values of a ticket that nothing is known of."""
    return {**dict.fromkeys(FIELD_ORDER), "status": "new", "tags": []}


class Changer:
    """Makes changes, given under the names of ticket updates, as `domain.changes` does."""

    def __init__(self, desk: DeskIds, roster: Roster) -> None:
        self.desk, self.roster = desk, roster

    def apply(self, ticket: LiveTicket, changes: Mapping[str, Any]) -> str | None:
        """Make changes and return the status they ask for.

        Raises:
            UnknownChange: a name is none that stories and rules may use.
        """
        values = ticket.values
        if not KNOWN.issuperset(changes):
            raise UnknownChange(f"cannot change {', '.join(sorted(set(changes) - KNOWN))}")
        for name in PLAIN:
            if name in changes:
                value = changes[name]
                found = int(value) if name in IDENTIFIERS and value is not None else value
                values[name] = found
        if "email_cc_ids" in changes:
            ticket.row["email_cc_ids"] = list(changes["email_cc_ids"])
        self._fields(values, changes.get("custom_fields") or {})
        self._settle_group(values, changes)
        if "tags" in changes:
            values["tags"] = split_tags(changes["tags"])
        if "additional_tags" in changes:
            values["tags"] = add_tags(values["tags"], changes["additional_tags"])
        if "remove_tags" in changes:
            values["tags"] = drop_tags(values["tags"], changes["remove_tags"])
        asked = changes.get("status")
        return None if asked is None else str(asked)

    def settle(self, ticket: LiveTicket, current: str | None, move: lifecycle.Move) -> None:
        """Set the status that follows, and the custom status with it."""
        values = ticket.values
        values["status"] = lifecycle.next_status(current, move)
        values["custom_status_id"] = self.desk.statuses[values["status"]]

    def _fields(self, values: dict[str, Any], wanted: Mapping[str, Any]) -> None:
        for key in sorted(wanted, key=int):
            spec = self.desk.specs[int(key)]
            name = CUSTOM + key
            tags = set(values["tags"]) - field_tags(spec.kind, values.get(name), spec.tag)
            new = field_value(spec.kind, wanted[key], spec.options)
            values["tags"] = sorted(tags | field_tags(spec.kind, new, spec.tag))
            if new is None:
                values.pop(name, None)
            else:
                values[name] = new

    def _settle_group(self, values: dict[str, Any], changes: Mapping[str, Any]) -> None:
        """Make group and assignee agree: an assignee brings a group, a new group may drop one."""
        owner = values["assignee_id"]
        if owner is None or not {"assignee_id", "group_id"} & set(changes):
            return
        groups = self.roster.groups_of(owner)
        if values["group_id"] in groups:
            return
        if changes.get("group_id"):
            if "assignee_id" in changes:
                raise UnknownChange(f"{owner} is not in group {values['group_id']}")
            values["assignee_id"] = None
        elif groups:
            values["group_id"] = groups[0]
