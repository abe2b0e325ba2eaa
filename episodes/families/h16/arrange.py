"""Plant a contract in force, the one it replaced, another firm's, and a policy to go first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from random import Random
from typing import Any, Final

from clones.core import clock
from clones.core.journal import act
from clones.helpdesk.domain.tickets import update_ticket
from clones.helpdesk.domain.values import NewComment, Via
from clones.helpdesk.models import Comment, Group, Organization, SlaPolicy, Ticket, User
from episodes.families.h16 import words
from episodes.families.h16.params import PLACES, Params, params_of
from episodes.tasks.footprint import Allow
from episodes.tasks.goals import goals_of
from episodes.tasks.personas import CannotArrange, persona_at
from episodes.tasks.service_levels import put_policy_first
from episodes.tasks.spec import Arranged, Stage
from episodes.tasks.team_documents import pin_note
from sandlot.service import Space

TYPES: Final = ("question", "incident", "problem")
BASES: Final = {
    "first_reply_time": (15, 20, 30, 45),
    "next_reply_time": (30, 40, 45, 50),
    "requester_wait_time": (180, 210, 240),
    "agent_work_time": (90, 120, 150),
    "total_resolution_time": (300, 360, 480),
}
GROWTH: Final = {"urgent": 1, "high": 2, "normal": 6, "low": 12}
SAFETY: Final = (
    ("Safety reports", "safety_report"),
    ("Smoke and fire", "smoke_or_fire"),
    ("Recall cases", "recall_case"),
)
MOST_POLICIES: Final = 4


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom the contract is with, and what its scope names."""

    firm: Organization
    second: Organization
    other: Organization
    kind: str
    group: Group


def arrange(stage: Stage) -> Arranged:
    """Make the instance in the bound sandbox, in the order of what happened.

    Raises:
        CannotArrange: the world has too few firms or no admin.
    """
    params = params_of(stage.instance)
    chance = stage.chance("arrange")
    present = clock.now()
    lead = _lead()
    chosen = _choose(params, chance)
    standing = _standing_policies(lead, chance, before=present)
    first = standing[0]
    old_day = (present - timedelta(days=chance.randrange(500, 800))).date()
    day = (present - timedelta(days=chance.randrange(4, 20))).date()
    old = _old_agreement(params, chosen, old_day, first.title, chance)
    _pin(old, lead, _moment(old_day, present, chance), chance)
    elsewhere_day = day - timedelta(days=chance.randrange(30, 90))
    elsewhere = _elsewhere(chosen, elsewhere_day, first.title, chance)
    _pin(elsewhere, lead, _moment(elsewhere_day, present, chance), chance)
    targets = _targets(params, chance)
    ticket = _contract(
        params, chosen, targets, lead, chance, day=day, replaces=old_day, other=first
    )
    facts = {
        **_facts(params, chosen, targets, ticket),
        "standing": [_kept(policy) for policy in standing],
        "giver_reply": "What counts is in the agreement and the note below it. I know no more.",
    }
    return Arranged(
        goal=_goal(stage.chance("goal"), chosen.firm),
        persona=persona_at("support lead", role="admin"),
        facts=facts,
        allows=_allows(facts),
        start_path="/agent/dashboard",
        oracle_steps=_oracle_steps(params),
    )


def _oracle_steps(params: Params) -> dict[Space, int]:
    """Return how many steps the oracle takes: reading, looking up, creating, ordering, finish."""
    more = int(params.scope in ("group", "two"))
    rows = {"firm": 1, "type": 2, "group": 2, "two": 2}[params.scope]
    cells = len(params.metrics) * len(params.priorities)
    counted = sum(params.in_business_hours(priority) for priority in params.priorities)
    return {"api": 7 + more, "browser": 16 + 4 * rows + 2 * cells + counted}


def _lead() -> User:
    found = User.objects.filter(role="admin", active=True).order_by("id").first()
    if found is None:
        raise CannotArrange("the world has no admin who keeps agreements")
    return found


def _choose(params: Params, chance: Random) -> Subject:
    """Choose firms that have people; none whose name is a part of another's."""
    firms = [
        firm
        for firm in Organization.objects.order_by("id")
        if User.objects.filter(organization=firm, active=True, role="end-user").exists()
    ]
    names = list(Organization.objects.order_by("id").values_list("name", flat=True))
    fitting = [firm for firm in firms if sum(firm.name.lower() in n.lower() for n in names) == 1]
    if len(fitting) < 3:
        raise CannotArrange("too few firms of this world have people and a name of their own")
    firm, second, other = chance.sample(fitting, 3)
    groups = list(Group.objects.filter(deleted=False).order_by("id"))
    return Subject(firm, second, other, chance.choice(TYPES), chance.choice(groups))


def _standing_policies(lead: User, chance: Random, *, before: datetime) -> list[SlaPolicy]:
    """Put a policy before the catch-all, for tickets with a tag; return all, in order."""
    title, tag = chance.choice(SAFETY)
    at = before - timedelta(days=chance.randrange(100, 300), minutes=chance.randrange(0, 600))
    times = {priority: 10 * GROWTH[priority] for priority in ("urgent", "high", "normal", "low")}
    put_policy_first(title, tag, {"first_reply_time": times}, by=lead, at=at)
    return list(SlaPolicy.objects.order_by("position", "id"))


def _targets(params: Params, chance: Random) -> words.Targets:
    """Return the minutes promised, longer for lower priorities."""
    bases = {metric: chance.choice(BASES[metric]) for metric in params.metrics}
    return {
        priority: {metric: bases[metric] * GROWTH[priority] for metric in params.metrics}
        for priority in params.priorities
    }


def _moment(day: date, present: datetime, chance: Random) -> datetime:
    """Return a moment in the office hours of a day."""
    minutes = chance.randrange(9 * 60, 16 * 60)
    noon = present.replace(year=day.year, month=day.month, day=day.day, hour=0, minute=0, second=0)
    return noon + timedelta(minutes=minutes)


def _old_agreement(
    params: Params, chosen: Subject, day: date, other: str, chance: Random
) -> words.Agreement:
    """Return what was agreed before: all of the firm's tickets, by other times."""
    targets = {
        priority: {metric: minutes * 3 // 2 + 30 for metric, minutes in times.items()}
        for priority, times in _targets(params, chance).items()
    }
    return words.Agreement(
        firm=chosen.firm.name,
        covers=chance.choice(words.COVERS["firm"]).format(firm=chosen.firm.name),
        signed=day,
        replaces=None,
        targets=targets,
        missing=(),
        hours=chance.choice(("business", "calendar")),
        place=chance.choice(PLACES),
        other=other,
    )


def _elsewhere(chosen: Subject, day: date, other: str, chance: Random) -> words.Agreement:
    """Return an agreement with another firm, which is none of this work."""
    times = {"urgent": {"first_reply_time": 25}, "high": {"first_reply_time": 55}}
    return words.Agreement(
        firm=chosen.other.name,
        covers=chance.choice(words.COVERS["firm"]).format(firm=chosen.other.name),
        signed=day,
        replaces=None,
        targets=times,
        missing=("normal", "low"),
        hours="calendar",
        place=chance.choice(PLACES),
        other=other,
    )


def _pin(agreement: words.Agreement, lead: User, at: datetime, chance: Random) -> int:
    subject = chance.choice(words.SUBJECTS).format(firm=agreement.firm)
    return pin_note(subject, words.agreement_text(agreement, chance), by=lead, at=at)


def _contract(
    params: Params,
    chosen: Subject,
    targets: words.Targets,
    lead: User,
    chance: Random,
    *,
    day: date,
    replaces: date,
    other: SlaPolicy,
) -> Ticket:
    """Pin the agreement in force with one wrong time, and the note that puts it right."""
    priority, metric = chance.choice(params.priorities), chance.choice(params.metrics)
    right = targets[priority][metric]
    wrong = {**targets, priority: {**targets[priority], metric: right * 2 + 15}}
    covers = chance.choice(words.COVERS[params.scope]).format(
        firm=chosen.firm.name,
        second=chosen.second.name,
        type=chosen.kind.capitalize(),
        group=chosen.group.name,
    )
    agreement = words.Agreement(
        firm=chosen.firm.name,
        covers=covers,
        signed=day,
        replaces=replaces,
        targets=wrong,
        missing=tuple(p for p in ("normal", "low") if p not in params.priorities),
        hours=params.hours,
        place=params.place,
        other=other.title,
    )
    at = _moment(day, clock.now(), chance)
    number = _pin(agreement, lead, at, chance)
    later = at + timedelta(days=chance.randrange(1, 3), minutes=chance.randrange(5, 90))
    note = words.correction_text(priority, metric, right, chance)
    with clock.at(later), act(actor="world", label="policy"):
        update_ticket(
            Ticket.objects.get(id=number),
            actor=lead,
            changes={},
            comment=NewComment(body=note, public=False),
            via=Via("web"),
        )
    return Ticket.objects.get(id=number)


def _facts(
    params: Params, chosen: Subject, targets: words.Targets, ticket: Ticket
) -> dict[str, Any]:
    firms = [chosen.firm.id, chosen.second.id] if params.scope == "two" else [chosen.firm.id]
    said = Comment.objects.filter(ticket=ticket).order_by("id").values_list("id", flat=True)
    return {
        "ticket": ticket.id,
        "said": list(said),
        "firms": firms,
        "type": chosen.kind if params.scope == "type" else None,
        "group": chosen.group.id if params.scope == "group" else None,
        "place": params.place,
        "targets": {
            priority: {
                metric: [minutes, params.in_business_hours(priority)]
                for metric, minutes in times.items()
            }
            for priority, times in targets.items()
        },
        "obligations": [],
    }


def _kept(policy: SlaPolicy) -> dict[str, Any]:
    """Return what a standing policy gives, and the tag it asks for, if any."""
    tag = [i["value"] for i in policy.filter["all"] if i["field"] == "current_tags"]
    targets: dict[str, dict[str, Any]] = {}
    for item in policy.policy_metrics:
        own = targets.setdefault(item["priority"], {})
        own[item["metric"]] = [item["target"], bool(item["business_hours"])]
    return {"id": policy.id, "tag": tag[0] if tag else None, "targets": targets}


def _allows(facts: dict[str, Any]) -> tuple[Allow, ...]:
    return (
        Allow("helpdesk_slapolicy", frozenset({"insert"}), at_most=MOST_POLICIES),
        Allow(
            "helpdesk_slapolicy",
            frozenset({"update"}),
            keys=frozenset(policy["id"] for policy in facts["standing"]),
            columns=frozenset({"position", "updated_at"}),
        ),
    )


def _goal(chance: Random, firm: Organization) -> str:
    template = chance.choice(goals_of(__file__))["text"]
    return str(template.format(firm=firm.name))
