"""Customers: made, changed, deleted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from clones.billing.domain.checks import (
    Metadata,
    check_choice,
    check_email,
    check_text,
    merged_metadata,
)
from clones.billing.domain.events import record_event, save_changes
from clones.billing.domain.subscriptions import cancel_subscription
from clones.billing.models import Customer
from clones.core import clock, ids

TAX_EXEMPT = ("none", "exempt", "reverse")
LENGTHS = {"name": 256, "phone": 64, "description": 5000}


@dataclass(frozen=True, slots=True)
class CustomerChange:
    """What is to be written of a customer: None leaves a field, "" unsets it."""

    name: str | None = None
    email: str | None = None
    phone: str | None = None
    description: str | None = None
    address: Mapping[str, Any] | Literal[""] | None = None
    shipping: Mapping[str, Any] | Literal[""] | None = None
    balance: int | None = None
    tax_exempt: str | None = None
    preferred_locales: list[str] | None = None
    metadata: Metadata = None


def create_customer(change: CustomerChange, *, actor: str) -> Customer:
    """Make a customer.

    Raises:
        InvalidParameter, MetadataTooMany, MetadataKeyTooLong, MetadataValueTooLong: a value that
        cannot be kept.
    """
    customer = Customer(id=ids.next_code("cus_", Customer, length=14), created=clock.now())
    for name, value in _fields(customer, change).items():
        setattr(customer, name, value)
    customer.invoice_prefix = ids.code_text(customer.id, 8).upper()
    customer.save(force_insert=True)
    record_event("customer.created", customer, actor=actor)
    return customer


def update_customer(customer: Customer, change: CustomerChange, *, actor: str) -> Customer:
    """Change a customer.

    Raises:
        InvalidParameter, MetadataTooMany, MetadataKeyTooLong, MetadataValueTooLong: a value that
        cannot be kept.
    """
    previous = save_changes(customer, _fields(customer, change))
    if previous:
        record_event("customer.updated", customer, actor=actor, previous=previous)
    return customer


def delete_customer(customer: Customer, *, actor: str) -> Customer:
    """Delete a customer for good: what runs is cancelled, what was charged stays."""
    for subscription in customer.subscriptions.exclude(status="canceled").order_by("created", "id"):
        cancel_subscription(subscription, actor=actor)
    record_event("customer.deleted", customer, actor=actor)
    save_changes(customer, {"deleted": True})
    return customer


def _fields(customer: Customer, change: CustomerChange) -> dict[str, Any]:
    """Return what is to be written, checked."""
    fields: dict[str, Any] = {}
    check_email("email", change.email or None)
    check_choice("tax_exempt", change.tax_exempt or None, TAX_EXEMPT)
    for name, limit in LENGTHS.items():
        check_text(name, getattr(change, name), limit=limit)
    for name in ("name", "email", "phone", "description", "address", "shipping"):
        value = getattr(change, name)
        if value is not None:
            fields[name] = value or None
    for name in ("balance", "preferred_locales"):
        value = getattr(change, name)
        if value is not None:
            fields[name] = value
    if change.tax_exempt is not None:
        fields["tax_exempt"] = change.tax_exempt or "none"
    if change.metadata is not None:
        fields["metadata"] = merged_metadata(customer.metadata, change.metadata)
    return fields
