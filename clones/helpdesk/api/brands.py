"""Writes of brands and of the addresses that customers write to."""

from __future__ import annotations

from typing import Any

from clones.core import resources
from clones.core.operations import Call, Reply
from clones.helpdesk.api.operations import show
from clones.helpdesk.api.presenters.settings import present_address
from clones.helpdesk.api.resources import register_resource
from clones.helpdesk.api.settings import ADDRESSES, BRANDS
from clones.helpdesk.api.views import rule_changes
from clones.helpdesk.domain import brands

register_resource(
    BRANDS,
    resources.creates("CreateBrand", "Create a brand."),
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
    ADDRESSES,
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
