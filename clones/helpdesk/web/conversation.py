"""The conversation of a ticket: what was said, and, if asked for, what else happened."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.safestring import SafeString

from clones.core import sightings
from clones.helpdesk.api.presenters.context import Show
from clones.helpdesk.models import Audit, AuditEvent, Comment, Ticket, TicketField, User
from clones.helpdesk.rules.system_fields import SYSTEM_FIELDS
from clones.helpdesk.web import labels, pages_queries
from clones.helpdesk.web.markup import comment_html
from clones.helpdesk.web.times import ShownTime, Times

FILTERS = {"all": "All", "public": "Public", "internal": "Internal"}
FIELD_NAMES = {
    **{item.name: item.title for item in SYSTEM_FIELDS if item.audited},
    "custom_status_id": "",  # the status tells of it
}
NAMED_FIELDS = frozenset(
    item.name
    for item in SYSTEM_FIELDS
    if item.audited and item.refers_to not in ("", "Ticket", "CustomStatus")
)


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file on a comment; a redacted one has no address."""

    name: str
    size: str
    url: str | None


@dataclass(frozen=True, slots=True)
class LogItem:
    """One entry of the conversation: a comment, or the events of an audit.

    `original` is the audit of a comment that came by mail, if the mail is kept.
    """

    at: datetime
    key: tuple[int, int, int]
    kind: str
    time: ShownTime
    author: str
    author_url: int | None
    initials: str
    hue: int
    via: str
    public: bool = True
    by_agent: bool = False
    html: SafeString = field(default_factory=SafeString)
    files: tuple[ShownFile, ...] = ()
    original: int | None = None
    lines: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What the entry is called by a screen reader."""
        kind = "Public reply" if self.public else "Internal note"
        return f"{kind if self.kind == 'comment' else 'Events'} by {self.author}, {self.time.full}"


def log_of(
    ticket: Ticket, actor: User, *, wanted: str, events: bool, times: Times, show: Show
) -> list[LogItem]:
    """Return the entries of a ticket's conversation, oldest first.

    `wanted` is one of `FILTERS`; `events` adds what the audits tell besides comments.
    """
    comments = pages_queries.comments_with_authors(ticket, actor)
    items = [
        _comment_item(comment, times, show)
        for comment in comments
        if wanted == "all" or comment.public == (wanted == "public")
    ]
    if events:
        items.extend(_event_items(pages_queries.audits_with_events(ticket), times))
    return sorted(items, key=lambda item: (item.at, item.key))


def _comment_item(comment: Comment, times: Times, show: Show) -> LogItem:
    sightings.note(comment, "detail")
    author = comment.author
    files = sorted(comment.attachments.all(), key=lambda item: item.id)
    for file in files:
        sightings.note(file, "list")
    return LogItem(
        at=comment.created_at,
        key=(comment.audit_id, 0, comment.id),
        kind="comment",
        time=times.show(comment.created_at),
        author=author.name,
        author_url=author.id,
        initials=labels.initials(author.name),
        hue=labels.hue(author.id),
        via=labels.channel_label(str(comment.via.get("channel", "web"))),
        public=comment.public,
        by_agent=author.is_agent,
        html=comment_html(comment.html_body),
        files=tuple(
            ShownFile(
                file.file_name if not file.deleted else "redacted.txt",
                size_text(file.size),
                None if file.deleted else show.content_url(file),
            )
            for file in files
        ),
        original=_original(comment),
    )


def _original(comment: Comment) -> int | None:
    system = comment.audit.metadata.get("system", {})
    return comment.audit_id if "raw_email_identifier" in system else None


def size_text(size: int) -> str:
    """Return a number of bytes in words."""
    if size < 1024:
        return f"{size} B"
    if size < 1024 * 1024:
        return f"{size / 1024:.0f} KB"
    return f"{size / 1024 / 1024:.1f} MB"


def _event_items(audits: list[Audit], times: Times) -> list[LogItem]:
    keys: set[object] = set()
    for audit in audits:
        for event in audit.events.all():
            if event.body.get("field_name") in NAMED_FIELDS:
                keys |= {event.body.get("value"), event.body.get("previous_value")}
            keys |= set(event.body.get("recipients") or ())
    names = pages_queries.names_of(keys)
    titles = {str(key): title for key, title in TicketField.objects.values_list("id", "title")}
    found = []
    for audit in audits:
        lines = [_event_line(event, names, titles) for event in pages_queries.ordered_events(audit)]
        lines = [line for line in lines if line]
        if lines:
            author = audit.author.name if audit.author is not None else "System"
            found.append(
                LogItem(
                    at=audit.created_at,
                    key=(audit.id, 1, 0),
                    kind="events",
                    time=times.show(audit.created_at),
                    author=author,
                    author_url=audit.author_id,
                    initials=labels.initials(author),
                    hue=labels.hue(audit.author_id or 0),
                    via=labels.channel_label(str(audit.via.get("channel", "web"))),
                    lines=tuple(lines),
                )
            )
    return found


def _event_line(event: AuditEvent, names: dict[str, str], titles: dict[str, str]) -> str:
    """Return an event in words, "" for those that agents are not told."""
    body = event.body
    if event.type in ("Create", "Change"):
        name = str(body.get("field_name"))
        label = FIELD_NAMES.get(name, titles.get(name, name.replace("_", " ").capitalize()))
        if not label or (event.type == "Create" and body.get("value") is None):
            return ""
        text = f"{label} {_value(name, body.get('value'), names)}"
        if event.type == "Change":
            text += f" (was {_value(name, body.get('previous_value'), names)})"
        return text + _rule_of(body)
    if event.type.startswith(("Notification", "FollowerNotification")):
        told = [names.get(str(key), str(key)) for key in body.get("recipients") or ()]
        return f"Email notification to {', '.join(told) or 'nobody'}{_rule_of(body)}"
    if event.type == "AgentMacroReference":
        return f"Macro applied: {body.get('macro_title')}"
    if event.type in _SIDE_EVENTS:
        return f"Side conversation “{body.get('subject')}” {_SIDE_EVENTS[event.type]}"
    return _PLAIN_EVENTS.get(event.type, "")


_PLAIN_EVENTS = {
    "CommentPrivacyChange": "A comment was made internal",
    "CommentRedactionEvent": "A comment was redacted",
    "AttachmentRedactionEvent": "An attachment was redacted",
    "EmailCcChange": "CCs changed",
    "FollowerChange": "Followers changed",
    "ScheduleAssignment": "Schedule changed",
    "SatisfactionRating": "Satisfaction rating given",
}
_SIDE_EVENTS = {
    "CollabThreadCreated": "started",
    "CollabThreadReply": "has a new message",
    "CollabThreadClosed": "marked as done",
    "CollabThreadReopened": "reopened",
}


def _value(name: str, value: Any, names: dict[str, str]) -> str:
    if value in (None, "", []):
        return "-"
    if isinstance(value, dict):
        return f"{value.get('minutes')} minutes" if "minutes" in value else "set"
    if isinstance(value, list):
        return " ".join(map(str, value))
    if name in NAMED_FIELDS:
        return names.get(str(value), str(value))
    if name == "status":
        return labels.STATUS_LABELS.get(str(value), str(value))
    return str(value)


def _rule_of(body: dict[str, Any]) -> str:
    source = (body.get("via") or {}).get("source") or {}
    title = (source.get("from") or {}).get("title")
    return f" by rule “{title}”" if title else ""
