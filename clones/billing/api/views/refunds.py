"""Refunds."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from clones.billing.api.expansions import expand
from clones.billing.api.operations import read, write
from clones.billing.api.paging import page_of, within
from clones.billing.api.parameters import (
    Boolean,
    Currency,
    Expanding,
    Integer,
    Listing,
    Metadata,
    Period,
    Text,
)
from clones.billing.api.presenters import present_refund
from clones.billing.api.presenters.shapes import Body
from clones.billing.domain.refunds import (
    cancel_refund,
    charge_of_intent,
    create_refund,
    update_refund,
)
from clones.billing.errors import RefundTargetMissing, UnknownReference
from clones.billing.models import Charge, PaymentIntent, Refund
from clones.billing.queries import check_reference, get_object
from clones.core.operations import Call


class RefundCreate(Expanding):
    """A refund to create: of which charge or payment intent, how much, and why."""

    charge: Text | None = Field(None, description="the charge to refund")
    payment_intent: Text | None = Field(None, description="or the payment intent to refund")
    amount: Integer | None = Field(
        None, ge=1, description="in minor units (cents); all that is left when it is not given"
    )
    reason: Literal["duplicate", "fraudulent", "requested_by_customer"] | None = None
    metadata: Metadata = None
    currency: Currency | None = None
    refund_application_fee: Boolean | None = None
    reverse_transfer: Boolean | None = None


class RefundList(Listing):
    """Filters of a list of refunds."""

    charge: Text | None = Field(None, description="only refunds of this charge")
    payment_intent: Text | None = Field(None, description="only refunds of this payment intent")
    created: Period | None = Field(None, description="only refunds made within these bounds")


class RefundUpdate(Expanding):
    """The attributes of a refund that can be changed."""

    metadata: Metadata = None


def get_refund(id: str) -> Refund:
    """Return a refund."""
    rows = Refund.objects.select_related("charge")
    return get_object(rows, id, kind="refund", param="refund")


@read("GetRefunds", "/refunds", summary="List refunds, newest first.", query=RefundList)
def list_refunds(call: Call) -> Body:
    """Answer with a page of refunds."""
    query: RefundList = call.query
    check_reference(Charge, query.charge, param="charge")
    check_reference(PaymentIntent, query.payment_intent, param="payment_intent")
    rows = within(Refund.objects.select_related("charge"), "created", query.created)
    if query.charge is not None:
        rows = rows.filter(charge=query.charge)
    if query.payment_intent is not None:
        rows = rows.filter(payment_intent=query.payment_intent)
    body = page_of(rows, query, url="/v1/refunds", kind="refund", present=present_refund)
    return expand(body, query.expand, of="refund", kind="list")


@read("GetRefundsRefund", "/refunds/{refund}", summary="Show one refund.")
def show_refund(call: Call) -> Body:
    """Answer with a refund."""
    body = present_refund(get_refund(call.path["refund"]), "detail")
    return expand(body, call.query.expand, of="refund", kind="detail")


@write(
    "PostRefunds",
    "/refunds",
    summary="Give money back on a charge, all that is left of it or a part.",
    body=RefundCreate,
)
def make_refund(call: Call) -> Body:
    """Answer with the refund that was made."""
    given: RefundCreate = call.body
    refund = create_refund(
        _target(given),
        actor=call.actor,
        amount=given.amount,
        reason=given.reason,
        metadata=given.metadata,
    )
    return expand(present_refund(refund, "detail"), given.expand, of="refund", kind="detail")


def _target(given: RefundCreate) -> Charge:
    """Return the charge to refund."""
    rows = Charge.objects.all()
    if given.payment_intent is not None:
        intent = PaymentIntent.objects.filter(pk=given.payment_intent).first()
        if intent is None:
            raise UnknownReference("payment_intent", "payment_intent", given.payment_intent)
        if given.charge is None:
            return charge_of_intent(intent)
        rows = rows.filter(payment_intent=intent.id)
    if given.charge is None:
        raise RefundTargetMissing
    return get_object(rows, given.charge, kind="charge")


@write(
    "PostRefundsRefund",
    "/refunds/{refund}",
    summary="Change a refund's metadata.",
    body=RefundUpdate,
)
def change_refund(call: Call) -> Body:
    """Answer with the refund as it is now."""
    given: RefundUpdate = call.body
    refund = update_refund(
        get_refund(call.path["refund"]), actor=call.actor, metadata=given.metadata
    )
    return expand(present_refund(refund, "detail"), given.expand, of="refund", kind="detail")


@write(
    "PostRefundsRefundCancel",
    "/refunds/{refund}/cancel",
    summary="Call back a refund that waits for the customer. Those to cards cannot be.",
)
def withdraw_refund(call: Call) -> Body:
    """Answer with the refund as it is now."""
    refund = cancel_refund(get_refund(call.path["refund"]), actor=call.actor)
    return expand(present_refund(refund, "detail"), call.body.expand, of="refund", kind="detail")
