"""Forms of tickets."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from pydantic import Field

from clones.core import resources
from clones.core.operations import Call
from clones.helpdesk.api.operations import (
    OPERATIONS,
    Body,
    IdsQuery,
    PagedQuery,
    Query,
    many_ids,
    show,
)
from clones.helpdesk.api.presenters.settings import present_form
from clones.helpdesk.api.resources import COUNTED, by_key, register_resource
from clones.helpdesk.domain import ticket_forms
from clones.helpdesk.models import Brand, TicketForm


class FormFilters(Query):
    """Which ticket forms are wanted."""

    active: str | None = None
    end_user_visible: str | None = None
    fallback_to_default: str | None = None
    associated_to_brand: str | None = None


class FormList(FormFilters, PagedQuery):
    """Filters and paging of the list of ticket forms."""


class FormIds(IdsQuery, FormFilters):
    """The ids of the ticket forms to show, and filters over them."""


class FormWrite(Body):
    """The attributes of a ticket form that can be set."""

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
    """A ticket form to create or update."""

    ticket_form: FormWrite


class FormOrder(Body):
    """The ids of ticket forms in the order in which they are to stand."""

    ticket_form_ids: list[int]


def _wanted_forms(call: Call, rows: QuerySet[TicketForm]) -> QuerySet[TicketForm]:
    """Return the forms that a call's parameters leave, or the default one in place of none."""
    for name in ("active", "end_user_visible"):
        said = getattr(call.query, name)
        if said is not None:
            rows = rows.filter(**{name: said == "true"})
    if call.query.associated_to_brand == "true":
        brand = Brand.objects.filter(default=True).order_by("id").first()
        keys = [form.id for form in rows if brand is None or _is_of(form, brand)]
        rows = rows.filter(id__in=keys)
    if not call.actor.is_agent:
        rows = rows.filter(active=True, end_user_visible=True)
    usable = rows.filter(active=True, end_user_visible=True)
    if call.query.fallback_to_default == "true" and not usable.exists():
        return TicketForm.objects.filter(default=True)
    return rows


def _is_of(form: TicketForm, brand: Brand) -> bool:
    return form.in_all_brands or brand.id in form.restricted_brand_ids


def _wanted_ids(call: Call) -> QuerySet[TicketForm]:
    """Return the forms of some ids; unknown ones are left out."""
    found = _wanted_forms(call, TicketForm.objects.filter(id__in=many_ids(call)))
    return found.order_by(*ticket_forms.TICKET_FORM.order)


def _reorder(call: Call) -> dict[str, Any]:
    """Set the order of ticket forms; the answer has them all."""
    ticket_forms.reorder_forms(call.body.ticket_form_ids, actor=call.actor)
    rows = ticket_forms.TICKET_FORM.rows()
    return {"ticket_forms": [present_form(item, show(call)) for item in rows]}


FORMS: Final = resources.ResourceApi(
    resource=ticket_forms.TICKET_FORM,
    path="/ticket_forms",
    one="/{form_id:int}",
    find=by_key(ticket_forms.TICKET_FORM),
    present=present_form,
    body=FormBody,
)
register_resource(
    FORMS,
    resources.lists(
        "ListTicketForms",
        "List the forms of tickets.",
        access="end-user",
        query=FormList,
        rows=lambda call: _wanted_forms(call, TicketForm.objects.all()),
    ),
    resources.lists(
        "ShowManyTicketForms",
        "Show several forms by id.",
        path="/show_many",
        query=FormIds,
        rows=_wanted_ids,
        manner=COUNTED,
    ),
    resources.creates("CreateTicketForm", "Create a form of tickets."),
    resources.shows("ShowTicketForm", "Show one form of tickets.", access="end-user"),
    resources.updates("UpdateTicketForm", "Change a form of tickets."),
    resources.deletes("DeleteTicketForm", "Delete a form of tickets."),
    resources.moves(
        "ReorderTicketForms",
        "Set the order of the forms of tickets.",
        body=FormOrder,
        view=_reorder,
    ),
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
