"""The properties pane of a ticket: which fields it has, what they hold, what is wrong with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from clones.core.web.attempts import FormErrors
from clones.core.web.inputs import Choice
from clones.helpdesk.models import TicketField, TicketForm, User
from clones.helpdesk.queries.dynamic_content import translated
from clones.helpdesk.rules import form_conditions
from clones.helpdesk.rules.system_fields import BY_TYPE, PANE, SystemField
from clones.helpdesk.web import pages_queries
from clones.helpdesk.web.form_values import CUSTOM, Values, assignee_value

EMPTY = "-"
KINDS = {
    "checkbox": "checkbox",
    "date": "date",
    "multiselect": "multiselect",
    "tagger": "select",
    "textarea": "textarea",
}


@dataclass(frozen=True, slots=True)
class FieldView:
    """One field as the pane shows it.

    `kind` names its template; a field that `refreshes` decides which others there are; one that is
    `only_for` a type of tickets is hidden from the others. `suggest` is the address of what it
    offers while somebody types; `key` goes with it where a choice has one.
    """

    name: str
    label: str
    kind: str
    value: Any
    test_id: str
    choices: tuple[Choice, ...] = ()
    required: bool = False
    error: str = ""
    hint: str = ""
    placeholder: str = ""
    refreshes: bool = False
    only_for: str = ""
    suggest: str = ""
    key: str = ""
    disabled: bool = False

    @property
    def template(self) -> str:
        """The template of this kind of field."""
        return f"helpdesk/ticket/fields/_{self.kind}.html"


def field_views(
    form: TicketForm | None, values: Values, errors: FormErrors, *, locale: str
) -> list[FieldView]:
    """Return the fields of a form in its order, the system's among them, in a language.

    System fields that accounts do not put on forms come after them.
    """
    fields = [in_language(item, locale) for item in pages_queries.fields_of(form)]
    shown = _shown_ids(form, values)
    parents = {rule.get("parent_field_id") for rule in (form.agent_conditions if form else ())}
    views: list[FieldView] = []
    for item in fields:
        if item.id not in shown and shown:
            continue
        view = _field_view(item, values, errors, refreshes=item.id in parents)
        if view is not None:
            views.append(view)
        if item.type == "tickettype":
            views.extend(_type_details(values, errors))
    for own in PANE:
        if own.configured is None or not fields:
            views.append(system_view(own, own.title, values, errors))
        if own.name == "type" and not fields:
            views.extend(_type_details(values, errors))
    return views


def in_language(item: TicketField, locale: str) -> TicketField:
    """Return a field with its words as a reader of a language sees them."""
    item.title = translated(item.title, locale)
    item.options = [
        {**option, "name": translated(str(option["name"]), locale)} for option in item.options
    ]
    return item


def _shown_ids(form: TicketForm | None, values: Values) -> set[int]:
    """Return the fields that a form's conditions let show; empty when there are none."""
    if form is None or not form.agent_conditions:
        return set()
    held = {key: values.get(f"{CUSTOM}{key}") for key in form.ticket_field_ids}
    return form_conditions.shown_ids(form.ticket_field_ids, form.agent_conditions, held)


def _field_view(
    item: TicketField, values: Values, errors: FormErrors, *, refreshes: bool
) -> FieldView | None:
    own = BY_TYPE.get(item.type)
    if own is not None and own in PANE:
        return system_view(own, item.title, values, errors, required=item.required)
    if item.is_system:
        return None
    name = f"{CUSTOM}{item.id}"
    value = values.get(name) or ""
    kind = KINDS.get(item.type, "text")
    return FieldView(
        name=name,
        label=item.title,
        kind=kind,
        value=value,
        test_id=_test_id(item, kind),
        choices=choices_of(item, value),
        required=item.required,
        error=errors.fields.get(name, ""),
        hint=item.agent_description or "",
        placeholder="e.g. October 1, 2008" if kind == "date" else "",
        refreshes=refreshes,
    )


def _test_id(item: TicketField, kind: str) -> str:
    if kind in ("select", "multiselect"):
        return f"ticket-form-field-dropdown-field-{item.id}"
    if kind == "textarea":
        return "ticket-fields-multiline-field"
    return f"ticket-form-field-{kind}-field-{item.id}"


def choices_of(item: TicketField, value: Any) -> tuple[Choice, ...]:
    """Return the options of a field that has some."""
    if item.type not in ("tagger", "multiselect"):
        return ()
    chosen = value if isinstance(value, list) else [value]
    options = tuple(
        Choice(
            str(option["value"]),
            str(option["name"]).replace("::", " > "),
            option["value"] in chosen,
        )
        for option in item.options
    )
    known = {option.value for option in options}
    # A value that is no option any more must stay, or sending the form would drop it.
    options += tuple(Choice(one, one, True) for one in chosen if one and one not in known)
    if item.type == "multiselect":
        return options
    return (Choice("", EMPTY, not value), *options)


def system_view(
    item: SystemField, title: str, values: Values, errors: FormErrors, *, required: bool = False
) -> FieldView:
    """Return a system field of the properties pane."""
    value = values.get(item.name, "")
    choices: tuple[Choice, ...] = ()
    if item.choices:
        listed = (Choice(key, label, key == value) for key, label in item.choices.items())
        choices = (Choice("", EMPTY, not value), *listed)
    return FieldView(
        name=item.name,
        label=title,
        kind={"choice": "select", "moment": "date"}.get(item.kind, "text"),
        value=value,
        test_id=item.input.test_id if item.input is not None else "",
        choices=choices,
        required=required,
        error=errors.fields.get(item.name, ""),
        only_for=item.input.only_for if item.input is not None else "",
    )


def _type_details(values: Values, errors: FormErrors) -> list[FieldView]:
    """Return what only incidents (a problem) and tasks (a due date) have."""
    return [
        FieldView(
            name="problem_id",
            label="Linked problem",
            kind="problem",
            value=values.get("problem_id", ""),
            test_id="ticket-fields-linked-problem",
            error=errors.fields.get("problem_id", ""),
            placeholder="search problems",
            refreshes=True,
            only_for="incident",
        ),
        FieldView(
            name="due_at",
            label="Due date",
            kind="date",
            value=values.get("due_at", ""),
            test_id="ticket-fields-due-date",
            error=errors.fields.get("due_at", ""),
            only_for="task",
        ),
    ]


@dataclass(frozen=True, slots=True)
class AssigneeView:
    """The assignee field: groups, each followed by its agents.

    `take_it` is the choice that makes the reader assignee, None when it makes no difference.
    """

    choices: tuple[Choice, ...]
    value: str
    take_it: str | None
    error: str


def assignee_view(values: Values, agent: User, errors: FormErrors) -> AssigneeView:
    """Return the assignee field as an agent sees it."""
    value = str(values.get("assignee", ""))
    choices: list[Choice] = []
    mine: list[str] = []
    for entry in pages_queries.assignable_groups():
        key, name = entry.group.id, entry.group.name
        whole = assignee_value(key, None)
        choices.append(Choice(whole, name, whole == value))
        for user in entry.agents:
            one = assignee_value(key, user.id)
            choices.append(Choice(one, f"{name}/{user.name}", one == value))
            if user.id == agent.id:
                mine.append(one)
    if value and not any(choice.chosen for choice in choices):
        # An assignment that cannot be made any more must stay, or sending the form would drop it.
        choices.insert(0, Choice(value, _names(value), True))
    take_it = _taking(mine, value.partition(":")[0], agent)
    return AssigneeView(
        tuple(choices),
        value,
        take_it if take_it != value else None,
        errors.fields.get("assignee", ""),
    )


def _names(value: str) -> str:
    """Return an assignment that is none of the choices in words."""
    group, _, user = value.partition(":")
    names = pages_queries.names_of([group, user])
    return "/".join(names.get(key, key) for key in (group, user) if key)


def _taking(mine: Sequence[str], current: str, agent: User) -> str | None:
    """Return the choice that makes the agent assignee: in the same group if they are in it."""
    same = [one for one in mine if one.startswith(f"{current}:")]
    default = [one for one in mine if one.startswith(f"{agent.default_group_id}:")]
    return next(iter([*same, *default, *mine]), None)
