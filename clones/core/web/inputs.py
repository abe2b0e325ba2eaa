"""Forms of pages: inputs made when a page is asked for, and what was sent in them.

    form = PageForm([Input("name", "Name", found.name, required=True)], request.POST)
    form.text("name")

Django keeps values, choices and errors and shows again what was typed. Whether a value will do is
the domain's to say: no input is refused here, so that each is refused in the vendor's words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict

from clones.core.digits import is_digits
from clones.core.web.attempts import FormErrors

if TYPE_CHECKING:
    from clones.core.web.row_tables import RowTable

_WIDGETS: Final[dict[str, type[forms.Widget]]] = {
    "area": forms.Textarea,
    "check": forms.CheckboxInput,
    "checks": forms.CheckboxSelectMultiple,
    "date": forms.DateInput,
    "hidden": forms.HiddenInput,
    "line": forms.TextInput,
    "multiple": forms.SelectMultiple,
    "number": forms.NumberInput,
    "radio": forms.RadioSelect,
    "select": forms.Select,
}
# The longest number that a key can be.
_DIGITS: Final = 18
# What the buttons of a form's tables send (`row_tables`).
ROWS_BUTTON: Final = "do"
_CHOSEN: Final = ("checks", "multiple", "radio", "select")


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to choose; `group` is what it is listed under, `chosen` whether it is now."""

    value: str
    label: str
    chosen: bool = False
    group: str = ""


def chosen(rows: Iterable[tuple[object, str]], now: Iterable[object]) -> list[Choice]:
    """Return choices of values and names; those in `now` are chosen."""
    have = {str(one) for one in now}
    return [Choice(str(value), label, str(value) in have) for value, label in rows]


def number_of(text: str) -> int | None:
    """Return the whole number that a text is, None if it is none."""
    text = text.strip()
    return int(text) if is_digits(text) else None


class Input(forms.Field):
    """An input of a form.

    Args:
        name: what the form sends its value as.
        label: its name for those who fill it in.
        shape: line, area, number, date, select, multiple, check, checks, radio or hidden.
        value: what stands in it before anything is typed; of a check "on", or nothing.
        choices: those of selects, checks and radios, with what is chosen.
        required: whether it is marked as needed.
        none: what no choice at all is called, "" if one must be made.
        hint: what stands below it.
        strip: whether the space around what is typed is dropped.
    """

    def __init__(
        self,
        name: str,
        label: str,
        shape: str = "line",
        value: str = "",
        *,
        choices: Sequence[Choice] = (),
        required: bool = False,
        none: str = "",
        hint: str = "",
        strip: bool = True,
    ) -> None:
        many = shape in ("multiple", "checks")
        picked = [one.value for one in choices if one.chosen]
        initial: object = value
        if shape in _CHOSEN:
            initial = picked if many else next(iter(picked), "")
        super().__init__(
            required=False,  # what is missing is missed by the domain, in its own words
            label=label,
            initial=initial,
            help_text=hint,
            widget=_WIDGETS[shape],
        )
        self.name = name
        self.shape = shape
        self.choices = list(choices)
        self.is_marked = required
        self.none = none
        self.strip = strip

    def to_python(self, value: Any) -> Any:
        """Return what was sent as it is used."""
        return value.strip() if self.strip and isinstance(value, str) else value

    @property
    def alone(self) -> BoundInput:
        """The input where it stands by itself, as its one-line form or a search has it."""
        return self.get_bound_field(PageForm([self]), self.name)

    def get_bound_field(self, form: forms.BaseForm, field_name: str) -> BoundInput:
        """Return the input with its value in a form."""
        return BoundInput(form, self, field_name)


class BoundInput(forms.BoundField):
    """An input as a form shows it: with its value, what is chosen, and what is wrong with it."""

    field: Input

    @property
    def shape(self) -> str:
        """Its kind."""
        return self.field.shape

    @property
    def none(self) -> str:
        """What no choice is called."""
        return self.field.none

    @property
    def required(self) -> bool:
        """Whether it is marked as needed."""
        return self.field.is_marked

    @property
    def hint(self) -> str:
        """What stands below it."""
        return str(self.help_text)

    @property
    def error(self) -> str:
        """What was refused of it."""
        return " ".join(dict.fromkeys(str(text) for text in self.errors))

    @property
    def described(self) -> str:
        """The ids of what describes it to those who do not see it."""
        ids = [f"{self.name}-error"] if self.error else []
        return " ".join([*ids, *([f"{self.name}-hint"] if self.hint else [])])

    def value(self) -> Any:
        """Return what stands in it: what was typed, else what it began with."""
        found = super().value()
        return "" if found is None else found

    @property
    def choices(self) -> list[Choice]:
        """What can be chosen, and what is."""
        now = self.value()
        have = set(now if isinstance(now, list) else [now])
        return [
            Choice(one.value, one.label, one.value in have, one.group) for one in self.field.choices
        ]

    @property
    def groups(self) -> list[tuple[str, list[Choice]]]:
        """The choices by their groups, in their order."""
        found: dict[str, list[Choice]] = {}
        for one in self.choices:
            found.setdefault(one.group, []).append(one)
        return list(found.items())


class PageForm(forms.Form):
    """The form of a page: as it begins, or as it was sent in `data`; `tables` are its rows."""

    def __init__(
        self,
        inputs: Iterable[Input],
        data: QueryDict | None = None,
        tables: Iterable[RowTable] = (),
    ) -> None:
        super().__init__(data)
        self.fields = {one.name: one for one in inputs}
        self.tables = {one.prefix: one if data is None else one.sent(data) for one in tables}
        self.refused: dict[str, str] = {}

    def __getitem__(self, name: str) -> BoundInput:
        """Return an input with its value."""
        found = super().__getitem__(name)
        assert isinstance(found, BoundInput)  # noqa: S101 - all fields are inputs, which bind so
        return found

    def text(self, name: str) -> str:
        """Return the text that was sent."""
        found = self._sent(name)
        return found if isinstance(found, str) else ""

    def lines(self, name: str) -> str:
        """Return the text of several lines that was sent, with the line ends that a store keeps."""
        return self.text(name).replace("\r\n", "\n")

    def several(self, name: str) -> list[str]:
        """Return all that was sent under a name, also where the input offers one at a time."""
        found = self._sent(name)
        if isinstance(found, list):
            return list(found)
        if name in self.fields and isinstance(self.data, QueryDict):
            return self.data.getlist(name)
        return []

    def ticked(self, name: str) -> bool:
        """Tell whether a box was ticked."""
        return self._sent(name) is True

    def rows(self, prefix: str) -> Sequence[dict[str, str]]:
        """Return the rows of a table that were sent, texts by their names."""
        return self.tables[prefix].rows

    @property
    def asks_for_rows(self) -> bool:
        """Whether it was sent by a button of its tables, and not to be written."""
        return bool(self.tables) and bool(self.data.get(ROWS_BUTTON))

    def _sent(self, name: str) -> object:
        self.is_valid()  # it always is: this is when Django takes the values in
        return self.cleaned_data.get(name)

    def refuse(self, refusal: FormErrors, names: Mapping[str, str] | None = None) -> None:
        """Say what was refused at its inputs and tables; what is of no input stands above, too.

        Args:
            refusal: what the domain said.
            names: which input a field of the domain is, where it is called otherwise.
        """
        if not self.is_bound:  # a page that puts what was sent into the inputs itself
            self.cleaned_data = {}
        for text in refusal.messages:
            self.add_error(None, ValidationError(text))
        for key, text in refusal.fields.items():
            name = (names or {}).get(key, key)
            self.refused[name] = text
            if name in self.tables:
                self.tables[name] = replace(self.tables[name], error=text)
            self.add_error(name if name in self.fields else None, ValidationError(text))

    @property
    def sentences(self) -> list[str]:
        """All that was refused, what is of no input first."""
        beside = [str(text) for name in self.fields for text in self.errors.get(name, ())]
        return list(dict.fromkeys([*self.problems, *beside]))

    @property
    def problems(self) -> list[str]:
        """What was refused and is of no input, each once."""
        return list(dict.fromkeys(str(text) for text in self.non_field_errors()))
