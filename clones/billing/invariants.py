"""What holds of billing's rows in every world: what was charged, refunded and invoiced adds up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from clones.billing import models as billing
from clones.core.vendors import Invariant


def money() -> Iterator[str]:
    """Check charges against their refunds and intents."""
    returned: Counter[str] = Counter()
    for key, amount in billing.Refund.objects.values_list("charge_id", "amount"):
        returned[key] += amount
    intents = dict(billing.PaymentIntent.objects.values_list("id", "latest_charge"))
    for charge in billing.Charge.objects.order_by("id").values():
        name = f"charge {charge['id']}"
        if (
            charge["amount_refunded"] != returned[charge["id"]]
            or charge["amount_refunded"] > charge["amount"]
        ):
            yield f"{name}: refunds do not add up"
        if charge["refunded"] != (charge["amount_refunded"] == charge["amount"]):
            yield f"{name}: refunded is not what its refunds say"
        if (charge["status"] == "succeeded") != (charge["balance_transaction_id"] is not None):
            yield f"{name} is {charge['status']} but its balance says otherwise"
        if intents.get(charge["payment_intent"] or "") != charge["id"]:
            yield f"{name} is not its intent's latest charge"


def invoices() -> Iterator[str]:
    """Check invoices against their lines and payments."""
    lines: Counter[str] = Counter()
    for key, amount in billing.InvoiceLine.objects.values_list("invoice_id", "amount"):
        lines[key] += amount
    numbers = Counter(billing.Invoice.objects.values_list("number", flat=True))
    yield from (
        f"invoice number {number} was given {count} times"
        for number, count in numbers.items()
        if count > 1
    )
    for invoice in billing.Invoice.objects.order_by("id").values(
        "id", "total", "status", "amount_paid"
    ):
        if lines[invoice["id"]] != invoice["total"]:
            yield f"invoice {invoice['id']}: its lines do not add up"
        if (invoice["status"] == "paid") != (invoice["amount_paid"] == invoice["total"]):
            paid = invoice["amount_paid"]
            yield f"invoice {invoice['id']} is {invoice['status']} with {paid} paid"


INVARIANTS: Final[tuple[Invariant, ...]] = (money, invoices)
