"""Writing the fields of users and organizations, and the values that profiles have in them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any, Final

from clones.core import clock, ids
from clones.core.patterns import is_pattern
from clones.core.resources import Resource
from clones.helpdesk.domain.audit_logs import logged
from clones.helpdesk.domain.changes import plain_text
from clones.helpdesk.domain.errors import AccessDenied, Problem, RecordInvalid
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
from clones.helpdesk.models import Organization, ProfileField, User
from clones.helpdesk.queries.profile_fields import active_fields, field_of_key
from clones.helpdesk.rules import profile_fields as rules

OF_SYSTEM = frozenset({"active", "position"})


@logged("create")
def create_field(owner: str, *, actor: User, changes: Mapping[str, Any]) -> ProfileField:
    """Create a field of users or of organizations.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule, or the key is taken.
    """
    _admins_only(actor)
    kind = changes.get("type") or "text"
    if kind not in rules.TYPES:
        raise RecordInvalid.of("type", f"Type: {kind} is not a valid type", "InvalidValue")
    now = clock.now()
    field = ProfileField(
        id=ids.next_stamp(ProfileField),
        owner=owner,
        key=_key(owner, changes.get("key")),
        type=kind,
        position=LAST,
        created_at=now,
        updated_at=now,
    )
    _set_field(field, {"title": None, "custom_field_options": [], **changes})
    check_pattern(kind, field.regexp_for_validation)
    field.save(force_insert=True)
    return field


@logged("update")
def update_field(field: ProfileField, *, actor: User, changes: Mapping[str, Any]) -> ProfileField:
    """Change a field; its key and type stay. Choices that are left out go, with their values.

    Of a field of the system only its place and whether it is in use change.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule.
    """
    _admins_only(actor)
    if field.system:
        changes = {name: value for name, value in changes.items() if name in OF_SYSTEM}
    offered = {option["value"] for option in field.options}
    _set_field(field, changes)
    check_pattern(field.type, field.regexp_for_validation)
    field.updated_at = clock.now()
    field.save()
    gone = offered - {option["value"] for option in field.options}
    if gone:
        _forget(field, gone)
    return field


@logged("destroy")
def delete_field(field: ProfileField, *, actor: User) -> None:
    """Remove a field and its values; the tags that they put on profiles stay.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: it is the system's.
    """
    _admins_only(actor)
    if field.system:
        raise RecordInvalid.of("base", f"{field.title}: system fields cannot be deleted")
    _forget(field, None)
    field.delete()


def reorder_fields(owner: str, order: Sequence[int], *, actor: User) -> None:
    """Give fields the positions 1, 2, 3... in this order; those not named come after.

    Raises:
        AccessDenied: the actor is no admin.
        RecordNotFound: one does not exist.
    """
    _admins_only(actor)
    set_order(ProfileField.objects.filter(owner=owner), order, f"{owner} field", actor=actor)


@logged("update")
def save_option(
    field: ProfileField, *, actor: User, changes: Mapping[str, Any]
) -> tuple[Option, bool]:
    """Change the choice whose id is given, or add one; tell whether it was added.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: the field has no choices, or a value breaks a rule.
    """
    _admins_only(actor)
    if field.type not in rules.WITH_OPTIONS:
        raise RecordInvalid.of("base", f"{field.title}: has no options")
    options, index, created = with_option(field.options, changes)
    update_field(field, actor=actor, changes={"custom_field_options": options})
    return field.options[index], created


@logged("update")
def delete_option(field: ProfileField, key: int, *, actor: User) -> None:
    """Remove a choice of a field; profiles lose the value and keep the tag.

    Raises:
        AccessDenied: the actor is no admin.
        RecordNotFound: the field has no such choice.
        RecordInvalid: it is the last one.
    """
    _admins_only(actor)
    left = without_option(field.options, key)
    update_field(field, actor=actor, changes={"custom_field_options": left})


def set_values(record: User | Organization, given: Mapping[str, Any]) -> None:
    """Set a profile's values in memory, and the tags that go with them.

    Keys of no field in use are passed over.

    Raises:
        RecordInvalid: fields cannot hold their values.
    """
    column = _column(record)
    values = dict(getattr(record, column))
    tags, problems = set(record.tags), list[Problem]()
    for field in active_fields(column.removesuffix("_fields")):
        if field.key not in given:
            continue
        options = [option["value"] for option in field.options]
        pattern = field.regexp_for_validation
        try:
            new = rules.kept_value(field.type, given[field.key], options, pattern)
        except ValueError:
            problems.append(Problem(f"{field.title}: is invalid", "InvalidValue"))
            continue
        tags -= rules.value_tags(field.type, values.get(field.key), field.tag)
        tags |= rules.value_tags(field.type, new, field.tag)
        values[field.key] = new
    if problems:
        raise RecordInvalid({"base": problems})
    setattr(record, column, {key: item for key, item in values.items() if item is not None})
    record.tags = sorted(tags)


def _column(record: User | Organization) -> str:
    return "user_fields" if isinstance(record, User) else "organization_fields"


def _key(owner: str, given: Any) -> str:
    text = (plain_text("key", given, 255) or "").strip()
    if not text:
        raise RecordInvalid.of("key", "Key: cannot be blank", "BlankValue")
    if not rules.is_key(text):
        raise RecordInvalid.of("key", "Key: is invalid", "InvalidValue")
    if field_of_key(owner, text) is not None:
        raise RecordInvalid.of("key", "Key: has already been taken", "DuplicateValue")
    return text


def _set_field(field: ProfileField, changes: Mapping[str, Any]) -> None:
    if "title" in changes:
        field.title = title_of(changes["title"])
    if "description" in changes:
        field.description = plain_text("description", changes["description"], 65_535) or ""
    if changes.get("active") is not None:
        field.active = bool(changes["active"])
    if changes.get("position") is not None:
        field.position = position_of(changes["position"])
    if "regexp_for_validation" in changes:
        field.regexp_for_validation = _pattern(changes["regexp_for_validation"])
    if "tag" in changes and field.type == "checkbox":
        field.tag = tag_of(changes["tag"]) if changes["tag"] else None
    if "custom_field_options" in changes and field.type in rules.WITH_OPTIONS:
        field.options = kept_options(
            field.options,
            changes["custom_field_options"] or [],
            taken=(),
            next_id=lambda: ids.next_stamp(ProfileField),
        )


def _pattern(given: Any) -> str | None:
    text = plain_text("regexp_for_validation", given, 1024)
    if text and not is_pattern(text, "ruby"):
        raise RecordInvalid.of(
            "regexp_for_validation", "Regexp for validation: is invalid", "InvalidValue"
        )
    return text


def _forget(field: ProfileField, values: Collection[str] | None) -> None:
    """Take values of a field (None: all) out of profiles; their tags stay."""
    model: type[User | Organization] = User if field.owner == "user" else Organization
    column, key = f"{field.owner}_fields", field.key
    for record in list(model.objects.filter(**{f"{column}__has_key": key}).order_by("id")):
        kept = getattr(record, column)
        left = None if values is None else left_of(kept[key], values)
        if left != kept[key]:
            others = {name: item for name, item in kept.items() if name != key}
            setattr(record, column, others if left is None else {**others, key: left})
            record.save(update_fields=[column])


def _admins_only(actor: User) -> None:
    if actor.role != "admin":
        raise AccessDenied("only admins change fields of people")


def _fields_of(owner: str) -> Resource[ProfileField]:
    return Resource(
        ProfileField,
        f"{owner} field",
        order=("position", "id"),
        among=lambda: ProfileField.objects.filter(owner=owner),
        create=partial(create_field, owner),
        update=update_field,
        delete=delete_field,
        move=partial(reorder_fields, owner),
    )


USER_FIELD: Final = _fields_of("user")
ORGANIZATION_FIELD: Final = _fields_of("organization")
# They lie in the field's own row.
USER_FIELD_OPTION: Final = Resource(
    ProfileField, "custom field option", update=save_option, delete=delete_option
)
