"""What rules of this account can say: their words, with the account's own fields and values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from clones.helpdesk.models import (
    STATUSES,
    Brand,
    CustomStatus,
    Group,
    Schedule,
    SupportAddress,
    TicketField,
    TicketForm,
    User,
    Webhook,
)
from clones.helpdesk.queries.conditions import can_be_asked
from clones.helpdesk.queries.dynamic_content import translated
from clones.helpdesk.rules import conditions as condition_rules
from clones.helpdesk.rules import lifecycle, vocabulary
from clones.helpdesk.rules.actions import TAGS
from clones.helpdesk.rules.conditions import CHANNELS, VALUE_FIELDS
from clones.helpdesk.rules.system_fields import BY_NAME, SYSTEM_FIELDS
from clones.helpdesk.rules.vocabulary import Operator, Place

Value = tuple[str, str]  # what a rule keeps, and how agents read it

NONE: Value = ("", "-")
ME: Value = ("current_user", "(current user)")
REQUESTER: Value = ("requester_id", "(requester)")
ASSIGNEE: Value = ("assignee_id", "(assignee)")
MY_GROUPS: Value = ("current_groups", "(current user's groups)")
# Where an action is called otherwise than the condition of its name.
ACTION_TITLES = {"current_tags": "Add tags"}
TITLES = {
    **{item.name: item.rules.title or item.title for item in SYSTEM_FIELDS if item.rules},
    "current_tags": "Tags",
    "set_tags": "Set tags",
    "remove_tags": "Remove tags",
    "update_type": "Ticket",
    "comment_is_public": "Comment",
    "ticket_is_public": "Privacy",
    "role": "Current user",
    "via_id": "Channel",
    "current_via_id": "Update via",
    "subject_includes_word": "Subject text",
    "description_includes_word": "Description",
    "comment_includes_word": "Comment text",
    "in_business_hours": "Within business hours?",
    "agent_stations": "Assignee stations",
    "notification_user": "User email",
    "notification_group": "Group email",
    "notification_webhook": "Notify active webhook",
    "set_schedule": "Set schedule",
    "cc": "Add CC",
    "follower": "Add follower",
    "comment_value": "Comment/description",
    "comment_value_html": "Comment/description (rich)",
    "comment_mode_is_public": "Comment mode",
    "NEW": "Hours since new",
    "OPEN": "Hours since open",
    "PENDING": "Hours since pending",
    "HOLD": "Hours since on-hold",
    "SOLVED": "Hours since solved",
    "CLOSED": "Hours since closed",
    "created_at": "Hours since created",
    "assigned_at": "Hours since assigned",
    "updated_at": "Hours since update",
    "requester_updated_at": "Hours since requester update",
    "assignee_updated_at": "Hours since assignee update",
    "due_date": "Hours since due date",
    "until_due_date": "Hours until due date",
}
SEVERAL = ("includes", "not_includes")
CUSTOM_TYPES = {
    "tagger": "list",
    "multiselect": "multiselect_list",
    "checkbox": "list",
    "date": "date",
}
FLAGS = [("true", "Yes"), ("false", "No")]


@dataclass(frozen=True, slots=True)
class Definition:
    """A field that a rule can name; `operators` are those of conditions, none of actions."""

    subject: str
    title: str
    type: str
    nullable: bool
    repeatable: bool
    values: list[Value]
    operators: tuple[Operator, ...]


class Records:
    """The account's records that rules can name, each kind looked up once and only if needed."""

    @cached_property
    def statuses(self) -> list[Value]:
        """Every status, by the account's own word for it."""
        labels = dict(
            CustomStatus.objects.filter(default=True).values_list("status_category", "agent_label")
        )
        return [(name, labels.get(name, name.capitalize())) for name in STATUSES]

    @cached_property
    def brands(self) -> list[Value]:
        """The active brands."""
        rows = Brand.objects.filter(active=True).order_by("name", "id")
        return _rows(rows.values_list("id", "name"))

    @cached_property
    def forms(self) -> list[Value]:
        """The active ticket forms."""
        rows = TicketForm.objects.filter(active=True).order_by("position", "id")
        return _rows(rows.values_list("id", "name"))

    @cached_property
    def custom_statuses(self) -> list[Value]:
        """The active custom statuses."""
        rows = CustomStatus.objects.filter(active=True).order_by("id")
        return _rows(rows.values_list("id", "agent_label"))

    @cached_property
    def schedules(self) -> list[Value]:
        """The account's business hours."""
        return _rows(Schedule.objects.order_by("id").values_list("id", "name"))

    @cached_property
    def addresses(self) -> list[Value]:
        """The support addresses."""
        rows = SupportAddress.objects.order_by("email", "id").values_list("email", flat=True)
        return [(email, email) for email in rows]

    @cached_property
    def groups(self) -> list[Value]:
        """The groups that are not deleted."""
        rows = Group.objects.filter(deleted=False).order_by("name", "id")
        return _rows(rows.values_list("id", "name"))

    @cached_property
    def agents(self) -> list[Value]:
        """The active agents and admins."""
        rows = User.objects.filter(role__in=("agent", "admin"), active=True)
        return _rows(rows.order_by("name", "id").values_list("id", "name"))

    @cached_property
    def webhooks(self) -> list[Value]:
        """The active webhooks that rules may call."""
        rows = Webhook.objects.filter(status="active").order_by("name", "id")
        told = rows.values_list("id", "name", "subscriptions")
        return [(key, name) for key, name, to in told if "conditional_ticket_events" in to]

    @cached_property
    def fields(self) -> list[TicketField]:
        """The account's own active ticket fields."""
        rows = TicketField.objects.exclude(type__in=TicketField.SYSTEM_TYPES)
        return list(rows.filter(active=True).order_by("position", "id"))


def condition_definitions(place: Place = "trigger") -> list[Definition]:
    """Return the conditions of triggers, or of SLAs."""
    records = Records()
    found = []
    for name in vocabulary.condition_names(place):
        kind, values = _values(name, records)
        operators = vocabulary.operators_of(name, None, place)
        found.append(_definition(name, kind, values, operators, repeatable=kind != "list"))
    for field in records.fields:
        operators = vocabulary.operators_of(_custom(field), field.type, place)
        found.append(_of_field(field, operators))
    return found


def in_language(found: Iterable[Definition], locale: str) -> list[Definition]:
    """Return definitions in a reader's language: with the dynamic content they refer to."""
    return [
        replace(
            item,
            title=translated(item.title, locale),
            values=[(value, translated(title, locale)) for value, title in item.values],
        )
        for item in found
    ]


def question_definitions() -> list[Definition]:
    """Return the conditions of views and automations: those that a database can answer."""
    records = Records()
    found = []
    for name in sorted(condition_rules.names()):
        operators = _askable(name, None)
        if operators:
            kind, values = _values(name, records)
            found.append(_definition(name, kind, values, operators, repeatable=kind != "list"))
    for field in records.fields:
        operators = _askable(_custom(field), field.type)
        if operators:
            found.append(_of_field(field, operators))
    return found


def _askable(name: str, kind: str | None) -> tuple[Operator, ...]:
    """Return the operators of a field that a database can answer; hours and counts compare."""
    known = vocabulary.operators_of(name, kind, "sla")
    if name in condition_rules.HOURS | condition_rules.COUNTERS:
        known = tuple(Operator(key, title, False) for key, title in vocabulary.OPERATORS.items())
    sample = vocabulary.sample_of(name, kind)
    found = []
    for operator in known:
        many = operator.name in SEVERAL and name in condition_rules.VALUE_FIELDS
        if can_be_asked(name, operator.name, [sample] if many else sample):
            found.append(operator)
    return tuple(found)


def action_definitions(*, of_macros: bool) -> list[Definition]:
    """Return the actions of macros, or of triggers."""
    records = Records()
    found = []
    for name in vocabulary.action_names(of_macros=of_macros):
        if name == "status":
            writer: lifecycle.Writer = "agent" if of_macros else "system"
            kind, values = "list", _reachable(writer, records.statuses)
        else:
            kind, values = _action_values(name, records)
        adds = vocabulary.effects_of(name).adds
        shown = _definition(name, kind, values, (), repeatable=adds)
        found.append(replace(shown, title=ACTION_TITLES.get(name, shown.title)))
    return found + [_of_field(field, ()) for field in records.fields]


def _definition(
    name: str, kind: str, values: list[Value], operators: tuple[Operator, ...], *, repeatable: bool
) -> Definition:
    nullable = name in VALUE_FIELDS - vocabulary.NEVER_EMPTY
    if nullable and kind == "list":
        values = [NONE, *values]
    title = TITLES.get(name, name.replace("_", " ").capitalize())
    return Definition(name, title, kind, nullable, repeatable, values, operators)


def _of_field(field: TicketField, operators: tuple[Operator, ...]) -> Definition:
    values = [(str(item["value"]), str(item["name"])) for item in field.options]
    if field.type == "checkbox":
        values = FLAGS
    kind = CUSTOM_TYPES.get(field.type, "text")
    nullable = field.type != "checkbox"
    return Definition(
        _custom(field),
        field.title,
        kind,
        nullable,
        repeatable=False,
        values=values,
        operators=operators,
    )


def _values(name: str, records: Records) -> tuple[str, list[Value]]:
    """Return the kind of a condition's values, and those that can be listed."""
    if name == "current_tags":
        return "tags", []
    if name in ("organization_id", "requester_id"):
        return "autocomplete", [ME, ASSIGNEE] if name == "requester_id" else []
    listed = _LISTS.get(name)
    if listed is None and name in BY_NAME and BY_NAME[name].choices:
        return "list", list(BY_NAME[name].choices.items())
    return ("text", []) if listed is None else ("list", listed(records))


def _action_values(name: str, records: Records) -> tuple[str, list[Value]]:
    """Return the kind of an action's values, and those that can be listed."""
    if name in TAGS:
        return "tags", []
    listed = _ACTION_LISTS.get(name)
    return _values(name, records) if listed is None else ("list", listed(records))


_LISTS: dict[str, Callable[[Records], list[Value]]] = {
    "status": lambda own: own.statuses,
    "group_id": lambda own: [MY_GROUPS, *own.groups],
    "assignee_id": lambda own: [ME, REQUESTER, *own.agents],
    "brand_id": lambda own: own.brands,
    "ticket_form_id": lambda own: own.forms,
    "custom_status_id": lambda own: own.custom_statuses,
    "recipient": lambda own: own.addresses,
    "update_type": lambda _: [("Create", "Created"), ("Change", "Updated")],
    "comment_is_public": lambda _: [
        ("true", "Public"),
        ("false", "Private"),
        ("not_relevant", "Present (public or private)"),
        ("requester_can_see_comment", "Present, and requester can see the comment"),
    ],
    "ticket_is_public": lambda _: [
        ("public", "Ticket has public comments"),
        ("private", "Ticket has no public comments"),
    ],
    "role": lambda own: [("agent", "(agent)"), ("end_user", "(end user)"), *own.agents],
    "via_id": lambda _: _channels(),
    "current_via_id": lambda _: _channels(),
    "in_business_hours": lambda _: FLAGS,
    "attachment": lambda _: [("present", "Present"), ("not_present", "Not present")],
}
_ACTION_LISTS: dict[str, Callable[[Records], list[Value]]] = {
    "satisfaction_score": lambda _: [("offered", "Offered to requester")],
    "comment_mode_is_public": lambda _: [("true", "Public"), ("false", "Private")],
    "cc": lambda own: [ME, REQUESTER, *own.agents],
    "follower": lambda own: [ME, *own.agents],
    "notification_user": lambda own: [
        REQUESTER,
        ("requester_and_ccs", "(requester and CCs)"),
        ASSIGNEE,
        ME,
        ("all_agents", "(all agents)"),
        *own.agents,
    ],
    "notification_group": lambda own: [("group_id", "(assigned group)"), *own.groups],
    "notification_webhook": lambda own: own.webhooks,
    "set_schedule": lambda own: own.schedules,
}


def _custom(field: TicketField) -> str:
    return f"custom_fields_{field.id}"


def _rows(rows: Iterable[tuple[int, str]]) -> list[Value]:
    return [(str(key), title) for key, title in rows]


def _channels() -> list[Value]:
    return [(key, name.replace("_", " ").capitalize()) for key, name in CHANNELS.items()]


def _reachable(writer: lifecycle.Writer, statuses: list[Value]) -> list[Value]:
    """Return the statuses that a rule can give to an open ticket."""
    found = []
    for value, title in statuses:
        move = lifecycle.Move(writer=writer, asked=value)
        try:
            lifecycle.next_status("open", move)
        except lifecycle.StatusRefused:
            continue
        found.append((value, title))
    return found
