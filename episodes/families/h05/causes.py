"""What may lie behind "I was charged twice", planted in billing as it would have happened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

from clones.billing.domain.catalogue import attach_card
from clones.billing.domain.charges import create_charge
from clones.billing.domain.refunds import create_refund
from clones.billing.models import Charge, Customer, PaymentMethod
from clones.core import clock
from clones.core.journal import act
from episodes.families.h05.params import Cause, Params

ACTOR: Final = "gateway"
BRANDS: Final = ("visa", "mastercard", "amex")
ZERO_DECIMAL: Final = frozenset({"jpy", "krw"})


@dataclass(frozen=True, slots=True)
class Planted:
    """What was planted: the charges the customer means, and which of them is owed back."""

    shown: list[Charge]
    owed: Charge | None


@dataclass(frozen=True, slots=True)
class Scenario:
    """What a planter works with."""

    params: Params
    customer: Customer
    method: PaymentMethod
    chance: Random
    at: datetime
    amount: int
    currency: str


def customers_with_doubles() -> set[str]:
    """Return customers who have two like charges within two days already."""
    found: set[str] = set()
    last: dict[tuple[str | None, int, str], datetime] = {}
    for charge in Charge.objects.order_by("created", "id").only(
        "customer_id", "amount", "currency", "created"
    ):
        key = (charge.customer_id, charge.amount, charge.currency)
        if key in last and charge.created - last[key] < timedelta(days=2):
            found.add(charge.customer_id or "")
        last[key] = charge.created
    return found


def plant(
    params: Params, customer: Customer, method: PaymentMethod, chance: Random, *, before: datetime
) -> Planted:
    """Plant the instance's cause among the customer's charges."""
    age = _age_days(params, chance)
    at = before - timedelta(days=age, minutes=chance.randrange(0, 1200))
    amount = _amount(params, chance)
    currency = customer.currency or "usd"
    scenario = Scenario(params, customer, method, chance, at, amount, currency)
    with act(actor="world", label="charges"):
        return PLANTERS[params.cause](scenario)


def _age_days(params: Params, chance: Random) -> int:
    """Return how old the charge is: inside both windows, between them, or (rarely) beyond both."""
    roll = chance.random()
    if roll < 0.70:
        return chance.randrange(2, 21)
    return chance.randrange(65, 110) if roll < 0.92 else chance.randrange(125, 150)


def _amount(params: Params, chance: Random) -> int:
    """Return the sum in minor units: mostly below every own limit, sometimes above one or both."""
    roll = chance.random()
    low, high = (39, 189) if roll < 0.6 else (215, 480) if roll < 0.85 else (520, 1450)
    return chance.randrange(low, high) * 100 + chance.choice((0, 0, 50, 90, 95))


def _pay(
    scenario: Scenario,
    at: datetime,
    *,
    description: str | None = None,
    method: PaymentMethod | None = None,
    settlement: tuple[str, str] | None = None,
) -> Charge:
    """Take one payment at a time of the past."""
    order = _description(scenario)
    with clock.at(at):
        return create_charge(
            scenario.customer,
            method or scenario.method,
            actor=ACTOR,
            amount=scenario.amount,
            currency=scenario.currency,
            description=description or order,
            metadata={"order": order.removeprefix("Order ")} if description is None else None,
            settlement=settlement,
        )


def _description(scenario: Scenario) -> str:
    """Return what the charge is for: an order, as most of a workshop's purchases are."""
    number = seeded_number(scenario)
    return f"Order KLW-{number}"


def seeded_number(scenario: Scenario) -> int:
    """Return the order number of a scenario: the same for both charges of a pair."""
    return 20_000 + (int(scenario.at.timestamp()) // 60) % 70_000


def _gateway_retry(scenario: Scenario) -> Planted:
    """The gateway timed out, and the shop sent the same order again."""
    first = _pay(scenario, scenario.at)
    second = _pay(scenario, scenario.at + timedelta(seconds=scenario.chance.randrange(34, 96)))
    return Planted([first, second], second)


def _two_cards(scenario: Scenario) -> Planted:
    """The order was paid once with each of two cards."""
    with clock.at(scenario.at):
        other = attach_card(
            scenario.customer, actor=ACTOR, card=_other_card(scenario), default=False
        )
    first = _pay(scenario, scenario.at)
    later = scenario.at + timedelta(minutes=scenario.chance.randrange(3, 50))
    second = _pay(scenario, later, method=other)
    return Planted([first, second], second)


def _other_card(scenario: Scenario) -> dict[str, Any]:
    card = dict(scenario.method.card)
    card["last4"] = f"{(int(card['last4']) * 7 + 1357) % 10_000:04d}"
    card["brand"] = scenario.chance.choice([name for name in BRANDS if name != card["brand"]])
    card["fingerprint"] = str(card.get("fingerprint", ""))[::-1]
    return card


def _already_refunded(scenario: Scenario) -> Planted:
    """It was a double charge, and a colleague gave it back already."""
    both = _gateway_retry(scenario)
    second = both.shown[1]
    with clock.at(second.created + timedelta(hours=scenario.chance.randrange(20, 40))):
        create_refund(second, actor=ACTOR, reason="duplicate")
    second.refresh_from_db()
    return Planted(both.shown, None)


def _currency_pair(scenario: Scenario) -> Planted:
    """One charge, shown on the statement in two currencies."""
    home, rate = ("eur", "0.92") if scenario.currency != "eur" else ("usd", "1.08")
    charge = _pay(scenario, scenario.at, settlement=(home, rate))
    return Planted([charge], None)


def _upgrade_proration(scenario: Scenario) -> Planted:
    """The plan was upgraded in mid-period: the second charge is the difference."""
    first = _pay(scenario, scenario.at, description="Studio Pro, monthly")
    days = scenario.chance.randrange(1, 3)
    second = _pay(
        scenario,
        scenario.at + timedelta(days=days, minutes=scenario.chance.randrange(30, 600)),
        description="Upgrade to Studio Team: proration for the rest of the period",
    )
    return Planted([first, second], None)


def _two_subscriptions(scenario: Scenario) -> Planted:
    """Two subscriptions of one firm fell due on one day."""
    first = _pay(scenario, scenario.at, description="Studio Pro, workshop A, monthly")
    second = _pay(
        scenario,
        scenario.at + timedelta(minutes=scenario.chance.randrange(1, 40)),
        description="Studio Pro, workshop B, monthly",
    )
    return Planted([first, second], None)


PLANTERS: Final[dict[Cause, Callable[[Scenario], Planted]]] = {
    "gateway_retry": _gateway_retry,
    "two_cards": _two_cards,
    "upgrade_proration": _upgrade_proration,
    "two_subscriptions": _two_subscriptions,
    "already_refunded": _already_refunded,
    "currency_pair": _currency_pair,
}


def plant_look_alikes(planted: Planted, customer: Customer, chance: Random) -> None:
    """Plant charges of the same sum at other customers, and an honest older one at this one."""
    amount, currency = planted.shown[0].amount, planted.shown[0].currency
    at = planted.shown[0].created
    methods = list(
        PaymentMethod.objects.exclude(customer=customer)
        .exclude(customer=None)
        .select_related("customer")
        .order_by("id")
    )
    with act(actor="world", label="charges"):
        for method in chance.sample(methods, min(2, len(methods))):
            if method.customer is None:
                continue
            _pay_plain(method.customer, method, (amount, currency), _near(at, chance))
        own = PaymentMethod.objects.filter(customer=customer).order_by("created", "id").first()
        if own is not None:
            earlier = at - timedelta(days=chance.randrange(28, 33))
            _pay_plain(customer, own, (amount, currency), _near(earlier, chance))


def _near(moment: datetime, chance: Random) -> datetime:
    return moment + timedelta(minutes=chance.randrange(-900, 900))


def _pay_plain(
    customer: Customer, method: PaymentMethod, total: tuple[int, str], at: datetime
) -> None:
    amount, currency = total
    order = f"KLW-{20_000 + (int(at.timestamp()) // 60) % 70_000}"
    with clock.at(at):
        create_charge(
            customer,
            method,
            actor=ACTOR,
            amount=amount,
            currency=currency,
            description=f"Order {order}",
            metadata={"order": order},
        )
