"""Brands, and the addresses that customers write to."""

from __future__ import annotations

from typing import Any, Final

from clones.core import resources
from clones.core.operations import Call, Reply
from clones.helpdesk.api.operations import PagedQuery, show
from clones.helpdesk.api.presenters.context import Show
from clones.helpdesk.api.presenters.settings import present_address, present_brand
from clones.helpdesk.api.resources import by_key, register_resource
from clones.helpdesk.api.views import rule_changes
from clones.helpdesk.domain import brands
from clones.helpdesk.models import Brand, TicketForm


def brand_body(brand: Brand, how: Show) -> dict[str, Any]:
    """Return a brand as JSON, with the forms that it offers."""
    forms = TicketForm.objects.filter(active=True).order_by("position", "id")
    ids = [form.id for form in forms if form.in_all_brands or brand.id in form.restricted_brand_ids]
    return present_brand(brand, ids, how.as_list())


BRANDS: Final = resources.ResourceApi(
    resource=brands.BRAND,
    path="/brands",
    one="/{brand_id:int}",
    find=by_key(brands.BRAND),
    present=brand_body,
    body="Brand",
    about="The attributes of a brand that can be set.",
)
register_resource(
    BRANDS,
    resources.lists("ListBrands", "List the brands.", query=PagedQuery),
    resources.creates("CreateBrand", "Create a brand."),
    resources.shows("ShowBrand", "Show one brand."),
    resources.updates("UpdateBrand", "Change a brand."),
    resources.deletes("DeleteBrand", "Delete a brand and its addresses."),
    module=__name__,
)


def _create_address(call: Call) -> Reply:
    """Add a support address."""
    made = brands.create_address(
        actor=call.actor, changes=rule_changes(call.body.recipient_address)
    )
    body: dict[str, Any] = present_address(made, show(call, "detail"))
    if not made.default:
        body["default"] = None  # as recorded: of a new address nobody has said that it is none
    return Reply({"recipient_address": body}, 201, {"Location": body["url"]})


register_resource(
    resources.ResourceApi(
        resource=brands.ADDRESS,
        path="/recipient_addresses",
        one="/{address_id:int}",
        find=by_key(brands.ADDRESS),
        present=present_address,
        body="Address",
        about="The attributes of a support address that can be set; its e-mail is set once.",
        name="recipient_address",
        names="recipient_addresses",
    ),
    resources.lists(
        "ListSupportAddresses", "List the addresses that customers write to.", query=PagedQuery
    ),
    resources.shows("ShowSupportAddress", "Show one address that customers write to."),
    resources.creates(
        "CreateSupportAddress",
        "Add an address that customers can write to.",
        view=_create_address,
    ),
    resources.updates("UpdateSupportAddress", "Change an address that customers write to."),
    resources.deletes("DeleteRecipientAddress", "Delete an address that customers write to."),
    module=__name__,
)
