"""The world builder writes tickets as `clones.helpdesk.domain` would have: column by column."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from random import Random
from typing import Any

import pytest
from django.db.models import Model

from clones.core.journal import journal
from clones.core.models import Job
from clones.helpdesk.domain.sla_clocks import BREACH
from clones.helpdesk.domain.slas import stop
from clones.helpdesk.models import (
    Attachment,
    Audit,
    AuditEvent,
    Comment,
    MetricEvent,
    SatisfactionRating,
    SlaClock,
    Ticket,
    TicketMetric,
)
from clones.helpdesk.rules import actions, conditions
from seeds.kestrel.projection.rules import SOURCE
from seeds.kestrel.story import model as story
from seeds.kestrel.story.whole import Story
from seeds.worlds import BuildReport
from tests import tiers
from tests.seeds.retelling import File, Teller

SAMPLE, OF_EACH = (200, 6) if tiers.EVERYTHING else (70, 2)
IDENTIFIER = "identifiers are given out anew: relations and order are compared in their place"
RELATION = "compared by what it lies in"
# What is not compared, and why. Everything else is, columns added later included.
EXCLUDED: dict[type[Model], dict[str, str]] = {
    Ticket: {"id": IDENTIFIER},
    Audit: {"id": IDENTIFIER, "ticket_id": RELATION},
    AuditEvent: {"id": IDENTIFIER, "audit_id": RELATION},
    Comment: {"id": IDENTIFIER, "ticket_id": RELATION, "audit_id": RELATION},
    Attachment: {
        "id": IDENTIFIER,
        "comment_id": RELATION,
        "upload_id": "mail and forms bring files along: nobody sent them ahead with a token",
        "inline": "pictures inside a mail's text: uploads, the domain's one way in, have none",
    },
    TicketMetric: {"id": IDENTIFIER, "ticket_id": RELATION},
    SlaClock: {"id": IDENTIFIER, "ticket_id": RELATION},
    MetricEvent: {"id": IDENTIFIER, "ticket_id": RELATION},
    SatisfactionRating: {"id": IDENTIFIER, "ticket_id": RELATION},
    Job: {
        "id": IDENTIFIER,
        "payload": "names the clock, which the job is compared with",
        "key": "names the clock: compared without its identifier",
        "cause": "acts are kept from the present on: what set a timer in history has none",
    },
}
# Tables that a retelling writes and the builder does not.
UNWRITTEN = {
    "core_message": "mail of history is long delivered: only the events that record it are kept",
    "helpdesk_activity": "news of history has long been read: agents begin with none",
    "helpdesk_upload": "tokens of history have long expired",
    "helpdesk_user": "the retelling lets those work at the desk who worked there at the time",
}
# Timers are no records: the pending ones are compared with their clocks.
AMBIENT = {"core_job"}
Rows = dict[str, Any]


def labels(ticket: story.Ticket) -> set[str]:
    """Return what a ticket is an example of."""
    found = {f"channel {ticket.channel}", f"language {ticket.language}"}
    told: dict[str, Any] = {}
    for step in ticket.steps:
        told |= step.changes
        if step.actor[0] == "person" and step.said is not None and step.said.intent == "ooo":
            found.add("absence notice")
        if step.said is not None and step.said.attachments:
            found.add("files")
        if step.said is not None and step.said.intent == "merge_target":
            found.add("merge target")
        if "satisfaction" in step.changes:
            found.add(f"rating {step.changes['satisfaction']}")
    found.add(f"status {told['status']}")
    found.add(f"priority {told['priority']}")
    found.add(f"type {told.get('type')}")
    notes = ("follows", "merged_into", "copies", "forwarded", "reopened", "neglected", "problem")
    found |= {name for name in notes if name in ticket.notes and ticket.notes[name] is not False}
    if ticket.incident is not None:
        found.add("incident")
    if "problem" in told:
        found.add("linked to a problem")
    return found


def sample(tickets: list[story.Ticket]) -> list[story.Ticket]:
    """Return some tickets of every kind, with those that they need."""
    shuffled = sorted(tickets, key=lambda ticket: ticket.key)
    Random(200).shuffle(shuffled)
    left: dict[str, int] = {label: OF_EACH for ticket in tickets for label in labels(ticket)}
    chosen: dict[int, story.Ticket] = {}
    for ticket in shuffled:
        if any(left[label] > 0 for label in labels(ticket)):
            chosen[ticket.number] = ticket
            for label in labels(ticket):
                left[label] -= 1
    for ticket in shuffled:
        if len(chosen) >= SAMPLE:
            break
        chosen[ticket.number] = ticket
    by_number = {ticket.number: ticket for ticket in tickets}
    waiting = list(chosen.values())
    while waiting:
        ticket = waiting.pop()
        needed = [step.changes["problem"] for step in ticket.steps if "problem" in step.changes]
        needed += [ticket.notes["follows"]] if "follows" in ticket.notes else []
        for number in needed:
            if number not in chosen:
                chosen[number] = by_number[number]
                waiting.append(by_number[number])
    return sorted(chosen.values(), key=lambda ticket: ticket.number)


def columns(row: Model) -> Rows:
    """Return a row's columns, those left out that are not compared."""
    model = type(row)
    names = [str(field.attname) for field in model._meta.concrete_fields]
    return {name: getattr(row, name) for name in names if name not in EXCLUDED[model]}


class Reader:
    """Reads tickets with all that belongs to them; `known` maps numbers to the story's."""

    def __init__(self, known: dict[int, int]) -> None:
        self.known = known

    def read(self, number: int) -> Rows:
        """Return a ticket's rows, in order, nested as they belong together."""
        ticket = Ticket.objects.get(id=number)
        found = columns(ticket)
        for name in ("problem_id", "via_followup_source_id"):
            found[name] = self._number(found[name])
        found["via"] = self._via(found["via"])
        audits = list(Audit.objects.filter(ticket=ticket).order_by("created_at", "id"))
        clocks = SlaClock.objects.filter(ticket=ticket).order_by("metric", "instance")
        events = MetricEvent.objects.filter(ticket=ticket).order_by("id")
        return {
            "ticket": found,
            "audits": [self._audit(audit) for audit in audits],
            "metric": columns(TicketMetric.objects.get(ticket=ticket)),
            "clocks": [self._clock(clock) for clock in clocks],
            "metric events": [columns(event) for event in events],
            "ratings": [
                columns(row)
                for row in SatisfactionRating.objects.filter(ticket=ticket).order_by("id")
            ],
        }

    def _number(self, value: Any) -> Any:
        """Return the story's number of a ticket; digits stay digits."""
        if value is None:
            return None
        number = self.known[int(value)]
        return str(number) if isinstance(value, str) else number

    def _via(self, via: Rows) -> Rows:
        source = via["source"]["from"]
        if "ticket_id" not in source:
            return via
        source = {**source, "ticket_id": self._number(source["ticket_id"])}
        return {**via, "source": {**via["source"], "from": source}}

    def _audit(self, audit: Audit) -> Rows:
        events = list(AuditEvent.objects.filter(audit=audit).order_by("position"))
        assert [event.id for event in events] == sorted(event.id for event in events)
        comments = Comment.objects.in_bulk([event.id for event in events])
        assert len(comments) == Comment.objects.filter(audit=audit).count()
        return {
            **columns(audit),
            "via": self._via(audit.via),
            "events": [self._event(event, comments.get(event.id)) for event in events],
        }

    def _event(self, event: AuditEvent, comment: Comment | None) -> Rows:
        body = dict(event.body)
        if body.get("field_name") == "problem_id":
            for name in ("value", "previous_value"):
                if name in body:
                    body[name] = self._number(body[name])
        found = {**columns(event), "body": body}
        if comment is None:
            return found
        files = Attachment.objects.filter(comment=comment).order_by("id")
        said = {**columns(comment), "via": self._via(comment.via)}
        return {**found, "comment": said, "files": [columns(row) for row in files]}

    def _clock(self, clock: SlaClock) -> Rows:
        pending = Job.objects.filter(kind=BREACH, state="pending", payload={"clock": clock.id})
        found = [
            {**columns(job), "found by": (job.key or "").replace(str(clock.id), "clock")}
            for job in pending.order_by("id")
        ]
        return {**columns(clock), "jobs": found}


def differences(path: str, told: Any, built: Any) -> Iterable[str]:
    """Yield where two readings of a ticket differ."""
    if isinstance(told, dict) and isinstance(built, dict):
        if list(told) != list(built):
            yield f"{path}: the domain writes {list(told)}, the builder wrote {list(built)}"
        for key in told.keys() & built.keys():
            yield from differences(f"{path}.{key}", told[key], built[key])
    elif isinstance(told, list) and isinstance(built, list) and len(told) == len(built):
        for place, (one, other) in enumerate(zip(told, built, strict=True)):
            yield from differences(f"{path}[{place}]", one, other)
    elif told != built:
        yield f"{path}: the domain writes {told!r}, the builder wrote {built!r}"


def files_of(numbers: list[int]) -> dict[tuple[int, datetime], list[File]]:
    """Return the files of the tickets' comments, by ticket and time."""
    found: dict[tuple[int, datetime], list[File]] = {}
    rows = Attachment.objects.filter(comment__ticket_id__in=numbers).select_related("blob")
    for row in rows.select_related("comment", "blob").order_by("id"):
        assert row.comment is not None
        file = (row.file_name, row.content_type, bytes(row.blob.data))
        found.setdefault((row.comment.ticket_id, row.created_at), []).append(file)
    return found


def remove(numbers: list[int]) -> None:
    """Take tickets out of the world with all that belongs to them."""
    for ticket in Ticket.objects.filter(id__in=numbers):
        stop(ticket)
    Ticket.objects.filter(id__in=numbers).delete()


@pytest.mark.slow(shares="small_story")
@pytest.mark.timeout(600)
def test_builder_writes_what_the_domain_would_have_written(
    small: BuildReport, small_story: Story
) -> None:
    chosen = sample(small_story.tickets)
    numbers = [ticket.number for ticket in chosen]
    assert len(chosen) >= SAMPLE
    built = Reader({number: number for number in numbers})
    before = {number: built.read(number) for number in numbers}
    teller = Teller(small_story, small.facts["ticket_fields"], files_of(numbers))
    remove(numbers)
    start = journal().position()
    teller.tell(chosen)
    touched = {row.table.name for row in journal().rows(start) if row.table.kind == "record"}
    assert touched - UNWRITTEN.keys() == {model._meta.db_table for model in EXCLUDED} - AMBIENT
    told = Reader({made: number for number, made in teller.made.items()})
    found = [
        line
        for number in numbers
        for line in differences(str(number), told.read(teller.made[number]), before[number])
    ]
    assert not found, "\n".join([f"{len(found)} differences", *found[:40]])


@pytest.mark.slow(shares="small_story")
def test_sample_has_every_kind_of_ticket(small_story: Story) -> None:
    tickets = small_story.tickets
    everything = {label for ticket in tickets for label in labels(ticket)}
    assert {label for ticket in sample(tickets) for label in labels(ticket)} == everything
    assert {"follows", "merged_into", "rating good", "rating bad", "incident"} <= everything


@pytest.mark.parametrize("kind", ["triggers", "automations", "views", "slas"])
def test_rules_name_only_what_rules_may_name(kind: str) -> None:
    """A condition on an unknown field never holds, and an unknown action does nothing."""
    for rule in json.loads(SOURCE.read_text(encoding="utf-8"))[kind]:
        for field, *_ in [*rule.get("all", []), *rule.get("any", [])]:
            assert conditions.is_known(field), (rule["title"], field)
        for field, _ in rule.get("actions", []):
            assert actions.is_known(field), (rule["title"], field)
