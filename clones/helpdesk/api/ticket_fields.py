"""Fields of tickets, and their choices."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from pydantic import Field

from clones.core import resources
from clones.core.operations import Call
from clones.helpdesk.api.field_options import OptionBody, OptionWrite, register_options
from clones.helpdesk.api.operations import OPERATIONS, Body, PagedQuery, list_request, listed, show
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.presenters.context import Show
from clones.helpdesk.api.presenters.settings import present_field, present_option
from clones.helpdesk.api.resources import by_key, register_resource
from clones.helpdesk.api.tickets import counted
from clones.helpdesk.api.views import rule_changes, worded
from clones.helpdesk.domain import ticket_fields
from clones.helpdesk.models import TicketField
from clones.helpdesk.rules import locales


class FieldList(PagedQuery):
    """In which language to list fields."""

    locale: str | None = Field(None, description="Of `title_in_portal`: a locale's id or code.")


class FieldWrite(Body):
    """The attributes of a ticket field that can be set."""

    id: int | None = None
    type: str | None = None
    title: str | None = None
    raw_title: str | None = Field(None, description="May name dynamic content: `{{dc.name}}`.")
    title_in_portal: str | None = None
    raw_title_in_portal: str | None = None
    description: str | None = None
    raw_description: str | None = None
    agent_description: str | None = None
    position: int | None = None
    active: bool | None = None
    required: bool | None = None
    required_in_portal: bool | None = None
    visible_in_portal: bool | None = None
    editable_in_portal: bool | None = None
    collapsed_for_agents: bool | None = None
    regexp_for_validation: str | None = None
    tag: str | None = None
    custom_field_options: list[OptionWrite] | None = Field(
        None, description="All choices: those left out are removed."
    )


class FieldBody(Body):
    """A ticket field to create or update."""

    ticket_field: FieldWrite


class FieldOrder(Body):
    """The ids of ticket fields in the order in which they are to stand."""

    ticket_field_ids: list[int]


def _changes(given: FieldWrite) -> dict[str, Any]:
    changes = rule_changes(given)
    if changes.get("custom_field_options"):
        changes["custom_field_options"] = [worded(one) for one in changes["custom_field_options"]]
    return changes


def _list(call: Call) -> dict[str, Any]:
    """List ticket fields; end users see those of the portal."""
    rows = TicketField.objects.all()
    if not call.actor.is_agent:
        rows = rows.filter(visible_in_portal=True, active=True)
    page = paginate(rows, list_request(call), Order(ticket_fields.TICKET_FIELD.order))
    bodies = [present_field(item, show(call)) for item in page.rows]
    wanted = locales.named(call.query.locale or "")
    if wanted is not None:
        reading = replace(show(call), locale=wanted.code)
        for body in bodies:
            body["title_in_portal"] = reading.text(body["raw_title_in_portal"])
    return listed("ticket_fields", bodies, page)


FIELDS: Final = resources.ResourceApi(
    resource=ticket_fields.TICKET_FIELD,
    path="/ticket_fields",
    one="/{field_id:int}",
    find=by_key(ticket_fields.TICKET_FIELD),
    present=present_field,
    body=FieldBody,
    values=_changes,
)
register_resource(
    FIELDS,
    resources.lists(
        "ListTicketFields",
        "List the fields of tickets.",
        access="end-user",
        query=FieldList,
        view=_list,
    ),
    resources.shows("ShowTicketfield", "Show one field of tickets."),
    resources.creates("CreateTicketField", "Create a custom field of tickets."),
    resources.updates("UpdateTicketField", "Change a field of tickets."),
    resources.deletes("DeleteTicketField", "Delete a custom field of tickets, and its values."),
    resources.moves(
        "ReorderTicketFields", "Set the order of the fields of tickets.", body=FieldOrder
    ),
    module=__name__,
)


@OPERATIONS.operation(
    "CountTicketFields", "GET", "/ticket_fields/count", summary="Count the fields of tickets."
)
def count_fields(call: Call) -> dict[str, Any]:
    """Count ticket fields."""
    return counted(TicketField.objects.count())


def _present_option(found: tuple[TicketField, dict[str, Any]], reading: Show) -> dict[str, Any]:
    """Return a choice of a field as JSON, with its place among the others."""
    field, option = found
    url = reading.url(f"ticket_fields/{field.id}/options/{option['id']}")
    place = field.options.index(option)
    return {**present_option(option, reading), "position": place, "url": url}


register_options(
    resources.ResourceApi(
        resource=ticket_fields.TICKET_FIELD_OPTION,
        path="/ticket_fields/{field_id:int}/options",
        one="/{option_id:int}",
        within=lambda call: FIELDS.of_key(call.path["field_id"]),
        present=_present_option,
        body=OptionBody,
    ),
    resources.lists("ListTicketFieldOptions", "List the choices of a field.", query=PagedQuery),
    resources.shows("ShowTicketFieldOption", "Show one choice of a field."),
    resources.updates(
        "CreateOrUpdateTicketFieldOption",
        "Add a choice to a field, or change the one whose id is given.",
    ),
    resources.deletes("DeleteTicketFieldOption", "Remove a choice of a field, and its values."),
    module=__name__,
)
