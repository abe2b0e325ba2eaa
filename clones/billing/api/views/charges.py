"""Charges and the refunds that belong to one."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from clones.billing.api.expansions import expand
from clones.billing.api.operations import read, write
from clones.billing.api.paging import page_of, within
from clones.billing.api.parameters import (
    Expanding,
    Listing,
    Metadata,
    Parameters,
    Period,
    Searching,
    Text,
    Unsettable,
)
from clones.billing.api.presenters import present_charge, present_refund
from clones.billing.api.presenters.shapes import Body
from clones.billing.api.search import search_page
from clones.billing.domain.charges import update_charge
from clones.billing.models import Charge, Customer, PaymentIntent, Refund
from clones.billing.queries import check_reference, get_object
from clones.core.operations import Call


class ChargeList(Listing):
    """Filters of a list of charges."""

    customer: Text | None = Field(None, description="only charges of this customer")
    payment_intent: Text | None = Field(None, description="only charges of this payment intent")
    created: Period | None = Field(None, description="only charges made within these bounds")
    transfer_group: Text | None = None


class FraudDetails(Parameters):
    """A merchant's report of fraud on a charge."""

    user_report: Literal["fraudulent", "safe", ""]


class ChargeUpdate(Expanding):
    """The attributes of a charge that can be changed."""

    description: Unsettable | None = None
    metadata: Metadata = None
    receipt_email: Unsettable | None = None
    fraud_details: FraudDetails | None = None


def get_charge(id: str) -> Charge:
    """Return a charge."""
    return get_object(Charge.objects.all(), id, kind="charge")


@read("GetCharges", "/charges", summary="List charges, newest first.", query=ChargeList)
def list_charges(call: Call) -> Body:
    """Answer with a page of charges."""
    query: ChargeList = call.query
    check_reference(Customer, query.customer, param="customer")
    check_reference(PaymentIntent, query.payment_intent, param="payment_intent")
    rows = within(Charge.objects.all(), "created", query.created)
    if query.customer is not None:
        rows = rows.filter(customer=query.customer)
    if query.payment_intent is not None:
        rows = rows.filter(payment_intent=query.payment_intent)
    if query.transfer_group is not None:
        rows = rows.none()
    body = page_of(rows, query, url="/v1/charges", kind="charge", present=present_charge)
    return expand(body, query.expand, of="charge", kind="list")


@read(
    "GetChargesSearch",
    "/charges/search",
    summary="Search charges by amount, card, customer, status, metadata or time.",
    query=Searching,
)
def search_charges(call: Call) -> Body:
    """Answer with a page of what was found."""
    return search_page(
        Charge.objects.all(),
        call.query,
        kind="charge",
        url="/v1/charges/search",
        present=present_charge,
    )


@read("GetChargesCharge", "/charges/{charge}", summary="Show one charge.")
def show_charge(call: Call) -> Body:
    """Answer with a charge."""
    body = present_charge(get_charge(call.path["charge"]), "detail")
    return expand(body, call.query.expand, of="charge", kind="detail")


@write(
    "PostChargesCharge",
    "/charges/{charge}",
    summary="Change a charge's description, metadata, receipt e-mail or fraud report.",
    body=ChargeUpdate,
)
def change_charge(call: Call) -> Body:
    """Answer with the charge as it is now."""
    given: ChargeUpdate = call.body
    report = given.fraud_details.user_report if given.fraud_details else None
    charge = update_charge(
        get_charge(call.path["charge"]),
        actor=call.actor,
        description=given.description,
        receipt_email=given.receipt_email,
        metadata=given.metadata,
        fraud_report=report,
    )
    return expand(present_charge(charge, "detail"), given.expand, of="charge", kind="detail")


@read(
    "GetChargesChargeRefunds",
    "/charges/{charge}/refunds",
    summary="List the refunds of a charge, newest first.",
    query=Listing,
)
def list_refunds_of_charge(call: Call) -> Body:
    """Answer with a page of a charge's refunds."""
    charge = get_charge(call.path["charge"])
    body = page_of(
        Refund.objects.select_related("charge").filter(charge=charge),
        call.query,
        url=f"/v1/charges/{charge.id}/refunds",
        kind="refund",
        present=present_refund,
    )
    return expand(body, call.query.expand, of="refund", kind="list")


@read(
    "GetChargesChargeRefundsRefund",
    "/charges/{charge}/refunds/{refund}",
    summary="Show one refund of a charge.",
)
def show_refund_of_charge(call: Call) -> Body:
    """Answer with a refund of a charge."""
    rows = Refund.objects.select_related("charge").filter(charge=get_charge(call.path["charge"]))
    refund = get_object(rows, call.path["refund"], kind="refund", param="refund")
    return expand(present_refund(refund, "detail"), call.query.expand, of="refund", kind="detail")
