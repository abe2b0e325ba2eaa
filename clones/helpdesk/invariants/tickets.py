"""Tickets: their audits, comments and counters tell of one course."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from clones.helpdesk import models as helpdesk
from clones.helpdesk.domain.audits import text_value
from clones.helpdesk.domain.values import CUSTOM, FIELD_ORDER

WAITING = ("pending", "hold", "solved")
# What audits do not tell whole, or not in the words of the row.
UNTOLD = frozenset(
    {
        "tags",  # compared below, in any order
        "due_at",
        "external_id",
        "recipient",
        "satisfaction_score",
        "brand_id",
        "ticket_form_id",
        "custom_status_id",
    }
)
FOLDED = tuple(name for name in FIELD_ORDER if name not in UNTOLD)


def tickets() -> Iterator[str]:
    """Fold every ticket's audits and compare what comes out with its row."""
    members = set(helpdesk.GroupMembership.objects.values_list("user_id", "group_id"))
    roles = dict(helpdesk.User.objects.values_list("id", "role"))
    audits: dict[int, list[dict[str, Any]]] = {}
    for row in helpdesk.Audit.objects.order_by("created_at", "id").values(
        "id", "ticket_id", "author_id", "created_at", "via"
    ):
        audits.setdefault(row["ticket_id"], []).append(row | {"events": []})
    by_id = {audit["id"]: audit for group in audits.values() for audit in group}
    for audit_id, number, kind, body in helpdesk.AuditEvent.objects.order_by(
        "audit_id", "position"
    ).values_list("audit_id", "id", "type", "body"):
        by_id[audit_id]["events"].append((number, kind, body))
    comments = {
        row["id"]: row
        for row in helpdesk.Comment.objects.values(
            "id", "ticket_id", "audit_id", "author_id", "public", "created_at"
        )
    }
    ticket: Mapping[str, Any]
    for ticket in helpdesk.Ticket.objects.order_by("id").values():
        history = audits.get(ticket["id"], [])
        if not history:
            yield f"ticket {ticket['id']} has no audit"
            continue
        yield from _history(ticket, history, comments, roles)
        yield from _state(ticket, members, roles)


def _history(
    ticket: Mapping[str, Any],
    history: list[dict[str, Any]],
    comments: Mapping[int, Mapping[str, Any]],
    roles: dict[int, str],
) -> Iterator[str]:
    """Fold a ticket's audits and compare what comes out with its row."""
    name = f"ticket {ticket['id']}"
    first, last = history[0]["created_at"], history[-1]["created_at"]
    if (first, last) != (ticket["created_at"], ticket["updated_at"]):
        yield f"{name}: its audits do not span created to updated"
    state: dict[str, Any] = {"satisfaction_score": "unoffered"}
    for audit in history:
        before = dict(state)
        yield from _fold(name, audit, state)
        yield from _wrong_comments(name, audit, before, comments, roles)
        by_rule = audit["via"]["channel"] == "rule" or "closed_by_merge" in ticket["tags"]
        yield from _course(name, before.get("status"), state.get("status"), by_rule=by_rule)
    for field in FOLDED:
        if state.get(field) != text_value(field, ticket[field]):
            yield f"{name}: audits say {field} is {state.get(field)}, the row {ticket[field]}"
    if sorted(state.get("tags") or []) != sorted(ticket["tags"]):
        yield f"{name}: audits and row differ in tags"
    for key, value in ticket["custom_fields"].items():
        if state.get(key) != text_value(CUSTOM + key, value):
            yield f"{name}: audits and row differ in field {key}"


def _fold(name: str, audit: dict[str, Any], state: dict[str, Any]) -> Iterator[str]:
    """Bring the state up to one audit, whose changes must start from it."""
    for _, kind, body in audit["events"]:
        if kind not in ("Create", "Change"):
            continue
        field = body["field_name"]
        known = state.get(field) or ([] if field == "tags" else None)
        if kind == "Change" and body["previous_value"] != known:
            was = body["previous_value"]
            yield f"{name}: {field} was not {was} before audit {audit['id']}"
        state[field] = body["value"]


def _course(name: str, before: Any, after: Any, *, by_rule: bool) -> Iterator[str]:
    if before == "closed":
        yield f"{name} changed after it was closed"
    elif after == "closed" and not by_rule:
        yield f"{name} was closed by hand"
    if before not in (None, "new") and after == "new":
        yield f"{name} became new again"


def _wrong_comments(
    name: str,
    audit: dict[str, Any],
    before: dict[str, Any],
    comments: Mapping[int, Mapping[str, Any]],
    roles: dict[int, str],
) -> Iterator[str]:
    changes = [body for _, kind, body in audit["events"] if kind == "Change"]
    status = next((body["value"] for body in changes if body["field_name"] == "status"), None)
    for number, kind, _ in audit["events"]:
        if kind != "Comment":
            continue
        comment = comments.get(number)
        of_audit = (audit["id"], audit["created_at"])
        if comment is None or (comment["audit_id"], comment["created_at"]) != of_audit:
            yield f"{name}: a comment event of audit {audit['id']} has no comment of its own"
        elif roles[comment["author_id"]] == "end-user":
            if not comment["public"]:
                yield f"{name}: an end user's comment is internal"
            if before.get("status") in WAITING and status != "open":
                yield f"{name}: a customer's answer left it {before['status']}"


def _state(
    ticket: Mapping[str, Any], members: set[tuple[int, int]], roles: dict[int, str]
) -> Iterator[str]:
    name = f"ticket {ticket['id']}"
    owner, group = ticket["assignee_id"], ticket["group_id"]
    # A merge closes what nobody was assigned.
    merged = "closed_by_merge" in ticket["tags"]
    if ticket["status"] in ("solved", "closed") and owner is None and not merged:
        yield f"{name} is {ticket['status']} without an assignee"
    if ticket["status"] == "new" and owner is not None:
        yield f"{name} is new but assigned"
    if owner is not None and roles[owner] == "end-user":
        yield f"{name} is assigned to a customer"
    if owner is not None and group is not None and (owner, group) not in members:
        yield f"{name}: assignee {owner} is not in group {group}"
    if ticket["problem_id"] is not None and ticket["type"] != "incident":
        yield f"{name} has a problem but is no incident"


def problems() -> Iterator[str]:
    """Check that incidents follow their problems."""
    linked = helpdesk.Ticket.objects.exclude(problem=None).order_by("id")
    for number, kind, status, own in linked.values_list(
        "id", "problem__type", "problem__status", "status"
    ):
        if kind != "problem":
            yield f"ticket {number} is linked to no problem"
        if status in ("solved", "closed") and own not in ("solved", "closed"):
            last = helpdesk.Audit.objects.filter(ticket_id=number).order_by("-created_at").first()
            if last is None:
                yield f"ticket {number} stayed open when its problem was solved"


def metrics() -> Iterator[str]:
    """Count replies and solves anew."""
    agents = set(helpdesk.User.objects.exclude(role="end-user").values_list("id", flat=True))
    replies: Counter[int] = Counter()
    created = dict(helpdesk.Ticket.objects.values_list("id", "created_at"))
    for ticket, author, at in helpdesk.Comment.objects.filter(public=True).values_list(
        "ticket_id", "author_id", "created_at"
    ):
        replies[ticket] += author in agents and at > created[ticket]
    for metric in helpdesk.TicketMetric.objects.order_by("id").values(
        "ticket_id", "replies", "solved_at", "ticket__status"
    ):
        if metric["replies"] != replies[metric["ticket_id"]]:
            there = replies[metric["ticket_id"]]
            yield (
                f"ticket {metric['ticket_id']}: {metric['replies']} replies counted,"
                f" {there} are there"
            )
        if metric["ticket__status"] == "solved" and metric["solved_at"] is None:
            yield f"ticket {metric['ticket_id']} is solved at no time"
