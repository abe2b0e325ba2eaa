"""Writing tickets: create, update, delete, restore."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from clones.core import clock, ids
from clones.helpdesk.domain import audits, comments, deliveries, metrics, reactions
from clones.helpdesk.domain.changes import Applied, apply_changes, moment, snapshot
from clones.helpdesk.domain.errors import (
    AccessDenied,
    Problem,
    RecordInvalid,
    RecordNotFound,
    UpdateConflict,
)
from clones.helpdesk.domain.inherited_tags import exchange_tags, inherit_tags
from clones.helpdesk.domain.routing import ask_for_routing
from clones.helpdesk.domain.values import NewComment, RuleSource, Via
from clones.helpdesk.models import (
    Audit,
    Brand,
    Comment,
    CustomStatus,
    Group,
    Ticket,
    TicketField,
    TicketForm,
    User,
)
from clones.helpdesk.rules import lifecycle, required
from clones.helpdesk.rules.system_fields import BY_TYPE

__all__ = [
    "NewComment",
    "RuleSource",
    "Via",
    "create_ticket",
    "delete_ticket",
    "erase_ticket",
    "restore_ticket",
    "update_ticket",
]


def create_ticket(
    *,
    actor: User,
    changes: Mapping[str, Any],
    comment: NewComment,
    via: Via,
    requester: User | None = None,
) -> Audit:
    """Create a ticket with its first comment and run what follows from it.

    `changes` has the API's attribute names. The requester is the actor unless given, here or as
    `requester_id`.

    Raises:
        RecordInvalid: nothing is said, or values break rules.
        InvalidAttribute: a value has the wrong shape.
    """
    if comment.is_blank:
        raise RecordInvalid.of("base", "Description: cannot be blank", "BlankValue")
    comments.check_comment(comment)
    ticket = _blank_ticket(actor, requester or actor, via)
    applied = apply_changes(ticket, changes, actor=actor)
    inherit_tags(ticket)
    if "group_id" not in changes:
        _go_to_group_of_organization(ticket)
    author = comment.author or ticket.submitter
    move = lifecycle.Move(
        writer=_writer(actor),
        asked=applied.asked_status,
        public_comment=comments.is_public(comment, author),
        assigned=ticket.assignee_id is not None,
        newly=ticket.assignee_id is not None,
        is_requester_side=not author.is_agent,
    )
    _settle_status(ticket, None, move)
    _check_required(ticket, None, actor)
    ticket.id = ids.next_serial(Ticket)
    ticket.is_public = move.public_comment
    ticket.description = comments.plain_text_of(comment)
    ticket.save(force_insert=True)
    metric = metrics.new_metric(ticket)
    shown = dict(ticket.via)
    recipient = {"name": ticket.requester.name, "address": ticket.requester.email}
    shown["source"] = {**shown["source"], "to": recipient}
    recorder = _open_audit(ticket, actor, shown, via, changes.get("metadata"))
    after = snapshot(ticket)
    events = audits.create_events(after)
    events += audits.people_events(([], []), ticket) + audits.macro_events(applied.macros)
    said = comments.write_comment(
        recorder, ticket, comment, author=author, via=via.as_json(), events=events
    )
    metrics.note_changes(metric, {}, after, comment=said)
    metric.save(force_insert=True)
    reactions.react(
        ticket, before=None, metric=metric, recorder=recorder, comment=said, actor=actor
    )
    deliveries.tell_of_ticket("created", ticket, actor=actor)
    return recorder.audit


def update_ticket(
    ticket: Ticket,
    *,
    actor: User | None,
    changes: Mapping[str, Any],
    comment: NewComment | None = None,
    via: Via,
    rule: RuleSource | None = None,
) -> Audit:
    """Change a ticket, say something on it, or both, and run what follows.

    `actor` is None, and `rule` given, when the account's own rules change it. An update that
    changes nothing returns an audit without id or events, which is not kept.

    Raises:
        RecordInvalid: the ticket is closed, or values break rules; nothing is written.
        InvalidAttribute: a value has the wrong shape.
        UpdateConflict: `safe_update` was asked for and the ticket changed since `updated_stamp`.
    """
    if ticket.status == "closed":
        raise RecordInvalid.of("status", "Status: closed prevents ticket update")
    _check_stamp(ticket, changes)
    if comment is not None and comment.is_blank:
        comment = None
    if comment is not None:
        comments.check_comment(comment)
        if comment.unsaid and not ticket.is_public:
            comment = replace(comment, public=False)
    before = snapshot(ticket)
    people = (list(ticket.email_cc_ids), list(ticket.follower_ids))
    applied = apply_changes(ticket, changes, actor=actor)
    exchange_tags(ticket, before)
    author = (comment.author if comment is not None else None) or actor
    move = _move(ticket, before, applied, comment=comment, author=author, actor=actor)
    _settle_status(ticket, str(before["status"]), move)
    if rule is None:
        _check_required(ticket, before, actor)
    _check_kind(ticket, before)
    events = audits.change_events(before, snapshot(ticket)) + audits.people_events(people, ticket)
    events += audits.macro_events(applied.macros)
    if not events and comment is None:
        return audits.unwritten_audit(ticket, actor, via)
    change = _Change(ticket, before, actor, author, comment, via, rule)
    return _write_update(change, events, changes.get("metadata"))


def _go_to_group_of_organization(ticket: Ticket) -> None:
    """Give a new ticket that has no group the one of its organization, if that has one."""
    organization = ticket.organization
    if ticket.group_id is None and organization is not None and organization.group_id is not None:
        ticket.group = Group.objects.filter(id=organization.group_id, deleted=False).first()


@dataclass(frozen=True, slots=True)
class _Change:
    """One checked update, ready to be written."""

    ticket: Ticket
    before: dict[str, Any]
    actor: User | None
    author: User | None
    comment: NewComment | None
    via: Via
    rule: RuleSource | None


def _write_update(
    change: _Change, events: list[audits.Event], custom: Mapping[str, Any] | None
) -> Audit:
    ticket, comment, author = change.ticket, change.comment, change.author
    shown = change.rule.via() if change.rule is not None else change.via.as_json()
    recorder = _open_audit(ticket, change.actor, shown, change.via, custom)
    said: Comment | None = None
    if comment is not None and author is not None:
        said = comments.write_comment(
            recorder, ticket, comment, author=author, via=shown, events=events
        )
        ticket.is_public = ticket.is_public or said.public
    ticket.updated_at = clock.now()
    ticket.save()
    if said is None:
        recorder.add(events)
    metric = metrics.metric_of(ticket)
    metrics.note_changes(metric, change.before, snapshot(ticket), comment=said)
    metrics.store(metric)
    reactions.react(
        ticket,
        before=change.before,
        metric=metric,
        recorder=recorder,
        comment=said,
        actor=change.actor,
    )
    if (
        change.before["status"] != "solved"
        and ticket.status == "solved"
        and ticket.type == "problem"
    ):
        _solve_incidents(ticket, change.actor, comment)
    return recorder.audit


def _open_audit(
    ticket: Ticket,
    actor: User | None,
    shown: Mapping[str, Any],
    via: Via,
    custom: Mapping[str, Any] | None,
) -> audits.Recorder:
    """Write the audit of an update that came by `via`; `shown` is what the audit says of it."""
    return audits.open_audit(
        ticket, author=actor, via=shown, client=via.client, custom=custom, more=via.metadata
    )


def delete_ticket(ticket: Ticket, *, actor: User) -> None:
    """Put a ticket among the deleted ones.

    Raises:
        AccessDenied: the actor does not work at the desk.
    """
    _agents_only(actor)
    ticket.deleted_at = clock.now()
    ticket.deleted_by = actor
    ticket.save(update_fields=("deleted_at", "deleted_by_id"))
    reactions.stop_clocks(ticket)
    ask_for_routing()


def restore_ticket(ticket: Ticket, *, actor: User) -> None:
    """Take a ticket back from the deleted ones.

    Raises:
        AccessDenied: the actor does not work at the desk.
        RecordNotFound: it is not among them.
    """
    _agents_only(actor)
    if ticket.deleted_at is None:
        raise RecordNotFound("deleted ticket", ticket.id)
    ticket.deleted_at = None
    ticket.deleted_by = None
    ticket.save(update_fields=("deleted_at", "deleted_by_id"))
    ask_for_routing()


def erase_ticket(ticket: Ticket, *, actor: User) -> None:
    """Remove a deleted ticket and everything said on it, for good.

    Raises:
        AccessDenied: the actor is no admin.
        RecordNotFound: it is not among the deleted ones.
    """
    if actor.role != "admin":
        raise AccessDenied("only admins erase tickets")
    if ticket.deleted_at is None:
        raise RecordNotFound("deleted ticket", ticket.id)
    ticket.delete()


def _blank_ticket(actor: User, requester: User, via: Via) -> Ticket:
    now = clock.now()
    return Ticket(
        status="new",
        requester=requester,
        submitter=actor,
        organization_id=requester.organization_id,
        brand=Brand.objects.filter(default=True).order_by("id").first(),
        ticket_form=TicketForm.objects.filter(default=True).order_by("id").first(),
        via=via.as_json(),
        created_at=now,
        updated_at=now,
    )


def _writer(actor: User | None) -> lifecycle.Writer:
    if actor is None:
        return "system"
    return "agent" if actor.is_agent else "end-user"


def _move(
    ticket: Ticket,
    before: Mapping[str, Any],
    applied: Applied,
    *,
    comment: NewComment | None,
    author: User | None,
    actor: User | None,
) -> lifecycle.Move:
    return lifecycle.Move(
        writer=_writer(actor),
        asked=applied.asked_status,
        public_comment=comment is not None
        and author is not None
        and comments.is_public(comment, author),
        assigned=ticket.assignee_id is not None,
        newly=ticket.assignee_id != before["assignee_id"],
        is_requester_side=author is not None and not author.is_agent,
    )


def _settle_status(ticket: Ticket, current: str | None, move: lifecycle.Move) -> None:
    """Set the status that follows, and the custom status that goes with it."""
    try:
        ticket.status = lifecycle.next_status(current, move)
    except lifecycle.StatusRefused as refused:
        raise RecordInvalid.of("status", refused.description, "InvalidValue") from refused
    chosen = ticket.custom_status
    if chosen is None or chosen.status_category != ticket.status:
        ticket.custom_status = (
            CustomStatus.objects.filter(status_category=category_of(ticket.status), default=True)
            .order_by("id")
            .first()
        )


def category_of(status: str) -> str:
    """Return the category of custom statuses that a status belongs to."""
    return "solved" if status == "closed" else status


def _check_required(ticket: Ticket, before: Mapping[str, Any] | None, actor: User | None) -> None:
    """Refuse to solve a ticket that lacks what its form requires."""
    if actor is None or not actor.is_agent:
        return
    solving = ticket.status in ("solved", "closed")
    already = before is not None and before["status"] in ("solved", "closed")
    form = ticket.ticket_form
    conditions = form.agent_conditions if form is not None else []
    if already or not (solving or conditions):
        return
    fields = list(TicketField.objects.filter(active=True).order_by("id"))
    rules = [required.FieldRule(item.id, item.type, item.title, item.required) for item in fields]
    on_form = form.ticket_field_ids if form is not None else [item.id for item in fields]
    values = {item.id: _field_value(ticket, item) for item in fields}
    missing = required.missing_for(ticket.status, rules, on_form, conditions, values)
    if missing:
        problems = [
            Problem(item.description, None, item.field_id, item.field_type) for item in missing
        ]
        raise RecordInvalid({"base": problems})


def _field_value(ticket: Ticket, field: TicketField) -> Any:
    if field.type == "description":
        return ticket.description or "-"
    if field.type == "custom_status":
        return ticket.custom_status_id or ticket.status
    own = BY_TYPE.get(field.type)
    if own is not None:
        return getattr(ticket, own.name)
    return ticket.custom_fields.get(str(field.id))


def _check_kind(ticket: Ticket, before: Mapping[str, Any]) -> None:
    """Drop what only incidents (a problem) and tasks (a due date) have."""
    if ticket.type != "incident" and ticket.problem_id is not None:
        if before["problem_id"] != ticket.problem_id:
            raise RecordInvalid.of("problem_id", "Problem: only incidents have one", "InvalidValue")
        ticket.problem = None


def _check_stamp(ticket: Ticket, changes: Mapping[str, Any]) -> None:
    if str(changes.get("safe_update")).lower() != "true":
        return
    stamp = moment("updated_stamp", changes.get("updated_stamp"))
    if stamp is None or stamp + timedelta(seconds=1) <= ticket.updated_at:
        raise UpdateConflict(f"ticket {ticket.id} changed at {ticket.updated_at}")


def _solve_incidents(problem: Ticket, actor: User | None, comment: NewComment | None) -> None:
    """Solve the incidents of a solved problem and tell their requesters the same."""
    source = {"from": {"ticket_id": problem.id, "subject": problem.subject}, "rel": "problem"}
    said = comment if comment is not None and comment.public else None
    rule = None
    for incident in Ticket.objects.filter(
        problem=problem, status__in=("new", "open", "pending", "hold"), deleted_at=None
    ).order_by("id"):
        changes: dict[str, Any] = {"status": "solved"}
        if incident.assignee_id is None and actor is not None and actor.is_agent:
            changes["assignee_id"] = problem.assignee_id or actor.id
        rule = RuleSource("problem", problem.id, problem.subject)
        copy = NewComment(said.body, said.html_body, True, said.author) if said else None
        update_ticket(
            incident,
            actor=actor,
            changes=changes,
            comment=copy,
            via=Via("system", source),
            rule=rule,
        )


def _agents_only(actor: User) -> None:
    if not actor.is_agent:
        raise AccessDenied("only agents delete and restore tickets")
