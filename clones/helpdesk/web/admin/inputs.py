"""Inputs of Admin Center's plain forms, drawn by the templates of the ticket page's fields.

    Part("", (line("name", "Name", found.name, required=True), check("active", "Active", on=True)))

Their values, errors and choices are the form's (`pages.ask`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from django import forms

from clones.core.web.inputs import BoundInput, Choice, Input, chosen

# By the name of the template that draws it: what the input is.
SHAPES: Final = {
    "checkbox": "check",
    "checks": "checks",
    "date": "date",
    "select": "select",
    "static": "line",
    "text": "line",
    "textarea": "area",
}
Options = Iterable[tuple[object, str]]


class AdminInput(Input):
    """An input of Admin Center: `kind` names its template.

    `depends` says of which other it depends: `access=groups` where that has one value,
    `group_by` where it has any.
    """

    def __init__(
        self,
        name: str,
        label: str,
        kind: str,
        value: str = "",
        *,
        choices: Iterable[Choice] = (),
        required: bool = False,
        hint: str = "",
        placeholder: str = "",
    ) -> None:
        super().__init__(
            name,
            label,
            SHAPES[kind],
            value,
            choices=list(choices),
            required=required,
            hint=hint,
            strip=False,
        )
        self.kind = kind
        self.placeholder = placeholder
        self.depends = ""
        self.disabled = kind == "static"  # it says something, and sends nothing
        self.test_id = ""

    def get_bound_field(self, form: forms.BaseForm, field_name: str) -> DrawnInput:
        """Return the input with its value in a form."""
        return DrawnInput(form, self, field_name)


class DrawnInput(BoundInput):
    """An input as the templates of fields draw it."""

    field: AdminInput

    @property
    def kind(self) -> str:
        """The name of its template."""
        return self.field.kind

    @property
    def template(self) -> str:
        """The template that draws it."""
        return f"helpdesk/ticket/fields/_{self.kind}.html"

    @property
    def test_id(self) -> str:
        """What tests find it by."""
        return self.field.test_id or f"admin-field-{self.name.replace('_', '-')}"

    @property
    def depends(self) -> str:
        """On which other input it depends, and on what of it."""
        return self.field.depends

    @property
    def placeholder(self) -> str:
        """What stands in it while it is empty."""
        return self.field.placeholder

    def value(self) -> Any:
        """Return what stands in it; a box that is ticked holds "true"."""
        found = super().value()
        if self.kind == "checkbox":
            return "true" if found else ""
        return found


def depending(field: AdminInput, on: str) -> AdminInput:
    """Return an input that is shown, and sent, only while another one has a value."""
    field.depends = on
    return field


class Filter(AdminInput):
    """A select that narrows a list down: `value` is what is asked for, "" for all."""

    def __init__(
        self, name: str, label: str, value: str, options: Options, *, test_id: str = ""
    ) -> None:
        super().__init__(name, label, "select", choices=chosen(options, [value]))
        self.value = value
        self.test_id = test_id


def line(
    name: str,
    label: str,
    value: str | None = "",
    *,
    required: bool = False,
    hint: str = "",
    placeholder: str = "",
) -> AdminInput:
    """Return an input of one line."""
    return AdminInput(
        name, label, "text", value or "", required=required, hint=hint, placeholder=placeholder
    )


def area(name: str, label: str, value: str | None = "", *, required: bool = False) -> AdminInput:
    """Return an input of several lines."""
    return AdminInput(name, label, "textarea", value or "", required=required)


def static(name: str, label: str, value: str) -> AdminInput:
    """Return what stands among the inputs and cannot be changed."""
    return AdminInput(name, label, "static", value)


def check(name: str, label: str, *, on: bool) -> AdminInput:
    """Return a check box."""
    return AdminInput(name, label, "checkbox", "true" if on else "")


def date(name: str, label: str, value: str) -> AdminInput:
    """Return an input of a day."""
    return AdminInput(name, label, "date", value)


def select(
    name: str,
    label: str,
    now: object,
    options: Options,
    *,
    required: bool = False,
    hint: str = "",
) -> AdminInput:
    """Return a list from which one is chosen."""
    picked = chosen(options, ["" if now is None else now])
    return AdminInput(name, label, "select", choices=picked, required=required, hint=hint)


def checks(name: str, label: str, now: Iterable[object], options: Options) -> AdminInput:
    """Return boxes of which several may be ticked."""
    return AdminInput(name, label, "checks", choices=chosen(options, now))
