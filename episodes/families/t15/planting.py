"""Write down the queue of T15: what was asked, what colleagues did, and the desk's guide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from random import Random
from typing import Any, Final

from clones.core import clock
from clones.tracker.domain.requests import make_request
from clones.tracker.domain.setup.fields import APPROVERS
from clones.tracker.models import Project, RequestType, ServiceDesk, SlaMetric, User
from episodes.families.t15 import words
from episodes.families.t15.kinds import NEEDS
from episodes.families.t15.params import Params
from episodes.families.t15.timing import came_at, fitting, goal_of, is_told_apart, lefts
from episodes.families.t15.words import Topic
from episodes.tasks.personas import CannotArrange
from episodes.tasks.tracker_planting import History, Planted, in_office_hours

PLAIN: Final = "[System] Service request"
APPROVED: Final = "[System] Service request with approvals"
HELP: Final = "Get IT help"
HARDWARE: Final = "Request new hardware"
DRAWS: Final = 60
LEAVE: Final = timedelta(days=18)


@dataclass(frozen=True, slots=True)
class Cast:
    """Who takes part: the agent, who leads the desk, who orders, who approves, who asks.

    `named` stands under the approvers of the request, `decider` is whose word counts; `former`
    stood in, or ordered, at another time.
    """

    own: User
    lead: User
    helper: User
    buyer: User
    named: User
    decider: User
    former: User
    askers: tuple[User, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A request whose clock runs: what was planted, what it lacks, or what it is to be told."""

    planted: Planted
    kind: str
    tell: str | None
    code: str | None
    need: str | None
    late: bool


@dataclass(frozen=True, slots=True)
class Written:
    """What was planted: what runs, the soonest first; what waits; the guide; another's request."""

    entries: list[Entry]
    approval: Planted
    resting: Planted
    guide: Planted
    twin: Planted
    codes: list[str]


@dataclass(slots=True)
class Scenery:
    """What is written down, by whom, at which desk."""

    params: Params
    cast: Cast
    desk: ServiceDesk
    metric: SlaMetric
    chance: Random
    days: int
    history: History = field(default_factory=History)
    codes: list[str] = field(default_factory=list)
    asked: int = 0

    @property
    def space(self) -> Project:
        """The desk's space."""
        return self.desk.project

    def ago(self, days: int) -> datetime:
        """Return a moment in office hours so many days ago."""
        return in_office_hours(clock.now() - timedelta(days=days), self.chance.randrange(20, 400))

    def asker(self) -> User:
        """Return the next one who asks."""
        self.asked += 1
        return self.cast.askers[self.asked % len(self.cast.askers)]

    def code(self) -> str:
        """Return an order number that no other has."""
        while True:
            found = f"PO-{self.chance.randrange(31000, 88000)}"
            if found not in self.codes:
                self.codes.append(found)
                return found


def write(scenery: Scenery) -> Written:
    """Write the guides, the requests with what was said on them, and another's request."""
    chance = scenery.chance
    _old_guide(scenery)
    guide = _guide(scenery)
    topics = chance.sample(words.READY, scenery.params.ready + scenery.params.late + 1)
    entries = _running(scenery, topics[1:])
    approval = _approval(scenery)
    resting = _resting(scenery)
    twin = _twin(scenery, topics[0])
    scenery.history.write()
    return Written(entries, approval, resting, guide, twin, scenery.codes)


# Requests


def ask(
    scenery: Scenery,
    topic: Topic,
    at: datetime,
    *,
    to: User,
    kind: str = PLAIN,
    form: str = HELP,
    **values: Any,
) -> Planted:
    """Let somebody ask by the portal; the lead gives it to somebody some minutes later."""
    history, asker = scenery.history, scenery.asker()
    planted = history.make(
        scenery.space, kind, topic.summary, by=asker, at=at, description=topic.text, **values
    )
    rows = RequestType.objects.filter(desk=scenery.desk, name=form)

    def offer() -> None:
        make_request(planted.made, rows.order_by("id")[0], channel="portal")

    history.then(at, offer)
    later = at + timedelta(minutes=scenery.chance.randrange(2, 8))
    history.assign(planted, to, by=scenery.cast.lead, at=later)
    return planted


def _running(scenery: Scenery, topics: Sequence[Topic]) -> list[Entry]:
    """Write what has a clock that runs, with the least time left first."""
    params, chance = scenery.params, scenery.chance
    times, priorities = _times(scenery)
    # What lacks something is never the one that is late.
    lacks = chance.randrange(1 if params.late else 0, params.running)
    remaining, used = list(topics), set[str]()
    found = []
    for place, (at, priority) in enumerate(zip(times, priorities, strict=True)):
        late = params.late and place == 0
        if place == lacks:
            topic = chance.choice(words.LACKING[params.need])
            planted = ask(scenery, topic, at, to=scenery.cast.own, priority=priority)
            found.append(Entry(planted, "lacking", None, None, params.need, late))
            continue
        topic = remaining.pop()
        planted = ask(scenery, topic, at, to=scenery.cast.own, priority=priority)
        tell = chance.choice([one for one in topic.tells if one not in used])
        code = scenery.code()
        used.add(tell)
        _note(scenery, planted, words.note_text(topic, tell, code, chance), at)
        found.append(Entry(planted, "ready", tell, code, None, late))
    return found


def _note(scenery: Scenery, planted: Planted, text: str, at: datetime) -> None:
    later = at + timedelta(minutes=scenery.chance.randrange(10, 24))
    scenery.history.say(planted, scenery.cast.helper, text, at=later, public=False)


def _times(scenery: Scenery) -> tuple[list[datetime], list[str]]:
    """Return when each running request came and its priority, the least time left first.

    Raises:
        CannotArrange: no draw sets the order apart from those of coming and of priority.
    """
    params, chance, metric = scenery.params, scenery.chance, scenery.metric
    for _ in range(DRAWS):
        left = lefts(params.running, late=params.late, chance=chance)
        priorities = [chance.choice(fitting(metric, minutes)) for minutes in left]
        times = [
            came_at(goal_of(metric, priority), minutes, clock.now())
            for minutes, priority in zip(left, priorities, strict=True)
        ]
        if is_told_apart(times, priorities) and len(set(times)) == len(times):
            return times, priorities
    raise CannotArrange("the goals of this desk leave no order of their own")


def _approval(scenery: Scenery) -> Planted:
    """Write a request that waits for its approver; the desk has answered it once."""
    cast, chance = scenery.cast, scenery.chance
    at = scenery.ago(chance.randrange(4, 7))
    field_of_approvers = {f"customfield_{APPROVERS}": (cast.named,)}
    planted = ask(
        scenery,
        chance.choice(words.HARDWARE),
        at,
        to=cast.own,
        kind=APPROVED,
        form=HARDWARE,
        **field_of_approvers,
    )
    taken = at + timedelta(minutes=chance.randrange(12, 40))
    scenery.history.say(planted, cast.lead, chance.choice(words.TAKEN), at=taken)
    return planted


def _resting(scenery: Scenery) -> Planted:
    """Write a request that waits for its customer, who was asked and has not answered."""
    params, cast, chance = scenery.params, scenery.cast, scenery.chance
    need = chance.choice([one for one in NEEDS if one != params.need])
    at = scenery.ago(chance.randrange(3, 6))
    planted = ask(scenery, chance.choice(words.LACKING[need]), at, to=cast.own)
    later = at + timedelta(minutes=chance.randrange(15, 50))
    scenery.history.say(planted, cast.lead, words.QUESTIONS[need], at=later)
    soon = later + timedelta(minutes=1)
    scenery.history.move(planted, "Respond to customer", by=cast.lead, at=soon)
    return planted


def _twin(scenery: Scenery, topic: Topic) -> Planted:
    """Write a request that is much like the others, and somebody else's."""
    cast, chance = scenery.cast, scenery.chance
    at = scenery.ago(1)
    planted = ask(scenery, topic, at, to=cast.lead)
    text = words.note_text(topic, chance.choice(topic.tells), scenery.code(), chance)
    _note(scenery, planted, text, at)
    return planted


# Guides


def _old_guide(scenery: Scenery) -> None:
    cast, history = scenery.cast, scenery.history
    days = scenery.chance.choice([one for one in words.DAYS if one != scenery.days])
    old = history.make(
        scenery.space,
        "Task",
        scenery.chance.choice(words.GUIDES).format(space=scenery.space.name),
        by=cast.lead,
        at=scenery.ago(390),
        description=words.old_guide_text(days, cast.former.display_name),
    )
    done = scenery.ago(151)
    history.move(old, "Resolve this issue", by=cast.lead, at=done, resolution="Done")


def _guide(scenery: Scenery) -> Planted:
    """Write the guide in force, and below it who is away: now, or some time ago."""
    params, cast, chance = scenery.params, scenery.cast, scenery.chance
    guide = scenery.history.make(
        scenery.space,
        "Task",
        chance.choice(words.GUIDES).format(space=scenery.space.name),
        by=cast.lead,
        at=scenery.ago(148),
        description=words.guide_text(params.promise, scenery.days, cast.buyer.display_name, chance),
    )
    away = params.approver == "deputy"
    since = chance.randrange(4, 9) if away else chance.randrange(55, 70)
    first: date = clock.now().date() - timedelta(days=since)
    stands_in = cast.decider if away else cast.former
    text = words.away_text(first, first + LEAVE, stands_in.display_name)
    scenery.history.say(guide, cast.named, text, at=scenery.ago(since + 2))
    return guide
