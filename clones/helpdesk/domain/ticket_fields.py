"""Writing the fields of tickets and the choices they offer."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from clones.core import clock, ids
from clones.core.rows import update_row
from clones.helpdesk.domain.changes import identifier, plain_text
from clones.helpdesk.domain.errors import AccessDenied, RecordInvalid, RecordNotFound
from clones.helpdesk.domain.positions import set_order
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
LAST = 9999
OPTIONS = 2000
TAG = re.compile(r"[^\s,\"'<>&]{1,255}")
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
Option = dict[str, Any]


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
    if kind == "regexp" and not field.regexp_for_validation:
        raise RecordInvalid.of(
            "regexp_for_validation", "Regexp for validation: cannot be blank", "BlankValue"
        )
    field.save(force_insert=True)
    return field


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
    set_order(TicketField.objects.all(), order, "ticket field")


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
    key = identifier("id", changes.get("id"))
    options = [dict(option) for option in field.options]
    found = next((option for option in options if option["id"] == key), None)
    created = found is None
    given = {name: changes[name] for name in ("name", "value", "default") if name in changes}
    if found is None:
        found = dict(given)
        options.append(found)
    else:
        found.update(given)
    if changes.get("position") is not None:
        options.remove(found)
        options.insert(max(0, int(changes["position"])), found)
    index = options.index(found)
    update_field(field, actor=actor, changes={"custom_field_options": options})
    return field.options[index], created


def delete_option(field: TicketField, key: int, *, actor: User) -> None:
    """Remove a choice of a field; tickets lose the value and keep the tag.

    Raises:
        AccessDenied: the actor is no admin.
        RecordNotFound: the field has no such choice.
        RecordInvalid: it is the last one.
    """
    left = [option for option in field.options if option["id"] != key]
    if len(left) == len(field.options):
        raise RecordNotFound("option", key)
    update_field(field, actor=actor, changes={"custom_field_options": left})


def _set_field(field: TicketField, changes: Mapping[str, Any]) -> None:
    if "title" in changes:
        before, field.title = field.title, _title(changes["title"])
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
        field.position = _position(changes["position"])
    if "tag" in changes and field.type == "checkbox":
        field.tag = _tag(field, changes["tag"]) if changes["tag"] else None
    if "custom_field_options" in changes and field.type in WITH_OPTIONS:
        field.options = _options(field, changes["custom_field_options"] or [])


def _title(value: Any) -> str:
    text = (plain_text("title", value, 255) or "").strip()
    if not text:
        raise RecordInvalid.of("title", "Title: cannot be blank", "BlankValue")
    return text


def _position(value: int) -> int:
    if not 0 <= value < 2**31:
        raise RecordInvalid.of("position", "Position: is invalid", "InvalidValue")
    return value


def _options(field: TicketField, given: Sequence[Mapping[str, Any]]) -> list[Option]:
    """Return the choices to keep: those known by id or value keep their ids."""
    if not given:
        raise RecordInvalid.of(
            "field_options", "Field options: must contain at least one option", "EmptyValue"
        )
    if len(given) > OPTIONS:
        raise RecordInvalid.of("field_options", f"Field options: more than {OPTIONS} options")
    by_id = {option["id"]: option for option in field.options}
    by_value = {option["value"]: option for option in field.options}
    taken = _tags_of_others(field)
    found: list[Option] = []
    for item in given:
        before = by_id.get(item.get("id")) or by_value.get(str(item.get("value"))) or {}
        name = (plain_text("name", item.get("name", before.get("name")), 255) or "").strip()
        value = str(item.get("value", before.get("value")) or "")
        # A tag that the field has stays as it is, whatever rules there were when it came.
        kept = value in by_value
        value = value if kept else value.strip().lower()
        if not name or not (kept or TAG.fullmatch(value)):
            raise RecordInvalid.of(
                "field_options", f"Field options: {name or value} is invalid", "InvalidValue"
            )
        if any(value == option["value"] for option in found) or (value in taken and not kept):
            raise RecordInvalid.of(
                "field_options", f"Field options: {value} is already in use", "DuplicateValue"
            )
        key = before.get("id") or ids.next_stamp(TicketField)
        chosen = item.get("default", before.get("default", False))
        found.append({"id": key, "name": name, "value": value, "default": bool(chosen)})
    return found


def _tag(field: TicketField, value: Any) -> str:
    text = str(value).strip().lower()
    if not TAG.fullmatch(text):
        raise RecordInvalid.of("tag", "Tag: is invalid", "InvalidValue")
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
        left = None if values is None else _left(kept, values)
        if left != kept:
            others = {name: item for name, item in ticket.custom_fields.items() if name != key}
            ticket.custom_fields = others if left is None else {**others, key: left}
            update_row(ticket, ["custom_fields"])
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


def _left(kept: Any, values: Collection[str]) -> Any:
    if isinstance(kept, list):
        return [item for item in kept if item not in values] or None
    return None if kept in values else kept


def _admins_only(actor: User) -> None:
    if actor.role != "admin":
        raise AccessDenied("only admins change ticket fields")
