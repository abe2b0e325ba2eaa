"""The fields of the portal's form, and what a request shows of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from clones.core.web.attempts import FormErrors
from clones.helpdesk.models import Ticket, TicketField, TicketForm
from clones.helpdesk.queries.dynamic_content import translated
from clones.helpdesk.queries.portal import editable_fields, visible_fields
from clones.helpdesk.rules import form_conditions
from clones.helpdesk.rules.system_fields import BY_TYPE, PANE
from clones.helpdesk.web.form_values import CUSTOM, Values
from clones.helpdesk.web.properties import (
    KINDS,
    FieldView,
    choices_of,
    in_language,
    system_view,
)


def portal_views(
    form: TicketForm | None, values: Values, errors: FormErrors, *, locale: str
) -> list[FieldView]:
    """Return the fields that end users fill in on a form, of those that its conditions show."""
    fields = editable_fields(form)
    conditions = form.end_user_conditions if form is not None else []
    held = {item.id: values.get(input_of(item)) for item in fields}
    shown = form_conditions.shown_ids(list(held), conditions, held)
    needed = form_conditions.required_ids(list(held), conditions, held)
    parents = {int(rule.get("parent_field_id") or 0) for rule in conditions}
    return [
        _view(
            in_language(item, locale),
            values,
            errors,
            locale=locale,
            needed=item.id in needed,
            refreshes=item.id in parents,
        )
        for item in fields
        if item.id in shown
    ]


def input_of(item: TicketField) -> str:
    """Return the name of a field's input."""
    if not item.is_system:
        return f"{CUSTOM}{item.id}"
    own = BY_TYPE.get(item.type)
    return own.name if own is not None and own.input is not None else item.type


def shown_values(ticket: Ticket, *, locale: str) -> list[tuple[str, str]]:
    """Return the account's own fields on a request that have a value, in words."""
    found = []
    for item in visible_fields(ticket.ticket_form):
        value = ticket.custom_fields.get(str(item.id))
        if value not in (None, "", []):
            words = _words(in_language(item, locale), value)
            found.append((translated(item.title_in_portal, locale) or item.title, words))
    return found


def _view(
    item: TicketField,
    values: Values,
    errors: FormErrors,
    *,
    locale: str,
    needed: bool,
    refreshes: bool,
) -> FieldView:
    name = input_of(item)
    label = translated(item.title_in_portal, locale) or item.title
    required = item.required_in_portal or needed or item.type == "description"
    own = BY_TYPE.get(item.type)
    if own is not None and own in PANE:
        view = system_view(own, label, values, errors, required=required)
        return replace(view, refreshes=refreshes)
    kind = "textarea" if item.type == "description" else KINDS.get(item.type, "text")
    value = values.get(name) or ""
    hint = translated(item.description, locale)
    return FieldView(
        name=name,
        label=label,
        kind=kind,
        value=value,
        test_id=f"request-field-{item.type if item.is_system else item.id}",
        choices=choices_of(item, value),
        required=required,
        error=errors.fields.get(name, ""),
        hint="" if hint == label else hint,
        refreshes=refreshes,
    )


def _words(item: TicketField, value: Any) -> str:
    names: Mapping[str, str] = {
        str(option["value"]): str(option["name"]).replace("::", " > ") for option in item.options
    }
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, list):
        return ", ".join(names.get(str(one), str(one)) for one in value)
    return names.get(str(value), str(value))
