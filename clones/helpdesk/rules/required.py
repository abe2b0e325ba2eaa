"""What a ticket must have before it is solved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clones.helpdesk.rules.system_fields import SYSTEM_FIELDS

FIELD_CLASSES = {
    **{
        item.configured.type: item.configured.error_name
        for item in SYSTEM_FIELDS
        if item.configured is not None and item.configured.error_name
    },
    "description": "FieldDescription",
    "text": "FieldText",
    "textarea": "FieldTextarea",
    "integer": "FieldInteger",
    "decimal": "FieldDecimal",
    "date": "FieldDate",
    "checkbox": "FieldCheckbox",
    "tagger": "FieldTagger",
    "multiselect": "FieldMultiselect",
    "regexp": "FieldRegexp",
    "partialcreditcard": "FieldPartialCreditCard",
    "lookup": "FieldLookup",
}


@dataclass(frozen=True, slots=True)
class FieldRule:
    """A ticket field as the requirements see it."""

    id: int
    type: str
    title: str
    required: bool


@dataclass(frozen=True, slots=True)
class Missing:
    """A field that must be filled first."""

    description: str
    field_id: int
    field_type: str


def missing_for(
    status: str,
    fields: Iterable[FieldRule],
    form_field_ids: Sequence[int],
    conditions: Sequence[Mapping[str, Any]],
    values: Mapping[int, Any],
) -> list[Missing]:
    """Return the fields that an update to `status` leaves empty though it may not.

    `values` maps field ids (system fields too) to what the ticket will hold. Solving needs an
    assignee and every required field of the form; a form's conditions may require more, for other
    statuses too.
    """
    on_form = {field.id: field for field in fields if field.id in form_field_ids}
    needed: dict[int, FieldRule] = {}
    if status in ("solved", "closed"):
        for field in on_form.values():
            if field.type == "assignee" or field.required:
                needed[field.id] = field
    for condition in conditions:
        parent = condition.get("parent_field_id")
        if parent not in on_form or not _same(values.get(int(parent)), condition.get("value")):
            continue
        for child in condition.get("child_fields", []):
            child_field = on_form.get(child.get("id"))
            if child_field is not None and _child_required(child, status):
                needed[child_field.id] = child_field
    return [
        Missing(_sentence(field), field.id, FIELD_CLASSES.get(field.type, "FieldText"))
        for field in sorted(needed.values(), key=lambda item: item.id)
        if _is_empty(field, values.get(field.id))
    ]


def _child_required(child: Mapping[str, Any], status: str) -> bool:
    rule = child.get("required_on_statuses")
    if isinstance(rule, Mapping):
        kind = rule.get("type")
        if kind == "ALL_STATUSES":
            return True
        if kind == "SOME_STATUSES":
            return status in rule.get("statuses", [])
        return False
    return bool(child.get("is_required")) and status in ("solved", "closed")


def _same(value: Any, wanted: Any) -> bool:
    if isinstance(value, bool) or isinstance(wanted, bool):
        return str(value).lower() == str(wanted).lower()
    if isinstance(value, list):
        return wanted in value
    return value == wanted or (value is not None and str(value) == str(wanted))


def _is_empty(field: FieldRule, value: Any) -> bool:
    if field.type == "checkbox":
        return value is not True
    return value in (None, "", [])


def _sentence(field: FieldRule) -> str:
    return f"{field.title}: is required when solving a ticket"
