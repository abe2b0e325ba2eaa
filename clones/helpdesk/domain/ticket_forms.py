"""Writing the forms of tickets: which fields they have and which depend on others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from clones.core import clock, ids
from clones.core.resources import Resource
from clones.helpdesk.domain.audit_logs import logged
from clones.helpdesk.domain.changes import identifier, plain_text, storable
from clones.helpdesk.domain.errors import AccessDenied, RecordInvalid
from clones.helpdesk.domain.positions import position_of, set_order
from clones.helpdesk.models import Brand, Ticket, TicketField, TicketForm, User

LAST = 9999
STATUSES = ("new", "open", "pending", "hold", "solved")
WHEN = ("ALL_STATUSES", "SOME_STATUSES", "NO_STATUSES")
FLAGS = ("active", "end_user_visible", "in_all_brands")
# What a copy does not take from its original.
OWN = ("id", "name", "position", "default", "created_at", "updated_at")


@logged("create")
def create_form(*, actor: User, changes: Mapping[str, Any]) -> TicketForm:
    """Create a form; fields that every ticket has stand on it whether named or not.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule.
    """
    _admins_only(actor)
    now = clock.now()
    form = TicketForm(id=ids.next_stamp(TicketForm), position=LAST, created_at=now, updated_at=now)
    _set_form(form, {"name": None, "ticket_field_ids": [], **changes})
    form.display_name = form.display_name or form.name
    form.save(force_insert=True)
    _settle_default(form)
    return form


@logged("update")
def update_form(form: TicketForm, *, actor: User, changes: Mapping[str, Any]) -> TicketForm:
    """Change a form.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule, or the default form would be off or gone.
    """
    _admins_only(actor)
    _set_form(form, changes)
    form.updated_at = clock.now()
    form.save()
    _settle_default(form)
    return form


@logged("create")
def clone_form(form: TicketForm, *, actor: User) -> TicketForm:
    """Create a form with the same fields and conditions, after the others.

    Raises:
        AccessDenied: the actor is no admin.
    """
    _admins_only(actor)
    now = clock.now()
    same = {
        field.attname: getattr(form, field.attname)
        for field in TicketForm._meta.concrete_fields
        if field.attname not in OWN
    }
    copy = TicketForm(
        **same,
        id=ids.next_stamp(TicketForm),
        name=f"[Clone] {form.name}"[:255],
        position=LAST,
        created_at=now,
        updated_at=now,
    )
    copy.save(force_insert=True)
    return copy


@logged("destroy")
def delete_form(form: TicketForm, *, actor: User) -> None:
    """Remove a form; its tickets that are not closed take the default one.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: it is the default form.
    """
    _admins_only(actor)
    if form.default:
        raise RecordInvalid.of("base", "The default ticket form cannot be deleted")
    default = TicketForm.objects.filter(default=True).order_by("id").first()
    Ticket.objects.filter(ticket_form=form).exclude(status="closed").update(ticket_form=default)
    form.delete()


def reorder_forms(order: Sequence[int], *, actor: User) -> None:
    """Give forms the positions 1, 2, 3... in this order; those not named come after.

    Raises:
        AccessDenied: the actor is no admin.
        RecordNotFound: one does not exist.
    """
    _admins_only(actor)
    set_order(TicketForm.objects.all(), order, "ticket form", actor=actor)


def _set_form(form: TicketForm, changes: Mapping[str, Any]) -> None:
    if "name" in changes:
        form.name = (plain_text("name", changes["name"], 255) or "").strip()
        if not form.name:
            raise RecordInvalid.of("name", "Name: cannot be blank", "BlankValue")
    if "display_name" in changes:
        form.display_name = plain_text("display_name", changes["display_name"], 255) or form.name
    for name in FLAGS:
        if changes.get(name) is not None:
            setattr(form, name, bool(changes[name]))
    if changes.get("position") is not None:
        form.position = position_of(changes["position"])
    if changes.get("restricted_brand_ids") is not None:
        form.restricted_brand_ids = _brands(changes["restricted_brand_ids"])
    if changes.get("ticket_field_ids") is not None:
        form.ticket_field_ids = _fields(changes["ticket_field_ids"])
    for name in ("agent_conditions", "end_user_conditions"):
        if changes.get(name) is not None:
            setattr(form, name, [_condition(item, name) for item in changes[name]])
    if {"ticket_field_ids", "agent_conditions", "end_user_conditions"} & set(changes):
        _check_conditions(form)
    _set_default(form, changes)


def _set_default(form: TicketForm, changes: Mapping[str, Any]) -> None:
    if changes.get("default") is not None:
        if form.default and not changes["default"]:
            raise RecordInvalid.of("default", "Default: another form must become the default one")
        form.default = bool(changes["default"])
    if form.default and not form.active:
        raise RecordInvalid.of("active", "Active: the default ticket form cannot be deactivated")


def _settle_default(form: TicketForm) -> None:
    if form.default:
        TicketForm.objects.filter(default=True).exclude(id=form.id).update(default=False)


def _brands(given: Sequence[int]) -> list[int]:
    known = set(Brand.objects.filter(id__in=storable(given)).values_list("id", flat=True))
    if set(given) - known:
        raise RecordInvalid.of(
            "restricted_brand_ids", "Restricted brand ids: are invalid", "InvalidValue"
        )
    return list(dict.fromkeys(given))


def _fields(given: Sequence[int]) -> list[int]:
    """Return a form's fields: those that every ticket has come first if they are not named."""
    known = {field.id: field for field in TicketField.objects.order_by("position", "id")}
    if set(given) - set(known):
        raise RecordInvalid.of("ticket_field_ids", "Ticket field ids: are invalid", "InvalidValue")
    always = [key for key, field in known.items() if not field.removable and key not in given]
    return [*always, *dict.fromkeys(given)]


def _condition(item: Mapping[str, Any], name: str) -> dict[str, Any]:
    parent = identifier("parent_field_id", item.get("parent_field_id"))
    children = item.get("child_fields")
    if parent is None or not isinstance(children, list) or not children:
        raise _wrong(name, "a parent field and child fields are needed")
    return {
        "parent_field_id": parent,
        "value": item.get("value"),
        "child_fields": [_child(child, name) for child in children],
    }


def _child(child: Any, name: str) -> dict[str, Any]:
    key = identifier("child_fields", child.get("id")) if isinstance(child, Mapping) else None
    if key is None:
        raise _wrong(name, "child fields need an id")
    found = {"id": key, "is_required": bool(child.get("is_required"))}
    rule = child.get("required_on_statuses")
    if name == "end_user_conditions" or rule is None:
        return found
    kind = rule.get("type") if isinstance(rule, Mapping) else None
    statuses = rule.get("statuses", []) if isinstance(rule, Mapping) else []
    if kind not in WHEN or not isinstance(statuses, list) or set(map(str, statuses)) - {*STATUSES}:
        raise _wrong(name, "required_on_statuses is invalid")
    if kind != "SOME_STATUSES":
        return {**found, "required_on_statuses": {"type": kind}}
    if not statuses:
        raise _wrong(name, "required_on_statuses names no status")
    return {**found, "required_on_statuses": {"type": kind, "statuses": statuses}}


def _check_conditions(form: TicketForm) -> None:
    """Refuse conditions on fields that the form does not have, and fields that need themselves."""
    on_form = set(form.ticket_field_ids)
    for name in ("agent_conditions", "end_user_conditions"):
        for condition in getattr(form, name):
            parent = condition["parent_field_id"]
            children = {child["id"] for child in condition.get("child_fields", [])}
            if {parent, *children} - on_form:
                raise _wrong(name, "its fields must be on the form")
            if parent in children:
                raise _wrong(name, "a field cannot depend on itself")


def _wrong(name: str, problem: str) -> RecordInvalid:
    label = name.replace("_", " ").capitalize()
    return RecordInvalid.of(name, f"{label}: {problem}", "InvalidValue")


def _admins_only(actor: User) -> None:
    if actor.role != "admin":
        raise AccessDenied("only admins change ticket forms")


TICKET_FORM: Final = Resource(
    TicketForm,
    "ticket form",
    order=("position", "id"),
    create=create_form,
    update=update_form,
    delete=delete_form,
    move=reorder_forms,
)
