"""Plant the tickets of an instance, to the second, and what lies beside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from random import Random
from typing import Any

from clones.core import clock
from clones.core.journal import act
from clones.helpdesk.domain.inbound import receive_mail, receive_reply
from clones.helpdesk.domain.tickets import update_ticket
from clones.helpdesk.domain.values import NewComment, Via
from clones.helpdesk.models import Schedule, Ticket, User
from clones.helpdesk.rules.schedules import Hours
from episodes.families.h04 import words
from episodes.families.h04.batch import PLAN, STANDARD, WAIT, Batch, Case, Level
from episodes.tasks.personas import CannotArrange

Happening = tuple[datetime, Callable[[], None]]


@dataclass(frozen=True, slots=True)
class DeskStaff:
    """Who works there besides the agent, when it is open, and the tag of those with a plan."""

    colleagues: Sequence[User]
    hours: Hours
    tag: str


@dataclass(slots=True)
class Planned:
    """One ticket, with what happens in it; `number` once it came in."""

    case: Case
    level: Level
    author: User
    opened: datetime
    number: int = 0
    happenings: list[Happening] = field(default_factory=list)

    def ticket(self) -> Ticket:
        """Return the ticket as it stands."""
        return Ticket.objects.get(id=self.number)


def desk_hours() -> Hours:
    """Return the account's business hours.

    Raises:
        CannotArrange: it keeps none.
    """
    found = Schedule.objects.filter(default=True).order_by("id").first()
    if found is None:
        raise CannotArrange("the world keeps no business hours")
    return Hours.parse(found.time_zone, found.intervals, found.holidays)


def counted_back(until: datetime, seconds: int, hours: Hours | None) -> datetime:
    """Return the latest moment from which so many seconds count until another."""
    if hours is None:
        return until - timedelta(seconds=seconds)
    since = until
    while (missing := seconds - hours.seconds_between(since, until)) > 0:
        since -= timedelta(seconds=missing)
    return since


def first_reply_opened(level: Level, due: datetime, hours: Hours) -> datetime:
    """Return when a ticket came in whose first reply is due at a moment."""
    priority, planned = level
    minutes = (PLAN if planned else STANDARD)[priority]
    return counted_back(due, minutes * 60, None if planned else hours)


def plant_work(
    batch: Batch, due: Sequence[datetime], authors: list[User], desk: DeskStaff, chance: Random
) -> list[Planned]:
    """Return the six, each due at its moment."""
    found = []
    for case, level, moment in zip(batch.cases, batch.levels, due, strict=True):
        opened = first_reply_opened(level, moment, desk.hours)
        planned = Planned(case, level, authors.pop(), opened)
        _come_in(planned, desk, chance)
        _go_on(planned, chance)
        found.append(planned)
    return found


def plant_beside(authors: list[User], desk: DeskStaff, chance: Random) -> dict[str, Planned]:
    """Return what looks like work and is none: breached, due later, answered, and paused."""
    present = clock.now()

    def minutes(low: int, high: int) -> timedelta:
        return timedelta(minutes=chance.randrange(low, high), seconds=chance.randrange(0, 60))

    def plain(level: Level, opened: datetime) -> Planned:
        planned = Planned(_aside(chance), level, authors.pop(), opened)
        _come_in(planned, desk, chance)
        return planned

    urgent: Level = ("urgent", False)
    breached = plain(urgent, first_reply_opened(urgent, present - minutes(8, 40), desk.hours))
    soon: Level = ("high", True)
    later = plain(soon, first_reply_opened(soon, present + minutes(72, 100), desk.hours))
    waiting: Level = ("urgent", True)
    opened = counted_back(present + minutes(12, 45), WAIT["urgent"] * 60, None)
    answered = Planned(_aside(chance), waiting, authors.pop(), opened)
    paused = Planned(_aside(chance), ("normal", False), authors.pop(), present - minutes(130, 250))
    for planned, status in ((answered, "open"), (paused, "pending")):
        _come_in(planned, desk, chance, sorts=False)
        text = words.one_of("put_off" if status == "open" else "asked_back", chance)
        colleague = chance.choice(list(desk.colleagues))
        reply = partial(_reply, planned, colleague, text, status, desk.tag)
        planned.happenings.append((planned.opened + minutes(12, 45), reply))
    return {"breached": breached, "later": later, "answered": answered, "paused": paused}


def let_happen(planned: Sequence[Planned]) -> None:
    """Let all of it happen, in the order of time."""
    happenings = [each for one in planned for each in one.happenings]
    for at, happens in sorted(happenings, key=lambda happening: happening[0]):
        with clock.at(at), act(actor="world", label="mail"):
            happens()


def _aside(chance: Random) -> Case:
    machine = chance.choice(words.machines())
    kind = chance.choice(words.topics())
    return Case(kind, machine.name, machine.name, words.serial_of(machine, chance))


def _come_in(planned: Planned, desk: DeskStaff, chance: Random, *, sorts: bool = True) -> None:
    """Let a ticket come in by mail, and get its priority when the desk is open.

    Who sorts it notes the call that came in meanwhile.
    """
    case, opened = planned.case, planned.opened
    mail = words.mail(case.kind, case.said, case.serial, planned.author.name, chance)
    planned.happenings = [(opened, partial(_open, planned, mail))]
    if sorts:
        sorted_at = desk.hours.add(opened, chance.randrange(150, 660)) or opened
        called = case.later == "called"
        note = words.one_of("called", chance, machine=case.machine) if called else None
        does = partial(_sort, planned, chance.choice(list(desk.colleagues)), desk.tag, note)
        planned.happenings.append((sorted_at, does))


def _open(planned: Planned, mail: words.Mail) -> None:
    audit = receive_mail(author=planned.author, subject=mail.subject, body=mail.body)
    planned.number = audit.ticket_id


def _sort(planned: Planned, colleague: User, tag: str, note: str | None) -> None:
    said = NewComment(body=note, public=False) if note is not None else None
    changes = _filed(planned.level, tag)
    update_ticket(planned.ticket(), actor=colleague, changes=changes, comment=said, via=Via("web"))


def _filed(level: Level, tag: str) -> dict[str, Any]:
    priority, has_plan = level
    tags = {"additional_tags": [tag]} if has_plan else {}
    return {"priority": priority, "type": "question", **tags}


def _go_on(planned: Planned, chance: Random) -> None:
    """Let the customer write again."""
    case = planned.case
    if case.later in (None, "called"):
        return
    sorted_at = planned.happenings[-1][0]
    span = (clock.now() - sorted_at).total_seconds()
    at = sorted_at + timedelta(seconds=round(span * chance.uniform(0.2, 0.85)))
    if case.added is not None:
        text = words.addition(case.added, chance)
    else:
        kind = "chases" if case.later == "chase" else "corrections"
        text = words.one_of(kind, chance, machine=case.machine)
    planned.happenings.append((at, partial(_write_again, planned, text)))


def _write_again(planned: Planned, text: str) -> None:
    receive_reply(planned.ticket(), author=planned.author, body=text)


def _reply(planned: Planned, colleague: User, text: str, status: str, tag: str) -> None:
    """Let a colleague answer, and file the ticket with it."""
    changes = {**_filed(planned.level, tag), "status": status}
    reply = NewComment(body=text, public=True)
    update_ticket(planned.ticket(), actor=colleague, changes=changes, comment=reply, via=Via("web"))
