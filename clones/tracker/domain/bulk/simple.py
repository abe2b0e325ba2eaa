"""Deleting, watching, and moving on many issues."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from clones.core.digits import is_digits
from clones.tracker.domain.bulk.running import chosen, each, ids_of, joined, require_bulk, start
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.issues.deleting import delete_issue
from clones.tracker.domain.tasks import carries_out
from clones.tracker.domain.transitions import find_move, move, plan_move, screen_of
from clones.tracker.domain.watching import unwatch_issues, watch_issues
from clones.tracker.models import Issue, Task
from clones.tracker.queries.rights import Rights

Json = dict[str, Any]


def start_deletion(names: Sequence[str], *, notify: bool, actor: Rights) -> Task:
    """Begin to delete issues, sub-tasks first.

    Raises:
        Forbidden: the actor may not make bulk changes.
        Invalid: too many issues, or one that is none.
    """
    require_bulk(actor)
    issues = chosen(names, actor)
    issues.sort(key=lambda issue: issue.issue_type.hierarchy_level)
    return start("delete", {"issues": ids_of(issues), "notify": notify}, actor=actor)


def start_watching(names: Sequence[str], *, watch: bool, actor: Rights) -> Task:
    """Begin to watch issues, or to watch them no more.

    Raises:
        Forbidden: the actor may not make bulk changes.
        Invalid: too many issues, or one that is none.
    """
    require_bulk(actor)
    payload = {"issues": ids_of(chosen(names, actor))}
    return start("watch" if watch else "unwatch", payload, actor=actor)


def start_transition(
    inputs: Sequence[tuple[Sequence[str], str]],
    *,
    notify: bool,
    actor: Rights,
    fields: Mapping[str, Any] | None = None,
) -> Task:
    """Begin to take issues through transitions: those of each input through the one of its id.

    Args:
        inputs: ids or keys of issues, and the id of a transition for them.
        notify: whether people are told.
        actor: who moves them.
        fields: what the screens of the transitions set, by field, as the second version of the API
            has it, or with documents; None leaves screens unseen, as the API's bulk transition has
            it.

    Raises:
        Forbidden: the actor may not make bulk changes.
        Invalid: too many issues, one that is none, or an id that is no number.
    """
    require_bulk(actor)
    parts = []
    for names, number in inputs:
        if not is_digits(number, 9):
            raise Invalid(f"The transition ID '{number}' is not valid.")
        parts.append({"transition": int(number), "issues": ids_of(chosen(names, actor))})
    everything = [id for part in parts for id in _ids(part)]
    if not everything or len(everything) > len(set(everything)):
        raise Invalid("Each issue must be given exactly once.")
    payload = {"inputs": parts, "notify": notify}
    if fields is not None:
        payload["fields"] = dict(fields)
    return start("transition", payload, actor=actor)


def _ids(part: Json) -> list[int]:
    return list(part["issues"])


@carries_out("bulk_issues_delete")
def _delete(task: Task, rights: Rights) -> Json:
    notify = task.payload["notify"]
    return each(
        task.payload["issues"],
        rights,
        lambda issue: delete_issue(issue, actor=rights, delete_subtasks=True, notify=notify),
        gone_is_done=True,
    )


@carries_out("bulk_issues_watch")
def _watch(task: Task, rights: Rights) -> Json:
    return each(
        task.payload["issues"], rights, lambda issue: watch_issues([issue.id], task.submitted_by)
    )


@carries_out("bulk_issues_unwatch")
def _unwatch(task: Task, rights: Rights) -> Json:
    def unwatch(issue: Issue) -> None:
        unwatch_issues([issue.id], task.submitted_by)

    return each(task.payload["issues"], rights, unwatch)


@carries_out("bulk_issues_transition")
def _transition(task: Task, rights: Rights) -> Json:
    notify, fields = task.payload["notify"], task.payload.get("fields")

    def through(number: int, ids: Sequence[int]) -> Json:
        return each(ids, rights, lambda issue: _take(issue, number, rights, fields, notify=notify))

    return joined(through(part["transition"], part["issues"]) for part in task.payload["inputs"])


def _take(issue: Issue, number: int, rights: Rights, fields: Json | None, *, notify: bool) -> None:
    if fields is None:
        move(issue, number, actor=rights, notify=notify)
        return
    found = find_move(issue, number, actor=rights)
    screen = screen_of(found)
    body = {"fields": {id: value for id, value in fields.items() if id in screen}}
    planned = plan_move(found, issue, body, actor=rights, version="either")
    move(issue, number, actor=rights, found=found, planned=planned, notify=notify)
