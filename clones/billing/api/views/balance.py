"""The merchant's balance and what moved it."""

from __future__ import annotations

from functools import partial

from pydantic import Field

from clones.billing.api.expansions import expand
from clones.billing.api.operations import read
from clones.billing.api.paging import page_of, within
from clones.billing.api.parameters import Currency, Listing, Period, Text
from clones.billing.api.presenters import present_balance, present_balance_transaction
from clones.billing.api.presenters.shapes import Body
from clones.billing.models import BalanceTransaction
from clones.billing.queries import balances, get_object
from clones.core import clock
from clones.core.operations import Call


class BalanceTransactionList(Listing):
    """Filters of a list of movements."""

    source: Text | None = Field(None, description="only what this charge or refund moved")
    type: Text | None = Field(None, description="only movements of this type, as `refund`")
    currency: Currency | None = None
    payout: Text | None = None
    created: Period | None = None


@read("GetBalance", "/balance", summary="Show what the merchant has, and what is on its way.")
def show_balance(call: Call) -> Body:
    """Answer with the balance."""
    available, pending = balances()
    return expand(
        present_balance(available, pending), call.query.expand, of="balance", kind="detail"
    )


@read(
    "GetBalanceTransactions",
    "/balance_transactions",
    summary="List movements on the balance, newest first.",
    query=BalanceTransactionList,
)
def list_balance_transactions(call: Call) -> Body:
    """Answer with a page of movements."""
    query: BalanceTransactionList = call.query
    rows = within(BalanceTransaction.objects.all(), "created", query.created)
    for field in ("source", "type", "currency"):
        value = getattr(query, field)
        if value is not None:
            rows = rows.filter(**{field: value})
    if query.payout is not None:
        rows = rows.none()
    body = page_of(
        rows,
        query,
        url="/v1/balance_transactions",
        kind="balance_transaction",
        present=partial(present_balance_transaction, now=clock.now()),
    )
    return expand(body, query.expand, of="balance_transaction", kind="list")


@read(
    "GetBalanceTransactionsId",
    "/balance_transactions/{id}",
    summary="Show one movement on the balance.",
)
def show_balance_transaction(call: Call) -> Body:
    """Answer with a movement."""
    found = get_object(
        BalanceTransaction.objects.all(), call.path["id"], kind="balance_transaction"
    )
    return expand(
        present_balance_transaction(found, "detail"),
        call.query.expand,
        of="balance_transaction",
        kind="detail",
    )
