"""Plant a colleague's request for a filter, and work items on each side of each of its edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from random import Random
from typing import Any, Final

from clones.core import clock
from clones.core.journal import act
from clones.tracker.domain.fieldset import Planned, fields_of
from clones.tracker.domain.filters import create_filter
from clones.tracker.domain.issues.creating import create_issue
from clones.tracker.domain.sharing import Draft
from clones.tracker.models import Component, Filter, Group, Issue, IssueType, Project, User
from clones.tracker.queries.rights import Rights
from episodes.families.t02 import words
from episodes.families.t02.drawing import DOING, DONE, Drawer, Land
from episodes.families.t02.params import Params, params_of
from episodes.families.t02.planting import land_of, refile, spaces_of
from episodes.families.t02.reading import belongs, holds, rows_for
from episodes.tasks.footprint import Allow
from episodes.tasks.goals import goals_of
from episodes.tasks.personas import CannotArrange
from episodes.tasks.spec import Arranged, Stage
from episodes.tasks.tracker_acts import document
from episodes.tasks.tracker_people import listed_users, persona_on_tracker, user_of

TEAMS: Final = ("STU", "FWR", "CLD", "OPS")
WITH_VERSIONS: Final = ("STU", "FWR", "CLD")
OUTSIDE: Final = "PAY"
LABELS: Final = ("regression", "performance", "customer-reported", "docs", "tech-debt", "support")
DAYS: Final = {"repriced": (10, 15, 20, 30), "due": (7, 10, 14, 21), "fresh": (10, 14, 21, 30)}
CATEGORY: Final = {
    "open": ("none_of", ["done"]),
    "todo": ("one_of", ["new"]),
    "doing": ("one_of", ["indeterminate"]),
    "done": ("one_of", ["done"]),
}
PLANTED: Final = 7
WISHES: Final = 40  # drawn until one is fit
LEAST_INSIDE: Final = 1
BROWSER_STEPS: Final = 14


def arrange(stage: Stage) -> Arranged:
    """Make the instance in the bound sandbox, in the order of what happened.

    Raises:
        CannotArrange: the world lacks spaces, colleagues or a running sprint.
    """
    params, chance = params_of(stage.instance), stage.chance("arrange")
    present = clock.now()
    persona = persona_on_tracker("engineering manager")
    agent = user_of(persona)
    asker = _asker(agent, chance)
    wish = _tested_wish(params, agent, asker, chance)
    _plant_look_alikes(wish, agent, asker, chance)
    wanted_at = present - timedelta(minutes=chance.randrange(50, 60 * 8))
    rights = Rights(asker)
    land = land_of(**wish["land"])
    drawer = Drawer(wish["conditions"], land, wanted_at, rights.zone)
    plans = drawer.around(chance, PLANTED)
    planted = refile(wish["conditions"], plans, land, chance, before=wanted_at, zone=rights.zone)
    subject = chance.choice(words.SUBJECTS)
    text = words.request(wish, params.sharing, chance)
    request = _request(wish, asker, agent, subject, text, at=wanted_at)
    rows = rows_for(rights)
    facts = {
        **wish,
        "request": request.id,
        "request_key": request.key,
        "asker": asker.id,
        "agent": agent.id,
        "planted": planted,
        "filters": sorted(Filter.objects.values_list("id", flat=True)),
        "inside": sorted(
            key for key, row in rows.items()
            if belongs(wish["conditions"], row, present, rights.zone)
        ),
        "neighbour": neighbour_of(request.project, [request.id]),
        "obligations": [],
        "giver_reply": "It is all in the request. I have nothing to add to it.",
    }  # fmt: skip
    goal = stage.chance("goal").choice(goals_of(__file__))["text"]
    return Arranged(
        goal=str(goal.format(requester=asker.display_name, subject=subject)),
        persona=persona,
        facts=facts,
        allows=(
            Allow("tracker_filter", frozenset({"insert"}), at_most=1),
            Allow("tracker_share", frozenset({"insert"}), at_most=1),
            Allow("tracker_favourite", frozenset({"insert"}), at_most=1),
        ),
        start_path="/jira/for-you",
        oracle_steps={"api": 4 + (wish["share"] == "project"), "browser": BROWSER_STEPS},
    )


def neighbour_of(space: Project, but: Sequence[int]) -> str | None:
    """Return the key of the newest open issue of a space that somebody has, without some."""
    rows = Issue.objects.filter(project=space, archived_at=None, assignee__isnull=False)
    rows = rows.exclude(status__category="done").exclude(id__in=list(but))
    return rows.order_by("-created", "-id").values_list("key", flat=True).first()


def _asker(agent: User, chance: Random) -> User:
    """Return a colleague who works on something; nobody else has that name.

    Raises:
        CannotArrange: there is none.
    """
    busy = Issue.objects.filter(project__key__in=TEAMS).exclude(assignee=None)
    people = User.objects.filter(active=True, account_type="atlassian").exclude(id=agent.id)
    names = list(User.objects.values_list("display_name", flat=True))
    found = [
        user
        for user in people.filter(id__in=busy.values("assignee")).order_by("id")
        if names.count(user.display_name) == 1 and user.email and user.id not in listed_users()
    ]
    if not found:
        raise CannotArrange("nobody but the agent works on anything")
    return chance.choice(found)


def _tested_wish(params: Params, agent: User, asker: User, chance: Random) -> dict[str, Any]:
    """Return a wish that finds something today, and fails something by its state alone.

    Raises:
        CannotArrange: none of many wishes is so.
    """
    rights, now = Rights(asker), clock.now()
    rows = list(rows_for(rights).values())
    for _ in range(WISHES):
        wish = _wish(params, agent, asker, chance)
        space, state, *others = wish["conditions"]
        near = [row for row in rows if belongs([space, *others], row, now, rights.zone)]
        inside = sum(holds(state, row, now, rights.zone) for row in near)
        if inside >= LEAST_INSIDE or len(near) > inside:
            return wish
    raise CannotArrange("none of these wishes is near any work item")


def _wish(params: Params, agent: User, asker: User, chance: Random) -> dict[str, Any]:
    """Return what is wanted: name, conditions, whom it is shared with."""
    first = chance.choice(WITH_VERSIONS)
    second = chance.choice([key for key in TEAMS if key != first])
    keys = sorted((first, second))
    spaces = spaces_of([*keys, OUTSIDE])
    if len(spaces) < 3:
        raise CannotArrange("the world lacks spaces")
    labels = chance.sample(LABELS, 4)
    people = _people(asker, chance)
    land = {
        "keys": [*keys, OUTSIDE],
        "labels": labels,
        "people": [user.account_id for user in people],
    }
    home = spaces[chance.choice(keys)]
    known = land_of(**land)
    conditions = [
        condition("all", "space", "one_of", keys, [spaces[key].name for key in keys]),
        _state(params.state),
        _second(params, known, people[0], chance),
        *_either(params.either, known, labels, keys, chance),
    ]
    share, share_key, share_name = _share(params, agent, home, chance)
    return {
        "name": words.filter_name(chance, home.name),
        "conditions": conditions,
        "land": land,
        "share": share,
        "share_key": share_key,
        "share_name": share_name,
    }


def _people(asker: User, chance: Random) -> list[User]:
    """Return some who have work; the first one had some in the past, too."""
    names = list(User.objects.values_list("display_name", flat=True))
    rows = User.objects.filter(active=True, account_type="atlassian", assigned__isnull=False)
    found = [
        user
        for user in rows.distinct().order_by("id")
        if names.count(user.display_name) == 1 and user.id != asker.id
    ]
    if len(found) < 4:
        raise CannotArrange("too few people have work")
    return chance.sample(found, 4)


def condition(
    side: str, about: str, test: str, values: list[str], said: list[str], **more: Any
) -> dict[str, Any]:
    """Return a condition as `reading` has it."""
    found = {"side": side, "about": about, "test": test, "values": values, "words": said}
    return {**found, "days": None, **more}


def _state(state: str) -> dict[str, Any]:
    if state == "unresolved":
        return condition("all", "resolution", "blank", [], [], state=state)
    test, values = CATEGORY[state]
    return condition("all", "category", test, list(values), [], state=state)


def _second(params: Params, land: Land, person: User, chance: Random) -> dict[str, Any]:
    kind = params.second
    if kind == "was":
        name = DOING if params.state in ("todo", "done") else DONE
        return condition("all", "status", "was", [land.statuses[name]], [name])
    if kind == "handed":
        said = [person.display_name]
        return condition("all", "assignee", "was", [person.account_id], said)
    if kind == "nobody":
        return condition("all", "assignee", "blank", [], [])
    if kind == "planned":
        return condition("all", "unreleased", "filled", [], [])
    days = chance.choice(DAYS[kind])
    about, test = {"repriced": ("priority", "changed"), "due": ("due", "due")}[kind]
    return condition("all", about, test, [], [str(days)], days=days)


def _either(
    kind: str, land: Land, labels: list[str], keys: list[str], chance: Random
) -> list[dict[str, Any]]:
    high = ["High", "Highest"]
    part = chance.choice(
        [
            (key, component)
            for key in keys
            for component in land.spaces[key]["components"]
        ]
    )  # fmt: skip
    days = chance.choice(DAYS["fresh"])
    found = {
        "marked": [
            condition("any", "labels", "some_of", labels[:2], labels[:2]),
            condition("any", "priority", "one_of", [land.priorities[name] for name in high], high),
        ],
        "fresh": [
            condition("any", "created", "since", [], [str(days)], days=days),
            condition("any", "type", "one_of", [land.types["Bug"]], ["Bug"]),
        ],
        "sprint": [
            condition("any", "sprints", "filled", [], []),
            condition(
                "any",
                "components",
                "some_of",
                [part[1]],
                [Component.objects.get(id=int(part[1])).name],
            ),
        ],
        "bare": [
            condition("any", "components", "blank", [], []),
            condition("any", "labels", "blank", [], []),
        ],
    }[kind]
    chance.shuffle(found)
    return found


def _share(
    params: Params, agent: User, home: Project, chance: Random
) -> tuple[str, int | None, str]:
    """Return the type of the share, the key of what it is with, and its name."""
    if params.sharing == "everyone":
        return "loggedin", None, ""
    if params.sharing == "space":
        return "project", home.id, home.name
    mine = Group.objects.filter(members__user=agent).order_by("id")
    group = chance.choice(list(mine))
    return "group", group.id, group.name


def _plant_look_alikes(wish: Mapping[str, Any], agent: User, asker: User, chance: Random) -> None:
    """Plant a shared filter of nearly that name and less in it, and an old one of the agent's."""
    keys = ", ".join(wish["land"]["keys"][:2])
    shared = [Draft("loggedin")]
    olds = (
        (asker, f"{wish['name']} (before)", f"project in ({keys}) AND resolution is EMPTY"),
        (agent, f"{wish['name']} 2025", f"project in ({keys}) AND statusCategory != Done"),
    )
    for owner, name, jql in olds:
        at = clock.now() - timedelta(days=chance.randrange(40, 200), minutes=chance.randrange(900))
        with clock.at(at), act(actor="world", label="filters"):
            create_filter(name=name, jql=jql, shares=shared, actor=Rights(owner))


def _request(
    wish: Mapping[str, Any], asker: User, agent: User, subject: str, text: str, *, at: Any
) -> Issue:
    """Plant the request: a task for the agent in the space of the wish."""
    space = spaces_of(wish["land"]["keys"])[wish["land"]["keys"][0]]
    kind = IssueType.objects.filter(project=None, name="Task").earliest("id")
    values = {"summary": subject, "description": document(text), "assignee": agent}
    planned = Planned(fields_of(space, kind), values)
    with clock.at(at), act(actor="world", label="request"):
        return create_issue(space, kind, planned, actor=Rights(asker), trusted=True)
