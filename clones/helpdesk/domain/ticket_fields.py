"""Writing the fields of tickets and the choices they offer."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from clones.core import clock, ids
from clones.core.resources import Resource
from clones.helpdesk.domain.audit_logs import logged
from clones.helpdesk.domain.changes import plain_text
from clones.helpdesk.domain.errors import AccessDenied, RecordInvalid
from clones.helpdesk.domain.field_parts import (
    LAST,
    Option,
    check_pattern,
    kept_options,
    left_of,
    tag_of,
    title_of,
    with_option,
    without_option,
)
from clones.helpdesk.domain.positions import position_of, set_order
from clones.helpdesk.models import Macro, Ticket, TicketField, TicketForm, User

# A field that refers to other records needs a place to keep what it refers to: there is none.
TYPES = (
    "text",
    "textarea",
    "checkbox",
    "date",
    "integer",
    "decimal",
    "regexp",
    "partialcreditcard",
    "multiselect",
    "tagger",
)
WITH_OPTIONS = ("tagger", "multiselect")
TEXTS = {
    "title_in_portal": 255,
    "description": 65_535,
    "agent_description": 65_535,
    "regexp_for_validation": 1024,
}
NULLABLE = ("agent_description", "regexp_for_validation")
FLAGS = (
    "active",
    "required",
    "required_in_portal",
    "visible_in_portal",
    "editable_in_portal",
    "collapsed_for_agents",
)


@logged("create")
def create_field(*, actor: User, changes: Mapping[str, Any]) -> TicketField:
    """Create a custom field; it stands on no form until a form names it.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule.
    """
    _admins_only(actor)
    kind = changes.get("type") or "text"
    if kind not in TYPES:
        raise RecordInvalid.of("type", f"Type: {kind} is not a valid type", "InvalidValue")
    now = clock.now()
    field = TicketField(
        id=ids.next_stamp(TicketField), type=kind, position=LAST, created_at=now, updated_at=now
    )
    _set_field(field, {"title": None, "custom_field_options": [], **changes})
    field.description = field.description or field.title
    field.title_in_portal = field.title_in_portal or field.title
    check_pattern(kind, field.regexp_for_validation)
    field.save(force_insert=True)
    return field


@logged("update")
def update_field(field: TicketField, *, actor: User, changes: Mapping[str, Any]) -> TicketField:
    """Change a field; its type stays. Choices that are left out go, and tickets lose them.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule.
    """
    _admins_only(actor)
    if changes.get("active") is False and field.active:
        _check_unneeded(field, "deactivated")
    offered = {option["value"] for option in field.options}
    _set_field(field, changes)
    field.updated_at = clock.now()
    field.save()
    _forget(field, offered - {option["value"] for option in field.options})
    return field


@logged("destroy")
def delete_field(field: TicketField, *, actor: User) -> None:
    """Remove a custom field from the account, its forms, and tickets, which keep their tags.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: it is the system's, or a form's condition needs it.
    """
    _admins_only(actor)
    if field.is_system:
        raise RecordInvalid.of("base", f"{field.title}: system fields cannot be deleted")
    _check_unneeded(field, "deleted")
    for form in TicketForm.objects.order_by("id"):
        if field.id in form.ticket_field_ids:
            form.ticket_field_ids = [key for key in form.ticket_field_ids if key != field.id]
            form.updated_at = clock.now()
            form.save(update_fields=["ticket_field_ids", "updated_at"])
    _forget(field, None)
    field.delete()


def reorder_fields(order: Sequence[int], *, actor: User) -> None:
    """Give fields the positions 1, 2, 3... in this order; those not named come after.

    Raises:
        AccessDenied: the actor is no admin.
        RecordNotFound: one does not exist.
    """
    _admins_only(actor)
    set_order(TicketField.objects.all(), order, "ticket field", actor=actor)


@logged("update")
def save_option(
    field: TicketField, *, actor: User, changes: Mapping[str, Any]
) -> tuple[Option, bool]:
    """Change the choice whose id is given, or add one; tell whether it was added.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: the field has no choices, or a value breaks a rule.
    """
    _admins_only(actor)
    if field.type not in WITH_OPTIONS:
        raise RecordInvalid.of("base", f"{field.title}: has no options")
    options, index, created = with_option(field.options, changes)
    update_field(field, actor=actor, changes={"custom_field_options": options})
    return field.options[index], created


@logged("update")
def delete_option(field: TicketField, key: int, *, actor: User) -> None:
    """Remove a choice of a field; tickets lose the value and keep the tag.

    Raises:
        AccessDenied: the actor is no admin.
        RecordNotFound: the field has no such choice.
        RecordInvalid: it is the last one.
    """
    left = without_option(field.options, key)
    update_field(field, actor=actor, changes={"custom_field_options": left})


def _set_field(field: TicketField, changes: Mapping[str, Any]) -> None:
    if "title" in changes:
        before, field.title = field.title, title_of(changes["title"])
        # A title of its own for the portal stays; one that was never chosen follows.
        if field.title_in_portal == before:
            field.title_in_portal = field.title
    for name, limit in TEXTS.items():
        if name in changes:
            text = plain_text(name, changes[name], limit)
            setattr(field, name, text if name in NULLABLE else text or "")
    for name in FLAGS:
        if changes.get(name) is not None:
            setattr(field, name, bool(changes[name]))
    if changes.get("position") is not None:
        field.position = position_of(changes["position"])
    if "tag" in changes and field.type == "checkbox":
        field.tag = _tag(field, changes["tag"]) if changes["tag"] else None
    if "custom_field_options" in changes and field.type in WITH_OPTIONS:
        field.options = _options(field, changes["custom_field_options"] or [])


def _options(field: TicketField, given: Sequence[Mapping[str, Any]]) -> list[Option]:
    return kept_options(
        field.options,
        given,
        taken=_tags_of_others(field),
        next_id=lambda: ids.next_stamp(TicketField),
    )


def _tag(field: TicketField, value: Any) -> str:
    text = tag_of(value)
    if text in _tags_of_others(field):
        raise RecordInvalid.of("tag", f"Tag: {text} is already in use", "DuplicateValue")
    return text


def _tags_of_others(field: TicketField) -> set[str]:
    """Return the tags that other fields put on tickets: a tag belongs to one field."""
    found: set[str] = set()
    for other in TicketField.objects.exclude(id=field.id).order_by("id"):
        found.update(option["value"] for option in other.options)
        if other.tag:
            found.add(other.tag)
    return found


def _check_unneeded(field: TicketField, done: str) -> None:
    """Refuse to take a field away that every ticket needs, or a form's condition."""
    if not field.removable:
        raise RecordInvalid.of("base", f"{field.title}: cannot be {done}")
    for form in TicketForm.objects.order_by("id"):
        if field.id in condition_fields(form):
            raise RecordInvalid.of(
                "base",
                f"{field.title}: cannot be {done} while the form {form.name} has conditions on it",
            )


def condition_fields(form: TicketForm) -> set[int]:
    """Return the fields that a form's conditions name."""
    found: set[int] = set()
    for condition in (*form.agent_conditions, *form.end_user_conditions):
        found.add(condition["parent_field_id"])
        found.update(child["id"] for child in condition.get("child_fields", []))
    return found


def _forget(field: TicketField, values: Collection[str] | None) -> None:
    """Take values of a field (None: all) out of tickets and macros; the tags stay."""
    if values is not None and not values:
        return
    key = str(field.id)
    for ticket in list(Ticket.objects.filter(custom_fields__has_key=key).order_by("id")):
        kept = ticket.custom_fields[key]
        left = None if values is None else left_of(kept, values)
        if left != kept:
            others = {name: item for name, item in ticket.custom_fields.items() if name != key}
            ticket.custom_fields = others if left is None else {**others, key: left}
            ticket.save(update_fields=["custom_fields"])
    name = f"custom_fields_{key}"
    for macro in Macro.objects.order_by("id"):
        actions = [
            action
            for action in macro.actions
            if action["field"] != name or (values is not None and action["value"] not in values)
        ]
        if actions != macro.actions:
            macro.actions = actions
            macro.save(update_fields=["actions"])


def _admins_only(actor: User) -> None:
    if actor.role != "admin":
        raise AccessDenied("only admins change ticket fields")


TICKET_FIELD: Final = Resource(
    TicketField,
    "ticket field",
    order=("position", "id"),
    create=create_field,
    update=update_field,
    delete=delete_field,
    move=reorder_fields,
)
# They lie in the field's own row.
TICKET_FIELD_OPTION: Final = Resource(
    TicketField, "custom field option", update=save_option, delete=delete_option
)
