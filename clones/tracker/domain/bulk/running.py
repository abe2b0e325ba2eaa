"""What all bulk operations share: who may begin one, on which issues, and what is told of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from clones.core.long_jobs import one_by_one
from clones.tracker.domain.errors import Forbidden, Invalid, TrackerError
from clones.tracker.domain.tasks import start_task
from clones.tracker.models import Issue, Task
from clones.tracker.queries.issue_names import issues_named
from clones.tracker.queries.rights import Rights, visible_issues

ISSUES: Final = 1000
AT_ONCE: Final = 5  # tasks of one person that have not ended
PREFIX: Final = "bulk_issues_"
NOT_ALLOWED: Final = "You do not have the global permission to make bulk changes."
NOT_VALID: Final = "Some of the issues in the issueIdsOrKeys are not valid"
WITH: Final = ("project", "issue_type", "status", "assignee", "parent", "parent__issue_type")
Json = dict[str, Any]


def require_bulk(rights: Rights) -> None:
    """Hold somebody to the permission to change issues in bulk.

    Raises:
        Forbidden: they have not got it.
    """
    if not rights.holds_global("BULK_CHANGE"):
        raise Forbidden(NOT_ALLOWED)


def chosen(names: Sequence[str], rights: Rights) -> list[Issue]:
    """Return the issues of ids or keys, each once, in their order.

    Raises:
        Invalid: no or too many names, or one that is no issue which they see.
    """
    wanted = list(dict.fromkeys(names))
    if not wanted:
        raise Invalid("The list of issue IDs or keys must not be empty.")
    if len(wanted) > ISSUES:
        raise Invalid(f"The number of issues exceeds the limit of {ISSUES}.")
    try:
        found = issues_named(rights, wanted)
    except Invalid as error:
        raise Invalid(NOT_VALID) from error
    return list({issue.id: issue for issue in found}.values())


def start(kind: str, payload: Json, *, actor: Rights) -> Task:
    """Begin a bulk operation.

    Raises:
        Forbidden: the actor may not make bulk changes.
        Invalid: as many as they may have going are going.
    """
    require_bulk(actor)
    going = Task.objects.filter(
        submitted_by=actor.user, kind__startswith=PREFIX, status__in=("ENQUEUED", "RUNNING")
    )
    if going.count() >= AT_ONCE:
        raise Invalid(f"No more than {AT_ONCE} bulk operations can run at the same time.")
    return start_task(PREFIX + kind, payload, actor=actor)


def each(
    ids: Iterable[int],
    rights: Rights,
    change: Callable[[Issue], None],
    *,
    gone_is_done: bool = False,
) -> Json:
    """Change issues one by one and return what is told of it: a refusal stops none but its own.

    `gone_is_done` says that an issue which went meanwhile counts as done (deletions).
    """
    wanted = list(ids)
    done: list[int] = []
    failed: dict[str, list[str]] = {}
    missing = 0

    def change_one(id: int) -> bool:
        issue = visible_issues(rights).filter(id=id).select_related(*WITH).first()
        if issue is not None:
            change(issue)
        return issue is not None or gone_is_done

    for id, made in one_by_one(wanted, change_one, TrackerError):
        if isinstance(made, TrackerError):
            failed[str(id)] = [*made.messages, *made.fields.values()]
        elif made:
            done.append(id)
        else:
            missing += 1
    return {"processed": done, "failed": failed, "missing": missing, "total": len(wanted)}


def joined(results: Iterable[Json]) -> Json:
    """Return what is told of several parts of one operation."""
    whole: Json = {"processed": [], "failed": {}, "missing": 0, "total": 0}
    for result in results:
        whole["processed"] += result["processed"]
        whole["failed"] |= result["failed"]
        whole["missing"] += result["missing"]
        whole["total"] += result["total"]
    return whole


def ids_of(issues: Iterable[Issue]) -> list[int]:
    """Return the ids of issues."""
    return [issue.id for issue in issues]
