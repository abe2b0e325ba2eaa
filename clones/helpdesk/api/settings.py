"""Reads of the account's settings: fields, forms, statuses, brands, roles, addresses."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call
from clones.helpdesk import queries
from clones.helpdesk.api.operations import (
    OPERATIONS,
    IdsQuery,
    PagedQuery,
    Query,
    Words,
    asked,
    listed,
    many_ids,
    show,
)
from clones.helpdesk.api.paging import Order, list_page, paginate
from clones.helpdesk.api.presenters.people import present_custom_role
from clones.helpdesk.api.presenters.settings import (
    present_address,
    present_brand,
    present_custom_status,
    present_field,
    present_form,
    present_option,
)
from clones.helpdesk.api.tickets import counted
from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.models import (
    Brand,
    CustomRole,
    CustomStatus,
    SupportAddress,
    TicketField,
    TicketForm,
    User,
)

BY_POSITION = Order(("position", "id"))


class FormList(PagedQuery):
    """Which forms to list."""

    active: str | None = None
    end_user_visible: str | None = None


class StatusList(Query):
    """Which statuses to list; categories with commas between them."""

    active: str | None = None
    default: str | None = None
    status_categories: Words | None = None


@OPERATIONS.operation(
    "ListTicketFields",
    "GET",
    "/ticket_fields",
    summary="List the fields of tickets.",
    access="end-user",
    query=PagedQuery,
)
def list_fields(call: Call) -> dict[str, Any]:
    """List ticket fields; end users see those of the portal."""
    rows = TicketField.objects.all()
    if not call.actor.is_agent:
        rows = rows.filter(visible_in_portal=True, active=True)
    page = paginate(rows, asked(call), BY_POSITION)
    return listed("ticket_fields", [present_field(item, show(call)) for item in page.rows], page)


@OPERATIONS.operation(
    "CountTicketFields", "GET", "/ticket_fields/count", summary="Count the fields of tickets."
)
def count_fields(call: Call) -> dict[str, Any]:
    """Count ticket fields."""
    return counted(TicketField.objects.count())


def field_of(call: Call) -> TicketField:
    """Return the ticket field that a call's path names.

    Raises:
        RecordNotFound: there is none.
    """
    return queries.one(TicketField.objects.all(), "ticket field", call.path["field_id"])


@OPERATIONS.operation(
    "ShowTicketfield",
    "GET",
    "/ticket_fields/{field_id:int}",
    summary="Show one field of tickets.",
)
def show_field(call: Call) -> dict[str, Any]:
    """Show a ticket field."""
    return {"ticket_field": present_field(field_of(call), show(call, "detail"))}


@OPERATIONS.operation(
    "ListTicketFieldOptions",
    "GET",
    "/ticket_fields/{field_id:int}/options",
    summary="List the choices of a field.",
    query=PagedQuery,
)
def list_options(call: Call) -> dict[str, Any]:
    """List the choices of a drop-down or multiple-choice field."""
    field = field_of(call)
    bodies = [option_body(field, option, call) for option in field.options]
    page = list_page(bodies, asked(call), name="position,id")
    return listed("custom_field_options", page.rows, page)


@OPERATIONS.operation(
    "ShowTicketFieldOption",
    "GET",
    "/ticket_fields/{field_id:int}/options/{option_id:int}",
    summary="Show one choice of a field.",
)
def show_option(call: Call) -> dict[str, Any]:
    """Show a choice of a field."""
    field = field_of(call)
    for option in field.options:
        if option["id"] == call.path["option_id"]:
            return {"custom_field_option": option_body(field, option, call)}
    raise RecordNotFound("option", call.path["option_id"])


def option_body(field: TicketField, option: dict[str, Any], call: Call) -> dict[str, Any]:
    """Return a choice of a field as JSON, with its place among the others."""
    url = show(call).url(f"ticket_fields/{field.id}/options/{option['id']}")
    return {
        **present_option(option, show(call)),
        "position": field.options.index(option),
        "url": url,
    }


@OPERATIONS.operation(
    "ListTicketForms",
    "GET",
    "/ticket_forms",
    summary="List the forms of tickets.",
    access="end-user",
    query=FormList,
)
def list_forms(call: Call) -> dict[str, Any]:
    """List ticket forms; end users see those that are theirs to use."""
    rows = TicketForm.objects.all()
    for name in ("active", "end_user_visible"):
        said = getattr(call.query, name)
        if said is not None:
            rows = rows.filter(**{name: said == "true"})
    if not call.actor.is_agent:
        rows = rows.filter(active=True, end_user_visible=True)
    page = paginate(rows, asked(call), BY_POSITION)
    return listed("ticket_forms", [present_form(item, show(call)) for item in page.rows], page)


@OPERATIONS.operation(
    "ShowManyTicketForms",
    "GET",
    "/ticket_forms/show_many",
    summary="Show several forms by id.",
    query=IdsQuery,
)
def show_many_forms(call: Call) -> dict[str, Any]:
    """Show the forms of some ids; unknown ones are left out."""
    found = TicketForm.objects.filter(id__in=many_ids(call)).order_by("position", "id")
    bodies = [present_form(item, show(call)) for item in found]
    around = {"next_page": None, "previous_page": None, "count": len(bodies)}
    return {"ticket_forms": bodies, **around}


@OPERATIONS.operation(
    "ShowTicketForm",
    "GET",
    "/ticket_forms/{form_id:int}",
    summary="Show one form of tickets.",
    access="end-user",
)
def show_form(call: Call) -> dict[str, Any]:
    """Show a ticket form."""
    found = queries.one(TicketForm.objects.all(), "ticket form", call.path["form_id"])
    return {"ticket_form": present_form(found, show(call, "detail"))}


@OPERATIONS.operation(
    "ListCustomStatuses",
    "GET",
    "/custom_statuses",
    summary="List the statuses of tickets.",
    access="end-user",
    query=StatusList,
)
def list_custom_statuses(call: Call) -> dict[str, Any]:
    """List the account's statuses, unpaginated."""
    rows = CustomStatus.objects.all()
    for name in ("active", "default"):
        said = getattr(call.query, name)
        if said is not None:
            rows = rows.filter(**{name: said == "true"})
    if call.query.status_categories is not None:
        rows = rows.filter(status_category__in=call.query.status_categories)
    bodies = [present_custom_status(item, show(call)) for item in rows.order_by("id")]
    return {"custom_statuses": bodies}


@OPERATIONS.operation(
    "ShowCustomStatus",
    "GET",
    "/custom_statuses/{status_id:int}",
    summary="Show one status of tickets.",
)
def show_custom_status(call: Call) -> dict[str, Any]:
    """Show a status."""
    found = queries.one(CustomStatus.objects.all(), "custom status", call.path["status_id"])
    return {"custom_status": present_custom_status(found, show(call, "detail"))}


def brand_body(brand: Brand, call: Call) -> dict[str, Any]:
    """Return a brand as JSON, with the forms that it offers."""
    forms = TicketForm.objects.filter(active=True).order_by("position", "id")
    ids = [form.id for form in forms if form.in_all_brands or brand.id in form.restricted_brand_ids]
    return present_brand(brand, ids, show(call))


@OPERATIONS.operation("ListBrands", "GET", "/brands", summary="List the brands.", query=PagedQuery)
def list_brands(call: Call) -> dict[str, Any]:
    """List brands."""
    page = paginate(Brand.objects.all(), asked(call), Order(("id",)))
    return listed("brands", [brand_body(brand, call) for brand in page.rows], page)


@OPERATIONS.operation("ShowBrand", "GET", "/brands/{brand_id:int}", summary="Show one brand.")
def show_brand(call: Call) -> dict[str, Any]:
    """Show a brand."""
    return {
        "brand": brand_body(queries.one(Brand.objects.all(), "brand", call.path["brand_id"]), call)
    }


@OPERATIONS.operation("ListCustomRoles", "GET", "/custom_roles", summary="List the agents' roles.")
def list_custom_roles(call: Call) -> dict[str, Any]:
    """List the sets of rights that agents hold."""
    roles = CustomRole.objects.order_by("id")
    bodies = [present_custom_role(role, members_of(role), show(call)) for role in roles]
    around = {"next_page": None, "previous_page": None, "count": len(bodies)}
    return {"custom_roles": bodies, **around}


@OPERATIONS.operation(
    "ShowCustomRoleById",
    "GET",
    "/custom_roles/{role_id:int}",
    summary="Show one role of agents.",
)
def show_custom_role(call: Call) -> dict[str, Any]:
    """Show a set of rights."""
    found = queries.one(CustomRole.objects.all(), "custom role", call.path["role_id"])
    return {"custom_role": present_custom_role(found, members_of(found), show(call, "detail"))}


def members_of(role: CustomRole) -> int:
    """Count the active agents who hold a role."""
    return User.objects.filter(custom_role=role, active=True).count()


@OPERATIONS.operation(
    "ListSupportAddresses",
    "GET",
    "/recipient_addresses",
    summary="List the addresses that customers write to.",
    query=PagedQuery,
)
def list_addresses(call: Call) -> dict[str, Any]:
    """List support addresses."""
    page = paginate(SupportAddress.objects.all(), asked(call), Order(("id",)))
    bodies = [present_address(address, show(call)) for address in page.rows]
    return listed("recipient_addresses", bodies, page)
