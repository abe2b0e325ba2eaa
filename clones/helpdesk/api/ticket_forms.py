"""Writes of the forms of tickets."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core import resources
from clones.core.operations import Call
from clones.helpdesk.api.operations import OPERATIONS, Body, show
from clones.helpdesk.api.presenters.settings import present_form
from clones.helpdesk.api.resources import register_resource
from clones.helpdesk.api.settings import FORMS
from clones.helpdesk.domain import ticket_forms
from clones.helpdesk.models import TicketForm


class FormWrite(Body):
    """What to set on a form."""

    id: int | None = None
    name: str | None = None
    raw_name: str | None = Field(None, description="May name dynamic content: `{{dc.name}}`.")
    display_name: str | None = None
    raw_display_name: str | None = None
    position: int | None = None
    active: bool | None = None
    default: bool | None = None
    end_user_visible: bool | None = None
    in_all_brands: bool | None = None
    restricted_brand_ids: list[int] | None = None
    ticket_field_ids: list[int] | None = None
    agent_conditions: list[dict[str, Any]] | None = Field(
        None, description="What agents must fill in when a field has a value."
    )
    end_user_conditions: list[dict[str, Any]] | None = None


class FormBody(Body):
    """A form to create or update."""

    ticket_form: FormWrite


class FormOrder(Body):
    """Forms in the order they are to stand."""

    ticket_form_ids: list[int]


register_resource(
    FORMS,
    resources.creates("CreateTicketForm", "Create a form of tickets.", body=FormBody),
    resources.updates("UpdateTicketForm", "Change a form of tickets.", body=FormBody),
    resources.deletes("DeleteTicketForm", "Delete a form of tickets."),
    module=__name__,
)


@OPERATIONS.operation(
    "CloneTicketForm",
    "POST",
    "/ticket_forms/{form_id:int}/clone",
    summary="Create a copy of a form of tickets.",
    access="admin",
)
def clone_form(call: Call) -> dict[str, Any]:
    """Copy a ticket form."""
    made = ticket_forms.clone_form(FORMS.record(call), actor=call.actor)
    return {"ticket_form": present_form(made, show(call, "detail"))}


@OPERATIONS.operation(
    "ReorderTicketForms",
    "PUT",
    "/ticket_forms/reorder",
    summary="Set the order of the forms of tickets.",
    body=FormOrder,
    access="admin",
)
def reorder_forms(call: Call) -> dict[str, Any]:
    """Set the order of ticket forms."""
    ticket_forms.reorder_forms(call.body.ticket_form_ids, actor=call.actor)
    rows = TicketForm.objects.order_by("position", "id")
    return {"ticket_forms": [present_form(item, show(call)) for item in rows]}
