"""What people keep on the site: filters, quick filters, dashboards; and spaces out of use."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

from clones.core import clock
from clones.tracker import models as tracker
from clones.tracker.domain import audit
from clones.tracker.domain.board_configuration import add_quick_filter
from clones.tracker.domain.dashboards import create_dashboard
from clones.tracker.domain.filters import create_filter, star
from clones.tracker.domain.gadgets import Settings, add_gadget
from clones.tracker.domain.project_removal import archive_project
from clones.tracker.domain.sharing import Draft
from clones.tracker.queries.desks import DeskRights
from clones.tracker.queries.rights import Rights
from seeds.draw import Draws, chance
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.engineering import spaces as catalogue
from seeds.kestrel.engineering.model import Engineer, Engineering
from seeds.kestrel.engineering.people import of_space
from seeds.kestrel.projection.tracker.site import Site

FILE = Path(catalogue.__file__).with_name("saved.toml")
GROUP = "jira-software-users"
MODULE = "com.atlassian.jira.gadgets:{}-dashboard-item"


def keep_saved(site: Site, draws: Draws, engineering: Engineering) -> None:
    """Make what people keep, each at some time of the year before the present."""
    data = tomllib.loads(FILE.read_text(encoding="utf-8"))
    rng = draws.rng("saved")
    owners = [one for one in engineering.engineers if one.kind == "atlassian" and not one.left_at]
    users = tracker.User.objects.in_bulk(site.users.values())
    made = [
        _filter(site, users[site.users[owner.index]], rng, entry, key)
        for entry, key, owner in _filters(rng, data["filter"], owners, engineering)
    ]
    for board in tracker.Board.objects.filter(project__deleted_at=None).order_by("id"):
        admin = DeskRights(board.owner)
        with clock.at(PRESENT - timedelta(days=rng.randrange(30, 400))):
            for entry in data["quick"][: 4 if board.type == "scrum" else 3]:
                add_quick_filter(board, entry["name"], entry["jql"], actor=admin)
    shown = [one for one in made if one.shares.exists()]
    for entry in data["dashboard"]:
        owner = users[site.users[rng.choice(owners).index]]
        with clock.at(PRESENT - timedelta(days=rng.randrange(20, 500))):
            actor = Rights(owner)
            shares = _shares(entry["share"], site, "STU")
            page = create_dashboard(name=entry["name"], shares=shares, actor=actor)
            for gadget in entry["gadgets"]:
                add_gadget(page, Settings(module_key=MODULE.format(gadget)))
    for person in owners:
        for found in rng.sample(shown, min(len(shown), 2)):
            if chance(rng, 0.5):
                star(found, actor=DeskRights(users[site.users[person.index]]))


def _filters(
    rng: Random, entries: list[dict[str, Any]], owners: list[Engineer], engineering: Engineering
) -> Iterator[tuple[dict[str, Any], str, Engineer]]:
    """Yield each filter to make with its space and its owner."""
    live = [space for space in engineering.spaces if space.type == "software" and not space.fate]
    for entry in entries:
        for space in live if entry.get("each") else live[:1]:
            area = rng.choice(space.areas).name
            words = {"key": space.key, "name": space.name, "area": area}
            told = {name: _fill(value, words) for name, value in entry.items()}
            team = [one for one in of_space(owners, space.key) if not one.left_at] or owners
            yield told, space.key, rng.choice(team if entry.get("each") else owners)


def _fill(value: Any, words: dict[str, str]) -> Any:
    return value.format(**words) if isinstance(value, str) else value


def _filter(
    site: Site, owner: tracker.User, rng: Random, entry: dict[str, Any], key: str
) -> tracker.Filter:
    broken = entry.get("broken", False)
    with clock.at(PRESENT - timedelta(days=rng.randrange(3, 700), minutes=rng.randrange(600))):
        found = create_filter(
            name=entry["name"],
            jql="" if broken else entry["jql"],
            description=entry.get("description", ""),
            shares=_shares(entry["share"], site, key),
            favourite=chance(rng, 0.6),
            actor=Rights(owner),
        )
    if broken:
        # What it asks for was there when it was written.
        found.jql = entry["jql"]
        found.save(update_fields=["jql"])
    return found


def _shares(kind: str, site: Site, key: str) -> list[Draft]:
    match kind:
        case "everybody":
            return [Draft("loggedin")]
        case "space":
            return [Draft("project", project=tracker.Project.objects.get(id=site.projects[key]))]
        case "group":
            return [Draft("group", group=tracker.Group.objects.get(name=GROUP))]
    return []


def retire_spaces(site: Site, engineering: Engineering, actor: Rights) -> list[int]:
    """Put spaces that are out of use into the archive or the trash; return those in the trash."""
    gone = []
    for space in engineering.spaces:
        if not space.fate:
            continue
        project = tracker.Project.objects.get(id=site.projects[space.key])
        if space.fate == "archived":
            with clock.at(PRESENT - timedelta(days=95)):
                archive_project(project, actor=actor)
            continue
        with clock.at(PRESENT - timedelta(days=12)):
            # The timer that empties the trash is set once the whole world is written.
            project.deleted_at, project.deleted_by = clock.now(), actor.user
            project.save(update_fields=["deleted_at", "deleted_by"])
            about = ("PROJECT", str(project.id), project.name)
            audit.record("Project moved to trash", "projects", actor=actor, object=about)
        gone.append(project.id)
    return gone
