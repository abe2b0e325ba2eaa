"""Plant a piece of work, its look-alike, the team's guide and the workflow that goes with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from random import Random
from typing import Any, Final

from clones.core import clock
from clones.tracker.models import ChangeItem, Issue, Project, User, Version
from clones.tracker.queries.rights import Rights
from episodes.families.t08 import words
from episodes.families.t08.params import REVIEW, Asked, Params, params_of
from episodes.families.t08.words import TOPICS, Topic
from episodes.families.t08.workflow import APPROVE, give_workflow
from episodes.tasks.footprint import Allow
from episodes.tasks.goals import goals_of
from episodes.tasks.personas import CannotArrange
from episodes.tasks.spec import Arranged, Persona, Stage
from episodes.tasks.tracker_allowances import filling, working_on_issues
from episodes.tasks.tracker_people import colleagues, live_spaces, persona_on_tracker, user_of
from episodes.tasks.tracker_planting import History, Planted, in_office_hours
from sandlot.service import Space
from seeds.people.reviewers import cast_reviewer

POINTS: Final = (1, 2, 3, 5, 8, 13)
LEAVE: Final = timedelta(days=18)


@dataclass(frozen=True, slots=True)
class Cast:
    """Who takes part: the agent, who reported the work, who speaks for the product, who approves.

    `away` is whom the guide names where somebody else stands in; `former` whom the old one names.
    """

    own: User
    reporter: User
    product: User
    approver: User
    away: User
    former: User


@dataclass(frozen=True, slots=True)
class Value:
    """A value of the field that review asks for: as people write it, as checks compare it, itself.

    `plain` is a version's id as text, a number of points or a day.
    """

    said: str
    plain: Any
    held: Any


@dataclass(frozen=True, slots=True)
class Written:
    """What was planted: the work and its sub-tasks, its look-alike, the guide in force."""

    work: Planted
    parts: list[Planted]
    twin: Planted
    guide: Planted


def arrange(stage: Stage) -> Arranged:
    """Make the instance in the bound sandbox, in the order of what happened.

    Raises:
        CannotArrange: the world has no fitting space, or too few people.
    """
    params = params_of(stage.instance)
    chance = stage.chance("arrange")
    persona = persona_on_tracker("developer")
    space = _space(params, user_of(persona), chance)
    cast = _cast(params, space, user_of(persona), chance)
    present = clock.now()
    boss = _boss()
    statuses = give_workflow(params, space, by=boss, at=_ago(present, 160, chance))
    space = Project.objects.select_related("lead").get(id=space.id)
    topic = chance.choice(TOPICS)
    first, last = _values(params.asked, space, present.date(), chance)
    written = _write(Scenery(params, cast, space, topic, chance), said=(first.said, last.said))
    if params.approved:
        cast_reviewer(
            cast.approver,
            written.work.made,
            status=statuses[REVIEW].id,
            transition=APPROVE,
            chance=stage.chance("approver"),
        )
    facts = _facts(params, cast, written, last, space)
    return Arranged(
        goal=_goal(stage.chance("goal"), topic, space, cast.reporter),
        persona=Persona("developer", persona.logins),
        facts=facts,
        allows=_allows(params, facts),
        start_path="/jira/for-you",
        oracle_steps=_oracle_steps(params),
    )


def _oracle_steps(params: Params) -> dict[Space, int]:
    """Return how many steps the oracle takes: reading, filling, each move, asking, finish."""
    api = 4 + 1 + 2 + 2 + 1
    browser = 8 + 3 + 2 + 4 + 1
    if params.start == "To Do":
        api, browser = api + 2, browser + 2
    if params.parts:
        api, browser = api + 4, browser + 10
    if params.approved:
        api, browser = api + 4, browser + 7
    return {"api": api, "browser": browser}


# Where and who


def _space(params: Params, own: User, chance: Random) -> Project:
    """Choose a live software space that somebody else leads, and that has versions to come."""
    fitting = [
        space
        for space in live_spaces()
        if space.lead_id != own.id
        and space.lead.active
        and len(_coming(space)) > 1
        and Rights(own).may("TRANSITION_ISSUES", space)
        and (params.approval != "lead" or not Rights(own).may("ADMINISTER_PROJECTS", space))
    ]
    if not fitting:
        raise CannotArrange("no space of this world has versions to come and another lead")
    return chance.choice(fitting)


def _coming(space: Project) -> list[Version]:
    rows = Version.objects.filter(project=space, released=False, archived=False)
    return list(rows.order_by("position", "id"))


def _boss() -> User:
    for user in User.objects.filter(active=True, account_type="atlassian").order_by("id"):
        if Rights(user).is_admin:
            return user
    raise CannotArrange("nobody administers the site")


def _cast(params: Params, space: Project, own: User, chance: Random) -> Cast:
    busy = set(
        Issue.objects.filter(project=space, assignee=own).values_list("reporter_id", flat=True)
    )
    people = [user for user in colleagues(space, but=[own.id]) if user.id != space.lead_id]
    reporters = [user for user in people if user.id not in busy]
    if len(people) < 5 or not reporters:
        raise CannotArrange("too few people can have work of this space")
    reporter = chance.choice(reporters)
    others = chance.sample([user for user in people if user.id != reporter.id], 4)
    product, approver, away, former = others
    if params.approval == "lead":
        approver = space.lead
    return Cast(own, reporter, product, approver, away, former)


# What


def _values(asked: Asked, space: Project, today: date, chance: Random) -> tuple[Value, Value]:
    """Return what the field was to hold at first, and what was agreed last."""
    if asked == "fixVersions":
        one, other = chance.sample(_coming(space), 2)
        return _version(one), _version(other)
    if asked == "customfield_10026":
        one_number, other_number = chance.sample(POINTS, 2)
        return _points(one_number), _points(other_number)
    days = [today + timedelta(days=number) for number in chance.sample(range(9, 40), 2)]
    first, last = (Value(words.day_words(day), day.isoformat(), day) for day in days)
    return first, last


def _version(version: Version) -> Value:
    return Value(version.name, str(version.id), (version,))


def _points(number: int) -> Value:
    return Value(str(number), float(number), float(number))


def _ago(present: datetime, days: int, chance: Random) -> datetime:
    return in_office_hours(present - timedelta(days=days), chance.randrange(20, 500))


@dataclass(frozen=True, slots=True)
class Scenery:
    """What is written down, by whom, in which space, and about what."""

    params: Params
    cast: Cast
    space: Project
    topic: Topic
    chance: Random
    history: History = field(default_factory=History)

    def ago(self, days: int) -> datetime:
        """Return a moment in office hours so many days ago."""
        return _ago(clock.now(), days, self.chance)


def _write(scenery: Scenery, *, said: tuple[str, str]) -> Written:
    """Write the guides, the work with what was said on it, and its look-alike."""
    params, cast, chance = scenery.params, scenery.cast, scenery.chance
    history = scenery.history
    _old_guide(scenery)
    guide = _guide(scenery)
    twin = _twin(scenery)
    work = history.make(
        scenery.space,
        chance.choice(("Story", "Task", "Bug")),
        scenery.topic.summary,
        by=cast.reporter,
        at=scenery.ago(chance.randrange(24, 32)),
        description=scenery.topic.text,
        assignee=cast.own,
        priority="Medium",
    )
    text = chance.choice(words.FIRST[params.asked]).format(value=said[0])
    history.say(work, cast.product, text, at=scenery.ago(18))
    if params.start == "In Progress":
        history.move(work, "Start progress", by=cast.own, at=scenery.ago(15))
    text = chance.choice(words.LATER[params.asked]).format(value=said[1])
    history.say(work, cast.product, text, at=scenery.ago(11))
    parts = _parts(scenery, work) if params.parts else []
    history.say(work, cast.product, chance.choice(words.READY[params.end]), at=scenery.ago(2))
    history.write()
    return Written(work, parts, twin, guide)


def _old_guide(scenery: Scenery) -> None:
    cast, space, history = scenery.cast, scenery.space, scenery.history
    old = history.make(
        space,
        "Task",
        scenery.chance.choice(words.GUIDES).format(space=space.name),
        by=cast.former,
        at=scenery.ago(430),
        description=words.old_guide_text(cast.former.display_name),
    )
    done = scenery.ago(150)
    history.say(old, cast.product, "No longer in force, there is a new one.", at=done)
    later = done + timedelta(minutes=4)
    history.move(old, "Done", by=cast.product, at=later, resolution="Done")


def _guide(scenery: Scenery) -> Planted:
    """Write the guide in force, and below it who is away: now, or some time ago."""
    params, cast, space = scenery.params, scenery.cast, scenery.space
    chance, today = scenery.chance, clock.now().date()
    named = cast.away if params.approval == "deputy" else cast.approver
    guide = scenery.history.make(
        space,
        "Task",
        chance.choice(words.GUIDES).format(space=space.name),
        by=space.lead,
        at=scenery.ago(148),
        description=words.guide_text(params, named.display_name, chance),
    )
    if params.approval in ("deputy", "colleague"):
        away = params.approval == "deputy"
        since = chance.randrange(4, 9) if away else 60
        first = today - timedelta(days=since)
        stands_in = cast.approver if away else cast.former
        text = words.away_text(first, first + LEAVE, stands_in.display_name)
        scenery.history.say(guide, named, text, at=scenery.ago(since + 2))
    return guide


def _twin(scenery: Scenery) -> Planted:
    """Write work that is much like it, the agent's too, and not ready."""
    cast, history = scenery.cast, scenery.history
    twin = history.make(
        scenery.space,
        "Task",
        scenery.topic.twin,
        by=cast.product,
        at=scenery.ago(21),
        description="Came up in the same call.",
        assignee=cast.own,
        priority="Medium",
    )
    history.say(twin, cast.product, words.NOT_YET, at=scenery.ago(5))
    return twin


def _parts(scenery: Scenery, work: Planted) -> list[Planted]:
    """Write three sub-tasks: one closed long since, two that are still open."""
    cast, history = scenery.cast, scenery.history
    found = []
    for place, summary in enumerate(scenery.topic.parts):
        part = history.make(
            scenery.space,
            "Sub-task",
            summary,
            by=cast.own,
            at=scenery.ago(14 - place),
            parent=work,
            assignee=cast.own,
        )
        text = words.PART_IN["Done" if place == 0 else scenery.params.end]
        history.say(part, cast.own, text, at=scenery.ago(4))
        if place == 0:
            history.move(part, "Close", by=cast.own, at=scenery.ago(3), resolution="Done")
            continue
        found.append(part)
        if place == 2:
            history.move(part, "In Progress", by=cast.own, at=scenery.ago(8))
    return found


# Facts and goal


def _facts(
    params: Params, cast: Cast, written: Written, value: Value, space: Project
) -> dict[str, Any]:
    work = written.work.made
    last = ChangeItem.objects.order_by("-id").values_list("id", flat=True).first() or 0
    obligations: list[dict[str, Any]] = [
        {
            "id": f"walked:{work.id}",
            "kind": "walked",
            "issue": work.id,
            "path": params.path,
            "after": last,
            "resolved": [params.end],
        }
    ]
    obligations += [
        {
            "id": f"resolved:{part.id}",
            "kind": "resolved",
            "issue": part.id,
            "resolved": [params.end],
        }
        for part in written.parts
    ]
    return {
        "issue": work.id,
        "key": work.key,
        "guide": written.guide.id,
        "path": params.path,
        "after": last,
        "asked": params.asked,
        "value": value.plain,
        "parts": sorted(part.id for part in written.parts),
        "part_keys": [part.key for part in written.parts],
        "resolution": params.end,
        "approver": cast.approver.display_name if params.approved else None,
        "approver_account": cast.approver.account_id,
        "others": [cast.away.account_id, cast.former.account_id],
        "own": cast.own.id,
        "neighbour": written.twin.key,
        "space": space.key,
        "obligations": obligations,
        "giver_reply": "Their guide and the comments on it say all there is. I know no more.",
    }


def _allows(params: Params, facts: dict[str, Any]) -> tuple[Allow, ...]:
    beside = {
        "fixVersions": filling([facts["issue"]], "tracker_issueversion", kind="fix"),
        "customfield_10026": filling([facts["issue"]], "tracker_fieldvalue", field_id=10026),
        "duedate": (),
    }[params.asked]
    more = ("due_date",) if params.asked == "duedate" else ()
    return (
        *working_on_issues([facts["issue"]], *more),
        *working_on_issues(facts["parts"]),
        *beside,
    )


def _goal(chance: Random, topic: Topic, space: Project, reporter: User) -> str:
    template = chance.choice(goals_of(__file__))["text"]
    return str(
        template.format(
            summary=topic.summary,
            described=topic.described,
            space=space.name,
            reporter=reporter.display_name,
        )
    )
