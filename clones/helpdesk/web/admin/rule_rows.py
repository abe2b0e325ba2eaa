"""Rows of conditions and actions as a form has them: made of a rule, and read back into one.

A row's inputs are called `all-0-field`, `all-0-operator`, `all-0-value`; `loaded` keeps what the
row was, so that one nobody touched is written back as it was.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as one_of_each
from typing import Any

from django.http import QueryDict

from clones.core.strict_json import read_json
from clones.core.web.inputs import Choice
from clones.helpdesk.domain.business_rules import checked_condition
from clones.helpdesk.domain.errors import HelpdeskError
from clones.helpdesk.domain.macros import checked_actions
from clones.helpdesk.queries.definitions import SEVERAL, Definition
from clones.helpdesk.rules.vocabulary import OPERATORS
from clones.helpdesk.web.admin import rule_people

NAME = re.compile(r"(all|any|actions)-(\d{1,4})-field")
MOST_ROWS = 200
LISTED = ("list", "multiselect_list")
NOTICES = ("notification_user", "notification_group")
WEBHOOK = "notification_webhook"
TEXTS = {"comment_value": "area", "comment_value_html": "rich"}
NONE, ONE, MANY = "none", "one", "many"
BLANK = "__row__"

Item = Mapping[str, Any]
Texts = dict[str, Any]


class RowRefused(Exception):
    """Raised when what a row says stands for nothing."""


@dataclass(frozen=True, slots=True)
class RuleSection:
    """Rows under one heading: conditions (`all`, `any`) or `actions`."""

    name: str
    heading: str
    hint: str
    definitions: tuple[Definition, ...]

    @property
    def is_actions(self) -> bool:
        """Whether its rows are actions."""
        return self.name == "actions"

    @property
    def row_word(self) -> str:
        """What one of its rows is called."""
        return "action" if self.is_actions else "condition"

    @property
    def row_label(self) -> str:
        """How its rows are told from those of other sections."""
        return "Action" if self.is_actions else f"{self.name.upper()} condition"

    @property
    def kind(self) -> str:
        """What its rows' fields are listed under in the page."""
        return "actions" if self.is_actions else "conditions"

    def definition(self, name: str) -> Definition | None:
        """Return the definition of a field, None for one that rules of this kind do not list."""
        return next((item for item in self.definitions if item.subject == name), None)


@dataclass(frozen=True, slots=True)
class RowDraft:
    """A row as it was sent or is to be shown: texts by the end of their inputs' names."""

    field: str = ""
    operator: str = ""
    texts: Texts = one_of_each(default_factory=dict)
    loaded: str = ""
    error: str = ""
    sent_as: str = ""


@dataclass(frozen=True, slots=True)
class OperatorChoice:
    """An operator to choose; `takes` says whether it wants no value, one, or several."""

    value: str
    label: str
    chosen: bool
    takes: str


@dataclass(frozen=True, slots=True)
class RowInput:
    """An input of a row. It is there for operators that take `takes`, and hidden for others."""

    name: str
    kind: str
    label: str
    value: Any = ""
    choices: tuple[Choice, ...] = ()
    takes: str = ONE
    hidden: bool = False
    suggest: str = ""


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A row as the page draws it."""

    prefix: str
    number: int
    field: str
    fields: tuple[Choice, ...]
    operators: tuple[OperatorChoice, ...]
    parts: tuple[RowInput, ...]
    loaded: str
    error: str


def draft_of(item: Item, definition: Definition | None, *, action: bool) -> RowDraft:
    """Return a rule's condition or action as a row shows it."""
    name = str(item["field"])
    operator = "" if action else str(item.get("operator") or "is")
    texts = _texts(name, operator, item.get("value"), definition, action=action)
    return RowDraft(name, operator, texts, json.dumps(item, sort_keys=True))


def _texts(
    name: str, operator: str, value: Any, definition: Definition | None, *, action: bool
) -> Texts:
    if definition is None:
        return {"value": value if isinstance(value, str) else json.dumps(value)}
    if action and name in NOTICES:
        parts = [str(part) for part in value] if isinstance(value, list) else [_plain(value)]
        target, subject, body = [*parts[:3], "", "", ""][:3]
        return {"value": target, "subject": subject, "body": _lines(body)}
    if action and name == WEBHOOK:
        key, content = [*(value if isinstance(value, list) else [value]), None][:2]
        text = (
            content if isinstance(content, str) else "" if content is None else json.dumps(content)
        )
        return {"value": _plain(key), "body": _lines(text)}
    if action and name in TEXTS:
        last = value[-1] if isinstance(value, list) and value else value
        return {"value": _lines(_plain(last))}
    takes = ONE if action else _takes(operator, definition)
    if definition.type == "multiselect_list" or takes == MANY:
        several = value if isinstance(value, list) else [] if value is None else [value]
        return {"values": [_plain(item) for item in several]}
    if definition.type == "tags" and isinstance(value, list):
        return {"value": " ".join(map(str, value))}
    if definition.type == "autocomplete":
        return {"value": rule_people.text_of(name, _plain(value), definition.values)}
    return {"value": _plain(value)}


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n")


def item_of(draft: RowDraft, definition: Definition | None, *, action: bool) -> dict[str, Any]:
    """Return what a row says as a rule keeps it.

    Raises:
        RowRefused: it names a person or an organization that is not there.
        HelpdeskError: the domain would refuse it.
    """
    known = _loaded(draft)
    if known is not None and _is_as_loaded(draft, known, definition, action=action):
        return known
    value = _value(draft, definition, action=action)
    if action:
        return checked_actions([{"field": draft.field, "value": value}])[0]
    return checked_condition({"field": draft.field, "operator": draft.operator, "value": value})


def _loaded(draft: RowDraft) -> dict[str, Any] | None:
    try:
        found = read_json(draft.loaded)
    except ValueError:
        return None
    return found if isinstance(found, dict) and found.get("field") == draft.field else None


def _is_as_loaded(
    draft: RowDraft, known: Item, definition: Definition | None, *, action: bool
) -> bool:
    """Tell whether a row says what it said when it was loaded; an unused input says nothing."""
    before = draft_of(known, definition, action=action)
    if before.operator != draft.operator:
        return False
    if not action and definition is not None and _takes(draft.operator, definition) == NONE:
        return True
    blank: Texts = {"values": []}
    return all(
        draft.texts.get(name, blank.get(name, "")) == text for name, text in before.texts.items()
    )


def _value(draft: RowDraft, definition: Definition | None, *, action: bool) -> Any:
    texts = draft.texts
    text = str(texts.get("value", ""))
    if definition is None:
        return text
    takes = _takes(draft.operator, definition)
    if takes == NONE and not action:
        return None
    if definition.type == "multiselect_list" or (takes == MANY and not action):
        return _listed(list(texts.get("values") or ([text] if text else [])), definition)
    if definition.type == "list":
        _listed([text], definition)
    if action and draft.field in NOTICES:
        return [text, texts.get("subject", ""), texts.get("body", "")]
    if action and draft.field == WEBHOOK:
        return [text, _content(str(texts.get("body", "")))]
    if not action and definition.type == "autocomplete":
        found = rule_people.value_of(draft.field, text, definition.values)
        if found is None:
            raise RowRefused(f"{definition.title}: {text} is not there")
        return found
    return text


def _listed(chosen: list[str], definition: Definition) -> list[str]:
    """Return what was chosen, if all of it can be.

    Without scripts a field can be chosen while the values are still those of another.
    """
    known = {value for value, _ in definition.values}
    if not chosen or any(value not in known for value in chosen):
        raise RowRefused(f"{definition.title}: select a value")
    return chosen


def _content(text: str) -> Any:
    """Return what a webhook is sent: pairs where the text is a list of them, else the text."""
    try:
        found = read_json(text)
    except ValueError:
        return text
    return found if isinstance(found, list) else text


def _takes(operator: str, definition: Definition) -> str:
    if any(item.name == operator and item.terminal for item in definition.operators):
        return NONE
    if definition.type in LISTED and operator in SEVERAL:
        return MANY
    return MANY if definition.type == "multiselect_list" else ONE


def posted_drafts(post: QueryDict, section: RuleSection) -> list[RowDraft]:
    """Return the rows of a section as they were sent, in order."""
    numbers = sorted(
        int(found.group(2))
        for found in map(NAME.fullmatch, post)
        if found is not None and found.group(1) == section.name
    )
    return [_posted(post, f"{section.name}-{number}") for number in numbers[:MOST_ROWS]]


def _posted(post: QueryDict, prefix: str) -> RowDraft:
    texts: Texts = {
        name: _lines(post.get(f"{prefix}-{name}", ""))
        for name in ("value", "subject", "body")
        if f"{prefix}-{name}" in post
    }
    texts["values"] = post.getlist(f"{prefix}-values")
    return RowDraft(
        post.get(f"{prefix}-field", ""),
        post.get(f"{prefix}-operator", ""),
        texts,
        post.get(f"{prefix}-loaded", ""),
        sent_as=prefix,
    )


def read_section(
    drafts: Sequence[RowDraft], section: RuleSection
) -> tuple[list[dict[str, Any]], list[RowDraft]]:
    """Return what rows say, and the rows with what is wrong with them; blank ones say nothing."""
    items, told = [], []
    for draft in drafts:
        if not draft.field:
            told.append(draft)
            continue
        found = with_operator(draft, section)
        try:
            items.append(item_of(found, section.definition(found.field), action=section.is_actions))
        except (RowRefused, HelpdeskError) as error:
            found = replace(found, error=str(error))
        told.append(found)
    return items, told


def with_operator(draft: RowDraft, section: RuleSection) -> RowDraft:
    """Return a row whose operator is one of its field's: the first, if it has none yet."""
    definition = section.definition(draft.field)
    if section.is_actions:
        return draft
    if definition is None:
        return draft if draft.operator else replace(draft, operator="is")
    known = _loaded(draft)
    own = {item.name for item in definition.operators}
    if known is not None:
        own.add(str(known.get("operator") or "is"))
    if draft.operator in own or not definition.operators:
        return draft
    return replace(draft, operator=definition.operators[0].name)


def rows_of(drafts: Sequence[RowDraft], section: RuleSection) -> list[RuleRow]:
    """Return a section's rows as the page draws them."""
    return [
        _row(with_operator(draft, section), section, f"{section.name}-{number}", number + 1)
        for number, draft in enumerate(drafts)
    ]


def patterns_of(section: RuleSection) -> list[RuleRow]:
    """Return a blank row, and what follows each field that can be chosen, to make new rows of."""
    fields = ["", *(item.subject for item in section.definitions)]
    drafts = (with_operator(RowDraft(name), section) for name in fields)
    return [_row(draft, section, BLANK, 0) for draft in drafts]


def _row(draft: RowDraft, section: RuleSection, prefix: str, number: int) -> RuleRow:
    definition = section.definition(draft.field)
    fields = _fields(draft, definition, section) if number or not draft.field else ()
    operators: tuple[OperatorChoice, ...] = ()
    if draft.field and not section.is_actions:
        operators = _operators(draft, definition)
    parts: tuple[RowInput, ...] = ()
    if draft.field:
        parts = _parts(draft, definition, prefix, action=section.is_actions)
    return RuleRow(prefix, number, draft.field, fields, operators, parts, draft.loaded, draft.error)


def _fields(
    draft: RowDraft, definition: Definition | None, section: RuleSection
) -> tuple[Choice, ...]:
    known = [
        Choice(item.subject, item.title, item.subject == draft.field)
        for item in section.definitions
    ]
    if draft.field and definition is None:
        known.append(Choice(draft.field, draft.field, True))
    return tuple(known)


def _operators(draft: RowDraft, definition: Definition | None) -> tuple[OperatorChoice, ...]:
    names = {item.name: item.title for item in definition.operators} if definition else {}
    if draft.operator not in names:
        words = draft.operator.replace("_", " ").capitalize()
        names[draft.operator] = OPERATORS.get(draft.operator, words)
    return tuple(
        OperatorChoice(
            name, title, name == draft.operator, _takes(name, definition) if definition else ONE
        )
        for name, title in names.items()
    )


def _parts(
    draft: RowDraft, definition: Definition | None, prefix: str, *, action: bool
) -> tuple[RowInput, ...]:
    text = draft.texts.get("value", "")
    if definition is None:
        return (RowInput(f"{prefix}-value", "text", "Value", text),)
    if action:
        return tuple(_action_parts(draft, definition, prefix))
    taken = _takes(draft.operator, definition)
    found = (
        [_one(definition, prefix, text, loaded=bool(draft.loaded))]
        if definition.type != "multiselect_list"
        else []
    )
    if definition.type in LISTED and (
        not found or any(item.name in SEVERAL for item in definition.operators)
    ):
        found.append(_many(definition, prefix, draft.texts.get("values", [])))
    return tuple(replace(part, hidden=part.takes != taken) for part in found)


def _action_parts(draft: RowDraft, definition: Definition, prefix: str) -> list[RowInput]:
    text = draft.texts.get("value", "")
    if definition.type == "multiselect_list":
        return [_many(definition, prefix, draft.texts.get("values", []))]
    if definition.subject in TEXTS:
        return [RowInput(f"{prefix}-value", TEXTS[definition.subject], definition.title, text)]
    found = [_one(definition, prefix, text, loaded=bool(draft.loaded))]
    if definition.subject in NOTICES:
        found.append(
            RowInput(f"{prefix}-subject", "text", "Email subject", draft.texts.get("subject", ""))
        )
        found.append(RowInput(f"{prefix}-body", "area", "Email body", draft.texts.get("body", "")))
    if definition.subject == WEBHOOK:
        found.append(
            RowInput(f"{prefix}-body", "area", "Request body", draft.texts.get("body", ""))
        )
    return found


def _one(definition: Definition, prefix: str, text: str, *, loaded: bool) -> RowInput:
    name = f"{prefix}-value"
    if definition.type == "list":
        listed = any(value == text for value, _ in definition.values)
        # A rule that holds what cannot be chosen must not seem to hold the first choice.
        nothing = () if listed or text or not loaded else (Choice("", "-", True),)
        choices = (*nothing, *_choices(definition, [text] if text or listed else []))
        return RowInput(name, "select", "Value", text, choices)
    if definition.type == "autocomplete":
        suggest = rule_people.SUGGESTIONS[definition.subject]
        return RowInput(name, "person", "Value", text, suggest=suggest)
    if definition.type == "date" and not definition.operators:
        return RowInput(name, "date", "Value", text)
    return RowInput(name, "tags" if definition.type == "tags" else "text", "Value", text)


def _many(definition: Definition, prefix: str, chosen: Sequence[str]) -> RowInput:
    choices = _choices(replace(definition, values=_without_nothing(definition)), chosen)
    return RowInput(f"{prefix}-values", "many", "Values", chosen, choices, takes=MANY)


def _without_nothing(definition: Definition) -> list[tuple[str, str]]:
    return [item for item in definition.values if item[0]]


def _choices(definition: Definition, chosen: Sequence[str]) -> tuple[Choice, ...]:
    """Return a field's values; one that is kept though it is not among them stays."""
    wanted = set(chosen)
    known = [Choice(value, label, value in wanted) for value, label in definition.values]
    listed = {value for value, _ in definition.values}
    lost = [
        Choice(value, f"{value} (not available)", True)
        for value in chosen
        if value and value not in listed
    ]
    return (*known, *lost)
