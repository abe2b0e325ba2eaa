"""Plant the ticket that a question is about, its near-twin, a follow-up and a look-alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final
from zoneinfo import ZoneInfo

from clones.core import clock
from clones.core.models import Account
from clones.helpdesk.models import Comment, Ticket, TicketField, User
from episodes.families.h01.cases import Case, draw_values, plant
from episodes.families.h01.params import GUESSABLE, Params, params_of
from episodes.families.h01.words import FORMS, QUESTIONS, TOPICS, WAY_WORDS, Topic, day_words
from episodes.tasks.goals import goals_of
from episodes.tasks.personas import CannotArrange, persona_at
from episodes.tasks.spec import Arranged, Stage

ZONES: Final = {
    "London": "Europe/London",
    "Berlin": "Europe/Berlin",
    "New York": "America/New_York",
}
CURRENCIES: Final = ("eur", "gbp", "usd")
MOST_TICKETS: Final = 3


@dataclass(frozen=True, slots=True)
class Cast:
    """Who takes part: two customers of different firms, and agents who are all different."""

    requester: User
    other: User
    answerer: User
    assignee: User
    twin_answerer: User
    twin_assignee: User


def arrange(stage: Stage) -> Arranged:
    """Make the instance in the bound sandbox, in the order of what happened.

    Raises:
        CannotArrange: the world has no fitting customers or colleagues.
    """
    params = params_of(stage.instance)
    chance = stage.chance("arrange")
    persona = persona_at("tier-1 agent", group="support")
    reader = User.objects.get(email=persona.logins["helpdesk"])
    cast = _cast(chance, reader)
    topic = chance.choice(TOPICS)
    target, others = _cases(params, cast, topic, chance)
    plant([target, *others.values()], chance)
    zone = chance.choice(sorted(ZONES))
    facts = _facts(params, target, others, ZONES[zone])
    goal = _goal(
        params,
        stage.chance("goal"),
        requester=cast.requester.name,
        firm=cast.requester.organization.name if cast.requester.organization else "",
        colleague=cast.answerer.name,
        order=target.values.order,
        day=day_words(target.values.opened.date()),
        topic=topic.described,
        zone=zone,
        page_zone=reader.iana_time_zone.rpartition("/")[2].replace("_", " "),
        currency=target.currency.upper(),
    )
    return Arranged(
        goal=goal,
        persona=persona,
        facts=facts,
        allows=(),
        start_path="/agent/dashboard",
        oracle_steps={"api": 3, "browser": 3},
    )


# Who


def _cast(chance: Random, reader: User) -> Cast:
    agents = list(
        User.objects.filter(role="agent", active=True, suspended=False)
        .exclude(id=reader.id)
        .order_by("id")
    )
    customers = _customers()
    if len(customers) < 2 or len(agents) < 4:
        raise CannotArrange("the world has too few quiet customers or too few agents")
    requester = chance.choice(customers)
    elsewhere = [user for user in customers if user.organization_id != requester.organization_id]
    heard = _colleagues_heard(requester)
    quiet = [agent for agent in agents if agent.id not in heard]
    if not elsewhere or not quiet:
        raise CannotArrange("every colleague has written to every firm")
    answerer = chance.choice(quiet)
    rest = chance.sample([agent for agent in agents if agent.id != answerer.id], 3)
    return Cast(requester, chance.choice(elsewhere), answerer, *rest)


def _customers() -> list[User]:
    """Return customers of a firm who wrote little, and whose names are theirs alone and plain."""
    staff = set(Account.objects.filter(listed=True).values_list("subject", flat=True))
    users = list(
        User.objects.filter(role="end-user", active=True, suspended=False)
        .exclude(email=None)
        .select_related("organization")
        .order_by("id")
    )
    names = [user.name for user in User.objects.order_by("id")]
    written: dict[int, int] = {}
    for requester in Ticket.objects.values_list("requester_id", flat=True):
        written[requester] = written.get(requester, 0) + 1
    return [
        user
        for user in users
        if user.organization is not None
        and _is_plain(user.organization.name)
        and _is_plain(user.name)
        and " " in user.name
        and names.count(user.name) == 1
        and str(user.id) not in staff
        and written.get(user.id, 0) <= MOST_TICKETS
    ]


def _is_plain(name: str) -> bool:
    words = name.replace("'", "").replace("-", "").split()
    joining = any(word.casefold() in ("and", "about", "that") for word in words)
    return not joining and all(word.isalpha() or word == "&" for word in words)


def _colleagues_heard(requester: User) -> set[int]:
    """Return who of ours has written on a ticket of the requester's firm, or has one."""
    tickets = Ticket.objects.filter(organization_id=requester.organization_id or 0)
    keys = set(tickets.values_list("id", flat=True))
    authors = Comment.objects.filter(ticket_id__in=keys).values_list("author_id", flat=True)
    assigned = tickets.exclude(assignee_id=None).values_list("assignee_id", flat=True)
    return {*authors, *assigned}


# What


def _cases(
    params: Params, cast: Cast, topic: Topic, chance: Random
) -> tuple[Case, dict[str, Case]]:
    """Return the case asked for, and the others by what they are to it."""
    present = clock.now()
    early, late = (45, 68), (14, 26)
    own_span, twin_span = chance.choice(((early, late), (late, early)))
    opened = _moment(present, own_span, chance)
    while opened.date() in _days_of(cast.requester):
        opened -= timedelta(days=1)
    twin_opened = _moment(present, twin_span, chance)
    asks_for_copies = params.fact == "copied"
    case = _drawing(chance, present)
    target = case(
        cast.requester,
        topic.subject,
        topic.sentence,
        opened,
        copies=chance.randrange(2, 5) if asks_for_copies else 1,
        answerer=cast.answerer,
        assignee=cast.assignee,
        status=chance.choice(("open", "pending", "solved")),
        discussed=True,
    )
    twin = case(
        cast.requester,
        topic.twin,
        topic.twin_sentence,
        twin_opened,
        copies=2 if asks_for_copies else 0,
        answerer=cast.twin_answerer,
        assignee=cast.twin_assignee,
        status="closed",
        discussed=False,
    )
    following = case(
        cast.requester,
        f"Re: {topic.twin}",
        f"one more thing. Again {topic.twin_sentence}",
        _after(twin_opened, 6, chance),
        answerer=cast.twin_answerer,
        assignee=cast.twin_answerer,
        status="closed",
        discussed=False,
        parent=twin,
    )
    look_alike = case(
        cast.other,
        topic.subject,
        topic.sentence,
        _moment(present, (28, 42), chance),
        answerer=cast.answerer,
        assignee=cast.twin_assignee,
        status="open",
        discussed=False,
    )
    return target, {"twin": twin, "follow_up": following, "look_alike": look_alike}


def _drawing(chance: Random, present: datetime) -> Callable[..., Case]:
    """Return what makes cases: of one currency, each with an order number of its own."""
    serial_field = TicketField.objects.get(title="Serial number").id
    used: list[str] = []

    def case(
        requester: User, subject: str, sentence: str, at: datetime, *, copies: int = 0, **more: Any
    ) -> Case:
        values = draw_values(
            chance,
            opened=at,
            present=present,
            other=used[-1] if used else "",
            domain=(requester.email or "").rpartition("@")[2],
            copies=copies,
        )
        used.append(values.order)
        return Case(
            requester, subject, sentence, values, currency, serial_field=serial_field, **more
        )

    currency = chance.choice(CURRENCIES)
    return case


def _moment(present: datetime, span: tuple[int, int], chance: Random) -> datetime:
    """Return a whole minute of a working day so many days ago."""
    day = (present - timedelta(days=chance.randrange(*span))).replace(second=0, microsecond=0)
    return day.replace(hour=chance.randrange(8, 16), minute=chance.randrange(60))


def _after(moment: datetime, days: int, chance: Random) -> datetime:
    later = moment + timedelta(days=days)
    return later.replace(hour=chance.randrange(8, 16), minute=chance.randrange(60))


def _days_of(requester: User) -> set[Any]:
    tickets = Ticket.objects.filter(requester_id=requester.id)
    return {moment.date() for moment in tickets.values_list("created_at", flat=True)}


# Facts and goal


def _facts(params: Params, target: Case, others: dict[str, Case], zone: str) -> dict[str, Any]:
    return {
        "fact": params.fact,
        "way": params.way,
        "ticket": target.ticket,
        "answer": _value(params, target),
        "others": {name: _value(params, case) for name, case in others.items()},
        "tickets": {name: case.ticket for name, case in others.items()},
        "zone": zone,
        "currency": target.currency,
        "support": _support(params, target),
        "comments": target.comments(),
        "needs_support": params.fact in GUESSABLE,
        "obligations": [],
        "giver_reply": "You have all that I know. It must be in the ticket.",
    }


def _value(params: Params, case: Case) -> Any:
    """Return the true answer for a case, as plain data."""
    values = case.values
    if params.fact == "opened":
        return values.opened.astimezone(ZoneInfo("UTC")).isoformat()
    if params.fact == "visit":
        return values.visit.isoformat()
    if params.fact == "assignee":
        return case.assignee.name
    if params.fact == "copied":
        return sorted(values.copied)
    return getattr(values, params.fact)


def _support(params: Params, case: Case) -> list[list[list[str]]]:
    """Return the groups of records of which any shows the answer."""
    ticket = ["helpdesk_ticket", str(case.ticket)]
    said = [["helpdesk_comment", str(key)] for key in case.comments()]
    metric = ["helpdesk_ticketmetric", str(Ticket.objects.get(id=case.ticket).metric.pk)]
    groups: dict[str, list[list[list[str]]]] = {
        "opened": [[ticket], [said[0]]],
        "first_reply": [[said[0], said[1]], [ticket, said[1]], [metric]],
        "visit": [[said[2]]],
        "quoted": [[said[1]]],
        "pieces": [[ticket], [said[0]]],
    }
    return groups.get(params.fact, [[ticket]])


def _goal(params: Params, chance: Random, **slots: str) -> str:
    template = chance.choice(goals_of(__file__))["text"]
    return str(
        template.format(
            ticket=chance.choice(WAY_WORDS[params.way]).format(**slots),
            question=chance.choice(QUESTIONS[params.fact]),
            form=FORMS[params.fact].format(**slots),
        )
    )
