"""Changing many issues at once: chosen, then an operation, its details, and a last look.

Nothing is kept between the steps but in their forms: each carries on what the former ones said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpResponse
from django.template.loader import render_to_string

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text, posted_texts, was_sent
from clones.tracker.domain.bulk import editing, moving, simple
from clones.tracker.domain.bulk.running import ISSUES, PREFIX, chosen, require_bulk
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.models import Issue, Task
from clones.tracker.queries.rights import Rights, visible_issues
from clones.tracker.queries.searching import read_search
from clones.tracker.rules.jql import JqlError
from clones.tracker.web.access import Visitor, page_of_staff
from clones.tracker.web.navigator.bulk_moving import BulkMoving
from clones.tracker.web.navigator.bulk_screens import BulkTransition
from clones.tracker.web.navigator.bulk_values import (
    WAYS,
    controls_of,
    editable_fields,
    edited_input,
)
from clones.tracker.web.navigator.cells import Cells
from clones.tracker.web.navigator.columns import all_columns
from clones.tracker.web.parts.controls import typed_of
from clones.tracker.web.plain_pages import not_found, secured
from clones.tracker.web.shell import go, page, words

Json = dict[str, Any]
COLUMNS: Final = ("issuetype", "issuekey", "summary", "status", "assignee")
NO_OPERATION: Final = "Please choose an operation."
STEPS: Final = ("Choose", "Operation", "Details", "Confirmation")
# Names of inputs that say where one is, and not what is to be done.
_OF_STEPS: Final = frozenset({"atl_token", "step", "issue", "operation", "further"})


@dataclass(frozen=True, slots=True)
class Operation:
    """Something to do to all: `has_details` says whether there is more to say about it."""

    key: str
    label: str
    about: str
    has_details: bool = False


OPERATIONS: Final = (
    Operation("edit", "Edit", "Edit field values", has_details=True),
    Operation("move", "Move", "Move to other spaces and types", has_details=True),
    Operation("transition", "Transition", "Move through the workflow", has_details=True),
    Operation("delete", "Delete", "Permanently delete"),
    Operation("watch", "Watch", "Be notified of changes"),
    Operation("unwatch", "Stop watching", "No longer be notified of changes"),
)


@page_of_staff
def choose(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Show what can be chosen; or take a step and show the next."""
    require_bulk(who.rights)
    if request.method != "POST":
        return _choice(request, who, request.GET.get("jql", ""))
    step = posted_text(request, "step")
    try:
        issues = _chosen(posted_texts(request, "issue"), who.rights)
    except Invalid as error:
        return _choice(request, who, posted_text(request, "jql", strip=False), str(error))
    wanted = posted_text(request, "operation")
    operation = next((one for one in OPERATIONS if one.key == wanted), None)
    if step == "choose":
        return _show(request, who, "operation", issues)
    if operation is None:
        return _show(request, who, "operation", issues, problems=[NO_OPERATION])
    if step == "operation" and operation.has_details:
        return _details(request, who, issues, operation)
    return _go_on(request, who, issues, operation)


def _go_on(
    request: SandboxRequest, who: Visitor, issues: list[Issue], operation: Operation
) -> HttpResponse:
    """Show what is about to be done, for a last look, or begin it."""
    try:
        if posted_text(request, "step") == "confirm":
            task = _start(request, who, issues, operation)
            return go(f"/issues/bulk/{task.id}")
        more = (
            {} if was_sent(request, "further") else _further(request, issues, operation, who.rights)
        )
        if more:
            kept = [pair for pair in _kept(request) if pair[0] != "notify"]
            return _show(
                request, who, "details", issues, operation,
                kept=kept, notifies=_notifies(request), **more,
            )  # fmt: skip
        said = _summary(request, issues, operation, who.rights)
    except Invalid as error:
        problems = [*error.messages, *error.fields.values()]
        if operation.has_details:
            return _details(request, who, issues, operation, problems)
        return _show(request, who, "confirm", issues, operation, problems=problems)
    return _show(request, who, "confirm", issues, operation, said=said, kept=_kept(request))


def _chosen(names: Sequence[str], rights: Rights) -> list[Issue]:
    if not names:
        raise Invalid(f"You must select at least one {words().item} to bulk edit.")
    return chosen(names, rights)


def _choice(request: SandboxRequest, who: Visitor, jql: str, problem: str = "") -> HttpResponse:
    try:
        search = read_search(jql, who.rights)
        total, issues = search.found.count(), search.some(ISSUES)
        problems = [problem] if problem else []
    except JqlError as error:
        total, issues, problems = 0, [], error.texts
    known = all_columns(who.rights)
    cells = Cells(issues, who.rights)
    columns = [known[id] for id in COLUMNS]
    context = {
        "step": "choose",
        "steps": _steps("choose"),
        "jql": jql,
        "problems": problems,
        "total": total,
        "most": ISSUES,
        "columns": columns,
        "rows": [(issue, cells.row(issue, columns)) for issue in issues],
    }
    return _page(request, who, context, 400 if problems else 200)


def _show(
    request: SandboxRequest,
    who: Visitor,
    step: str,
    issues: Sequence[Issue],
    operation: Operation | None = None,
    *,
    problems: Sequence[str] = (),
    **more: Any,
) -> HttpResponse:
    context = {
        "step": step,
        "steps": _steps(step),
        "issues": issues,
        "operation": operation,
        "operations": OPERATIONS,
        "problems": problems,
        **more,
    }
    return _page(request, who, context, 400 if problems else 200)


def _page(request: SandboxRequest, who: Visitor, context: Json, status: int = 200) -> HttpResponse:
    return page(
        request, who, "tracker/navigator/bulk.html", context,
        title="Bulk change", active="issues", status=status,
    )  # fmt: skip


def _steps(step: str) -> list[tuple[str, bool]]:
    places = {"choose": 0, "operation": 1, "details": 2, "confirm": 3}
    return [(name, at == places[step]) for at, name in enumerate(STEPS)]


def _kept(request: SandboxRequest) -> list[tuple[str, str]]:
    """Return what was said of the operation, for the next form to say it again."""
    return [
        (name, str(value))
        for name in request.POST
        if name not in _OF_STEPS
        for value in posted_texts(request, name)
    ]


# The operations that have details.


def _details(
    request: SandboxRequest,
    who: Visitor,
    issues: list[Issue],
    operation: Operation,
    problems: Sequence[str] = (),
) -> HttpResponse:
    shown = {"edit": _edit_details, "move": _move_details, "transition": _transition_details}
    more = shown[operation.key](request, issues, who.rights)
    return _show(request, who, "details", issues, operation, problems=problems, **more)


def _edit_details(request: SandboxRequest, issues: list[Issue], rights: Rights) -> Json:
    typed = typed_of(request)
    controls = controls_of(editable_fields(issues, rights), issues, typed, rights)
    changed = set(posted_texts(request, "change"))
    return {
        "controls": [(*one, one[0].id in changed) for one in controls],
        "ways": WAYS,
        "notifies": _notifies(request) if was_sent(request, "change") else True,
    }


def _move_details(request: SandboxRequest, issues: list[Issue], rights: Rights) -> Json:
    moving = BulkMoving(issues, typed_of(request), rights)
    return {
        "movers": [(group, moving.choices(group)) for group in moving.groups],
        "same": was_sent(request, "same"),
        "notifies": True,
    }


def _transition_details(request: SandboxRequest, issues: list[Issue], rights: Rights) -> Json:
    transition = BulkTransition(issues, typed_of(request), rights)
    return {"groups": transition.rows(), "notifies": True}


def _further(
    request: SandboxRequest, issues: list[Issue], operation: Operation, rights: Rights
) -> Json:
    """Return what details are still to be asked for, after the first; nothing of most.

    Raises:
        Invalid: the first cannot be so.
    """
    typed = typed_of(request)
    if operation.key == "move":
        askings = [one for one in BulkMoving(issues, typed, rights).askings() if one.is_needed]
        return {"askings": askings} if askings else {}
    if operation.key == "transition":
        controls = BulkTransition(issues, typed, rights).controls()
        return {"screen": controls} if controls else {}
    return {}


def _summary(
    request: SandboxRequest, issues: list[Issue], operation: Operation, rights: Rights
) -> list[tuple[str, str]]:
    """Return what is about to be done, in pairs of words, for a last look.

    Raises:
        Invalid: it cannot be done so.
    """
    match operation.key:
        case "edit":
            return _summary_of_edit(request, issues, rights)
        case "move":
            return BulkMoving(issues, typed_of(request), rights).summary()
        case "transition":
            return BulkTransition(issues, typed_of(request), rights).summary()
    return []


def _summary_of_edit(
    request: SandboxRequest, issues: list[Issue], rights: Rights
) -> list[tuple[str, str]]:
    typed = typed_of(request)
    fields = editable_fields(issues, rights)
    changed = posted_texts(request, "change")
    if not changed:
        raise Invalid("Please choose at least one field to change.")
    edited_input({one.field.id: one.field for one in fields}, changed, typed, rights)
    found = []
    wanted = [one for one in fields if one.field.id in changed]
    for control, several, way in controls_of(wanted, issues, typed, rights):
        names = [one.label for one in control.choices if one.chosen]
        value = ", ".join(names) or " ".join(filter(None, [control.value, control.second]))
        if several:
            value = f"{WAYS.get(way, way)}: {value}" if way != "REMOVE_ALL" else WAYS[way]
        found.append((control.label, value or "None"))
    return found


# Beginning, and what came of it.


def _start(
    request: SandboxRequest, who: Visitor, issues: list[Issue], operation: Operation
) -> Task:
    rights, notify = who.rights, _notifies(request)
    names = [issue.key for issue in issues]
    if operation.key == "edit":
        fields = {one.field.id: one.field for one in editable_fields(issues, rights)}
        changed = posted_texts(request, "change")
        edited, ids = edited_input(fields, changed, typed_of(request), rights)
        return editing.start_edit(names, edited, ids, notify=notify, actor=rights)
    if operation.key == "move":
        inputs = BulkMoving(issues, typed_of(request), rights).inputs()
        return moving.start_move(inputs, notify=notify, actor=rights)
    if operation.key == "transition":
        found = BulkTransition(issues, typed_of(request), rights)
        pairs = [(one.keys, str(one.move.number)) for one in found.chosen()]
        fields = found.body()
        return simple.start_transition(pairs, notify=notify, actor=rights, fields=fields)
    if operation.key == "delete":
        return simple.start_deletion(names, notify=notify, actor=rights)
    return simple.start_watching(names, watch=operation.key == "watch", actor=rights)


def _notifies(request: SandboxRequest) -> bool:
    return posted_text(request, "notify") == "1"


@page_of_staff
def progress(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Show how far a bulk change is, and what came of it."""
    if request.method != "GET":
        return not_found()
    task = Task.objects.select_related("submitted_by").filter(id=key).first()
    if task is None or not task.kind.startswith(PREFIX):
        raise NotFound("There is no such bulk operation.")
    if task.submitted_by_id != who.user.id and not who.rights.is_admin:
        raise NotFound("There is no such bulk operation.")
    context = {"task": task, "going": task.status in {"ENQUEUED", "RUNNING"}, **_result(task, who)}
    if request.headers.get("HX-Target") == "progress":
        return secured(HttpResponse(render_to_string("tracker/navigator/_progress.html", context)))
    return page(
        request, who, "tracker/navigator/bulk_progress.html", context,
        title="Bulk operation", active="issues",
    )  # fmt: skip


def _result(task: Task, who: Visitor) -> Json:
    label = next((one.label for one in OPERATIONS if PREFIX + one.key == task.kind), "Change")
    result = task.result if isinstance(task.result, dict) else None
    if result is None:
        return {"label": label, "result": None}
    ids = [int(id) for id in result["failed"]]
    keys = dict(visible_issues(who.rights).filter(id__in=ids).values_list("id", "key"))
    failed = [(keys.get(int(id), id), texts) for id, texts in result["failed"].items()]
    return {
        "label": label,
        "result": result,
        "done": len(result["processed"]),
        "failed": failed,
        "words": words(),
    }
