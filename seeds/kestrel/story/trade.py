"""What was bought and paid: machines, plans, orders, charges, refunds and charges made twice."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

from seeds.draw import Draws, Weighted, chance, lognormal
from seeds.kestrel.catalogue import (
    FIRMWARES,
    FOUNDED,
    MACHINES,
    PARTS,
    PLANS,
    PRESENT,
    Plan,
)
from seeds.kestrel.story.model import (
    DoubleCharge,
    Firm,
    Payer,
    Payment,
    StoryPerson,
    Subscription,
    Unit,
)
from seeds.kestrel.story.people import moment_between

BRANDS = Weighted({"visa": 0.56, "mastercard": 0.31, "amex": 0.11, "discover": 0.02})
RATES = {"eur": 1.0, "gbp": 0.86, "usd": 1.08}
HISTORY = timedelta(days=420)
MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
DECLINES = ("card_declined", "insufficient_funds", "expired_card", "processing_error")
CAUSES = Weighted(
    {
        "gateway_retry": 0.34,
        "two_cards": 0.12,
        "upgrade_proration": 0.22,
        "two_subscriptions": 0.18,
        "already_refunded": 0.08,
        "currency_pair": 0.06,
    }
)


def make_units(draws: Draws, people: list[StoryPerson], firms: list[Firm]) -> list[Unit]:
    """Return the machines that stand with customers; each person of a firm knows its machines."""
    by_model = Weighted([(machine, machine.weight) for machine in MACHINES])
    dealers = [firm for firm in firms if firm.dealer] or firms[:1]
    units: list[Unit] = []
    by_firm: dict[int, list[Unit]] = {}
    for person in people:
        rng = draws.rng("unit", person.index)
        known = by_firm.get(person.firm.index) if person.firm else None
        if known:
            person.machines = known
            continue
        count = 1 + (chance(rng, 0.22)) + (chance(rng, 0.08)) if chance(rng, 0.9) else 0
        if person.firm and person.firm.dealer:
            count += 2
        own: list[Unit] = []
        for _ in range(count):
            machine = by_model.draw(rng)
            first = max(
                datetime(machine.first_year, 2, 1, tzinfo=FOUNDED.tzinfo),
                person.since - timedelta(days=40),
            )
            last = min(
                datetime(machine.last_year, 12, 20, tzinfo=FOUNDED.tzinfo),
                PRESENT - timedelta(days=4),
            )
            bought = moment_between(rng, min(first, last), last)
            week = bought.isocalendar().week
            serial = f"{machine.code}-{bought:%y}{week:02d}-{rng.randrange(12, 2400):04d}"
            dealer = rng.choice(dealers) if chance(rng, 0.3) else None
            own.append(Unit(machine, serial, person.index, bought, dealer, rng.choice(FIRMWARES)))
        units += own
        person.machines = own
        if person.firm:
            by_firm[person.firm.index] = own
    return units


def make_payers(draws: Draws, people: list[StoryPerson]) -> list[Payer]:
    """Return the paying accounts with everything they were charged in the past 14 months."""
    payers: list[Payer] = []
    paying_firms: set[int] = set()
    for person in people:
        rng = draws.rng("payer", person.index)
        firm = person.firm
        if firm and firm.index in paying_firms:
            continue
        if not chance(rng, 0.74 if firm else 0.62):
            continue
        if firm:
            paying_firms.add(firm.index)
        payers.append(_payer(rng, len(payers), person))
    counters = {"charge": 0, "subscription": 0}
    for payer in payers:
        _subscribe(draws, payer, counters)
        _order(draws, payer, people[payer.person], counters)
        payer.charges.sort(key=lambda charge: (charge.created, charge.index))
    return payers


def _payer(rng: Random, index: int, person: StoryPerson) -> Payer:
    name = person.firm.name if person.firm and chance(rng, 0.7) else person.name
    email = person.email
    if person.firm and chance(rng, 0.16):
        email = f"{rng.choice(('accounts', 'invoices', 'billing', 'finance'))}@{person.firm.domain}"
    cards = [(BRANDS.draw(rng), f"{rng.randrange(10000):04d}")]
    if chance(rng, 0.18):
        cards.append((BRANDS.draw(rng), f"{rng.randrange(10000):04d}"))
    return Payer(
        index, person.index, name, email, person.country.currency, person.since, tuple(cards)
    )


def _subscribe(draws: Draws, payer: Payer, counters: dict[str, int]) -> None:
    rng = draws.rng("subscription", payer.index)
    if not chance(rng, 0.78):
        return
    plan = Weighted([(plan, plan.weight) for plan in PLANS]).draw(rng)
    start = moment_between(
        rng, max(payer.since, PRESENT - timedelta(days=900)), PRESENT - timedelta(days=1)
    )
    counters["subscription"] += 1
    subscription = Subscription(counters["subscription"], payer.index, plan, start)
    if chance(rng, 0.12):
        ended = moment_between(rng, max(start, PRESENT - timedelta(days=300)), PRESENT)
        subscription.ended = ended
    payer.subscriptions.append(subscription)
    _bill(rng, payer, subscription, counters)


def _bill(rng: Random, payer: Payer, subscription: Subscription, counters: dict[str, int]) -> None:
    """Charge each period of a subscription that began in the kept history."""
    months = 12 if subscription.plan.interval == "year" else 1
    last = subscription.ended or PRESENT
    count, moment = 0, subscription.start
    while moment < last:
        following = months_after(subscription.start, (count + 1) * months)
        if moment > PRESENT - HISTORY:
            _charge_period(rng, payer, subscription, counters, moment=moment, until=following)
        count, moment = count + 1, following


def months_after(moment: datetime, months: int) -> datetime:
    """Return the same day and time `months` later, or the month's last day if it is shorter."""
    year, month = divmod(moment.month - 1 + months, 12)
    return moment.replace(
        year=moment.year + year, month=month + 1, day=min(moment.day, MONTH_DAYS[month])
    )


def _charge_period(
    rng: Random,
    payer: Payer,
    subscription: Subscription,
    counters: dict[str, int],
    *,
    moment: datetime,
    until: datetime,
) -> None:
    plan = subscription.plan
    description = f"{plan.name} ({'yearly' if plan.interval == 'year' else 'monthly'})"
    card = payer.cards[0]
    if chance(rng, 0.025):
        failed = _payment(
            payer,
            plan.prices[payer.currency],
            moment,
            counters,
            description=description,
            card=card,
        )
        failed.status, failed.failure = "failed", rng.choice(DECLINES)
        failed.subscription = subscription.index
        moment += timedelta(days=rng.choice((1, 3, 3, 5)), seconds=rng.randrange(4000))
        if moment >= PRESENT:
            return
        card = payer.cards[-1]
    paid = _payment(
        payer,
        plan.prices[payer.currency],
        moment,
        counters,
        description=description,
        card=card,
    )
    paid.subscription, paid.period = subscription.index, (moment, until)
    if chance(rng, 0.012):
        _refund(rng, paid, paid.amount, "requested_by_customer")


def _order(draws: Draws, payer: Payer, person: StoryPerson, counters: dict[str, int]) -> None:
    """Charge spare parts, and machines bought direct within the kept history."""
    rng = draws.rng("order", payer.index)
    number = 104_000 + draws.rng("order-number", payer.index).randrange(3000)
    for unit in person.machines:
        if unit.owner == person.index and unit.dealer is None and unit.bought > PRESENT - HISTORY:
            amount, name = _local(unit.machine.price, payer.currency), unit.machine.name
            charge = _payment(
                payer, amount, unit.bought, counters, description=name, card=payer.cards[-1]
            )
            charge.order = f"KL-{number + payer.index * 7 % 90_000 + 1}"
            if chance(rng, 0.04):
                back = amount if chance(rng, 0.6) else int(amount * 0.85)
                _refund(rng, charge, back, "requested_by_customer")
    for turn in range(min(int(lognormal(rng, 1.1, 0.9)), 9)):
        _, name, price = PARTS[int(len(PARTS) * rng.random())]
        count = 1 + (chance(rng, 0.25)) * rng.randrange(1, 4)
        first = max(payer.since, PRESENT - HISTORY)
        charge = _payment(
            payer,
            _local(price, payer.currency) * count,
            moment_between(rng, first, PRESENT - timedelta(hours=3)),
            counters,
            description=f"{count} x {name}" if count > 1 else name,
            card=rng.choice(payer.cards),
        )
        charge.order = f"KL-{number + payer.index * 13 % 80_000 + turn * 3 + 11}"
        if chance(rng, 0.05):
            _refund(rng, charge, charge.amount, "requested_by_customer")
        if chance(rng, 0.004):
            charge.disputed = True


def _local(cents: int, currency: str) -> int:
    """Return a EUR price as the shop shows it in another currency: ending in whole units."""
    return int(cents * RATES[currency] // 100) * 100


def _payment(
    payer: Payer,
    amount: int,
    moment: datetime,
    counters: dict[str, int],
    *,
    description: str,
    card: tuple[str, str],
) -> Payment:
    counters["charge"] += 1
    payment = Payment(
        counters["charge"],
        payer.index,
        amount,
        payer.currency,
        moment.replace(microsecond=0),
        description,
        card,
    )
    payer.charges.append(payment)
    return payment


def _refund(rng: Random, charge: Payment, amount: int, reason: str) -> None:
    moment = charge.created + timedelta(hours=lognormal(rng, 70, 1.0))
    if moment < PRESENT:
        charge.refunds.append((amount, moment.replace(microsecond=0), reason))


def make_double_charges(draws: Draws, payers: list[Payer], wanted: int) -> list[DoubleCharge]:
    """Plant pairs of charges that look like one too many, and put the past ones right."""
    candidates = [
        (payer, charge)
        for payer in payers
        for charge in payer.charges
        if charge.status == "succeeded"
        and not charge.refunds
        and charge.created < PRESENT - timedelta(days=3)
        and (not charge.order or charge.amount < 100_000)
    ]
    found: list[DoubleCharge] = []
    used: set[int] = set()
    highest = max((charge.index for payer in payers for charge in payer.charges), default=0)
    subscriptions = max((sub.index for payer in payers for sub in payer.subscriptions), default=0)
    counters = {"charge": highest, "subscription": subscriptions}
    for index in range(wanted):
        rng = draws.rng("double", index)
        payer, charge = candidates[rng.randrange(len(candidates))]
        if payer.index in used:
            continue
        used.add(payer.index)
        found.append(_double(rng, index, payer, charge, counters))
        payer.charges.sort(key=lambda item: (item.created, item.index))
    return found


def _double(
    rng: Random, index: int, payer: Payer, charge: Payment, counters: dict[str, int]
) -> DoubleCharge:
    cause = CAUSES.draw(rng)
    wait = (
        timedelta(seconds=rng.randrange(20, 400))
        if cause == "gateway_retry"
        else timedelta(hours=rng.randrange(1, 60))
    )
    moment = min(charge.created + wait, PRESENT - timedelta(hours=4))
    card = charge.card
    amount = charge.amount
    owed = 0
    if cause == "two_cards":
        card = next(
            (other for other in payer.cards if other != charge.card),
            (BRANDS.draw(rng), f"{rng.randrange(10000):04d}"),
        )
    second = _payment(payer, amount, moment, counters, description=charge.description, card=card)
    second.subscription, second.order, second.period = (
        charge.subscription,
        charge.order,
        charge.period,
    )
    if cause in ("gateway_retry", "two_cards"):
        owed = amount
    elif cause == "already_refunded":
        second.refunds.append(
            (amount, second.created + timedelta(minutes=rng.randrange(30, 300)), "duplicate")
        )
    elif cause == "upgrade_proration":
        _prorate(rng, second, payer)
    elif cause == "two_subscriptions":
        _second_subscription(second, payer, counters)
    else:
        other = "usd" if payer.currency != "usd" else "eur"
        second.currency = other
        second.amount = int(amount / RATES[payer.currency] * RATES[other])
        second.created = charge.created
        charge.status, charge.failure = "failed", "currency_not_supported"
    return DoubleCharge(index, payer.index, cause, charge.index, second.index, owed)


def _prorate(rng: Random, second: Payment, payer: Payer) -> None:
    higher: Plan = PLANS[4]
    second.amount = max(int(higher.prices[payer.currency] * rng.uniform(0.2, 0.95)), 100)
    second.description = f"Proration: remaining time on {higher.name}"
    second.proration = True


def _second_subscription(second: Payment, payer: Payer, counters: dict[str, int]) -> None:
    plan = payer.subscriptions[0].plan if payer.subscriptions else PLANS[0]
    counters["subscription"] += 1
    payer.subscriptions.append(
        Subscription(counters["subscription"], payer.index, plan, second.created)
    )
    second.subscription, second.order = counters["subscription"], None
    second.amount = plan.prices[payer.currency]
    second.description = f"{plan.name} ({'yearly' if plan.interval == 'year' else 'monthly'})"
    months = 12 if plan.interval == "year" else 1
    second.period = (second.created, months_after(second.created, months))
