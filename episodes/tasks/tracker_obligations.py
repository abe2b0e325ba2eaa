"""What somebody is owed at the tracker, and whether they got it.

An obligation is a fact of the form {"id", "kind", "issue", ...}: `issue` is the number of what
points to it, the rest is what its kind reads. Those of other clones, with `ticket`, are met as
`obligations` says, so that families across clones may have both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, Final

from clones.tracker.models import ChangeItem, Issue, IssueComponent, IssueLink
from episodes.tasks import obligations as elsewhere
from episodes.tasks.spec import Facts

Obligation = Mapping[str, Any]


def unmet_obligations(facts: Facts) -> frozenset[str]:
    """Return the ids of the obligations that the bound sandbox does not meet."""
    return frozenset(one["id"] for one in facts["obligations"] if not is_met(one))


def is_met(obligation: Obligation) -> bool:
    """Tell whether what is owed has been given."""
    own = KINDS.get(obligation["kind"])
    return elsewhere.is_met(obligation) if own is None else own(obligation)


def statuses_of(issue: int, after: int = 0) -> list[str]:
    """Return the names of the statuses that an issue came through, from its first on.

    `after` is the key of the last item of its history that does not count.
    """
    rows = ChangeItem.objects.filter(issue=issue, field_id="status", id__gt=after)
    items = list(rows.order_by("id").values_list("old_string", "new_string"))
    if not items:
        return []
    return [str(items[0][0]), *(str(new) for _, new in items)]


def walked(path: list[str], taken: list[str]) -> int:
    """Return how many steps of a path were taken, one after another and without a leap.

    What lies between, there and back again, does not count against it; a step that leads anywhere
    else than the path does is none of it.
    """
    steps = list(pairwise(path))
    done = 0
    for step in pairwise(taken):
        if done < len(steps) and step == steps[done]:
            done += 1
    return done


def _is_walked(obligation: Obligation) -> bool:
    """Tell whether the issue came by the `path` of statuses to its last one, and is `resolved`.

    `after` is the key of the last item of its history before.
    """
    path = list(obligation["path"])
    taken = statuses_of(obligation["issue"], obligation["after"])
    resolution = Issue.objects.values_list("resolution__name", flat=True).get(
        id=obligation["issue"]
    )
    return walked(path, taken) == len(path) - 1 and resolution in obligation["resolved"]


def _is_resolved(obligation: Obligation) -> bool:
    """Tell whether the issue is done with one of the resolutions in `resolved`."""
    issue = Issue.objects.select_related("status", "resolution").get(id=obligation["issue"])
    resolution = None if issue.resolution is None else issue.resolution.name
    return issue.status.category == "done" and resolution in obligation["resolved"]


def _is_filed(obligation: Obligation) -> bool:
    """Tell whether the issue is still open, with exactly this `component` and `priority`.

    `component` is its number, `priority` its name.
    """
    issue = Issue.objects.select_related("status", "priority").get(id=obligation["issue"])
    rows = IssueComponent.objects.filter(issue=issue).order_by("component_id")
    components = list(rows.values_list("component_id", flat=True))
    priority = None if issue.priority is None else issue.priority.name
    is_open = issue.status.category != "done" and issue.archived_at is None
    return (
        is_open and components == [obligation["component"]] and priority == obligation["priority"]
    )


def _is_linked(obligation: Obligation) -> bool:
    """Tell whether the issue has the outward link of the `type` to the `other` one."""
    rows = IssueLink.objects.filter(source=obligation["issue"], destination=obligation["other"])
    return rows.filter(type__name=obligation["type"]).exists()


KINDS: Final[Mapping[str, Callable[[Obligation], bool]]] = {
    "walked": _is_walked,
    "resolved": _is_resolved,
    "filed": _is_filed,
    "linked": _is_linked,
}
