"""Importing tickets with the past they had elsewhere: no rules run, nobody is written to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from clones.core import clock, ids
from clones.helpdesk.domain import audits, bulk, comments, metrics
from clones.helpdesk.domain.changes import apply_changes, moment, snapshot
from clones.helpdesk.domain.errors import AccessDenied, InvalidAttribute, RecordInvalid
from clones.helpdesk.domain.tickets import category_of
from clones.helpdesk.domain.values import ACCOUNT_ID, NewComment, Via
from clones.helpdesk.models import (
    Brand,
    CustomStatus,
    JobStatus,
    Ticket,
    TicketForm,
    User,
)
from clones.helpdesk.rules import lifecycle

KIND = "import_tickets"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class PastComment:
    """A comment to import, and when it was said, as text.

    None is now, and for the first comment when the ticket was created.
    """

    comment: NewComment
    created_at: str | None = None


@dataclass(frozen=True, slots=True)
class PastTimes:
    """When a ticket was created, last changed and solved, as text; None: now, or not at all."""

    created_at: str | None = None
    updated_at: str | None = None
    solved_at: str | None = None


def import_ticket(
    *,
    actor: User,
    changes: Mapping[str, Any],
    said: Sequence[PastComment],
    times: PastTimes,
    via: Via,
    requester: User | None = None,
) -> Ticket:
    """Write a ticket as it stood elsewhere, with all that was said on it.

    Each comment has an audit of its own; the first one's also records the ticket's values.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: nothing is said, a time lies ahead, or values break rules.
        InvalidAttribute: a value has the wrong shape.
    """
    if actor.role != "admin":
        raise AccessDenied("only admins import tickets")
    said = [item for item in said if not item.comment.is_blank]
    if not said:
        raise RecordInvalid.of("base", "Description: cannot be blank", "BlankValue")
    for item in said:
        comments.check_comment(item.comment)
    created = _past("created_at", times.created_at)
    ticket = _new_ticket(actor, requester or actor, via, created=created)
    ticket.updated_at = max(created, _past("updated_at", times.updated_at))
    applied = apply_changes(ticket, changes, actor=actor)
    _set_status(ticket, applied.asked_status)
    ticket.is_public = any(
        comments.is_public(item.comment, item.comment.author or actor) for item in said
    )
    ticket.description = comments.plain_text_of(said[0].comment)
    ticket.id = ids.next_serial(Ticket)
    ticket.save(force_insert=True)
    for number, item in enumerate(said):
        _write_comment(ticket, item, actor, via, changes, first=number == 0)
    _write_metric(ticket, times)
    return ticket


def _past(name: str, given: str | None) -> datetime:
    """Return a time that has been: 1970 at the earliest, now if none is given."""
    now = clock.now()
    found = moment(name, given)
    if found is None:
        return now
    if found > now:
        raise RecordInvalid.of(
            name, f"{name.replace('_', ' ').capitalize()}: is in the future", "InvalidValue"
        )
    return max(found, EPOCH)


def _new_ticket(actor: User, requester: User, via: Via, *, created: datetime) -> Ticket:
    return Ticket(
        status="new",
        requester=requester,
        submitter=actor,
        organization_id=requester.organization_id,
        brand=Brand.objects.filter(default=True).order_by("id").first(),
        ticket_form=TicketForm.objects.filter(default=True).order_by("id").first(),
        via=via.as_json(),
        created_at=created,
        updated_at=created,
    )


def _set_status(ticket: Ticket, asked: str | None) -> None:
    move = lifecycle.Move(
        writer="agent",
        asked=asked,
        assigned=ticket.assignee_id is not None,
        newly=ticket.assignee_id is not None,
    )
    try:
        ticket.status = lifecycle.next_status(None, move)
    except lifecycle.StatusRefused as refused:
        raise RecordInvalid.of("status", refused.description, "InvalidValue") from refused
    category = category_of(ticket.status)
    chosen = ticket.custom_status
    if chosen is None or chosen.status_category != category:
        usual = CustomStatus.objects.filter(status_category=category, default=True)
        ticket.custom_status = usual.order_by("id").first()


def _write_comment(
    ticket: Ticket,
    item: PastComment,
    actor: User,
    via: Via,
    changes: Mapping[str, Any],
    *,
    first: bool,
) -> None:
    author = item.comment.author or actor
    recorder = audits.open_audit(
        ticket,
        author=author,
        via=via.as_json(),
        client=via.client,
        custom=changes.get("metadata") if first else None,
    )
    recorder.audit.created_at = _comment_time(item, ticket.created_at if first else clock.now())
    recorder.audit.save(update_fields=("created_at",))
    events = []
    if first:
        events = audits.create_events(snapshot(ticket)) + audits.people_events(([], []), ticket)
    comments.write_comment(
        recorder, ticket, item.comment, author=author, via=via.as_json(), events=events
    )


def _comment_time(item: PastComment, usual: datetime) -> datetime:
    found = moment("created_at", item.created_at)
    if found is None:
        return usual
    if found < EPOCH:
        raise InvalidAttribute("created_at", "a date after 1970")
    return _past("created_at", item.created_at)


def _write_metric(ticket: Ticket, times: PastTimes) -> None:
    """Write the ticket's counters: nothing is measured of what was elsewhere."""
    metric = metrics.new_metric(ticket)
    metric.created_at = ticket.created_at
    metric.requester_updated_at = ticket.created_at
    if ticket.status in ("solved", "closed"):
        solved = times.solved_at or times.updated_at
        metric.solved_at = _past("solved_at", solved)
        metric.status_updated_at = metric.custom_status_updated_at = metric.solved_at
    metric.save(force_insert=True)


@bulk.does(KIND, "Bulk Import Ticket")
def _work(index: int, item: bulk.Item, job: JobStatus) -> bulk.Item:
    said = [
        PastComment(bulk.comment_of(given["comment"]), given["created_at"])
        for given in item["said"]
    ]
    ticket = import_ticket(
        actor=job.requested_by,
        changes=item["changes"],
        said=said,
        times=PastTimes(**item["times"]),
        via=bulk.via_of(job),
        requester=User.objects.filter(id=item["requester"] or 0).first(),
    )
    return {"index": index, "id": ticket.id, "account_id": ACCOUNT_ID}
