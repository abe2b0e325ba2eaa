"""Plant six tickets that run out within the hour, the rules for them, and the macros."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

from clones.core import clock
from clones.helpdesk.models import Comment, Group, Macro, SlaClock, User
from episodes.families.h04 import words
from episodes.families.h04.batch import PLAN, WAIT, Case, Level, compose
from episodes.families.h04.guide import Rules
from episodes.families.h04.pace import api_steps, browser_steps, times
from episodes.families.h04.params import params_of
from episodes.families.h04.plant import (
    DeskStaff,
    Planned,
    desk_hours,
    first_reply_opened,
    let_happen,
    plant_beside,
    plant_work,
)
from episodes.tasks.desk_people import first_line_but, plain_customers
from episodes.tasks.footprint import Allow
from episodes.tasks.goals import goals_of
from episodes.tasks.personas import CannotArrange, persona_at
from episodes.tasks.service_levels import put_policy_first
from episodes.tasks.spec import Arranged, Facts, Stage
from episodes.tasks.team_documents import pin_note, publish_answer

# Priority, type and tags are not among them: other targets are no way to keep these.
COLUMNS: Final = frozenset(
    {
        "status",
        "custom_status_id",
        "assignee_id",
        "group_id",
        "updated_at",
        "solved_at",
        "sla_policy_id",
    }
)
HORIZON: Final = timedelta(hours=1)
PEOPLE: Final = 10


def arrange(stage: Stage) -> Arranged:
    """Make the instance in the bound sandbox, in the order of what happened.

    Raises:
        CannotArrange: the world has too few customers or nobody else at the desk, or another ticket
            of the first line runs out within the hour.
    """
    params = params_of(stage.instance)
    chance = stage.chance("arrange")
    present = clock.now()
    persona = persona_at("tier-1 agent", group="support")
    colleagues = first_line_but(persona.logins["helpdesk"])
    hours = desk_hours()
    tag = _publish_plan(chance, before=present)
    desk = DeskStaff(colleagues, hours, tag)

    def elapsed(level: Level) -> float:
        return (present - first_reply_opened(level, present, hours)).total_seconds()

    batch = compose(params, chance, elapsed)
    ways = [case.way for case in batch.cases]
    due = [present + timedelta(seconds=span) for span in times(ways, params.slack)]
    macros = _publish_answers(batch.macros, chance, before=present)
    guide = _publish_rules(params.rules, colleagues[0], chance, before=present)
    authors = _authors(chance)
    work = plant_work(batch, due, authors, desk, chance)
    beside = plant_beside(authors, desk, chance)
    let_happen([*work, *beside.values()])
    _nothing_else_is_due([each.number for each in work], present)
    entries = [_entry(each, moment, macros) for each, moment in zip(work, due, strict=True)]
    facts = {
        "guide": guide,
        "work": entries,
        "beside": {name: each.number for name, each in beside.items()},
        "support": Group.objects.get(name="Support").id,
        "agent": User.objects.get(email__iexact=persona.logins["helpdesk"]).id,
        "obligations": [_obligation(entry) for entry in entries],
        "people": [],
        "giver_reply": "All I know is on the tickets, in the macros and in the pinned rules.",
    }
    return Arranged(
        goal=_goal(stage.chance("goal"), colleagues[0]),
        persona=persona,
        facts=facts,
        allows=_allows(facts),
        start_path="/agent/dashboard",
        oracle_steps={"api": api_steps(ways), "browser": browser_steps(ways)},
    )


def _publish_plan(chance: Random, *, before: datetime) -> str:
    """Let tickets with a tag have targets that run day and night; return the tag."""
    place = chance.randrange(len(words.bank()["plan_tags"]))
    title, tag = words.bank()["plan_titles"][place], words.bank()["plan_tags"][place]
    admin = User.objects.filter(role="admin", active=True).order_by("id").first()
    if admin is None:
        raise CannotArrange("the world has no admin who keeps service levels")
    at = before - timedelta(days=chance.randrange(60, 200), minutes=chance.randrange(0, 600))
    targets = {"first_reply_time": PLAN, "requester_wait_time": WAIT}
    put_policy_first(title, tag, targets, by=admin, at=at)
    return str(tag)


def _publish_answers(
    told: Sequence[words.Told], chance: Random, *, before: datetime
) -> dict[words.Told, int]:
    """Keep each answer in a macro, those that no longer count long ago; return their ids."""
    found: dict[words.Told, int] = {}
    dated = [
        (
            before - timedelta(days=chance.randrange(*_days(each)), minutes=chance.randrange(600)),
            each,
        )
        for each in told
    ]
    for at, each in sorted(dated, key=lambda pair: pair[0]):
        macro: Macro = publish_answer(each.title, each.text, status="pending", at=at)
        found[each] = macro.id
    return found


def _days(told: words.Told) -> tuple[int, int]:
    return (15, 120) if told.ends is None else (200, 500)


def _publish_rules(rules: Rules, lead: User, chance: Random, *, before: datetime) -> int:
    at = before - timedelta(days=chance.randrange(6, 60), minutes=chance.randrange(0, 600))
    return pin_note("first replies", rules.text(), by=lead, at=at)


def _authors(chance: Random) -> list[User]:
    """Return who writes.

    Raises:
        CannotArrange: the world has too few customers.
    """
    found = plain_customers(chance)
    english = [user for user in found if user.locale.startswith("en")]
    chosen = (english if len(english) >= PEOPLE else found)[:PEOPLE]
    if len(chosen) < PEOPLE:
        raise CannotArrange("the world has too few customers for the batch")
    return chosen


def _nothing_else_is_due(planted: Sequence[int], present: datetime) -> None:
    """See to it that the six are the six that the goal speaks of."""
    found = SlaClock.objects.filter(
        metric="first_reply_time",
        state="active",
        breach_at__gt=present,
        breach_at__lte=present + HORIZON,
        ticket__status="new",
        ticket__assignee=None,
        ticket__group__name="Support",
        ticket__deleted_at=None,
    )
    if set(found.values_list("ticket_id", flat=True)) != set(planted):
        raise CannotArrange("the tickets that run out within the hour are not those planted")


def _entry(planned: Planned, due: datetime, macros: dict[words.Told, int]) -> dict[str, Any]:
    """Return what is true of one of the six."""
    case = planned.case
    said = Comment.objects.filter(ticket_id=planned.number).order_by("id")
    found: dict[str, Any] = {
        "ticket": planned.number,
        "way": case.way,
        "due": due.isoformat(),
        "said": list(said.values_list("id", flat=True)),
        "serial": case.serial,
        "requester": planned.author.id,
        "priority": planned.level[0],
    }
    if case.told is None:
        group = Group.objects.filter(deleted=False).get(name=case.group)
        return {**found, "group": group.id}
    return {
        **found,
        "macro": macros[case.told],
        "tells": _tells(case.told),
        "wrong": [_tells(told) for told in _by_title(case)],
    }


def _by_title(case: Case) -> list[words.Told]:
    return sorted(case.wrong, key=lambda told: told.title)


def _tells(told: words.Told) -> dict[str, Any]:
    return {"code": told.code, "number": told.number, "unit": told.unit}


def _obligation(entry: dict[str, Any]) -> dict[str, Any]:
    """Return what the customer of one of the six is owed."""
    ticket = entry["ticket"]
    if entry["way"] == "answer":
        owed = {"kind": "answered", "tells": entry["tells"], "wrong": entry["wrong"]}
        return {"id": f"answered:{ticket}", "ticket": ticket, **owed}
    owed = {"kind": "handed_over", "group": entry["group"], "serial": entry["serial"]}
    return {"id": f"handed_over:{ticket}", "ticket": ticket, **owed}


def _allows(facts: Facts) -> tuple[Allow, ...]:
    numbers = [entry["ticket"] for entry in facts["work"]]
    comments = [
        Allow("helpdesk_comment", frozenset({"insert"}), where={"ticket_id": number})
        for number in numbers
    ]
    fields = Allow(
        "helpdesk_ticket", frozenset({"update"}), keys=frozenset(numbers), columns=COLUMNS
    )
    return (fields, *comments)


def _goal(chance: Random, lead: User) -> str:
    template = chance.choice(goals_of(__file__))["text"]
    return str(template.format(lead=lead.name, first=lead.name.split()[0]))
