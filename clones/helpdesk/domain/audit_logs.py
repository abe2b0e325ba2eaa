"""Audit logs: writes of configuration and people say what they changed, by one decorator.

`@logged("update")` stands on a domain function whose first argument is the record that it changes;
`@logged("create")` on one that returns the record it made; `@logged("destroy")` on one that removes
its first argument. Who did it is the function's `actor`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from copy import deepcopy
from functools import wraps
from typing import Any, Literal, ParamSpec, TypeVar

from django.db.models import Field, ForeignKey, Model

from clones.core import clock, counters, jobs, post
from clones.core.journal import act
from clones.helpdesk.domain import uploads
from clones.helpdesk.models import (
    Attachment,
    AuditLog,
    Automation,
    GroupMembership,
    Macro,
    OAuthToken,
    OrganizationMembership,
    RoutingSettings,
    SupportAddress,
    Trigger,
    User,
    View,
)
from clones.helpdesk.queries.audit_logs import AuditLogFilter, audit_logs

Action = Literal["create", "destroy", "exported", "login", "update"]
P = ParamSpec("P")
R = TypeVar("R")
State = dict[str, Any]

EXPORT = "helpdesk.audit_log_export"
SYSTEM = -1
RULES = (Automation, Macro, Trigger, View)
MEMBERSHIPS = (GroupMembership, OrganizationMembership)
# The parts of people that logs are about; the rest of a profile is no configuration.
OF_PEOPLE = ("role", "custom_role_id", "suspended", "ticket_restriction", "only_private_comments")
ROLES = {"admin": "Administrator", "agent": "Agent", "end-user": "End User"}
UNTOLD = frozenset({"created_at", "updated_at", "revision", "updated_by", "created_by"})
SHOWN = 100  # characters of a value
LABELS = ("title", "name", "identifier", "email", "agent_label", "value")
COLUMNS = (
    "id",
    "created_at",
    "actor_id",
    "actor_name",
    "ip_address",
    "action",
    "source_type",
    "source_id",
    "source_label",
    "change_description",
)


def logged(action: Action) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Log what a domain function does to its record; see the module."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            actor = kwargs.get("actor")
            by = actor if isinstance(actor, User) else None
            subject = args[0] if args and isinstance(args[0], Model) else None
            before = {} if subject is None else _state(subject)
            label = "" if subject is None else label_of(subject)
            key = None if subject is None else subject.pk
            result = function(*args, **kwargs)
            if subject is not None and action == "destroy":
                if _is_told(subject, before, before):
                    _write(action, subject, actor=by, key=key, label=label)
            elif subject is not None and action == "update":
                _log_update(subject, before, actor=by)
            elif isinstance(result, Model):
                after = _state(result)
                if _is_told(result, after, after):
                    _write(action, result, actor=by, key=result.pk, label=label_of(result))
            return result

        return call

    return decorate


def log_sign_in(user: User) -> None:
    """Log that somebody who works at the desk signed in."""
    if user.is_agent:
        _write("login", user, actor=user, key=user.id, label=user.name)


def log_password(user: User) -> None:
    """Log that somebody who works at the desk has another password."""
    if user.is_agent:
        text = "Password changed"
        _write("update", user, actor=user, key=user.id, label=user.name, text=text)


def log_merge(loser: Model, winner: Model, *, actor: User) -> None:
    """Log that one record became part of another."""
    text = f"Merged with {label_of(loser)}"
    _write("update", winner, actor=actor, key=winner.pk, label=label_of(winner), text=text)


def export_audit_logs(asked: AuditLogFilter, *, actor: User) -> None:
    """Queue an export of the logs that were asked for; who asks for it is told by mail.

    Raises:
        AccessDenied: the actor is no admin.
        InvalidAttribute: the logs were asked for in a way that cannot be.
        MissingParameter: a source is named without its type.
    """
    audit_logs(actor, asked)
    payload = {"user": actor.id, "asked": asked.as_json()}
    jobs.enqueue(EXPORT, due=clock.now(), payload=payload)


@jobs.handles(EXPORT)
def write_export(payload: dict[str, Any]) -> None:
    """Write the file of an export and send its address."""
    user = User.objects.get(id=payload["user"])
    rows = list(
        audit_logs(user, AuditLogFilter.of_json(payload["asked"])).order_by("-created_at", "-id")
    )
    with act(actor=f"helpdesk.user:{user.id}", label="export of audit logs"):
        upload = uploads.add_upload(
            actor=user,
            file_name=f"audit-logs-{clock.now():%Y-%m-%d-%H%M}.csv",
            content_type="text/csv",
            data=_table(rows).encode(),
        )
        [file] = Attachment.objects.filter(upload=upload)
        _write("exported", user, actor=user, key=user.id, label=user.name, text="Audit log")
        if user.email is None:
            return
        address = SupportAddress.objects.order_by("-default", "id").first()
        post.send(
            clone="helpdesk",
            sender=address.email if address is not None else user.email,
            recipients=[user.email],
            subject="Your export of audit logs",
            text=f"The file that you asked for is ready: /api/v2/attachments/{file.id}.json",
            about=f"helpdesk.attachment:{file.id}",
        )


def label_of(record: Model) -> str:
    """Return what a record is called."""
    if isinstance(record, GroupMembership):
        return f"{record.user.name}, {record.group.name}"
    if isinstance(record, OrganizationMembership):
        return f"{record.user.name}, {record.organization.name}"
    if isinstance(record, OAuthToken):
        return record.client.name
    if isinstance(record, RoutingSettings):
        return "Routing"
    for name in LABELS:
        text = getattr(record, name, None)
        if isinstance(text, str) and text:
            return text[:255]
    return str(record.pk)


def source_type_of(record: Model) -> str:
    """Return the vendor's word for a kind of record: business rules share one."""
    if isinstance(record, RULES):
        return "rule"
    if isinstance(record, MEMBERSHIPS):
        return "membership"
    return str(record._meta.model_name)


def _log_update(subject: Model, before: State, *, actor: User | None) -> None:
    after = _state(subject)
    if not _is_told(subject, before, after):
        return
    texts = [
        _changed(subject, field, before[field.attname], after[field.attname])
        for field in _fields(subject)
        if before[field.attname] != after[field.attname]
    ]
    if texts:
        text = "\n".join(texts)
        _write("update", subject, actor=actor, key=subject.pk, label=label_of(subject), text=text)


def _fields(record: Model) -> list[Field[Any, Any]]:
    fields = [field for field in record._meta.concrete_fields if field.name not in UNTOLD]
    if isinstance(record, User):
        return [field for field in fields if field.attname in OF_PEOPLE]
    return fields


def _state(record: Model) -> State:
    return {field.attname: deepcopy(getattr(record, field.attname)) for field in _fields(record)}


def _is_told(record: Model, before: State, after: State) -> bool:
    """Tell whether a change is one for logs: of people, those who work or worked at the desk."""
    if not isinstance(record, User):
        return True
    return before != after or before["role"] in ("agent", "admin")


def _changed(record: Model, field: Field[Any, Any], old: Any, new: Any) -> str:
    title = str(field.verbose_name)
    title = title[:1].upper() + title[1:]
    if field.name == "active" or isinstance(old, bool) or isinstance(new, bool):
        return f"{title} changed from {_flag(old)} to {_flag(new)}"
    values = [_words(field, value) for value in (old, new)]
    if None in values:
        return f"{title} changed"
    return f"{title} changed from {values[0]} to {values[1]}"


def _flag(value: Any) -> str:
    return "on" if value else "off"


def _words(field: Field[Any, Any], value: Any) -> str | None:
    """Return a value in words, None for one that is too long, or that nobody is to read."""
    if value is None or value == "":
        return "-"
    if isinstance(field, ForeignKey):
        found = field.related_model._default_manager.filter(pk=value).first()
        return str(value) if found is None else label_of(found)
    if field.name == "role":
        return ROLES.get(value, str(value))
    if isinstance(value, (dict, list)) or "secret" in field.name or len(str(value)) > SHOWN:
        return None
    return str(value)


def _write(
    action: Action, source: Model, *, actor: User | None, key: Any, label: str, text: str = ""
) -> None:
    AuditLog.objects.create(
        # A counter of its own, not the other rows': who signs in must not move their numbers.
        id=counters.take("helpdesk.auditlog.serial"),
        action=action,
        actor_id=SYSTEM if actor is None else actor.id,
        actor_name="System" if actor is None else actor.name,
        source_type=source_type_of(source),
        source_id=key if isinstance(key, int) else None,
        source_label=label,
        change_description=text,
        created_at=clock.now(),
    )


def _table(rows: list[AuditLog]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        values = (getattr(row, name) for name in COLUMNS)
        writer.writerow(
            f"{value:%Y-%m-%dT%H:%M:%SZ}" if hasattr(value, "tzinfo") else value for value in values
        )
    return out.getvalue()
