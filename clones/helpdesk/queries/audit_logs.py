"""Reads of audit logs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.dateparse import parse_datetime

from clones.helpdesk import queries
from clones.helpdesk.domain.errors import AccessDenied, InvalidAttribute, MissingParameter
from clones.helpdesk.models import AuditLog, User

LARGEST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class AuditLogFilter:
    """Which logs are asked for; `created_at` is from when and until when, as texts."""

    source_type: str | None = None
    source_id: int | None = None
    actor_id: int | None = None
    ip_address: str | None = None
    created_at: tuple[str, ...] = ()
    action: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the stored form."""
        return {**asdict(self), "created_at": list(self.created_at)}

    @classmethod
    def of_json(cls, stored: Mapping[str, Any]) -> AuditLogFilter:
        """Return what a stored form says."""
        return cls(**{**stored, "created_at": tuple(stored["created_at"])})


def audit_logs(actor: User, asked: AuditLogFilter) -> QuerySet[AuditLog]:
    """Return the logs that are asked for.

    Raises:
        AccessDenied: the actor is no admin.
        InvalidAttribute: a time cannot be read, or there is one of the two only.
        MissingParameter: a source is named without its type.
    """
    if actor.role != "admin":
        raise AccessDenied("only admins read audit logs")
    if asked.source_id is not None and not asked.source_type:
        raise MissingParameter("filter[source_type]")
    rows = AuditLog.objects.all()
    for name in ("source_type", "source_id", "actor_id", "ip_address", "action"):
        value = getattr(asked, name)
        if value is None or value == "":
            continue
        if not queries.can_be(value) or (isinstance(value, int) and abs(value) > LARGEST):
            return rows.none()
        rows = rows.filter(**{name: value})
    if asked.created_at:
        if len(asked.created_at) != 2:
            raise InvalidAttribute("filter[created_at]", "given twice: a start and an end")
        start, end = (_moment(text) for text in asked.created_at)
        rows = rows.filter(created_at__gte=start, created_at__lte=end)
    return rows


def audit_log(actor: User, key: int) -> AuditLog:
    """Return one log.

    Raises:
        AccessDenied: the actor is no admin.
        RecordNotFound: there is none of that id.
    """
    return queries.one(audit_logs(actor, AuditLogFilter()), "audit log", key)


def _moment(text: str) -> datetime:
    try:
        found = parse_datetime(text.replace(" ", "+"))
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise InvalidAttribute("filter[created_at]", "a time in ISO 8601")
    return found
