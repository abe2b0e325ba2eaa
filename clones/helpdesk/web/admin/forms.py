"""What a refusal says of a form of Admin Center, and fields of forms that keep their values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from clones.core.web.attempts import Attempts, Refusal
from clones.core.web.inputs import Choice
from clones.helpdesk.domain.errors import (
    AccessDenied,
    CategoryRefused,
    HelpdeskError,
    InvalidAttribute,
    RecordInvalid,
)
from clones.helpdesk.web.properties import FieldView, FormErrors


def refusal_of(error: HelpdeskError) -> Refusal:
    """Return what a refusal of the domain says, by the attributes that it is about."""
    if isinstance(error, InvalidAttribute):
        return Refusal(fields={error.name: str(error)})
    if isinstance(error, CategoryRefused):
        return Refusal(fields={"name": error.title})
    if not isinstance(error, RecordInvalid):
        return Refusal([str(error)])
    firsts = {name: found[0].description for name, found in error.details.items() if found}
    rest = [item.description for found in error.details.values() for item in found[1:]]
    return Refusal(rest, firsts)


# What is not for the agent at all is said on a page of its own.
ATTEMPTS: Final = Attempts(
    HelpdeskError, lambda error: None if isinstance(error, AccessDenied) else refusal_of(error)
)


def complaints_in(refusal: Refusal, names: Mapping[str, str] | None = None) -> FormErrors:
    """Return what a refusal means for a form whose inputs may be called otherwise."""
    called = names or {}
    by_input = {called.get(key, key): text for key, text in refusal.fields.items()}
    return FormErrors(by_input, tuple(dict.fromkeys(refusal.sentences)))


def field(
    name: str,
    label: str,
    value: Any = "",
    *,
    kind: str = "text",
    complaints: FormErrors | None = None,
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
        error=(complaints or FormErrors()).by_input.get(name, ""),
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
    complaints: FormErrors | None = None,
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
        error=(complaints or FormErrors()).by_input.get(name, ""),
        hint=hint,
    )
