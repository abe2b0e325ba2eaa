"""The conditions of a ticket form: which fields show, and are required, when another has a value.

A form has conditions for agents and conditions for end users. A condition is known by its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.urls import reverse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.form_pages import WriteResult
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, ListPage, Panel, linked_row
from clones.core.web.row_tables import Row, RowTable, TableRow
from clones.helpdesk import queries
from clones.helpdesk.domain import ticket_forms as domain
from clones.helpdesk.domain.errors import RecordInvalid, RecordNotFound
from clones.helpdesk.models import TicketField, TicketForm
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import keys, pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.inputs import AdminInput, checks, select
from clones.helpdesk.web.admin.pages import ConfirmPage, Form, FormSection
from clones.helpdesk.web.admin.ticket_forms import ACTIVE, form_of

AUDIENCES = {"agents": "agent_conditions", "end-users": "end_user_conditions"}
WORDS = {"agents": "agents", "end-users": "end users"}
# What a field must have to be one that others depend on.
PARENTS = ("tagger", "checkbox")
CHECKED = {"true": True, "false": False}
STATUSES = {
    "new": "New",
    "open": "Open",
    "pending": "Pending",
    "hold": "On-hold",
    "solved": "Solved",
}
PREFIX = "child"
CHILD_NAMES = ("id", "when", "statuses")
WHEN = {
    "NO_STATUSES": "Not required",
    "ALL_STATUSES": "Required",
    "SOME_STATUSES": "Required on these statuses",
}
OF_END_USERS = {"false": "Not required", "true": "Required"}
NO_PARENTS = "The form has no drop-down or checkbox that others could depend on."
Condition = dict[str, Any]


@admin_page
def conditions(request: SandboxRequest, agent: Agent, key: int, audience: str) -> HttpResponse:
    """List a form's conditions for agents or for end users, and begin another one."""
    found, standing = _conditions(key, audience)
    sightings.note(found, "detail")
    fields = TicketField.objects.in_bulk(found.ticket_field_ids)
    lines = [
        linked_row(
            reverse("helpdesk:admin_form_condition", args=[key, audience, place]),
            _title(fields, item["parent_field_id"]),
            _value_label(fields.get(item["parent_field_id"]), item["value"]),
            ", ".join(_title(fields, child["id"]) for child in item["child_fields"]),
        )
        for place, item in enumerate(standing)
    ]
    other = "end-users" if audience == "agents" else "agents"
    beginnings = [
        Action(
            f"Add condition on {item.title}",
            reverse("helpdesk:admin_form_condition_new", args=[key, audience, item.id]),
            test_id=f"admin-condition-add-{item.id}",
        )
        for item in _parents(found)
    ]
    listing = ListPage(
        f"Conditions for {WORDS[audience]}: {found.name}",
        ACTIVE,
        [
            Panel(
                ("Field", "Value", "Fields that show"),
                empty="No conditions: all fields show." if beginnings else NO_PARENTS,
            )
        ],
        acts=[
            Action(
                "Back to form",
                reverse("helpdesk:admin_ticket_form", args=[key]),
                test_id="admin-back",
            ),
            Action(
                f"Conditions for {WORDS[other]}",
                reverse("helpdesk:admin_form_conditions", args=[key, other]),
                test_id="admin-conditions-other",
            ),
            *beginnings,
        ],
    )
    return pages.show_all(request, agent, listing, lines)


@admin_page
def new_condition(
    request: SandboxRequest, agent: Agent, key: int, audience: str, parent: int
) -> HttpResponse:
    """Show the form of another condition on a field, or take it."""
    found, standing = _conditions(key, audience)
    blank: Condition = {"parent_field_id": parent, "value": "", "child_fields": []}
    desk = ConditionContext(found, audience, [*standing, blank], len(standing), new=True)
    return _edit(request, agent, desk)


@admin_page
def condition(
    request: SandboxRequest, agent: Agent, key: int, audience: str, place: int
) -> HttpResponse:
    """Show the form of a condition, or take it."""
    found, standing = _conditions(key, audience)
    if place >= len(standing):
        raise RecordNotFound("condition", place)
    sightings.note(found, "detail")
    return _edit(request, agent, ConditionContext(found, audience, standing, place))


@admin_page
def delete_condition(
    request: SandboxRequest, agent: Agent, key: int, audience: str, place: int
) -> HttpResponse:
    """Ask whether a condition shall go, and let it go."""
    found, standing = _conditions(key, audience)
    if place >= len(standing):
        raise RecordNotFound("condition", place)
    back = reverse("helpdesk:admin_form_conditions", args=[key, audience])
    left = [item for index, item in enumerate(standing) if index != place]
    question = ConfirmPage(
        ACTIVE,
        "Delete condition",
        "Fields that no condition names any more always show.",
        back,
        back,
        "Condition",
    )
    changes = {AUDIENCES[audience]: left}
    return pages.ask_first(
        request,
        agent,
        question,
        lambda: domain.update_form(found, actor=agent.user, changes=changes),
    )


def _conditions(key: int, audience: str) -> tuple[TicketForm, list[Condition]]:
    found = form_of(key)
    if audience not in AUDIENCES:
        raise RecordNotFound("conditions", audience)
    return found, list(getattr(found, AUDIENCES[audience]))


def _parents(found: TicketForm) -> list[TicketField]:
    rows = TicketField.objects.filter(id__in=found.ticket_field_ids, type__in=PARENTS, active=True)
    return list(rows.order_by("position", "id"))


@dataclass(frozen=True, slots=True)
class ConditionContext:
    """A condition at work: its form and audience, all conditions, its place among them."""

    form: TicketForm
    audience: str
    standing: list[Condition]
    place: int
    new: bool = False

    @property
    def shown(self) -> Condition:
        """The condition itself."""
        return self.standing[self.place]

    @property
    def parent(self) -> TicketField:
        """The field that the condition asks.

        Raises:
            RecordNotFound: the form does not have it.
        """
        key = self.shown["parent_field_id"]
        on_form = TicketField.objects.filter(id__in=self.form.ticket_field_ids)
        return queries.one(on_form.filter(id=key), "ticket field", key)


def _edit(request: SandboxRequest, agent: Agent, desk: ConditionContext) -> HttpResponse:
    parent, place = desk.parent, desk.place
    rest = [item for index, item in enumerate(desk.standing) if index != place]

    def write(sent: PageForm) -> WriteResult:
        given = _given(sent, desk)
        if given["value"] == "":
            raise RecordInvalid.of("value", "Value: cannot be blank", "BlankValue")
        if any(_same(item, given) for item in rest):
            raise RecordInvalid.of("value", "Value: has a condition already", "DuplicateValue")
        changes = {AUDIENCES[desk.audience]: [*rest[:place], given, *rest[place:]]}
        domain.update_form(desk.form, actor=agent.user, changes=changes)
        address = reverse("helpdesk:admin_form_conditions", args=[desk.form.id, desk.audience])
        return f"Condition on {parent.title}", address

    return pages.ask(request, agent, _form(desk), write)


def _same(one: Condition, other: Condition) -> bool:
    names = ("parent_field_id", "value")
    return all(one[name] == other[name] for name in names)


def _given(sent: PageForm, desk: ConditionContext) -> Condition:
    parent = desk.parent
    value: Any = sent.text("value")
    if parent.type == "checkbox":
        value = CHECKED.get(value, "")
    children: list[Condition] = []
    for row in sent.rows(PREFIX):
        key = keys.number(row["id"])
        if desk.audience == "end-users":
            children.append({"id": key, "is_required": row["when"] == "true"})
            continue
        rule: dict[str, Any] = {"type": row["when"]}
        if row["when"] == "SOME_STATUSES":
            rule["statuses"] = row["statuses"].split()
        required = row["when"] != "NO_STATUSES"
        children.append({"id": key, "is_required": required, "required_on_statuses": rule})
    return {"parent_field_id": parent.id, "value": value, "child_fields": children}


def _rows(desk: ConditionContext) -> list[Row]:
    """Return the fields that a condition shows, as rows."""
    found = []
    for child in desk.shown["child_fields"]:
        when, statuses = _requirement(child)
        if desk.audience == "end-users":
            when = "true" if child.get("is_required") else "false"
        found.append({"id": str(child["id"]), "when": when, "statuses": " ".join(statuses)})
    return found


def _requirement(child: Condition) -> tuple[str, list[str]]:
    """Return when a child is required of agents, and on which statuses."""
    rule = child.get("required_on_statuses")
    if rule is None:
        return ("ALL_STATUSES" if child.get("is_required") else "NO_STATUSES"), []
    return rule["type"], list(rule.get("statuses", ()))


def _form(desk: ConditionContext) -> Form:
    found, parent, audience, value = desk.form, desk.parent, desk.audience, desk.shown["value"]
    now = ("true" if value else "false") if isinstance(value, bool) else str(value)
    options = [("", "-"), *_values_of(parent)]
    when = select("value", f"When {parent.title} is", now, options, required=True)
    return Form(
        ACTIVE,
        f"Condition on {parent.title} for {WORDS[audience]}",
        reverse("helpdesk:admin_form_conditions", args=[found.id, audience]),
        (FormSection("Condition", (when,)), FormSection("Fields that show", table=_table(desk))),
        delete_url=None
        if desk.new
        else reverse("helpdesk:admin_form_condition_delete", args=[found.id, audience, desk.place]),
        submit_label="Add condition" if desk.new else "Save",
    )


def _table(desk: ConditionContext) -> RowTable:
    fields = TicketField.objects.filter(id__in=desk.form.ticket_field_ids, removable=True)
    known = {str(item.id): item.title for item in fields.order_by("position", "id")}
    own, of_agents = str(desk.parent.id), desk.audience == "agents"

    def child(_place: int, row: Row) -> TableRow:
        title = known.get(row["id"], row["id"])
        inputs = [
            select(
                "when",
                f"Requirement of {title}",
                row["when"],
                (WHEN if of_agents else OF_END_USERS).items(),
            )
        ]
        if of_agents:
            label = f"Statuses on which {title} is required"
            inputs.append(checks("statuses", label, row["statuses"].split(), STATUSES.items()))
        return TableRow(inputs, title, {"id": row["id"]})

    def others(rows: Sequence[Row]) -> AdminInput | None:
        named = {own, *(row["id"] for row in rows)}
        options = [(key, title) for key, title in known.items() if key not in named]
        return select("add_field", "Field to add", "", options) if options else None

    headings = ("Field", "Requirement", "Statuses")
    return RowTable(
        PREFIX,
        "Fields that show",
        headings if of_agents else headings[:2],
        CHILD_NAMES,
        child,
        _rows(desk),
        "Add field",
        choice=others,
    )


def _values_of(parent: TicketField) -> list[tuple[str, str]]:
    if parent.type == "checkbox":
        return [("true", "Checked"), ("false", "Not checked")]
    return [(str(item["value"]), str(item["name"])) for item in parent.options]


def _value_label(parent: TicketField | None, value: Any) -> str:
    known = dict(_values_of(parent)) if parent is not None else {}
    text = ("true" if value else "false") if isinstance(value, bool) else str(value)
    return known.get(text, text)


def _title(fields: dict[int, TicketField], key: int) -> str:
    return fields[key].title if key in fields else str(key)
