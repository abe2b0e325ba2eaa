"""Plant a version that is due, what it holds, and the request for its notes and its release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

from clones.core import clock
from clones.core.journal import act
from clones.tracker.domain.fieldset import Planned, fields_of
from clones.tracker.domain.issues.creating import create_issue
from clones.tracker.domain.versions import create_version
from clones.tracker.models import Component, Issue, IssueType, Project, User, Version
from clones.tracker.queries.rights import Rights
from episodes.families.t02.arrange import neighbour_of
from episodes.families.t06 import words
from episodes.families.t06.contents import draw, heading_of, target_of
from episodes.families.t06.params import Params, params_of
from episodes.families.t06.planting import Planter
from episodes.tasks.footprint import Allow
from episodes.tasks.goals import goals_of
from episodes.tasks.personas import CannotArrange
from episodes.tasks.spec import Arranged, Stage
from episodes.tasks.tracker_acts import document
from episodes.tasks.tracker_allowances import commenting_on, filling, new_issue, touching
from episodes.tasks.tracker_people import listed_users, persona_on_tracker, user_of
from sandlot.service import Space

HEADINGS: Final = {"three": 3, "two": 2, "priority": 2, "asked": 3}
SPACES: Final = ("STU", "CLD", "FWR")
VERSION_COLUMNS: Final = frozenset({"released", "release_date"})


def arrange(stage: Stage) -> Arranged:
    """Make the instance in the bound sandbox, in the order of what happened.

    Raises:
        CannotArrange: the world lacks a space with versions, an admin, or a colleague who asks.
    """
    params, chance = params_of(stage.instance), stage.chance("arrange")
    present = clock.now()
    persona = persona_on_tracker("product manager", role="admin")
    agent = user_of(persona)
    space = _space(chance)
    asker = _asker(space, agent, chance)
    wish = _wish(params, space, agent, chance)
    drafts = draw(params, len(wish["components"]), chance)
    asked_at = present - timedelta(minutes=chance.randrange(50, 60 * 7))
    planter = Planter(space, wish, before=asked_at - timedelta(hours=2), chance=chance)
    issues = planter.plant(drafts)
    _plant_other_versions(space, wish, agent, chance)
    subject = chance.choice(words.SUBJECTS).format(version=wish["version"])
    request = _request(space, wish, (asker, agent), subject, chance, at=asked_at)
    facts = _facts(wish, drafts, issues, request, (asker, agent))
    held = [issue.id for issue in issues]
    facts["neighbour"] = neighbour_of(space, [*held, request.id])
    goal = stage.chance("goal").choice(goals_of(__file__))["text"]
    return Arranged(
        goal=str(
            goal.format(
                requester=asker.display_name, version=wish["version"], space=space.name,
                subject=subject,
            )
        ),
        persona=persona,
        facts=facts,
        allows=_allows(facts),
        start_path="/jira/for-you",
        oracle_steps=steps(facts),
    )  # fmt: skip


def steps(facts: Mapping[str, Any]) -> dict[Space, int]:
    """Return how many steps the oracle takes; by the pages three for each query that it asks."""
    left = len(facts["leftovers"])
    by_component = facts["scheme"] == "component"
    headings = len(facts["components"]) + 1 if by_component else HEADINGS[facts["scheme"]]
    queries = headings + ("reverted" in facts["leaves"]) + (1 if facts["rest"] == "next" else 2)
    told = 3 if facts["place"] == "comment" else 6
    pages = 12 + 3 * queries + 3 * by_component + 4 * left + told
    return {"api": 7 + left, "browser": pages}


def _space(chance: Random) -> Project:
    rows = Project.objects.filter(key__in=SPACES, archived_at=None, deleted_at=None)
    found = list(rows.select_related("lead").order_by("id"))
    if not found:
        raise CannotArrange("the world has no space with versions")
    return chance.choice(found)


def _asker(space: Project, agent: User, chance: Random) -> User:
    """Return a colleague who works in the space; nobody else has that name."""
    busy = Issue.objects.filter(project=space).exclude(assignee=None)
    people = User.objects.filter(active=True, account_type="atlassian").exclude(id=agent.id)
    names = list(User.objects.values_list("display_name", flat=True))
    found = [
        user
        for user in people.filter(id__in=busy.values("assignee")).order_by("id")
        if names.count(user.display_name) == 1 and user.email and user.id not in listed_users()
    ]
    if not found:
        raise CannotArrange("nobody but the agent works in the space")
    return chance.choice(found)


def _wish(params: Params, space: Project, agent: User, chance: Random) -> dict[str, Any]:
    """Make the version and the one after it; return what is wanted, in names and ids."""
    now, actor = clock.now(), Rights(agent)
    taken = set(Version.objects.filter(project=space).values_list("name", flat=True))
    shipped = Version.objects.filter(project=space, released=True, archived=False)
    base = shipped.order_by("-release_date", "-id").first()
    coming = Version.objects.filter(
        project=space, released=False, archived=False, release_date__gte=now.date()
    )
    following = coming.order_by("release_date", "id").first()
    if base is None or following is None:
        raise CannotArrange("the space has no version behind it, or none before it")
    names = [f"{base.name}.{number}" for number in range(1, 9)]
    names = [name for name in names if name not in taken][:2]
    made = []
    start = now - timedelta(days=chance.randrange(26, 40), minutes=chance.randrange(600))
    day = now.date() + timedelta(days=chance.randrange(4))
    planned = day + timedelta(days=chance.choice((-9, -5, 6, 12)))
    later = start + timedelta(days=20)
    for name, begun, due in ((names[0], start, planned), (names[1], later, None)):
        with clock.at(begun), act(actor="world", label="version"):
            changes = {"name": name, "start_date": begun.date(), "release_date": due}
            made.append(create_version(space, changes, actor=actor))
    parts = list(Component.objects.filter(project=space).order_by("id"))
    return {
        "space": space.key,
        "space_id": space.id,
        "version": made[0].name,
        "version_id": made[0].id,
        "patch": made[1].name,
        "patch_id": made[1].id,
        "next": following.name,
        "next_id": following.id,
        "started": start.isoformat(),
        "date": day.isoformat(),
        "title": f"Release notes {made[0].name}",
        "scheme": params.scheme,
        "leaves": list(params.leaves),
        "rest": params.rest,
        "place": params.place,
        "components": [part.name for part in parts],
        "component_ids": [part.id for part in parts],
    }


def _plant_other_versions(
    space: Project, wish: Mapping[str, Any], agent: User, chance: Random
) -> None:
    """Put what is not this version's beside it: done work of the version after it."""
    version = Version.objects.get(id=wish["patch_id"])
    quiet = clock.now() - timedelta(days=2)
    rows = Issue.objects.filter(
        project=space, status__category="done", security_level=None, updated__lt=quiet
    )
    rows = rows.exclude(version_links__version_id=wish["version_id"]).order_by("id")
    for issue in chance.sample(list(rows), min(2, len(rows))):
        planter = Planter.edit(issue, {"fixVersions": (version,)}, Rights(space.lead))
        moment = clock.now() - timedelta(
            days=chance.randrange(1, 12), minutes=chance.randrange(900)
        )
        at = max(moment, issue.updated + timedelta(minutes=5))
        with clock.at(at), act(actor="world", label="filing"):
            planter()


def _request(
    space: Project,
    wish: Mapping[str, Any],
    people: tuple[User, User],
    subject: str,
    chance: Random,
    *,
    at: datetime,
) -> Issue:
    """Plant the request of the first of two people for the second."""
    asker, agent = people
    kind = IssueType.objects.filter(project=None, name="Task").earliest("id")
    text = words.request(wish, chance)
    values = {"summary": subject, "description": document(text), "assignee": agent}
    planned = Planned(fields_of(space, kind), values)
    with clock.at(at), act(actor="world", label="request"):
        return create_issue(space, kind, planned, actor=Rights(asker), trusted=True)


def _facts(
    wish: dict[str, Any],
    drafts: Sequence[Mapping[str, Any]],
    issues: Sequence[Issue],
    request: Issue,
    people: tuple[User, User],
) -> dict[str, Any]:
    """Return what graders know: by the drafts' roles, not by what was made of them."""
    notes: dict[str, list[str]] = {}
    silent: dict[str, list[str]] = {}
    leftovers: dict[str, int | None] = {}
    ids = {"next": wish["next_id"], "patch": wish["patch_id"], "": None}
    for draft, issue in zip(drafts, issues, strict=True):
        if draft["role"] == "in":
            heading = heading_of(wish["scheme"], draft, wish["components"])
            notes.setdefault(heading, []).append(issue.key)
        elif draft["role"] == "left":
            leftovers[issue.key] = ids[target_of(wish["rest"], draft)]
        else:
            silent.setdefault(draft["role"], []).append(issue.key)
    return {
        **wish,
        "request": request.id,
        "request_key": request.key,
        "asker": people[0].id,
        "agent": people[1].id,
        "notes": {heading: sorted(notes[heading]) for heading in sorted(notes)},
        "silent": {role: sorted(silent[role]) for role in sorted(silent)},
        "hushed": _hushed(drafts, issues),
        "leftovers": dict(sorted(leftovers.items())),
        "left_ids": sorted(
            issue.id for draft, issue in zip(drafts, issues, strict=True)
            if draft["role"] == "left"
        ),
        "versions": sorted(Version.objects.values_list("id", flat=True)),
        "obligations": [{"id": "leftovers_moved", "kind": "leftovers"}],
        "giver_reply": "It is all in the request. I have nothing to add to it.",
    }  # fmt: skip


def _hushed(drafts: Sequence[Mapping[str, Any]], issues: Sequence[Issue]) -> list[str]:
    """Return the titles of what is embargoed, where no title in the notes has the same words."""
    of = {
        role: [issue.summary for draft, issue in zip(drafts, issues, strict=True)
               if draft["role"] == role]
        for role in ("in", "embargo")
    }  # fmt: skip
    told = [title.casefold() for title in of["in"]]
    return sorted(
        {title for title in of["embargo"] if not any(title.casefold() in one for one in told)}
    )


def _allows(facts: Mapping[str, Any]) -> tuple[Allow, ...]:
    """Allow the version's release, the notes, and the fix versions of what is left over."""
    left = facts["left_ids"]
    told = commenting_on([facts["request"]])
    if facts["place"] == "item":
        watching = Allow(
            "tracker_watcher", frozenset({"insert"}), where={"user_id": facts["agent"]}
        )
        told = (*new_issue(facts["space_id"], at_most=1), watching)
    released = Allow(
        "tracker_version",
        frozenset({"update"}),
        keys=frozenset({facts["version_id"]}),
        columns=VERSION_COLUMNS,
    )
    return (released, *touching(left), *filling(left, "tracker_issueversion", kind="fix"), *told)
