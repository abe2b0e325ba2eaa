"""Branches of rules: for which issues, or items of a list, a part of a rule is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from django.db.models import Q, QuerySet

from clones.core.digits import is_digits
from clones.tracker.domain.automation.context import ActFailed, Run, fresh
from clones.tracker.models import Issue, IssueLink
from clones.tracker.queries import searching
from clones.tracker.queries.automation_values.issues import WITH
from clones.tracker.queries.rights import BROWSE
from clones.tracker.rules.automation.catalogue.asking import VALUES_BRANCH
from clones.tracker.rules.automation.documents import Component
from clones.tracker.rules.automation.events import named

MOST: Final = 1000  # issues of one branch


def branches(run: Run, component: Component) -> Iterator[Run]:
    """Return the run as it goes on in each branch.

    Raises:
        TrackerError, JqlError, SmartValueError: it cannot be told for what.
        Stopped: the run went through too many issues.
    """
    value = component["value"]
    if component["type"] == VALUES_BRANCH:
        yield from _items(run, value)
        return
    for issue in related(run, value):
        yield run.at(issue)


def _items(run: Run, value: Mapping[str, Any]) -> Iterator[Run]:
    name = str((value.get("name") or {}).get("value") or "").strip()
    found = run.value((value.get("query") or {}).get("value"))
    if isinstance(found, str):
        found = [one.strip() for one in found.split(",") if one.strip()]
    items = list(found) if isinstance(found, list | tuple) else [found] if found else []
    for item in items[:MOST]:
        yield run.at(None, **{name: item})


def related(run: Run, value: Mapping[str, Any]) -> list[Issue]:
    """Return the issues that stand to the one at hand as a form says, seen by the actor.

    Raises:
        ActFailed: there is no such relation, or no issue at hand.
        JqlError, SmartValueError: the query cannot be run.
    """
    kind = str(value.get("relatedType") or "")
    if kind == "jql":
        query = run.render(value.get("jql"))
        if not query.strip():
            raise ActFailed("The branch has no JQL.")
        return list(searching.search(query, run.actor).select_related(*WITH)[:MOST])
    if kind in _CREATED:
        made = run.shared.created[-1:] if _CREATED[kind] else run.shared.created
        return [fresh(one.id) for one in made]
    if kind == "fixVersions" and run.names.get("version") is not None and run.issue is None:
        return _seen(run, Q(version_links__version=int(run.names["version"].part("id"))))
    if kind == "sprint" and run.names.get("sprint") is not None and run.issue is None:
        return _seen(run, Q(sprint_links__sprint=int(run.names["sprint"].part("id"))))
    reader = _RELATIONS.get(kind)
    if reader is None:
        raise ActFailed(f"There is no relation {kind[:40]}.")
    if run.issue is None:
        raise ActFailed("There is no work item at hand.")
    condition = reader(run.row(), value)
    found = [] if condition is None else _seen(run, condition)
    query = run.render(value.get("jql"))
    if query.strip():
        ids = searching.matching_ids(query, run.actor, [issue.id for issue in found])
        found = [issue for issue in found if issue.id in ids]
    return found


def _seen(run: Run, condition: Q) -> list[Issue]:
    rows: QuerySet[Issue] = Issue.objects.filter(run.actor.issues_with(BROWSE))
    rows = rows.filter(condition, archived_at=None).select_related(*WITH).distinct()
    return list(rows.order_by("rank", "id")[:MOST])


def _linked(issue: Issue, value: Mapping[str, Any]) -> Q:
    """Return the condition of the issues that are linked to one: by `inward:` or `outward:`."""
    rows = IssueLink.objects.all()
    found = Q(pk__in=[])
    wanted = [text for _, text in named(value.get("linkTypes"))] or ["inward:", "outward:"]
    for text in wanted:
        end, colon, name = text.partition(":")
        ways = (end,) if colon else ("inward", "outward")
        kind = name if colon else text
        for way in ways:
            links = rows.filter(**{"source" if way == "outward" else "destination": issue})
            if kind:
                by_id = Q(type=int(kind)) if is_digits(kind, 17) else Q(pk__in=[])
                links = links.filter(by_id | Q(type__name__iexact=kind) | _words(way, kind))
            other = "destination" if way == "outward" else "source"
            found |= Q(pk__in=links.values(other))
    return found


def _words(way: str, text: str) -> Q:
    return Q(**{f"type__{way}__iexact": text}) if way in ("inward", "outward") else Q(pk__in=[])


def _parent(issue: Issue, _: Mapping[str, Any]) -> Q | None:
    return None if issue.parent_id is None else Q(id=issue.parent_id)


def _epic(issue: Issue, _: Mapping[str, Any]) -> Q | None:
    found: Issue | None = issue
    while found is not None and found.issue_type.hierarchy_level < 1:
        rows = Issue.objects.select_related("issue_type")
        found = rows.filter(id=found.parent_id).first() if found.parent_id else None
    return None if found is None else Q(id=found.id)


def _siblings(issue: Issue, _: Mapping[str, Any]) -> Q | None:
    return None if issue.parent_id is None else Q(parent=issue.parent_id) & ~Q(id=issue.id)


def _in_sprint(issue: Issue, _: Mapping[str, Any]) -> Q:
    return Q(sprint_links__sprint__in=issue.sprint_links.values("sprint")) & ~Q(id=issue.id)


def _same_version(issue: Issue, _: Mapping[str, Any]) -> Q:
    mine = issue.version_links.filter(kind="fix").values("version")
    return Q(version_links__kind="fix", version_links__version__in=mine) & ~Q(id=issue.id)


_CREATED: Final = {"created": False, "createdLast": True, "createdIssue": True}
_RELATIONS: Final[dict[str, Callable[[Issue, Mapping[str, Any]], Q | None]]] = {
    "current": lambda issue, _: Q(id=issue.id),
    "subtasks": lambda issue, _: Q(parent=issue.id, issue_type__hierarchy_level__lt=0),
    "sub-tasks": lambda issue, _: Q(parent=issue.id, issue_type__hierarchy_level__lt=0),
    "children": lambda issue, _: Q(parent=issue.id),
    "stories": lambda issue, _: Q(parent=issue.id, issue_type__hierarchy_level__gte=0),
    "parent": _parent,
    "epic": _epic,
    "siblings": _siblings,
    "linked": _linked,
    "links": _linked,
    "sprint": _in_sprint,
    "fixVersions": _same_version,
}
