"""Reads of the account's settings: fields, forms, statuses, brands, roles, addresses."""

from __future__ import annotations

from typing import Any, Final

from clones.core import resources
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
from clones.helpdesk.api.presenters.context import Show
from clones.helpdesk.api.presenters.people import present_custom_role
from clones.helpdesk.api.presenters.settings import (
    present_address,
    present_brand,
    present_custom_status,
    present_field,
    present_form,
    present_option,
)
from clones.helpdesk.api.resources import COUNTED, by_key, register_resource
from clones.helpdesk.api.tickets import counted
from clones.helpdesk.domain.brands import ADDRESS, BRAND
from clones.helpdesk.domain.custom_statuses import CUSTOM_STATUS
from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.domain.roles import CUSTOM_ROLE
from clones.helpdesk.domain.ticket_forms import TICKET_FORM
from clones.helpdesk.models import (
    Brand,
    CustomRole,
    CustomStatus,
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


FORMS: Final = resources.ResourceApi(
    resource=TICKET_FORM,
    path="/ticket_forms",
    one="/{form_id:int}",
    find=by_key(TICKET_FORM),
    present=present_form,
    reads="end-user",
)
register_resource(
    FORMS,
    resources.shows("ShowTicketForm", "Show one form of tickets."),
    module=__name__,
)


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


STATUSES: Final = resources.ResourceApi(
    resource=CUSTOM_STATUS,
    path="/custom_statuses",
    one="/{status_id:int}",
    find=by_key(CUSTOM_STATUS, "custom status"),
    present=present_custom_status,
    name="custom_status",
    names="custom_statuses",
)
register_resource(
    STATUSES,
    resources.shows("ShowCustomStatus", "Show one status of tickets."),
    module=__name__,
)


def brand_body(brand: Brand, how: Show) -> dict[str, Any]:
    """Return a brand as JSON, with the forms that it offers."""
    forms = TicketForm.objects.filter(active=True).order_by("position", "id")
    ids = [form.id for form in forms if form.in_all_brands or brand.id in form.restricted_brand_ids]
    return present_brand(brand, ids, how.as_list())


BRANDS: Final = resources.ResourceApi(
    resource=BRAND,
    path="/brands",
    one="/{brand_id:int}",
    find=by_key(BRAND),
    present=brand_body,
    body="Brand",
    about="What to set on a brand.",
)
register_resource(
    BRANDS,
    resources.lists("ListBrands", "List the brands.", query=PagedQuery),
    resources.shows("ShowBrand", "Show one brand."),
    module=__name__,
)


def members_of(role: CustomRole) -> int:
    """Count the active agents who hold a role."""
    return User.objects.filter(custom_role=role, active=True).count()


ROLES: Final = resources.ResourceApi(
    resource=CUSTOM_ROLE,
    path="/custom_roles",
    one="/{role_id:int}",
    find=by_key(CUSTOM_ROLE, "custom role"),
    present=lambda role, how: present_custom_role(role, members_of(role), how),
    body="Role",
    about="What to set on a role.",
    name="custom_role",
    names="custom_roles",
)
register_resource(
    ROLES,
    resources.lists("ListCustomRoles", "List the agents' roles.", manner=COUNTED),
    resources.shows("ShowCustomRoleById", "Show one role of agents."),
    module=__name__,
)


ADDRESSES: Final = resources.ResourceApi(
    resource=ADDRESS,
    path="/recipient_addresses",
    one="/{address_id:int}",
    find=by_key(ADDRESS),
    present=present_address,
    body="Address",
    about="What to set on a support address; its e-mail is set once.",
    name="recipient_address",
    names="recipient_addresses",
)
register_resource(
    ADDRESSES,
    resources.lists(
        "ListSupportAddresses", "List the addresses that customers write to.", query=PagedQuery
    ),
    module=__name__,
)
