"""The form of a custom object's record: its name, its external id, and its own fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict
from django.urls import reverse

from clones.core.web.attempts import FormErrors
from clones.core.web.inputs import Choice
from clones.helpdesk.domain.object_access import scopes_of
from clones.helpdesk.models import CustomObject, CustomObjectField, CustomObjectRecord, User
from clones.helpdesk.queries.custom_objects import active_fields, fields_of
from clones.helpdesk.queries.lookup_targets import titles_of
from clones.helpdesk.rules.custom_objects import OBJECT_TARGET
from clones.helpdesk.web.lookups import target_named
from clones.helpdesk.web.properties import EMPTY, FieldView

PREFIX = "custom_object_fields_"
KINDS = {
    "checkbox": "checkbox",
    "date": "date",
    "dropdown": "select",
    "multiselect": "multiselect",
    "textarea": "textarea",
}
SUGGESTIONS = {
    "zen:user": "helpdesk:suggest_people",
    "zen:organization": "helpdesk:suggest_organizations",
}
Values = dict[str, Any]


@dataclass(slots=True)
class RecordForm:
    """A record's form: what its inputs hold, and what is wrong with it.

    Who may not change a record sees it; external ids are for admins, names may be numbered.
    """

    of: CustomObject
    values: Values
    fields: list[CustomObjectField]
    standard: Mapping[str, CustomObjectField]
    admin: bool
    editable: bool
    errors: FormErrors = field(default_factory=FormErrors)

    @property
    def is_numbered(self) -> bool:
        """Whether names are given by the object."""
        return bool(self.standard[CustomObjectField.NAME].properties["autoincrement_enabled"])


def standing_form(
    of: CustomObject, record: CustomObjectRecord | None, actor: User, *, editable: bool
) -> RecordForm:
    """Return the form of a record as it stands, or of a new one."""
    fields = fields_for(of, actor)
    standard = {item.key: item for item in fields_of(of) if item.is_standard}
    values: Values = {"name": "", "external_id": ""}
    kept: Mapping[str, Any] = {}
    if record is not None:
        values = {"name": record.name, "external_id": record.external_id or ""}
        kept = record.custom_object_fields
    titles = lookup_titles(fields, [kept])
    for item in fields:
        value = kept.get(item.key)
        if item.type == "lookup":
            values[f"{PREFIX}{item.key}_id"] = value or ""
            value = titles.get((item.relationship_target_type or "", str(value)), value)
        values[PREFIX + item.key] = shown_text(item, value)
    return RecordForm(of, values, fields, standard, actor.role == "admin", editable)


def fields_for(of: CustomObject, actor: User) -> list[CustomObjectField]:
    """Return an object's fields, without lookups of objects whose records the actor may not see."""
    return [item for item in active_fields(of) if _may_see(item.relationship_target_type, actor)]


def _may_see(target: str | None, actor: User) -> bool:
    if target is None or not target.startswith(OBJECT_TARGET):
        return True
    return "read" in scopes_of(actor, target.removeprefix(OBJECT_TARGET))


def lookup_titles(
    fields: Sequence[CustomObjectField], rows: Sequence[Mapping[str, Any]]
) -> dict[tuple[str, str], str]:
    """Return what the lookups of records refer to is called, by target type and id.

    Tickets are left out, which not everybody may read: they are shown by their number.
    """
    return titles_of(
        (item.relationship_target_type or "", str(row[item.key]))
        for item in fields
        if item.type == "lookup" and item.relationship_target_type != "zen:ticket"
        for row in rows
        if row.get(item.key)
    )


def shown_text(item: CustomObjectField, value: Any) -> Any:
    """Return a kept value as an input holds it: text, or a list of several choices."""
    if item.type == "multiselect":
        return list(value or ())
    if item.type == "checkbox":
        return "true" if value else ""
    return "" if value is None else str(value)


def posted_form(post: QueryDict, form: RecordForm) -> RecordForm:
    """Take into a form what was sent."""
    for name in ("name", "external_id"):
        if name in post:
            form.values[name] = post.get(name, "").strip()
    for item in form.fields:
        name = PREFIX + item.key
        if item.type == "multiselect":
            form.values[name] = [text for text in post.getlist(name) if text]
        elif item.type == "checkbox":
            form.values[name] = "true" if name in post else ""
        elif name in post:
            form.values[name] = post.get(name, "").strip().replace("\r\n", "\n")
            form.values[f"{name}_id"] = post.get(f"{name}_id", "")
    return form


def changes_of(form: RecordForm) -> dict[str, Any]:
    """Return what a form sets, under the domain's names."""
    found: dict[str, Any] = {
        "custom_object_fields": {item.key: _sent_value(item, form) for item in form.fields}
    }
    if not form.is_numbered:
        found["name"] = form.values["name"]
    if form.admin:
        found["external_id"] = form.values["external_id"] or None
    return found


def _sent_value(item: CustomObjectField, form: RecordForm) -> Any:
    name = PREFIX + item.key
    value = form.values[name]
    if item.type == "checkbox":
        return value == "true"
    if item.type == "lookup" and value:
        key = form.values.get(f"{name}_id", "")
        return target_named(item.relationship_target_type or "", value, key)
    return value or None


def form_fields(form: RecordForm) -> list[FieldView]:
    """Return the fields of a form, as static texts for those who may not change it."""
    naming = form.standard[CustomObjectField.NAME]
    views = []
    if form.values["name"] or not form.is_numbered:
        views.append(_view(form, "name", naming.title, "text", required=not form.is_numbered))
    if form.admin:
        title = form.standard[CustomObjectField.EXTERNAL_ID].title
        views.append(_view(form, "external_id", title, "text"))
    return views + [_custom(form, item) for item in form.fields]


def _view(
    form: RecordForm, name: str, label: str, kind: str, *, required: bool = False
) -> FieldView:
    off = not form.editable or (name == "name" and form.is_numbered)
    return FieldView(
        name=name,
        label=label,
        kind="static" if off else kind,
        value=form.values[name],
        test_id=f"record-field-{name.replace('_', '-')}",
        required=required and not off,
        error=form.errors.fields.get(name, ""),
    )


def _custom(form: RecordForm, item: CustomObjectField) -> FieldView:
    name = PREFIX + item.key
    value = form.values[name]
    target = item.relationship_target_type or ""
    kind = KINDS.get(item.type, "text")
    suggest = ""
    if item.type == "lookup" and target != "zen:ticket":
        kind, suggest = "lookup", suggestions_of(target)
    choices = _choices(item, value)
    if not form.editable:
        kind, value = "static", cell_text(item, value, {}) or "-"
    return FieldView(
        name=name,
        label=item.title,
        kind=kind,
        value=value,
        test_id=f"record-field-{item.key}",
        choices=choices,
        error=form.errors.fields.get(name, ""),
        hint=item.description,
        placeholder="ticket number" if target == "zen:ticket" else "",
        suggest=suggest,
        key=str(form.values.get(f"{name}_id") or ""),
    )


def suggestions_of(target: str) -> str:
    """Return the address of what a lookup offers while somebody types."""
    if target.startswith(OBJECT_TARGET):
        return reverse("helpdesk:suggest_records", args=[target.removeprefix(OBJECT_TARGET)])
    return reverse(SUGGESTIONS[target])


def _choices(item: CustomObjectField, value: Any) -> tuple[Choice, ...]:
    if item.type not in ("dropdown", "multiselect"):
        return ()
    chosen = value if isinstance(value, list) else [value]
    options = tuple(
        Choice(str(one["value"]), str(one["name"]), one["value"] in chosen) for one in item.options
    )
    return options if item.type == "multiselect" else (Choice("", EMPTY, not value), *options)


def cell_text(item: CustomObjectField, value: Any, titles: Mapping[tuple[str, str], str]) -> str:
    """Return a value as a list shows it; `titles` are what lookups refer to."""
    if item.type == "checkbox":
        return "Yes" if value and value != "" else "No"
    if value in (None, "", []):
        return ""
    if item.type in ("dropdown", "multiselect"):
        names = {one["value"]: str(one["name"]) for one in item.options}
        chosen = value if isinstance(value, list) else [value]
        return ", ".join(names.get(one, str(one)) for one in chosen)
    if item.type == "lookup":
        return titles.get((item.relationship_target_type or "", str(value)), str(value))
    return str(value)
