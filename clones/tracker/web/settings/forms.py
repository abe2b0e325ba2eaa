"""The forms of settings: inputs that say what they are, in a sheet that also stands in a dialog.

form = Sheet("Edit column", action, back, [line("name", "Name", column.name, required=True)])
return sheet_page(request, who, project, form, current="columns")
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.http import HttpRequest

from clones.tracker.models import User
from clones.tracker.web.parts.attempts import Refusal
from clones.tracker.web.parts.choices import Choice

# The longest number that a key can be.
_DIGITS: Final = 18


@dataclass(frozen=True, slots=True)
class Input:
    """An input of a form.

    `shape` is line, area, number, date, select, multiple, check, checks, radio or hidden. `choices`
    are those of selects, checks and radios; of a check, `value` is "on" or nothing. `none` names
    no choice at all, "" if one must be made.
    """

    name: str
    label: str
    shape: str = "line"
    value: str = ""
    choices: Sequence[Choice] = ()
    required: bool = False
    none: str = ""
    hint: str = ""
    error: str = ""

    @property
    def described(self) -> str:
        """The ids of what describes it to those who do not see it."""
        ids = [f"{self.name}-error"] if self.error else []
        return " ".join([*ids, *([f"{self.name}-hint"] if self.hint else [])])

    @property
    def groups(self) -> list[tuple[str, list[Choice]]]:
        """The choices by their groups, in their order."""
        found: dict[str, list[Choice]] = {}
        for one in self.choices:
            found.setdefault(one.group, []).append(one)
        return list(found.items())


@dataclass(frozen=True, slots=True)
class Sheet:
    """A form with its heading, where it is sent, and where Cancel leads."""

    heading: str
    action: str
    back: str
    inputs: Sequence[Input] = ()
    button: str = "Save"
    said: str = ""
    danger: bool = False
    problems: Sequence[str] = ()

    def refused(self, refusal: Refusal, names: dict[str, str] | None = None) -> Sheet:
        """Return the form with what was refused: beside its inputs, else above them.

        `names` say which input a field of the domain is, where it is called otherwise.
        """
        by_input = {(names or {}).get(key, key): text for key, text in refusal.fields.items()}
        known = {one.name for one in self.inputs}
        inputs = [replace(one, error=by_input.get(one.name, "")) for one in self.inputs]
        rest = [text for key, text in by_input.items() if key not in known]
        return replace(self, inputs=inputs, problems=[*refusal.messages, *rest])


def chosen(rows: Iterable[tuple[object, str]], now: Iterable[object]) -> list[Choice]:
    """Return choices of values and names; those in `now` are chosen."""
    have = {str(one) for one in now}
    return [Choice(str(value), label, str(value) in have) for value, label in rows]


def people(rows: Iterable[User], now: Iterable[str] = ()) -> list[Choice]:
    """Return people to choose from, by account id."""
    return chosen(((user.account_id, user.display_name) for user in rows), now)


def text_of(request: HttpRequest, name: str) -> str:
    """Return a text that a form sent, without the space around it."""
    return request.POST.get(name, "").strip()


def number_of(text: str) -> int | None:
    """Return the whole number that a text is, None if it is none."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS else None
