"""Updates of tickets as the stream of ticket events shows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from clones.core.digits import is_digits
from clones.helpdesk.api.presenters.context import Show, when
from clones.helpdesk.api.presenters.tickets import comment_core
from clones.helpdesk.models import Audit, AuditEvent, Comment

# The stream keeps the names that channels had before they had words of their own.
CHANNELS = {
    "web": "Web form",
    "api": "Web service",
    "email": "Mail",
    "rule": "Rule",
    "system": "System",
}
CHANGES = ("Create", "Change")


def present_updates(
    audits: Sequence[Audit], show: Show, *, with_comments: bool
) -> list[dict[str, Any]]:
    """Return updates with their events, looked up for all at once."""
    keys = [audit.pk for audit in audits]
    events: dict[int, list[AuditEvent]] = {}
    for event in AuditEvent.objects.filter(audit_id__in=keys).order_by("audit_id", "position"):
        events.setdefault(event.audit_id, []).append(event)
    found = Comment.objects.filter(audit_id__in=keys).order_by("id")
    if with_comments:
        found = found.prefetch_related("attachments")
    comments = {comment.id: comment for comment in found}
    return [
        _update(audit, events.get(audit.pk, []), comments, show, with_comments=with_comments)
        for audit in audits
    ]


def _update(
    audit: Audit,
    events: Iterable[AuditEvent],
    comments: Mapping[int, Comment],
    show: Show,
    *,
    with_comments: bool,
) -> dict[str, Any]:
    show.note(audit)
    children = []
    for event in events:
        comment = comments.get(event.id)
        if comment is None:
            children.append(_event(event, audit))
        elif with_comments:
            children.append(_comment(comment, show))
        else:
            children.append(
                {
                    **_origin(event.id, audit.via),
                    "comment_present": True,
                    "comment_public": comment.public,
                    "event_type": "Comment",
                }
            )
    return {
        "child_events": children,
        "id": audit.pk,
        "ticket_id": audit.ticket_id,
        "timestamp": int(audit.created_at.timestamp()),
        "created_at": when(audit.created_at),
        "updater_id": audit.author_id if audit.author_id is not None else -1,
        "via": _channel(audit.via),
        "system": audit.metadata.get("system", {}),
        "metadata": audit.metadata.get("custom", {}),
        "event_type": "Audit",
    }


def _channel(via: Mapping[str, Any]) -> str:
    name = str(via.get("channel") or "")
    return CHANNELS.get(name, name.replace("_", " ").capitalize())


def _origin(key: int, via: Mapping[str, Any]) -> dict[str, Any]:
    """Return what every event begins with: its id, how it came, and the rule that caused it."""
    rule = via.get("source", {}).get("from", {}).get("id") if via.get("channel") == "rule" else None
    return {"id": key, "via": _channel(via), "via_reference_id": rule}


def _comment(comment: Comment, show: Show) -> dict[str, Any]:
    return {
        **comment_core(comment, show),
        "via": comment.via,
        "via_reference_id": None,
        "created_at": when(comment.created_at),
        "event_type": "Comment",
    }


def _event(event: AuditEvent, audit: Audit) -> dict[str, Any]:
    body = dict(event.body)
    found = _origin(event.id, body.pop("via", None) or audit.via)
    if event.type not in CHANGES:
        return {**found, **body, "event_type": event.type}
    name, value = body.get("field_name"), body.get("value")
    if is_digits(str(name)):
        found["custom_ticket_fields"] = {str(name): value}
    else:
        found[str(name)] = value
    found["event_type"] = event.type
    if event.type == "Change":
        before = body.get("previous_value")
        found["previous_value"] = before
        if name == "tags":
            found["added_tags"] = [tag for tag in value or [] if tag not in (before or [])]
            found["removed_tags"] = [tag for tag in before or [] if tag not in (value or [])]
    return found
