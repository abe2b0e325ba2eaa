"""The fields that every ticket has: one declaration each, for all that show, set or find them.

The API's bodies, searches, views, rules, audits and pages read what is said here, and have code
only where a field has a rule of its own. docs/how-to/add-a-ticket-field.md tells how to add one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

Kind = Literal["text", "choice", "moment", "reference", "tags"]
Matching = Literal["exact", "words", "ranked", "moment", "record"]
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class FieldSettings:
    """The field as accounts configure it: its type among ticket fields, and on forms.

    `error_name` is what refusals call the type; text fields have the same word where none is given.
    """

    type: str
    error_name: str = ""


@dataclass(frozen=True, slots=True)
class SearchKeyword:
    """How searches ask for a field: by which keyword, and how a value matches."""

    keyword: str
    matching: Matching


@dataclass(frozen=True, slots=True)
class ViewColumn:
    """A field as a column of views; one that is not `offered` cannot be filtered or sorted by."""

    name: str
    sorted_by: str
    offered: bool = True


@dataclass(frozen=True, slots=True)
class Rules:
    """What rules can do with a field: look at it, set it, and copy it into a macro of a ticket."""

    condition: bool = True
    action: bool = False
    replicated: bool = False
    title: str = ""


@dataclass(frozen=True, slots=True)
class FieldInput:
    """The field's input on ticket forms, under the field's name.

    One with a `test_id` stands in the properties pane: a list of choices, a date or a line of text.
    Others have templates of their own. One that is `only_for` a type of tickets is not sent for
    others; `bulk_editable` ones can be changed for several tickets at once.
    """

    test_id: str = ""
    only_for: str = ""
    bulk_editable: bool = False


@dataclass(frozen=True, slots=True)
class SystemField:
    """A field that every ticket has.

    `name` is its column, and what the API, rules and audits call it. `choices` maps the values of a
    `choice` to their labels, in rising order where it is `ranked`. A `reference` is an id of a
    model named by `refers_to`. One that is `never_empty` always holds something.

    `shown` ones are in the API's tickets as they stand in the row, `written` ones in its bodies.
    Who may send these is the operation's: agents send tickets, end users what requests allow.
    Audits tell of `audited` ones when they change; when the ticket is created, `always`, `if set`,
    or `never`.
    """

    name: str
    title: str
    kind: Kind
    choices: Mapping[str, str] = field(default_factory=dict)
    ranked: bool = False
    limit: int = 255
    refers_to: str = ""
    never_empty: bool = False
    shown: bool = True
    written: bool = True
    audited: bool = True
    on_create: Literal["always", "if set", "never"] = "if set"
    configured: FieldSettings | None = None
    search: SearchKeyword | None = None
    column: ViewColumn | None = None
    rules: Rules | None = None
    input: FieldInput | None = None

    def __post_init__(self) -> None:
        """Refuse what no page could show.

        Raises:
            ValueError: it is to be changed for several tickets at once, and has no choices.
        """
        if self.input is not None and self.input.bulk_editable and not self.choices:
            raise ValueError(f"{self.name}: bulk edits offer choices, and it has none")


# In the order in which the vendor's audits tell of them.
SYSTEM_FIELDS = (
    SystemField(
        "subject",
        "Subject",
        "text",
        limit=65_535,
        on_create="always",
        configured=FieldSettings("subject", "FieldSubject"),
        search=SearchKeyword("subject", "words"),
        column=ViewColumn("subject", "subject", offered=False),
        rules=Rules(condition=False, action=True, title="Set subject"),
        input=FieldInput(),
    ),
    SystemField(
        "requester_id",
        "Requester",
        "reference",
        refers_to="User",
        never_empty=True,
        on_create="always",
        search=SearchKeyword("requester", "record"),
        column=ViewColumn("requester", "requester__name"),
        rules=Rules(),
    ),
    SystemField(
        "submitter_id",
        "Submitter",
        "reference",
        refers_to="User",
        audited=False,
        search=SearchKeyword("submitter", "record"),
        column=ViewColumn("submitter", "submitter__name"),
    ),
    SystemField(
        "assignee_id",
        "Assignee",
        "reference",
        refers_to="User",
        configured=FieldSettings("assignee", "FieldAssignee"),
        search=SearchKeyword("assignee", "record"),
        column=ViewColumn("assignee", "assignee__name"),
        rules=Rules(action=True, replicated=True),
    ),
    SystemField(
        "group_id",
        "Group",
        "reference",
        refers_to="Group",
        configured=FieldSettings("group", "FieldGroup"),
        search=SearchKeyword("group", "record"),
        column=ViewColumn("group", "group__name"),
        rules=Rules(action=True, replicated=True),
    ),
    SystemField(
        "priority",
        "Priority",
        "choice",
        choices={"low": "Low", "normal": "Normal", "high": "High", "urgent": "Urgent"},
        ranked=True,
        on_create="always",
        configured=FieldSettings("priority", "FieldPriority"),
        search=SearchKeyword("priority", "ranked"),
        column=ViewColumn("priority", "priority_rank"),
        rules=Rules(action=True, replicated=True),
        input=FieldInput("ticket-fields-priority-select", bulk_editable=True),
    ),
    SystemField(
        "type",
        "Type",
        "choice",
        choices={
            "question": "Question",
            "incident": "Incident",
            "problem": "Problem",
            "task": "Task",
        },
        on_create="always",
        configured=FieldSettings("tickettype", "FieldTicketType"),
        search=SearchKeyword("ticket_type", "ranked"),
        column=ViewColumn("type", "type"),
        rules=Rules(action=True, replicated=True),
        input=FieldInput("ticket-fields-type-select", bulk_editable=True),
    ),
    SystemField(
        "status",
        "Status",
        "choice",
        choices={
            "new": "New",
            "open": "Open",
            "pending": "Pending",
            "hold": "On-hold",
            "solved": "Solved",
            "closed": "Closed",
        },
        ranked=True,
        never_empty=True,
        on_create="always",
        configured=FieldSettings("status"),
        search=SearchKeyword("status", "ranked"),
        column=ViewColumn("status", "status_rank"),
        rules=Rules(action=True, replicated=True),
    ),
    SystemField(
        "organization_id",
        "Organization",
        "reference",
        refers_to="Organization",
        search=SearchKeyword("organization", "record"),
        column=ViewColumn("organization", "organization__name"),
        rules=Rules(),
    ),
    SystemField("tags", "Tags", "tags"),
    SystemField(
        "problem_id",
        "Linked problem",
        "reference",
        refers_to="Ticket",
        input=FieldInput(only_for="incident"),
    ),
    SystemField(
        "due_at",
        "Due date",
        "moment",
        search=SearchKeyword("due_date", "moment"),
        column=ViewColumn("due_date", "due_at"),
        input=FieldInput(only_for="task"),
    ),
    SystemField("external_id", "External ID", "text", search=SearchKeyword("external_id", "exact")),
    SystemField(
        "recipient",
        "Recipient",
        "text",
        limit=254,
        search=SearchKeyword("recipient", "exact"),
        rules=Rules(title="Received at"),
    ),
    SystemField(
        "satisfaction_score",
        "Satisfaction",
        "choice",
        choices={
            "unoffered": "Unoffered",
            "offered": "Offered",
            "bad": "Bad",
            "good": "Good",
        },
        shown=False,
        written=False,
        on_create="never",
        search=SearchKeyword("satisfaction", "exact"),
        column=ViewColumn("satisfaction_score", "satisfaction_score"),
        rules=Rules(action=True),
    ),
    SystemField(
        "brand_id",
        "Brand",
        "reference",
        refers_to="Brand",
        never_empty=True,
        search=SearchKeyword("brand", "record"),
        column=ViewColumn("brand", "brand__name"),
        rules=Rules(action=True),
    ),
    SystemField(
        "ticket_form_id",
        "Form",
        "reference",
        refers_to="TicketForm",
        never_empty=True,
        search=SearchKeyword("form", "record"),
        column=ViewColumn("ticket_form", "ticket_form__name"),
        rules=Rules(action=True),
        input=FieldInput(),
    ),
    SystemField(
        "custom_status_id",
        "Ticket status",
        "reference",
        refers_to="CustomStatus",
        never_empty=True,
        configured=FieldSettings("custom_status"),
        rules=Rules(action=True),
    ),
)
BY_NAME = {item.name: item for item in SYSTEM_FIELDS}
# By the type under which accounts configure them.
BY_TYPE = {item.configured.type: item for item in SYSTEM_FIELDS if item.configured is not None}
RANKS = {
    item.name: {value: rank for rank, value in enumerate(item.choices)}
    for item in SYSTEM_FIELDS
    if item.ranked
}
INPUTS = {item.name: item.input for item in SYSTEM_FIELDS if item.input is not None}
# The properties pane begins with the type: it decides what else there is.
PANE = sorted(
    (item for item in SYSTEM_FIELDS if item.input is not None and item.input.test_id),
    key=lambda item: item.name != "type",
)


def choices_of(name: str) -> tuple[str, ...]:
    """Return the values that a field can hold, in rising order where it is ranked."""
    return tuple(BY_NAME[name].choices)


def names_where(holds: Callable[[SystemField], bool]) -> tuple[str, ...]:
    """Return the names of the fields of which something holds, in the catalogue's order."""
    return tuple(item.name for item in SYSTEM_FIELDS if holds(item))


def arranged(found: Mapping[str, Value], order: Sequence[str]) -> dict[str, Value]:
    """Return what is found under names: those of the vendor's order first, then all others."""
    return {name: found[name] for name in (*order, *(name for name in found if name not in order))}
