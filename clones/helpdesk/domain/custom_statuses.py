"""Writing the statuses of tickets: several of one category, one of them its default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from clones.core import clock, ids
from clones.core.resources import Resource
from clones.helpdesk.domain.audit_logs import logged
from clones.helpdesk.domain.changes import plain_text
from clones.helpdesk.domain.errors import AccessDenied, RecordInvalid, RecordNotFound
from clones.helpdesk.models import CustomStatus, User

CATEGORIES = ("new", "open", "pending", "hold", "solved")
LABEL = 48
TEXT = 65_535
OF_ACCOUNT, OF_CATEGORY = 300, 100


@logged("create")
def create_status(*, actor: User, changes: Mapping[str, Any]) -> CustomStatus:
    """Create a status of a category.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule, or there are as many as there may be.
    """
    _admins_only(actor)
    category = changes.get("status_category")
    if category not in CATEGORIES:
        raise RecordInvalid.of(
            "status_category", "Status category: is not included in the list", "InclusionValue"
        )
    if category == "new":
        raise RecordInvalid.of(
            "status_category", "Status category: new has one status only", "InvalidValue"
        )
    peers = CustomStatus.objects.filter(status_category=category).count()
    if peers >= OF_CATEGORY or CustomStatus.objects.count() >= OF_ACCOUNT:
        raise RecordInvalid.of("base", "Custom statuses: there are too many")
    now = clock.now()
    status = CustomStatus(
        id=ids.next_stamp(CustomStatus), status_category=category, created_at=now, updated_at=now
    )
    _set_status(status, {"agent_label": None, **changes})
    status.end_user_label = status.end_user_label or status.agent_label
    status.save(force_insert=True)
    return status


@logged("update")
def update_status(status: CustomStatus, *, actor: User, changes: Mapping[str, Any]) -> CustomStatus:
    """Change a status; its category stays.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule, or a category's default would be inactive.
    """
    _admins_only(actor)
    if changes.get("active") is False and status.default:
        raise RecordInvalid.of("active", "Active: a default status cannot be deactivated")
    _set_status(status, changes)
    status.updated_at = clock.now()
    status.save()
    return status


def delete_status(status: CustomStatus, *, actor: User) -> None:
    """Take a status out of use: tickets that have it keep it, and nobody chooses it any more.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: it is a category's default.
    """
    update_status(status, actor=actor, changes={"active": False})


def set_default_statuses(keys: Sequence[int], *, actor: User) -> None:
    """Make each of some statuses the default of its category.

    Raises:
        AccessDenied: the actor is no admin.
        RecordNotFound: one does not exist.
        RecordInvalid: one is inactive, or two are of one category.
    """
    _admins_only(actor)
    chosen: dict[str, CustomStatus] = {}
    known = {status.id: status for status in CustomStatus.objects.order_by("id")}
    for key in dict.fromkeys(keys):
        status = known.get(key)
        if status is None:
            raise RecordNotFound("custom status", key)
        if not status.active:
            raise RecordInvalid.of("active", f"Active: {status.agent_label} is not active")
        if status.status_category in chosen:
            raise RecordInvalid.of("ids", "Ids: a category has one default status")
        chosen[status.status_category] = status
    for category, status in chosen.items():
        changed = {"updated_at": clock.now()}
        others = CustomStatus.objects.filter(status_category=category, default=True)
        others.exclude(id=status.id).update(default=False, **changed)
        if not status.default:
            CustomStatus.objects.filter(id=status.id).update(default=True, **changed)


def _set_status(status: CustomStatus, changes: Mapping[str, Any]) -> None:
    if "agent_label" in changes:
        status.agent_label = (
            plain_text("agent_label", changes["agent_label"], LABEL) or ""
        ).strip()
        if not status.agent_label:
            raise RecordInvalid.of("agent_label", "Agent label: cannot be blank", "BlankValue")
    if "end_user_label" in changes:
        label = (plain_text("end_user_label", changes["end_user_label"], LABEL) or "").strip()
        status.end_user_label = label or status.agent_label
    for name in ("description", "end_user_description"):
        if name in changes:
            setattr(status, name, plain_text(name, changes[name], TEXT))
    if changes.get("active") is not None:
        status.active = bool(changes["active"])


def _admins_only(actor: User) -> None:
    if actor.role != "admin":
        raise AccessDenied("only admins change statuses")


CUSTOM_STATUS: Final = Resource(
    CustomStatus,
    "status",
    plural="statuses",
    create=create_status,
    update=update_status,
    delete=delete_status,
)
