"""Audits: what one update consists of, event by event, with values as text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from clones.core import clock, ids
from clones.helpdesk.domain.values import (
    ALWAYS_ON_CREATE,
    CUSTOM,
    FIELD_ORDER,
    NEVER_ON_CREATE,
    Via,
)
from clones.helpdesk.models import Audit, AuditEvent, Macro, Ticket, User

Event = tuple[str, dict[str, Any]]


@dataclass(slots=True)
class Recorder:
    """The audit at hand: adds events in order, each with the next identifier."""

    audit: Audit
    count: int = field(default=0)

    def add(self, events: Sequence[Event]) -> list[AuditEvent]:
        """Write events after those there are and return them."""
        numbers = ids.next_stamps(AuditEvent, len(events))
        rows = [
            AuditEvent(
                id=number, audit=self.audit, type=kind, position=self.count + index, body=body
            )
            for index, (number, (kind, body)) in enumerate(zip(numbers, events, strict=True))
        ]
        self.count += len(rows)
        AuditEvent.objects.bulk_create(rows)
        return rows


def open_audit(
    ticket: Ticket,
    *,
    author: User | None,
    via: Mapping[str, Any],
    client: str | None,
    custom: Mapping[str, Any] | None = None,
    more: Mapping[str, Any] | None = None,
) -> Recorder:
    """Write the audit of an update; `author` is None for the system.

    `more` is what its metadata has beside: more of `system`, and other names.
    """
    beside = dict(more or {})
    system: dict[str, Any] = {}
    if author is not None:
        system = {
            "client": client,
            "ip_address": None,
            "location": None,
            "latitude": None,
            "longitude": None,
        }
    system |= beside.pop("system", {})
    audit = Audit(
        id=ids.next_stamp(Audit),
        ticket=ticket,
        author=author,
        created_at=clock.now(),
        metadata={"system": system, "custom": dict(custom or {}), **beside},
        via=dict(via),
    )
    audit.save(force_insert=True)
    return Recorder(audit)


def unwritten_audit(ticket: Ticket, author: User | None, via: Via) -> Audit:
    """Return the audit of an update that changed nothing: it is not kept and has no id."""
    return Audit(
        ticket=ticket,
        author=author,
        created_at=clock.now(),
        metadata={"system": {}, "custom": {}},
        via=via.as_json(),
    )


def text_value(name: str, value: Any) -> Any:
    """Return a value as audits show it: text, except tags, which are a list."""
    if value is None:
        return None
    if isinstance(value, list):
        return [str(item) for item in value]
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def create_events(values: Mapping[str, Any]) -> list[Event]:
    """Return the Create events of a new ticket, in the vendor's order."""
    events: list[Event] = []
    for name in _ordered(values):
        value = values[name]
        if name in NEVER_ON_CREATE or (value in (None, []) and name not in ALWAYS_ON_CREATE):
            continue
        body = {"value": text_value(name, value), "field_name": name.removeprefix(CUSTOM)}
        events.append(("Create", body))
    return events


def change_events(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Event]:
    """Return the Change events between two snapshots of a ticket."""
    events: list[Event] = []
    moved = {name for name, new in after.items() if before.get(name) != new}
    if not before.keys() <= after.keys():
        moved |= {name for name in before.keys() - after.keys() if before[name] is not None}
    for name in _ordered(moved):
        old, new = before.get(name), after.get(name)
        body = {
            "value": text_value(name, new),
            "field_name": name.removeprefix(CUSTOM),
            "previous_value": text_value(name, old),
        }
        events.append(("Change", body))
    return events


def people_events(before: tuple[list[int], list[int]], ticket: Ticket) -> list[Event]:
    """Return the events of changed CCs and followers; `before` is (CCs, followers)."""
    events: list[Event] = []
    ccs, followers = before
    if ccs != ticket.email_cc_ids:
        body = {
            "previous_email_ccs": _emails(ccs),
            "current_email_ccs": _emails(ticket.email_cc_ids),
        }
        events.append(("EmailCcChange", body))
    if followers != ticket.follower_ids:
        body = {
            "previous_followers": _emails(followers),
            "current_followers": _emails(ticket.follower_ids),
        }
        events.append(("FollowerChange", body))
    return events


def macro_events(macro_ids: Iterable[int]) -> list[Event]:
    """Return the events that say which macros were applied."""
    wanted = list(macro_ids)
    if not wanted:
        return []
    titles = dict(Macro.objects.filter(id__in=wanted).values_list("id", "title"))
    return [
        ("AgentMacroReference", {"macro_id": str(key), "macro_title": titles[key]})
        for key in wanted
        if key in titles
    ]


def _ordered(values: Collection[str]) -> list[str]:
    if not values:
        return []
    system = [name for name in FIELD_ORDER if name in values]
    custom = sorted(
        (name for name in values if name.startswith(CUSTOM)),
        key=lambda name: int(name.removeprefix(CUSTOM)),
    )
    return system + custom


def _emails(user_ids: Sequence[int]) -> list[str]:
    found = dict(User.objects.filter(id__in=user_ids).values_list("id", "email"))
    return [found[key] or "" for key in user_ids if key in found]
