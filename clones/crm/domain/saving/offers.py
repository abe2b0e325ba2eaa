"""Quotes, service contracts, orders and contracts: their totals, dates and statuses."""

from __future__ import annotations

import calendar
from datetime import date, timedelta
from typing import Final

from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.lines import ACTIVATED
from clones.crm.domain.saving.stages import Stage, step
from clones.crm.errors import RecordError
from clones.crm.models import rows_of

# The object that lists the statuses of another.
_STATUSES: Final = {"Order": "OrderStatus", "Contract": "ContractStatus"}
_MONTHS_IN_YEAR: Final = 12


@step(Stage.FILLING_IN)
def fill_in_offer(change: Change) -> None:
    """Set what a quote, a service contract, an order or a contract says by itself.

    Raises:
        RecordError: it is activated before its time, or set back.
    """
    if change.of.name in ("Quote", "ServiceContract"):
        _totals(change)
    if change.of.name in _STATUSES:
        _status(change)
    if change.of.name == "Contract":
        _end(change)
    if change.of.name == "Order" and change.get("TotalAmount") is None:
        change.set("TotalAmount", 0.0)


def _totals(change: Change) -> None:
    subtotal, total = change.get("Subtotal") or 0.0, change.get("TotalPrice") or 0.0
    change.set("Subtotal", subtotal)
    change.set("TotalPrice", total)
    change.set("LineItemCount", change.get("LineItemCount") or 0)
    change.set("Discount", round((subtotal - total) / subtotal * 100, 2) if subtotal else 0.0)
    more = (change.get("Tax") or 0) + (change.get("ShippingHandling") or 0)
    change.set("GrandTotal", round(total + more, 2))
    if change.of.name == "ServiceContract":
        _term(change)
    elif change.has_changed("OpportunityId") and change.get("OpportunityId") is not None:
        _sold_to(change)


def _sold_to(change: Change) -> None:
    """Let a quote be for the account of its opportunity."""
    rows = rows_of("Opportunity").filter(Id=change.get("OpportunityId"))
    account = rows.values_list("AccountId", flat=True).first()
    change.set("AccountId", account)
    names = rows_of("Account").filter(Id=account).values_list("Name", flat=True)
    name = names.first() if account is not None else None
    for field in ("BillingName", "ShippingName", "QuoteToName", "AdditionalName"):
        if change.get(field) is None:
            change.set(field, name)


def _term(change: Change) -> None:
    """Let a service contract end after its term, and say whether it is in effect."""
    start, end, months = change.get("StartDate"), change.get("EndDate"), change.get("Term")
    is_term = start is not None and months is not None and change.has_changed("StartDate", "Term")
    if is_term and (end is None or "EndDate" not in change.said):
        end = _last_day(start, months)
        change.set("EndDate", end)
    today = change.now.date()
    if start is None or start > today:
        change.set("Status", "Inactive")
    else:
        change.set("Status", "Expired" if end is not None and end < today else "Active")


def _end(change: Change) -> None:
    """Let a contract end after its term."""
    start, months = change.get("StartDate"), change.get("ContractTerm")
    if change.has_changed("StartDate", "ContractTerm"):
        has_both = start is not None and months is not None
        change.set("EndDate", _last_day(start, months) if has_both else None)


def _last_day(start: date, months: int) -> date | None:
    """Return the last day of some months from a day on; None where calendars have no such day."""
    place = start.year * _MONTHS_IN_YEAR + start.month - 1 + months
    year, month = divmod(place, _MONTHS_IN_YEAR)
    if not date.min.year < year < date.max.year:
        return None
    day = min(start.day, calendar.monthrange(year, month + 1)[1])
    return date(year, month + 1, day) - timedelta(days=1)


def _status(change: Change) -> None:
    """Say of what category a status is; say who activated what, and when."""
    if not change.has_changed("Status"):
        return
    status = rows_of(_STATUSES[change.of.name]).filter(ApiName=change.get("Status")).first()
    if status is None:
        return
    before = change.get("StatusCode") if not change.is_new else None
    if status.StatusCode == ACTIVATED:
        _check_activation(change)
        if before != ACTIVATED:
            change.set("ActivatedDate", change.now)
            change.set("ActivatedById", change.actor)
    elif before == ACTIVATED and change.of.name == "Contract":
        raise _not_valid(change)
    change.set("StatusCode", status.StatusCode)


def _check_activation(change: Change) -> None:
    """See that what is to be activated was a draft before, and has what it needs."""
    if change.is_new:
        raise _not_valid(change)
    if change.of.name == "Order":
        items = rows_of("OrderItem").filter(OrderId=change.get("Id"), IsDeleted=False)
        if not items.exists():
            raise RecordError("FAILED_ACTIVATION", "An order must have at least one product.")


def _not_valid(change: Change) -> RecordError:
    kind = change.of.name.lower()
    return RecordError(
        "FAILED_ACTIVATION",
        f"Choose a valid {kind} status and save your changes. Ask your Salesforce admin for"
        " details.",
        ["Status"],
    )
