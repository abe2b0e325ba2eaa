"""What rules can say: which conditions with which operators, and which actions.

Nothing is listed twice. A field's operators are found by asking the judges of
`clones.helpdesk.rules.conditions`: an operator is one if some situation decides it, and if no
operator before it always answers the same. An action is one of triggers or of macros if its effect
is of the kind that they carry out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from itertools import product
from typing import Any, Literal

from clones.helpdesk.rules import actions, conditions
from clones.helpdesk.rules.conditions import Situation, UpdateComment, holds
from clones.helpdesk.rules.system_fields import SYSTEM_FIELDS, names_where

Place = Literal["trigger", "sla"]

OPERATORS = {
    "is": "Is",
    "is_not": "Is not",
    "less_than": "Less than",
    "less_than_equal": "Less than or equal to",
    "greater_than": "Greater than",
    "greater_than_equal": "Greater than or equal to",
    "includes": "Contains at least one of the following",
    "not_includes": "Contains none of the following",
    "includes_string": "Contains the following string",
    "not_includes_string": "Contains none of the following strings",
    "within_previous_n_days": "Within the previous n days",
    "present": "Present",
    "not_present": "Not present",
    "changed": "Changed",
    "value": "Changed to",
    "value_previous": "Changed from",
    "not_changed": "Not changed",
    "not_value": "Not changed to",
    "not_value_previous": "Not changed from",
}
# Of tags and words the first names are these; "is" means the same.
WORDY = ("includes", "not_includes", "includes_string", "not_includes_string")
# Two things that a field can be, in rising order where it has one.
SAMPLES: dict[str, tuple[Any, Any]] = {
    item.name: (tuple(item.choices)[1], tuple(item.choices)[-1])
    for item in SYSTEM_FIELDS
    if item.kind == "choice"
}
CUSTOM_SAMPLES: dict[str, tuple[Any, Any]] = {
    "checkbox": (False, True),
    "date": ("2026-06-10", "2026-06-15"),
    "integer": (3, 5),
    "decimal": (3.5, 5.5),
    "multiselect": (["red"], ["blue"]),
}
# What the product does not ask of a field's kind, though the judges could answer.
UNASKED = {
    "tagger": {"less_than", "less_than_equal", "greater_than", "greater_than_equal"},
    "text": {"less_than", "less_than_equal", "greater_than", "greater_than_equal"},
    "multiselect": {"is", "is_not"},
}
NEVER_EMPTY = frozenset(names_where(lambda item: item.never_empty))
KEPT = 1024  # fields and actions whose answers are remembered: sandboxes bring fields of their own
TODAY = date(2026, 6, 16)


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator of a field; a terminal one takes no value."""

    name: str
    title: str
    terminal: bool


@dataclass(frozen=True, slots=True)
class Effects:
    """What an action does: to tickets, to the comment being written, and whether it tells others.

    One that `schedules` gives the ticket business hours.

    Doing an action that `adds` twice does more than doing it once.
    """

    changes: bool
    comments: bool
    tells: bool
    schedules: bool
    adds: bool


@lru_cache(maxsize=KEPT)
def operators_of(
    name: str, kind: str | None = None, place: Place = "trigger"
) -> tuple[Operator, ...]:
    """Return the operators that a field's conditions may have in triggers or SLAs.

    `kind` is the type of a custom field. Those about a change are none of SLAs, which
    look at the ticket alone.
    """
    samples = _samples(name, kind)
    facts = list(_facts(name, samples, place))
    found: list[Operator] = []
    answers: set[tuple[tuple[bool, ...], ...]] = set()
    first = [item for item in WORDY if _is_wordy(name)]
    for operator in dict.fromkeys([*first, *OPERATORS]):
        if operator in UNASKED.get(_family(kind), ()):
            continue
        rows = _answers(name, operator, samples, facts)
        plain = rows[: len(rows) - 2] if kind is not None else rows
        decided = any(len(set(row)) == 2 for row in rows)
        if not decided or rows in answers:
            continue
        if place == "sla" and _about_changes(name, operator, samples):
            continue
        answers.add(rows)
        found.append(Operator(operator, OPERATORS[operator], len(set(plain)) == 1))
    return tuple(found)


def sample_of(name: str, kind: str | None = None) -> Any:
    """Return a value that a field's conditions could ask for."""
    sample = _samples(name, kind)[0]
    return sample[0] if isinstance(sample, list) else sample


def condition_names(place: Place = "trigger") -> list[str]:
    """Return the fields that triggers or SLAs can look at, but for custom ones."""
    return [name for name in sorted(conditions.names()) if operators_of(name, None, place)]


@lru_cache(maxsize=KEPT)
def effects_of(name: str) -> Effects:
    """Return what an action of this name does, whatever its value."""
    once = _effect(name, 1)
    twice = _effect(name, 2)
    return Effects(
        changes=bool(once.changes),
        comments=(once.comment, once.comment_html, once.comment_is_public) != (None, None, None),
        tells=bool(once.notices or once.calls),
        schedules=once.schedule is not None,
        adds=len(twice.notices) + len(twice.calls) > len(once.notices) + len(once.calls)
        or any(
            isinstance(value, list) and len(value) > len(once.changes[key])
            for key, value in twice.changes.items()
        ),
    )


def action_names(*, of_macros: bool) -> list[str]:
    """Return the actions that do something in macros, or in triggers, but for custom fields'."""
    found = []
    for name in sorted(actions.names()):
        effects = effects_of(name)
        if effects.changes or (
            effects.comments if of_macros else effects.tells or effects.schedules
        ):
            found.append(name)
    return found


def _effect(name: str, times: int) -> actions.Effect:
    action = {"field": name, "value": ["1", "subject", "text"]}
    return actions.effect_of([action] * times, values={}, actor_id=1, actor_group=1)


def _is_wordy(name: str) -> bool:
    return name == "current_tags" or name.endswith("_includes_word")


def _family(kind: str | None) -> str:
    if kind in ("textarea", "regexp", "partialcreditcard"):
        return "text"
    return kind or ""


def _samples(name: str, kind: str | None) -> tuple[Any, Any]:
    if kind is not None:
        return CUSTOM_SAMPLES.get(kind, ("blue", "red"))
    return SAMPLES.get(name, ("1", "2"))


def _values(name: str, samples: tuple[Any, Any]) -> list[Any]:
    """Return values that conditions could ask for; of custom fields the last two are flags."""
    flat = [item[0] if isinstance(item, list) else item for item in samples]
    if conditions.CUSTOM.fullmatch(name):
        return [*flat, [flat[0]], "3", "true", "false"]
    if name in conditions.VALUE_FIELDS:
        return [*flat, [flat[0]], ""]
    return ["1", "2", "5", "red", "re", "Create", "private", "agent", "true", "false", "present"]


def _answers(
    name: str, operator: str, samples: tuple[Any, Any], facts: Sequence[Situation]
) -> tuple[tuple[bool, ...], ...]:
    return tuple(
        tuple(
            holds({"field": name, "operator": operator, "value": value}, situation)
            for situation in facts
        )
        for value in _values(name, samples)
    )


def _about_changes(name: str, operator: str, samples: tuple[Any, Any]) -> bool:
    """Tell whether an operator looks at what a ticket was before."""
    for value in _values(name, samples):
        item = {"field": name, "operator": operator, "value": value}
        seen: dict[str, set[bool]] = {}
        for situation in _ticket_facts(name, samples, changed=True):
            key = repr(replace(situation, before=None))
            seen.setdefault(key, set()).add(holds(item, situation))
        if any(len(found) == 2 for found in seen.values()):
            return True
    return False


def _facts(name: str, samples: tuple[Any, Any], place: Place) -> Iterator[Situation]:
    yield from _ticket_facts(name, samples, changed=place == "trigger")
    if place == "trigger":
        yield from _update_facts()


def _ticket_facts(name: str, samples: tuple[Any, Any], *, changed: bool) -> Iterator[Situation]:
    """Yield situations that differ in what a ticket is, and was."""
    states: list[Mapping[str, Any]] = [{}]
    if name in conditions.VALUE_FIELDS or conditions.CUSTOM.fullmatch(name):
        states += [{name: item} for item in samples]
    elif _is_wordy(name):
        states += [{"tags": ["red"], "subject": "red"}, {"tags": ["blue"], "subject": "reed"}]
    for now, was in product(states, [None, *states] if changed else [None]):
        yield Situation(values=now, before=was, today=TODAY)
    for channel, public, text in product(("api", "email"), (True, False), ("red", "reed")):
        yield Situation(values={}, channel=channel, is_public=public, description=text, today=TODAY)


def _update_facts() -> Iterator[Situation]:
    """Yield situations that differ in what an update is, and in what was counted."""
    plain = Situation(values={}, today=TODAY)
    for public, text, files in product((True, False), ("red", "reed"), (True, False)):
        yield replace(plain, said=UpdateComment(text, public, files))
    for number in (1, 2, 3):
        counters = dict.fromkeys(conditions.COUNTERS, number)
        yield replace(plain, counters=counters, actor_id=number, actor_is_agent=number > 1)
    yield replace(plain, current_channel="email")
    yield replace(plain, in_business_hours=False)
