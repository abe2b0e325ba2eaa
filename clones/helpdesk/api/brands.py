"""Writes of brands and of the addresses that customers write to."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call, Reply
from clones.helpdesk import queries
from clones.helpdesk.api.operations import OPERATIONS, Body, show
from clones.helpdesk.api.presenters.settings import present_address
from clones.helpdesk.api.settings import brand_body
from clones.helpdesk.api.views import rule_changes
from clones.helpdesk.domain import brands
from clones.helpdesk.models import Brand, SupportAddress


class BrandWrite(Body):
    """What to set on a brand."""

    id: int | None = None
    name: str | None = None
    subdomain: str | None = None
    active: bool | None = None
    default: bool | None = None
    signature_template: str | None = None


class BrandBody(Body):
    """A brand to create or update."""

    brand: BrandWrite


class AddressWrite(Body):
    """What to set on a support address; its e-mail is set once."""

    id: int | None = None
    email: str | None = None
    name: str | None = None
    brand_id: int | None = None
    default: bool | None = None


class AddressBody(Body):
    """A support address to create or update."""

    recipient_address: AddressWrite


def _brand(call: Call) -> Brand:
    return queries.one(Brand.objects.all(), "brand", call.path["brand_id"])


@OPERATIONS.operation(
    "CreateBrand",
    "POST",
    "/brands",
    summary="Create a brand.",
    body=BrandBody,
    access="admin",
    status=201,
)
def create_brand(call: Call) -> Reply:
    """Create a brand."""
    made = brands.create_brand(actor=call.actor, changes=rule_changes(call.body.brand))
    body = brand_body(made, call)
    return Reply({"brand": body}, 201, {"Location": body["url"]})


@OPERATIONS.operation(
    "UpdateBrand",
    "PUT",
    "/brands/{brand_id:int}",
    summary="Change a brand.",
    body=BrandBody,
    access="admin",
)
def update_brand(call: Call) -> dict[str, Any]:
    """Update a brand."""
    found = brands.update_brand(
        _brand(call), actor=call.actor, changes=rule_changes(call.body.brand)
    )
    return {"brand": brand_body(found, call)}


@OPERATIONS.operation(
    "DeleteBrand",
    "DELETE",
    "/brands/{brand_id:int}",
    summary="Delete a brand and its addresses.",
    access="admin",
    status=204,
)
def delete_brand(call: Call) -> None:
    """Delete a brand."""
    brands.delete_brand(_brand(call), actor=call.actor)


def _address(call: Call) -> SupportAddress:
    return queries.one(SupportAddress.objects.all(), "support address", call.path["address_id"])


@OPERATIONS.operation(
    "ShowSupportAddress",
    "GET",
    "/recipient_addresses/{address_id:int}",
    summary="Show one address that customers write to.",
)
def show_address(call: Call) -> dict[str, Any]:
    """Show a support address."""
    return {"recipient_address": present_address(_address(call), show(call, "detail"))}


@OPERATIONS.operation(
    "CreateSupportAddress",
    "POST",
    "/recipient_addresses",
    summary="Add an address that customers can write to.",
    body=AddressBody,
    access="admin",
    status=201,
)
def create_address(call: Call) -> Reply:
    """Add a support address."""
    made = brands.create_address(
        actor=call.actor, changes=rule_changes(call.body.recipient_address)
    )
    body = present_address(made, show(call, "detail"))
    if not made.default:
        body["default"] = None  # as recorded: of a new address nobody has said that it is none
    return Reply({"recipient_address": body}, 201, {"Location": body["url"]})


@OPERATIONS.operation(
    "UpdateSupportAddress",
    "PUT",
    "/recipient_addresses/{address_id:int}",
    summary="Change an address that customers write to.",
    body=AddressBody,
    access="admin",
)
def update_address(call: Call) -> dict[str, Any]:
    """Update a support address."""
    found = brands.update_address(
        _address(call), actor=call.actor, changes=rule_changes(call.body.recipient_address)
    )
    return {"recipient_address": present_address(found, show(call, "detail"))}


@OPERATIONS.operation(
    "DeleteRecipientAddress",
    "DELETE",
    "/recipient_addresses/{address_id:int}",
    summary="Delete an address that customers write to.",
    access="admin",
    status=204,
)
def delete_address(call: Call) -> None:
    """Delete a support address."""
    brands.delete_address(_address(call), actor=call.actor)
