"""Disputes, to read: a disputed charge has one."""

from __future__ import annotations

from pydantic import Field

from clones.billing.api.expansions import expand
from clones.billing.api.operations import read
from clones.billing.api.paging import page_of, within
from clones.billing.api.parameters import Listing, Period, Text
from clones.billing.api.presenters import present_dispute
from clones.billing.api.presenters.disputes import DISPUTE_PREFIX
from clones.billing.api.presenters.shapes import Body
from clones.billing.errors import NoSuchObject
from clones.billing.models import Charge, PaymentIntent
from clones.billing.queries import check_reference
from clones.core.operations import Call


class DisputeList(Listing):
    """Filters of a list of disputes."""

    charge: Text | None = Field(None, description="only disputes of this charge")
    payment_intent: Text | None = Field(None, description="only disputes of this payment intent")
    created: Period | None = None


@read("GetDisputes", "/disputes", summary="List disputes, newest first.", query=DisputeList)
def list_disputes(call: Call) -> Body:
    """Answer with a page of disputes."""
    query: DisputeList = call.query
    check_reference(Charge, query.charge, param="charge")
    check_reference(PaymentIntent, query.payment_intent, param="payment_intent")
    rows = within(Charge.objects.filter(disputed=True), "created", query.created)
    if query.charge is not None:
        rows = rows.filter(pk=query.charge)
    if query.payment_intent is not None:
        rows = rows.filter(payment_intent=query.payment_intent)
    body = page_of(
        rows,
        query,
        url="/v1/disputes",
        kind="dispute",
        present=present_dispute,
        key_of=_charge_id,
    )
    return expand(body, query.expand, of="dispute", kind="list")


@read("GetDisputesDispute", "/disputes/{dispute}", summary="Show one dispute.")
def show_dispute(call: Call) -> Body:
    """Answer with a dispute."""
    id = call.path["dispute"]
    rows = Charge.objects.filter(disputed=True)
    known = id.startswith(DISPUTE_PREFIX) and "\x00" not in id
    found = rows.filter(pk=_charge_id(id)).first() if known else None
    if found is None:
        raise NoSuchObject("dispute", id, "dispute")
    body = present_dispute(found, "detail")
    return expand(body, call.query.expand, of="dispute", kind="detail")


def _charge_id(id: str) -> str:
    return "ch_" + id.removeprefix(DISPUTE_PREFIX)
