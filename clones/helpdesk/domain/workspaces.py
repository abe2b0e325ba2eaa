"""Writing contextual workspaces: what agents find on tickets that meet conditions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from clones.core import clock, ids
from clones.core.resources import Resource
from clones.helpdesk.domain.audit_logs import logged
from clones.helpdesk.domain.business_rules import checked_conditions, checked_title
from clones.helpdesk.domain.changes import identifier, plain_text, storable
from clones.helpdesk.domain.errors import AccessDenied, RecordInvalid
from clones.helpdesk.domain.positions import position_of, set_order
from clones.helpdesk.models import ContextualWorkspace, Macro, TicketForm, User


@logged("create")
def create_workspace(*, actor: User, changes: Mapping[str, Any]) -> ContextualWorkspace:
    """Create a workspace after the others.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: it has no title or no condition, or names something that is not there.
    """
    _admins_only(actor)
    now = clock.now()
    last = ContextualWorkspace.objects.order_by("-position").first()
    workspace = ContextualWorkspace(
        id=ids.next_stamp(ContextualWorkspace),
        position=1 if last is None else last.position + 1,
        created_at=now,
        updated_at=now,
    )
    _set(workspace, {"title": None, "conditions": {"all": []}, **changes})
    workspace.save(force_insert=True)
    return workspace


@logged("update")
def update_workspace(
    workspace: ContextualWorkspace, *, actor: User, changes: Mapping[str, Any]
) -> ContextualWorkspace:
    """Change a workspace.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule.
    """
    _admins_only(actor)
    _set(workspace, changes)
    workspace.updated_at = clock.now()
    workspace.save()
    return workspace


def delete_workspaces(keys: Collection[int], *, actor: User) -> None:
    """Remove workspaces; ids of none are passed over.

    Raises:
        AccessDenied: the actor is no admin.
    """
    _admins_only(actor)
    ContextualWorkspace.objects.filter(id__in=keys).delete()


def reorder_workspaces(order: Sequence[int], *, actor: User) -> None:
    """Give workspaces the positions 1, 2, 3... in this order; those not named come after.

    Raises:
        AccessDenied: the actor is no admin.
        RecordNotFound: one does not exist.
    """
    _admins_only(actor)
    set_order(ContextualWorkspace.objects.all(), order, "workspace", actor=actor)


def _set(workspace: ContextualWorkspace, changes: Mapping[str, Any]) -> None:
    if "title" in changes:
        workspace.title = checked_title(changes["title"])
    if "description" in changes:
        workspace.description = plain_text("description", changes["description"], 65_535)
    if changes.get("conditions") is not None:
        workspace.conditions = checked_conditions(changes, {})
    macros = changes.get("macros", changes.get("macro_ids"))
    if macros is not None:
        workspace.macro_ids = _macros(macros)
    if "ticket_form_id" in changes:
        workspace.ticket_form = _form(changes["ticket_form_id"])
    if changes.get("apps") is not None:
        workspace.apps = [_app(item, index) for index, item in enumerate(changes["apps"], 1)]
    for name in ("activated", "prefer_workspace_app_order"):
        if changes.get(name) is not None:
            setattr(workspace, name, bool(changes[name]))
    if changes.get("position") is not None:
        workspace.position = position_of(changes["position"])


def _macros(given: Sequence[int]) -> list[int]:
    wanted = list(dict.fromkeys(given))
    known = set(Macro.objects.filter(id__in=storable(wanted)).values_list("id", flat=True))
    if set(wanted) - known:
        raise RecordInvalid.of("macros", "Macros: are invalid", "InvalidValue")
    return wanted


def _form(value: Any) -> TicketForm | None:
    key = identifier("ticket_form_id", value)
    found = TicketForm.objects.filter(id=key).first() if key is not None else None
    if found is None and key is not None:
        raise RecordInvalid.of("ticket_form_id", "Ticket form: is invalid", "InvalidValue")
    return found


def _app(item: Mapping[str, Any], place: int) -> dict[str, Any]:
    key = identifier("apps", item.get("id"))
    if key is None:
        raise RecordInvalid.of("apps", "Apps: need an id", "InvalidValue")
    return {"id": key, "expand": bool(item.get("expand")), "position": place}


def _admins_only(actor: User) -> None:
    if actor.role != "admin":
        raise AccessDenied("only admins keep workspaces")


WORKSPACE: Final = Resource(
    ContextualWorkspace,
    "workspace",
    order=("position", "id"),
    create=create_workspace,
    update=update_workspace,
    delete=lambda workspace, *, actor: delete_workspaces([workspace.id], actor=actor),
    move=reorder_workspaces,
)
