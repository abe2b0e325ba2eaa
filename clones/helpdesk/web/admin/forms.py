"""Forms of Admin Center: fields as the ticket page draws them, and what a refusal says of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from clones.helpdesk.domain.errors import HelpdeskError, InvalidAttribute, RecordInvalid
from clones.helpdesk.web.properties import Choice, Complaints, FieldView


def complaints_of(error: HelpdeskError, names: Mapping[str, str] | None = None) -> Complaints:
    """Return what a refusal means for a form whose inputs are called as the domain's attributes.

    `names` maps the attributes that the form calls otherwise to its inputs.
    """
    called = names or {}
    if isinstance(error, InvalidAttribute):
        text = str(error)
        return Complaints({called.get(error.name, error.name): text}, (text,))
    if not isinstance(error, RecordInvalid):
        return Complaints(texts=(str(error),))
    by_input = {
        called.get(attribute, attribute): problems[0].description
        for attribute, problems in error.details.items()
        if problems
    }
    texts = [item.description for problems in error.details.values() for item in problems]
    return Complaints(by_input, tuple(dict.fromkeys(texts)))


def field(
    name: str,
    label: str,
    value: Any = "",
    *,
    kind: str = "text",
    complaints: Complaints | None = None,
    required: bool = False,
    hint: str = "",
    placeholder: str = "",
) -> FieldView:
    """Return a field of a form. Kinds: text, textarea, date; checkbox, whose value is a bool."""
    shown = ("true" if value else "") if kind == "checkbox" else ("" if value is None else value)
    return FieldView(
        name=name,
        label=label,
        kind=kind,
        value=shown,
        test_id=f"admin-field-{name.replace('_', '-')}",
        required=required,
        error=(complaints or Complaints()).by_input.get(name, ""),
        hint=hint,
        placeholder=placeholder,
    )


def select(
    name: str,
    label: str,
    chosen: Iterable[str] | str,
    options: Iterable[tuple[Any, str]],
    *,
    many: bool = False,
    complaints: Complaints | None = None,
    required: bool = False,
    hint: str = "",
) -> FieldView:
    """Return a field to choose from `options`, pairs of value and label.

    With `many` each option has a box of its own.
    """
    picked = {chosen} if isinstance(chosen, str) else set(chosen)
    return FieldView(
        name=name,
        label=label,
        kind="checks" if many else "select",
        value=chosen,
        test_id=f"admin-field-{name.replace('_', '-')}",
        choices=tuple(Choice(str(key), text, str(key) in picked) for key, text in options),
        required=required,
        error=(complaints or Complaints()).by_input.get(name, ""),
        hint=hint,
    )
