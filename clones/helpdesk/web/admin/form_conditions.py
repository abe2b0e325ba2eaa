"""The conditions of a ticket form: which fields show, and are required, when another has a value.

A form has conditions for agents and conditions for end users. A condition is known by its place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse, QueryDict
from django.urls import reverse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk import queries
from clones.helpdesk.domain import ticket_forms as domain
from clones.helpdesk.domain.errors import RecordInvalid, RecordNotFound
from clones.helpdesk.models import TicketField, TicketForm
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import forms, pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.pages import Form, Line, Link, Listing, Part, Question
from clones.helpdesk.web.admin.ticket_forms import ACTIVE, form_of
from clones.helpdesk.web.properties import Complaints, FieldView

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
WHEN = {
    "": "Not shown",
    "NO_STATUSES": "Shown, not required",
    "ALL_STATUSES": "Shown, always required",
    "SOME_STATUSES": "Shown, required on statuses",
}
ALWAYS_OR_NEVER = {"": "Not shown", "false": "Shown, not required", "true": "Shown, required"}
NO_PARENTS = "The form has no drop-down or checkbox that others could depend on."
Condition = dict[str, Any]


@admin_page
def conditions(request: SandboxRequest, agent: Agent, key: int, audience: str) -> HttpResponse:
    """List a form's conditions for agents or for end users, and begin another one."""
    found, standing = _conditions(key, audience)
    sightings.note(found, "detail")
    fields = TicketField.objects.in_bulk(found.ticket_field_ids)
    lines = [
        Line(
            reverse("helpdesk:admin_form_condition", args=[key, audience, place]),
            (
                _title(fields, item["parent_field_id"]),
                _value_label(fields.get(item["parent_field_id"]), item["value"]),
                ", ".join(_title(fields, child["id"]) for child in item["child_fields"]),
            ),
        )
        for place, item in enumerate(standing)
    ]
    other = "end-users" if audience == "agents" else "agents"
    beginnings = [
        Link(
            f"Add condition on {item.title}",
            reverse("helpdesk:admin_form_condition_new", args=[key, audience, item.id]),
            f"admin-condition-add-{item.id}",
        )
        for item in _parents(found)
    ]
    listing = Listing(
        ACTIVE,
        f"Conditions for {WORDS[audience]}: {found.name}",
        ("Field", "Value", "Fields that show"),
        links=(
            Link("Back to form", reverse("helpdesk:admin_ticket_form", args=[key]), "admin-back"),
            Link(
                f"Conditions for {WORDS[other]}",
                reverse("helpdesk:admin_form_conditions", args=[key, other]),
                "admin-conditions-other",
            ),
            *beginnings,
        ),
        searched=False,
        empty="No conditions: all fields show." if beginnings else NO_PARENTS,
    )
    return pages.show_all(request, agent, listing, lines)


@admin_page
def new_condition(
    request: SandboxRequest, agent: Agent, key: int, audience: str, parent: int
) -> HttpResponse:
    """Show the form of another condition on a field, or take it."""
    found, standing = _conditions(key, audience)
    blank: Condition = {"parent_field_id": parent, "value": "", "child_fields": []}
    desk = Desk(found, audience, [*standing, blank], len(standing), new=True)
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
    return _edit(request, agent, Desk(found, audience, standing, place))


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
    question = Question(
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
class Desk:
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


def _edit(request: SandboxRequest, agent: Agent, desk: Desk) -> HttpResponse:
    parent, place = desk.parent, desk.place
    if request.method != "POST":
        return _form(request, agent, desk, desk.shown)
    sent = _sent(request.POST, desk)
    rest = [item for index, item in enumerate(desk.standing) if index != place]

    def write() -> TicketForm:
        if sent["value"] == "":
            raise RecordInvalid.of("value", "Value: cannot be blank", "BlankValue")
        if any(_same(item, sent) for item in rest):
            raise RecordInvalid.of("value", "Value: has a condition already", "DuplicateValue")
        changes = {AUDIENCES[desk.audience]: [*rest[:place], sent, *rest[place:]]}
        return domain.update_form(desk.form, actor=agent.user, changes=changes)

    _, complaints = pages.attempt(write)
    if complaints is not None:
        return _form(request, agent, desk, sent, complaints)
    address = reverse("helpdesk:admin_form_conditions", args=[desk.form.id, desk.audience])
    return shell.go(address, "saved", f"Condition on {parent.title}")


def _same(one: Condition, other: Condition) -> bool:
    names = ("parent_field_id", "value")
    return all(one[name] == other[name] for name in names)


def _sent(post: QueryDict, desk: Desk) -> Condition:
    parent = desk.parent
    value: Any = post.get("value", "")
    if parent.type == "checkbox":
        value = CHECKED.get(value, "")
    children = []
    for key in desk.form.ticket_field_ids:
        when = post.get(f"child_{key}", "")
        if not when or key == parent.id:
            continue
        if desk.audience == "end-users":
            children.append({"id": key, "is_required": when == "true"})
            continue
        rule: dict[str, Any] = {"type": when}
        if when == "SOME_STATUSES":
            rule["statuses"] = post.getlist(f"statuses_{key}")
        children.append(
            {"id": key, "is_required": when != "NO_STATUSES", "required_on_statuses": rule}
        )
    return {"parent_field_id": parent.id, "value": value, "child_fields": children}


def _form(
    request: SandboxRequest,
    agent: Agent,
    desk: Desk,
    shown: Condition,
    complaints: Complaints | None = None,
) -> HttpResponse:
    found, parent, audience = desk.form, desk.parent, desk.audience
    options = [("", "-"), *_values_of(parent)]
    value = shown["value"]
    chosen = ("true" if value else "false") if isinstance(value, bool) else str(value)
    when = forms.select(
        "value", f"When {parent.title} is", chosen, options, complaints=complaints, required=True
    )
    standing = {child["id"]: child for child in shown["child_fields"]}
    known = TicketField.objects.in_bulk(found.ticket_field_ids)
    children: list[FieldView] = []
    for key in found.ticket_field_ids:
        if key != parent.id and key in known and known[key].removable:
            children += _child(known[key], standing.get(key), audience)
    back = reverse("helpdesk:admin_form_conditions", args=[found.id, audience])
    form = Form(
        ACTIVE,
        f"Condition on {parent.title} for {WORDS[audience]}",
        back,
        (Part("Condition", (when,)), Part("Fields that show", tuple(children))),
        delete_url=None
        if desk.new
        else reverse("helpdesk:admin_form_condition_delete", args=[found.id, audience, desk.place]),
        submit_label="Add condition" if desk.new else "Save",
    )
    return pages.show_form(request, agent, form, complaints)


def _child(item: TicketField, child: Condition | None, audience: str) -> list[FieldView]:
    name = f"child_{item.id}"
    if audience == "end-users":
        chosen = "" if child is None else ("true" if child.get("is_required") else "false")
        return [forms.select(name, item.title, chosen, ALWAYS_OR_NEVER.items())]
    when, statuses = _requirement(child)
    return [
        forms.select(name, item.title, when, WHEN.items()),
        forms.select(
            f"statuses_{item.id}",
            f"Statuses on which {item.title} is required",
            statuses,
            STATUSES.items(),
            many=True,
        ),
    ]


def _requirement(child: Condition | None) -> tuple[str, list[str]]:
    """Return when a child is required, and on which statuses; "" if it does not show."""
    if child is None:
        return "", []
    rule = child.get("required_on_statuses")
    if rule is None:
        return ("ALL_STATUSES" if child.get("is_required") else "NO_STATUSES"), []
    return rule["type"], list(rule.get("statuses", ()))


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
