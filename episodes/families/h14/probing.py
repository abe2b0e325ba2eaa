"""A hundred things that come in: once with the rules as the agent left them, once as they were."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, Final

from clones.core.journal import act
from clones.helpdesk.domain.inbound import receive_mail
from clones.helpdesk.domain.tickets import create_ticket
from clones.helpdesk.domain.values import NewComment, Via
from clones.helpdesk.models import SupportAddress, Ticket, Trigger, User
from episodes.families.h14.guides import Writer, applies
from episodes.tasks.spec import Facts, Stage

INSIDE: Final = 20
OUTSIDE: Final = 20
ASIDE: Final = 60
# So many of those aside are meant by the guide and by the rule that goes first.
BOTH: Final = 8
OTHER_WORDS: Final = ("harrier f20", "swift recall", "invoice", "refund")

# What rules could have set on a ticket.
Outcome = dict[str, Any]


def probe(facts: Facts, stage: Stage) -> Mapping[str, Any]:
    """Let probes come in twice; return J, the share of others unchanged, and what went wrong."""
    known = {rule["id"] for rule in facts["triggers"]}
    if not Trigger.objects.exclude(id__in=known).exists() and _as_they_were(facts):
        return {"skill": 0.0, "unchanged": 1.0, "rates": [0.0, 1.0], "wrong": []}
    chance = stage.chance("probes")
    others = [word for word in (facts["first_word"], facts["beaten_word"]) if word]
    writer = Writer(facts["conditions"], [*others, *others, *OTHER_WORDS])
    inside = writer.inside(chance, INSIDE)
    for place, item in enumerate(inside):
        if facts["beaten_word"] and place % 3 == 0:
            item["subject"] += f" {facts['beaten_word']}"
    aside = writer.aside(chance, ASIDE)
    if facts["first_word"]:
        both = writer.inside(chance, BOTH)
        aside[:BOTH] = [
            {**item, "subject": f"{item['subject']} {facts['first_word']}"} for item in both
        ]
    groups = [inside, writer.outside(chance, OUTSIDE), aside]
    items = [item for group in groups for item in group]
    seed = chance.random()
    found = _come_in(items, seed)
    _restore(facts)
    before = _come_in(items, seed)
    right = [_is_right(facts, *each) for each in zip(items, found, before, strict=True)]
    hits, rejections = right[:INSIDE], right[INSIDE : INSIDE + OUTSIDE]
    rates = [sum(hits) / len(hits), sum(rejections) / len(rejections)]
    rest = right[INSIDE + OUTSIDE :]
    return {
        "skill": rates[0] + rates[1] - 1.0,
        "unchanged": sum(rest) / len(rest),
        "rates": rates,
        "wrong": [
            [items[place], found[place], before[place]]
            for place in range(len(items))
            if not right[place]
        ],
    }


def _is_right(facts: Facts, item: Mapping[str, str], found: Outcome, before: Outcome) -> bool:
    """Tell whether a ticket ended as it should."""
    if not applies(facts["conditions"], item):
        return found == before
    first = facts["first_word"]
    if first and first in _words(item["subject"]):
        # Of what else the guide sets nothing is said where the other rule decides.
        return bool(found["group"] == before["group"])
    extras = facts["extras"]
    return (
        found["group"] == facts["group"]
        and found["priority"] == extras.get("priority", before["priority"])
        and found["type"] == extras.get("type", before["type"])
        and set(found["tags"])
        == set(before["tags"]) | ({extras["tag"]} if "tag" in extras else set())
        and found["status"] == before["status"]
    )


def _words(text: str) -> list[str]:
    return [part.strip(",.") for part in text.lower().split()]


def _as_they_were(facts: Facts) -> bool:
    """Tell whether no rule of the beginning was touched."""
    rules = {rule["id"]: rule for rule in facts["triggers"]}
    found = Trigger.objects.order_by("id")
    return len(found) == len(rules) and all(
        rule.id in rules
        and (rule.active, rule.position, rule.category_id, rule.conditions, rule.actions)
        == tuple(
            rules[rule.id][name]
            for name in ("active", "position", "category", "conditions", "actions")
        )
        for rule in found
    )


def _restore(facts: Facts) -> None:
    """Let the rules be in the copy what they were at the beginning."""
    known = {rule["id"]: rule for rule in facts["triggers"]}
    with act(actor="world", label="rules"):
        for rule in Trigger.objects.order_by("id"):
            was = known.get(rule.id)
            if was is None:
                rule.active = False
            else:
                rule.active, rule.position = was["active"], was["position"]
                rule.category_id = was["category"]
                rule.conditions, rule.actions = was["conditions"], was["actions"]
            rule.save()


def _come_in(items: Iterable[Mapping[str, str]], seed: float) -> list[Outcome]:
    """Let items come in as mails, forms and notes, and return what became of each."""
    chance = Random(seed)  # noqa: S311 - drawn from the probes' own chance, twice alike
    customers = list(
        User.objects.filter(role="end-user", active=True, suspended=False)
        .exclude(email=None)
        .order_by("id")[:200]
    )
    agent = User.objects.filter(role="agent", active=True, suspended=False).earliest("id")
    addresses = {
        address.email.partition("@")[0]: address.email
        for address in SupportAddress.objects.order_by("-id")
    }
    return [_outcome(_make(item, chance.choice(customers), agent, addresses)) for item in items]


def _make(
    item: Mapping[str, str], customer: User, agent: User, addresses: Mapping[str, str]
) -> int:
    source = item["source"]
    with act(actor="world", label="mail"):
        if source in ("web", "desk"):
            return create_ticket(
                actor=customer if source == "web" else agent,
                changes={"subject": item["subject"]},
                comment=NewComment(body=item["body"]),
                via=Via("web"),
                requester=customer,
            ).ticket_id
        return receive_mail(
            author=customer,
            subject=item["subject"],
            body=item["body"],
            to=addresses.get(source),
        ).ticket_id


def _outcome(number: int) -> Outcome:
    ticket = Ticket.objects.get(id=number)
    return {
        "group": ticket.group_id,
        "priority": ticket.priority,
        "type": ticket.type,
        "tags": sorted(ticket.tags),
        "status": ticket.status,
        "assignee": ticket.assignee_id,
    }
