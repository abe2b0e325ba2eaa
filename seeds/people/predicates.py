"""What people look at before they are content: questions to the world, by name.

Each says which tables can make it true, so that somebody who looks there notices in time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import QuerySet, Sum

from clones.billing.models import Refund
from clones.helpdesk.models import Ticket, User
from seeds.people.understanding import plain

Ask = Callable[[Mapping[str, Any]], bool]
GONE_WRONG = ("failed", "canceled")
HOLDERS: Final[dict[str, Any]] = {"helpdesk_ticket": Ticket, "helpdesk_user": User}


class UnknownPredicate(Exception):
    """Raised when nobody knows how to look at something."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """A question to the world and the tables that answer it."""

    ask: Ask
    tables: frozenset[str]


_predicates: dict[str, Predicate] = {}


def predicate(name: str, *, tables: frozenset[str]) -> Callable[[Ask], Ask]:
    """Register a question under the name that personas use."""

    def register(ask: Ask) -> Ask:
        _predicates[name] = Predicate(ask, tables)
        return ask

    return register


def holds(name: str, parameters: Mapping[str, Any]) -> bool:
    """Tell whether something is so now.

    Raises:
        UnknownPredicate: there is no such question.
    """
    return _known(name).ask(parameters)


def tables_of(name: str) -> frozenset[str]:
    """Return the tables whose changes can make it so.

    Raises:
        UnknownPredicate: there is no such question.
    """
    return _known(name).tables


@predicate("refund_visible", tables=frozenset({"billing_refund"}))
def refund_visible(parameters: Mapping[str, Any]) -> bool:
    """Tell whether at least `amount` minor units came back on `charge`."""
    back = _total(Refund.objects.filter(charge_id=parameters["charge"]))
    return back >= int(parameters["amount"])


@predicate("money_back", tables=frozenset({"billing_refund"}))
def money_back(parameters: Mapping[str, Any]) -> bool:
    """Tell whether anything came back to the payer with `email` since `since` (ISO 8601)."""
    since = datetime.fromisoformat(parameters["since"])
    paid_by = Refund.objects.filter(charge__customer__email__iexact=parameters["email"])
    return _total(paid_by.filter(created__gte=since)) > 0


@predicate("record_holds", tables=frozenset(HOLDERS))
def record_holds(parameters: Mapping[str, Any]) -> bool:
    """Tell whether each of `places` holds its value.

    A place is {"table", "key", "column", "name" of a field kept in the column or None, "value"}.
    """
    return all(same_entry(place_value(place), place["value"]) for place in parameters["places"])


def place_value(place: Mapping[str, Any]) -> Any:
    """Return what a place holds, None if its record is gone."""
    rows = HOLDERS[place["table"]].objects.filter(pk=place["key"])
    held = rows.values_list(place["column"], flat=True).first()
    return held if place["name"] is None else (held or {}).get(place["name"])


def same_entry(one: Any, other: Any) -> bool:
    """Tell whether two entries of a record read the same: case, spacing and points aside."""
    left, right = (
        re.sub(r"\W+", "", plain("" if value is None else str(value))) for value in (one, other)
    )
    return left == right


def _total(refunds: QuerySet[Refund]) -> int:
    found = refunds.exclude(status__in=GONE_WRONG).aggregate(total=Sum("amount"))
    return int(found["total"] or 0)


def _known(name: str) -> Predicate:
    found = _predicates.get(name)
    if found is None:
        raise UnknownPredicate(f"nobody knows how to look at {name!r}")
    return found
