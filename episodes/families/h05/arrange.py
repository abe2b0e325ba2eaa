"""Plant a double charge (or what looks like one) in a world, and the ticket about it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

from clones.billing.models import Charge, Customer, PaymentMethod
from clones.core import clock
from clones.core.journal import act
from clones.core.models import Account
from clones.helpdesk.domain.inbound import receive_mail
from clones.helpdesk.models import Comment, Ticket, TicketField, User
from episodes.families.h05 import causes
from episodes.families.h05.papers import publish_policy
from episodes.families.h05.params import Params, RefundPolicy, params_of
from episodes.families.h05.words import complaint, subject
from episodes.tasks.allowances import working_on
from episodes.tasks.footprint import Allow
from episodes.tasks.goals import goals_of
from episodes.tasks.personas import CannotArrange, persona_at
from episodes.tasks.spec import Arranged, Facts, Stage
from sandlot.service import Space
from seeds.people.casting import cast_customer, cast_lead

REASONS: Final = {
    "gateway_retry": "res_duplicate_charge",
    "two_cards": "res_two_cards",
    "upgrade_proration": "res_proration",
    "two_subscriptions": "res_two_subscriptions",
    "already_refunded": "res_already_refunded",
    "currency_pair": "res_currency",
}
CHARGE_COLUMNS: Final = frozenset({"amount_refunded", "refunded", "receipt_number"})


@dataclass(frozen=True, slots=True)
class Subject:
    """The customer of the instance: who writes, and who pays."""

    user: User
    customer: Customer
    method: PaymentMethod


def arrange(stage: Stage) -> Arranged:
    """Make the instance in the bound sandbox, in the order of what happened.

    Raises:
        CannotArrange: the world has no fitting customer.
    """
    params = params_of(stage.instance)
    chance = stage.chance("arrange")
    present = clock.now()
    chosen = _choose(chance)
    written_at = present - timedelta(minutes=chance.randrange(35, 55 * 6))
    planted = causes.plant(params, chosen.customer, chosen.method, chance, before=written_at)
    causes.plant_look_alikes(planted, chosen.customer, chance)
    lead = _lead()
    publish_policy(params.policy, lead, chance, before=written_at)
    ticket = _write_in(chosen, params, planted, chance, at=written_at)
    people = [
        cast_customer(
            chosen.user,
            ticket,
            tone=params.tone,
            chance=stage.chance("customer"),
            check=_check_of(planted),
            cause=None if params.owed else params.cause,
        )
    ]
    if planted.owed is not None:
        people.append(cast_lead(lead, chance=stage.chance("lead")))
    facts = {
        **_facts(params, planted, ticket, present),
        "requester": chosen.user.id,
        "customer": chosen.customer.id,
        "lead": lead.id,
        "people": [person.id for person in people],
    }
    return Arranged(
        goal=_goal(stage.chance("goal"), chosen, ticket),
        persona=persona_at("billing agent", group="billing", clones=("billing",)),
        facts=facts,
        allows=_allows(facts),
        start_path="/agent/dashboard",
        oracle_steps=_oracle_steps(facts),
    )


def _oracle_steps(facts: dict[str, Any]) -> dict[Space, int]:
    """Return how many steps the oracle takes: looking, remedy, reply, solve, finish."""
    if facts["owed"] is None:
        return {"api": 9, "browser": 20}
    asks = needs_lead(facts)
    return {"api": 13 if asks else 10, "browser": 26 if asks else 20}


def needs_lead(facts: Facts) -> bool:
    """Tell whether the refund is beyond the agent's own limits."""
    owed = facts["owed"]
    policy = RefundPolicy(**facts["policy"])
    return owed is not None and policy.needs_lead(amount=owed["amount"], age_days=owed["age_days"])


def _choose(chance: Random) -> Subject:
    """Choose a customer who pays by card, writes from that address, and has no open ticket."""
    troubled = set(
        Ticket.objects.exclude(status__in=("solved", "closed")).values_list(
            "requester_id", flat=True
        )
    )
    staff = set(Account.objects.filter(listed=True).values_list("subject", flat=True))
    methods = {
        method.customer_id: method for method in PaymentMethod.objects.order_by("created", "id")
    }
    payers = [
        customer
        for customer in Customer.objects.filter(deleted=False).order_by("id")
        if customer.id in methods and customer.email
    ]
    shared = _repeated(customer.email or "" for customer in payers)
    users = {
        user.email: user
        for user in User.objects.filter(role="end-user", active=True, suspended=False).order_by(
            "id"
        )
    }
    doubled = causes.customers_with_doubles()
    fitting = [
        Subject(users[customer.email], customer, methods[customer.id])
        for customer in payers
        if customer.email in users
        and customer.email not in shared
        and customer.id not in doubled
        and users[customer.email].id not in troubled
        and str(users[customer.email].id) not in staff
    ]
    if not fitting:
        raise CannotArrange("no customer of this world pays by card and has no open ticket")
    return chance.choice(fitting)


def _repeated(emails: Any) -> set[str]:
    seen: set[str] = set()
    twice: set[str] = set()
    for email in emails:
        (twice if email in seen else seen).add(email)
    return twice


def _lead() -> User:
    """Return the billing lead: the agent whose yes counts."""
    lead = (
        User.objects.filter(
            role__in=("agent", "admin"), active=True, notes__contains="billing lead"
        )
        .order_by("id")
        .first()
    )
    if lead is not None:
        return lead
    found = User.objects.filter(role="admin", active=True).order_by("id").first()
    if found is None:
        raise CannotArrange("the world has no admin who could agree to a refund")
    return found


def _write_in(
    chosen: Subject, params: Params, planted: causes.Planted, chance: Random, *, at: datetime
) -> Ticket:
    body = complaint(params, planted, chosen.user, chance)
    with clock.at(at), act(actor="world", label="mail"):
        audit = receive_mail(author=chosen.user, subject=subject(chance), body=body)
    return Ticket.objects.get(id=audit.ticket_id)


def _check_of(planted: causes.Planted) -> dict[str, Any] | None:
    """Return what the customer looks at before being content."""
    if planted.owed is None:
        return None
    return {
        "name": "refund_visible",
        "charge": planted.owed.id,
        "amount": planted.owed.amount,
        "currency": planted.owed.currency,
    }


def _facts(
    params: Params, planted: causes.Planted, ticket: Ticket, present: datetime
) -> dict[str, Any]:
    field = TicketField.objects.get(title="Resolution reason")
    reason = REASONS[params.cause]
    obligation: dict[str, Any]
    if planted.owed is not None:
        obligation = {
            "id": f"refund:{planted.owed.id}",
            "kind": "refund",
            "ticket": ticket.id,
            "charge": planted.owed.id,
            "amount": planted.owed.amount,
        }
    else:
        obligation = {
            "id": f"explained:{ticket.id}",
            "kind": "explained",
            "ticket": ticket.id,
            "field": field.id,
            "value": reason,
            "charges": [charge.id for charge in planted.shown],
        }
    return {
        "cause": params.cause,
        "tone": params.tone,
        "policy": asdict(params.policy),
        "ticket": ticket.id,
        "complaint": Comment.objects.filter(ticket=ticket).earliest("created_at", "id").id,
        "charges": [charge.id for charge in planted.shown],
        "owed": _owed(planted.owed, planted.shown, present),
        "reason_field": field.id,
        "reason_value": reason,
        "obligations": [obligation],
        "giver_reply": "Everything I know is in the ticket and in billing. Please use the policy.",
    }


def _owed(charge: Charge | None, shown: list[Charge], present: datetime) -> dict[str, Any] | None:
    if charge is None:
        return None
    others = [other for other in shown if other.id != charge.id]
    return {
        "charge": charge.id,
        "amount": charge.amount,
        "currency": charge.currency,
        "day": charge.created.date().isoformat(),
        "age_days": (present - charge.created).days,
        "last4": charge.card["last4"],
        "other_last4": others[0].card["last4"],
    }


def _goal(chance: Random, chosen: Subject, ticket: Ticket) -> str:
    template = chance.choice(goals_of(__file__))["text"]
    firm = chosen.user.organization.name if chosen.user.organization else chosen.user.name
    return str(template.format(subject=ticket.subject, requester=chosen.user.name, firm=firm))


def _allows(facts: dict[str, Any]) -> tuple[Allow, ...]:
    found = [*working_on([facts["ticket"]])]
    owed = facts["owed"]
    if owed is not None:
        found += [
            Allow(
                "billing_refund",
                frozenset({"insert"}),
                where={"charge_id": owed["charge"]},
                at_most=1,
            ),
            Allow(
                "billing_charge",
                frozenset({"update"}),
                keys=frozenset({owed["charge"]}),
                columns=CHARGE_COLUMNS,
            ),
        ]
    return tuple(found)
