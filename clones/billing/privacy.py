"""What billing says of privacy (`clones.core.privacy`): who pays, and what is theirs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from clones.billing.models import (
    Charge,
    Customer,
    Invoice,
    PaymentIntent,
    PaymentMethod,
    Refund,
    Subscription,
)
from clones.core.privacy import (
    Image,
    KnownPerson,
    OutgoingText,
    Privacy,
    PrivateFact,
    WorldRows,
    changed,
    codes_in,
)

Reader = Callable[[Image | None, Image, WorldRows], Iterator[OutgoingText]]
STREET: Final = re.compile(r"(?=.*\d)(?=.*[^\W\d]).{8,}")


def customer_name(key: str) -> str:
    """Return the name by which billing tells of a customer."""
    return f"billing.customer:{key}"


def people(rows: WorldRows) -> Iterator[KnownPerson]:
    """Yield everybody who pays, under the address that they gave."""
    for key, called, email in rows.each(Customer, "id", "name", "email"):
        names = {customer_name(key), *([email.lower()] if email else [])}
        yield KnownPerson(frozenset(names), called or "")


def facts(rows: WorldRows) -> Iterator[PrivateFact]:
    """Yield addresses, numbers and the identifiers of what customers bought and paid."""
    yield from _of_customers(rows)
    yield from _of_payments(rows)
    for customer, card in rows.each(PaymentMethod, "customer_id", "card"):
        if customer is not None and card.get("last4"):
            owner = frozenset({customer_name(customer)})
            yield PrivateFact("card", str(card["last4"]), owner)


def _of_customers(rows: WorldRows) -> Iterator[PrivateFact]:
    columns = ("id", "email", "phone", "address", "shipping", "metadata")
    for key, email, phone, address, shipping, metadata in rows.each(Customer, *columns):
        owner = frozenset({customer_name(key)})
        yield PrivateFact("code", key, owner)
        if email:
            yield PrivateFact("email", email, owner)
        for number in (phone, (shipping or {}).get("phone")):
            if number:
                yield PrivateFact("phone", number, owner)
        for place in (address, (shipping or {}).get("address")):
            yield from _street(place, owner)
        yield from codes_in(metadata, owner)


def _of_payments(rows: WorldRows) -> Iterator[PrivateFact]:
    """Yield the identifiers of what hangs on customers, and the codes that charges carry."""
    for model in (Subscription, PaymentIntent, PaymentMethod):
        for key, customer in rows.each(model, "id", "customer_id"):
            if customer is not None:
                yield PrivateFact("code", key, frozenset({customer_name(customer)}))
    for customer, key, number in rows.each(Invoice, "customer_id", "id", "number"):
        for value in filter(None, (key, number)):
            yield PrivateFact("code", value, frozenset({customer_name(customer)}))
    for key, customer, metadata in rows.each(Charge, "id", "customer_id", "metadata"):
        if customer is not None:
            owner = frozenset({customer_name(customer)})
            yield PrivateFact("code", key, owner)
            yield from codes_in(metadata, owner)
    yield from _of_refunds(rows)


def _of_refunds(rows: WorldRows) -> Iterator[PrivateFact]:
    """Yield the identifiers of refunds; a charge keeps its customer, whose they are."""
    refunds = list(rows.each(Refund, "id", "charge_id"))
    charges = {charge for _, charge in refunds if charge}
    payers = dict(rows.of(Charge, "id", "customer_id", id=charges)) if charges else {}
    for key, charge in refunds:
        if payers.get(charge) is not None:
            yield PrivateFact("code", key, frozenset({customer_name(payers[charge])}))


def _street(place: Mapping[str, Any] | None, owner: frozenset[str]) -> Iterator[PrivateFact]:
    line = str((place or {}).get("line1") or "")
    if STREET.fullmatch(line):
        yield PrivateFact("code", line, owner)


def _to_customer(
    customer: str | None, text: str, rows: WorldRows, *others: str
) -> Iterator[OutgoingText]:
    hearers = {address.lower() for address in others}
    if customer is not None:
        hearers |= {customer_name(customer)}
        emails = rows.of(Customer, "email", id=[customer])
        hearers |= {email.lower() for (email,) in emails if email}
    yield OutgoingText(text, frozenset(hearers))


def _invoice(before: Image | None, after: Image, rows: WorldRows) -> Iterator[OutgoingText]:
    if changed(before, after, "description") and after["description"]:
        yield from _to_customer(after["customer_id"], after["description"], rows)


def _line(before: Image | None, after: Image, rows: WorldRows) -> Iterator[OutgoingText]:
    if changed(before, after, "description") and after["description"]:
        for (customer,) in rows.of(Invoice, "customer_id", id=[after["invoice_id"]]):
            yield from _to_customer(customer, after["description"], rows)


def _receipt(before: Image | None, after: Image, rows: WorldRows) -> Iterator[OutgoingText]:
    """Yield what a receipt says; at another's address it tells of the payment itself."""
    if changed(before, after, "description", "statement_descriptor", "receipt_email"):
        texts = [after["description"] or "", after["statement_descriptor"] or ""]
        email = after["receipt_email"]
        if email and changed(before, after, "receipt_email"):
            texts.append(after["id"])
        yield from _to_customer(
            after["customer_id"], "\n".join(texts), rows, *([email] if email else [])
        )


OUTGOING: Final[Mapping[str, Reader]] = {
    "billing_invoice": _invoice,
    "billing_invoiceline": _line,
    "billing_charge": _receipt,
    "billing_paymentintent": _receipt,
}
PRIVACY: Final = Privacy(people, facts, OUTGOING)
