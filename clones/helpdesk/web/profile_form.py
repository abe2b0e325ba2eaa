"""The form of a profile: what a user or an organization has, changed in place.

Values are kept under the names of the form's inputs, as the ticket form keeps its own, so that only
what somebody changed is written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.http import QueryDict

from clones.core.web.attempts import Attempts, FormErrors, Result
from clones.core.web.inputs import Choice
from clones.helpdesk.domain.errors import HelpdeskError, RecordInvalid
from clones.helpdesk.models import ProfileField
from clones.helpdesk.queries.profile_fields import active_fields
from clones.helpdesk.web.form_errors import errors_of
from clones.helpdesk.web.form_values import Values, differing, loaded_values, shown
from clones.helpdesk.web.properties import EMPTY, FieldView

KINDS = {
    "checkbox": "checkbox",
    "date": "date",
    "dropdown": "select",
    "multiselect": "multiselect",
    "textarea": "textarea",
}
# By the attribute that the domain names: the input that shows the problem.
INPUTS = {
    "custom_role_id": "custom_role_id",
    "default_group_id": "default_group_id",
    "domain_names": "domain_names",
    "email": "email",
    "group_id": "group_id",
    "name": "name",
    "organization": "organization",
    "role": "role",
    "ticket_restriction": "ticket_restriction",
}


@dataclass(slots=True)
class ProfileForm:
    """A profile's form: values that were loaded, values now, what is wrong."""

    values: Values
    loaded: Values
    errors: FormErrors = field(default_factory=FormErrors)

    @property
    def loaded_text(self) -> str:
        """The loaded values as the form carries them."""
        return json.dumps(self.loaded, sort_keys=True)


def custom_values(record_fields: Mapping[str, Any], owner: str) -> Values:
    """Return the values of a profile's own fields by input."""
    return {
        f"{owner}_fields_{item.key}": shown(record_fields.get(item.key))
        for item in active_fields(owner)
    }


def posted_form(post: QueryDict, standing: Values, fields: Sequence[FieldView]) -> ProfileForm:
    """Return the form as it was sent; what its reader could not change is as it was loaded."""
    loaded = loaded_values(post, standing)
    values: Values = dict(loaded)
    for view in fields:
        if view.disabled:
            values[view.name] = loaded[view.name] = standing.get(view.name, "")
        elif view.kind == "multiselect":
            values[view.name] = [item for item in post.getlist(view.name) if item]
        elif view.kind == "checkbox":
            values[view.name] = "true" if view.name in post else ""
        elif view.name in post:
            values[view.name] = post.get(view.name, "").strip().replace("\r\n", "\n")
        if view.kind == "lookup" and not view.disabled:
            values[f"{view.name}_id"] = post.get(f"{view.name}_id", "")
    return ProfileForm(values, loaded)


def changed_values(form: ProfileForm, owner: str) -> tuple[Values, dict[str, Any]]:
    """Return what was changed of the profile itself, and of its own fields by their keys."""
    changed = differing(form.loaded, form.values)
    prefix = f"{owner}_fields_"
    custom = {
        name.removeprefix(prefix): (value == "true" if _is_checkbox(owner, name) else value or None)
        for name, value in changed.items()
        if name.startswith(prefix)
    }
    return {name: value for name, value in changed.items() if not name.startswith(prefix)}, custom


def _is_checkbox(owner: str, name: str) -> bool:
    prefix = f"{owner}_fields_"
    return any(
        item.type == "checkbox" and f"{prefix}{item.key}" == name for item in active_fields(owner)
    )


@dataclass(frozen=True, slots=True)
class FieldMaker:
    """Makes the fields of a profile's form, with what they hold and what is wrong with them."""

    owner: str
    form: ProfileForm

    def text(
        self,
        name: str,
        label: str,
        *,
        disabled: bool = False,
        kind: str = "text",
        suggest: str = "",
        placeholder: str = "",
        required: bool = False,
    ) -> FieldView:
        """Return a field that is typed into; of `tokens` the values are its choices."""
        value = self._value(name)
        words = value.split() if kind == "tokens" else ()
        return FieldView(
            name=name,
            label=label,
            kind=kind,
            value=value,
            test_id=self._test_id(name),
            choices=tuple(Choice(word, word, True) for word in words),
            error=self._error(name),
            suggest=suggest,
            key=self._value(f"{name}_id"),
            placeholder=placeholder,
            required=required,
            disabled=disabled,
        )

    def choice(
        self, name: str, label: str, choices: Mapping[str, str], *, disabled: bool = False
    ) -> FieldView:
        """Return a field with choices; a value that is none of them stays one."""
        value = self._value(name)
        known = dict(choices) if value in choices else {value: value or EMPTY, **choices}
        return FieldView(
            name=name,
            label=label,
            kind="select",
            value=value,
            test_id=self._test_id(name),
            choices=tuple(Choice(key, text, key == value) for key, text in known.items()),
            error=self._error(name),
            disabled=disabled,
        )

    def flag(self, name: str, label: str, *, disabled: bool = False) -> FieldView:
        """Return a field that is ticked or not."""
        return FieldView(
            name=name,
            label=label,
            kind="checkbox",
            value=self._value(name),
            test_id=self._test_id(name),
            error=self._error(name),
            disabled=disabled,
        )

    def custom(self, *, disabled: bool) -> list[FieldView]:
        """Return the fields that the account gave to profiles of this kind, in their order."""
        fields = sorted(active_fields(self.owner), key=lambda item: (item.position, item.id))
        return [self._custom(item, disabled=disabled) for item in fields]

    def _custom(self, item: ProfileField, *, disabled: bool) -> FieldView:
        name = f"{self.owner}_fields_{item.key}"
        value = self.form.values.get(name) or ""
        return FieldView(
            name=name,
            label=item.title,
            kind=KINDS.get(item.type, "text"),
            value=value,
            test_id=f"{self.owner}-field-{item.key}",
            choices=_options(item, value),
            error=self._error(name),
            hint=item.description,
            disabled=disabled,
        )

    def _value(self, name: str) -> str:
        return str(self.form.values.get(name) or "")

    def _error(self, name: str) -> str:
        return self.form.errors.fields.get(name, "")

    def _test_id(self, name: str) -> str:
        return f"{self.owner}-profile-{name.replace('_', '-')}"


def _options(item: ProfileField, value: Any) -> tuple[Choice, ...]:
    if item.type not in ("dropdown", "multiselect"):
        return ()
    chosen = value if isinstance(value, list) else [value]
    options = tuple(
        Choice(str(one["value"]), str(one["name"]), one["value"] in chosen) for one in item.options
    )
    return options if item.type == "multiselect" else (Choice("", EMPTY, not value), *options)


def attempt_form(
    write: Callable[[], Result], fields: Sequence[FieldView]
) -> tuple[Result | None, FormErrors | None]:
    """Carry out what a form sent, or return what is wrong with it."""
    return Attempts(HelpdeskError, lambda error: _errors_of(error, fields)).attempt(write)


def _errors_of(error: HelpdeskError, fields: Sequence[FieldView]) -> FormErrors:
    """Return what a refusal says of a form; a problem that names a field stands at it."""
    found = errors_of(error, INPUTS)
    if not isinstance(error, RecordInvalid):
        return found
    by_title = {view.label: view.name for view in fields}
    named = {
        by_title[title]: problem.description
        for problems in error.details.values()
        for problem in problems
        if (title := problem.description.partition(":")[0]) in by_title
    }
    return replace(found, fields={**named, **found.fields})
