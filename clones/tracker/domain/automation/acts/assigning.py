"""Giving issues to people: to one, or to one of several by their work, their turn or by chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from django.db.models import Count

from clones.core import randomness
from clones.tracker.domain.automation.acts.registry import performs
from clones.tracker.domain.automation.context import ActFailed, Run
from clones.tracker.domain.automation.operations import chosen_user
from clones.tracker.domain.automation.people import (
    members_of_group,
    members_of_role,
    people_with_part,
    user_called,
)
from clones.tracker.domain.issues.editing import assign_issue
from clones.tracker.domain.issues.resolving import AUTOMATIC
from clones.tracker.models import Issue, User
from clones.tracker.queries import searching
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.automation.documents import Component

NOBODY: Final = "Nobody in the list can be assigned to work items: {}"


@performs("jira.issue.assign")
def assign(run: Run, component: Component) -> str:
    """Give the issue at hand to somebody, or to nobody."""
    value = component["value"]
    issue = run.row()
    way = str(value.get("assignType") or "SPECIFY_USER")
    chosen = _chosen(run, issue, component, way)
    before = issue.assignee_id
    assign_issue(issue, chosen, actor=run.actor)
    name = "nobody" if issue.assignee is None else issue.assignee.display_name
    if before == issue.assignee_id:
        return f"Work items were assigned to {name} already: {issue.key}"
    return f"Work items assigned to {name}: {issue.key}"


def _chosen(run: Run, issue: Issue, component: Component, way: str) -> User | str | None:
    value = component["value"]
    given = value.get("assignee")
    if way in ("AUTOMATIC", "PROJECT_DEFAULT"):
        return AUTOMATIC
    if way in ("UNASSIGNED", "UNASSIGN"):
        return None
    if way in ("COPY", "PART"):
        part = given.get("part") or given.get("value") if isinstance(given, Mapping) else given
        people = people_with_part(run, str(part))
        if not people:
            raise ActFailed(f"Nobody has this part in work items: {issue.key}")
        return people[0]
    if way == "SPECIFY_USER":
        return chosen_user(run, given)
    choose = _WAYS.get(way)
    if choose is None:
        raise ActFailed(f"There is no way of assigning called {way[:40]}.")
    people = [user for user in _listed(run, given) if _can_have(user, issue)]
    if not people:
        raise ActFailed(NOBODY.format(issue.key))
    return choose(run, component, people)


def _listed(run: Run, given: Any) -> list[User]:
    """Return the people among whom one is chosen: a list, a group, a role."""
    if not isinstance(given, Mapping):
        return []
    values = given.get("values")
    if isinstance(values, list) and values:
        named = (one.get("value") if isinstance(one, Mapping) else one for one in values)
        found = [user for one in named if (user := user_called(str(one))) is not None]
        return list(dict.fromkeys(found))
    for key, read in (("group", _group), ("role", members_of_role)):
        chosen = given.get(key)
        text = chosen.get("value") if isinstance(chosen, Mapping) else chosen
        if text:
            return read(run, str(text))
    return []


def _group(run: Run, name: str) -> list[User]:
    del run
    return members_of_group(name)


def _can_have(user: User, issue: Issue) -> bool:
    return user.active and Rights(user).may_on("ASSIGNABLE_USER", issue)


def _balanced(run: Run, component: Component, people: Sequence[User]) -> User:
    """Return who has the fewest unresolved issues, of those that a query finds if there is one."""
    query = run.render(component["value"].get("jql")).strip()
    if query:
        rows = searching.search(query, run.actor).order_by()
    else:
        rows = Issue.objects.filter(project=run.row().project_id, resolution=None, archived_at=None)
    mine = rows.filter(assignee__in=people).values_list("assignee").annotate(count=Count("id"))
    counts = dict(mine)
    return min(people, key=lambda user: (counts.get(user.id, 0), people.index(user)))


def _in_turn(run: Run, component: Component, people: Sequence[User]) -> User:
    """Return who comes after the one whose turn it was last."""
    turns = dict(run.rule.memory.get("turns", {}))
    last = turns.get(component["id"])
    accounts = [user.account_id for user in people]
    place = (accounts.index(last) + 1) % len(people) if last in accounts else 0
    turns[component["id"]] = accounts[place]
    run.rule.memory = {**run.rule.memory, "turns": turns}
    run.rule.save(update_fields=["memory"])
    return people[place]


def _by_chance(run: Run, component: Component, people: Sequence[User]) -> User:
    name = f"tracker.automation.{run.rule.uuid}.{component['id']}"
    return randomness.stream(name).choice(people)


_WAYS: Final[dict[str, Callable[[Run, Component, Sequence[User]], User]]] = {
    "BALANCED": _balanced,
    "ROUND_ROBIN": _in_turn,
    "RANDOM": _by_chance,
}
