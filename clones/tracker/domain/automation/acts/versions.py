"""Versions of the run's space: making and releasing them."""

from __future__ import annotations

from datetime import date
from typing import Any

from clones.core import clock
from clones.tracker.domain.automation.acts.registry import performs
from clones.tracker.domain.automation.context import ActFailed, Run
from clones.tracker.domain.versions import create_version, update_version
from clones.tracker.models import Project, Version
from clones.tracker.rules.automation.documents import Component
from clones.tracker.rules.automation.smart.dates import as_moment


@performs("jira.version.create")
def create(run: Run, component: Component) -> str:
    """Make a version in the run's space."""
    value = component["value"]
    changes: dict[str, Any] = {
        "name": run.render(value.get("name")).strip(),
        "description": run.render(value.get("description")),
        "start_date": _day(run, value.get("startDate")),
        "release_date": _day(run, value.get("releaseDate")),
    }
    made = create_version(_space(run), changes, actor=run.actor)
    return f"Version created successfully: {made.name}"


def _space(run: Run) -> Project:
    if run.project is None:
        raise ActFailed("There is no space at hand.")
    return run.project


def _day(run: Run, text: Any) -> date | None:
    found = run.value(text)
    if found is None or found == "":
        return None
    moment = as_moment(found)
    if moment is None:
        raise ActFailed(f"The date could not be read: {run.render(text)[:60]}")
    return moment.date()


def _version(run: Run, named: Any) -> Version:
    """Return the version that a form names; without a name, the one that set the rule off."""
    name = run.render(named).strip()
    rows = Version.objects.filter(project=_space(run)).select_related("project")
    at_hand = run.names.get("version")
    if not name and at_hand is not None:
        found = rows.filter(id=int(at_hand.part("id"))).first()
    else:
        found = rows.filter(name=name).first()
    if found is None:
        raise ActFailed(f"The version could not be found: {name or 'none is at hand'}")
    return found


@performs("jira.version.release")
def release(run: Run, component: Component) -> str:
    """Release a version."""
    value = component["value"]
    version = _version(run, value.get("version"))
    day = _day(run, value.get("releaseDate")) or clock.now().astimezone(run.actor.zone).date()
    update_version(version, {"released": True, "release_date": day}, actor=run.actor)
    return f"Version released successfully: {version.name}"


@performs("jira.version.unrelease")
def unrelease(run: Run, component: Component) -> str:
    """Take the release of a version back."""
    version = _version(run, component["value"].get("version"))
    update_version(version, {"released": False}, actor=run.actor)
    return f"Version unreleased successfully: {version.name}"
