"""What is wrong with workflows that somebody would write, against all that the site has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from clones.core.digits import is_digits
from clones.tracker.domain.errors import Invalid
from clones.tracker.models import Issue, Project, Screen, Status, Workflow
from clones.tracker.queries.workflows import projects_using, types_using
from clones.tracker.rules.workflow.checking import Problem, check_statuses, check_workflow
from clones.tracker.rules.workflow.drafts import (
    CATEGORY_KEYS,
    SCREEN,
    StatusDraft,
    WorkflowDraft,
)

_UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Update:
    """A workflow as it shall be, and what becomes of issues in statuses that it loses.

    `defaults` are for all issues, `mappings` for (space, type): from a status's id or reference to
    the reference of another.
    """

    draft: WorkflowDraft
    defaults: Mapping[str, str] = field(default_factory=dict)
    mappings: Mapping[tuple[str, str], Mapping[str, str]] = field(default_factory=dict)


def refuse(problems: Iterable[Problem]) -> None:
    """Refuse what has errors; warnings pass.

    Raises:
        Invalid: with the sentence of each.
    """
    errors = [problem.message for problem in problems if problem.level == "ERROR"]
    if errors:
        raise Invalid(*dict.fromkeys(errors))


def problems_of_creation(
    project: Project | None,
    statuses: Sequence[StatusDraft],
    drafts: Sequence[WorkflowDraft],
) -> list[Problem]:
    """Return what is wrong with workflows that somebody would make; warnings too."""
    found = [*check_statuses(statuses), *problems_of_statuses(statuses, project)]
    found.extend(
        Problem(
            "STATUS_REFERENCE_NOT_UUID",
            f"The status reference {status.reference} must be a UUID.",
            "STATUS",
            {"statusReference": status.reference},
        )
        for status in statuses
        if not _UUID.fullmatch(status.reference)
    )
    scope = "GLOBAL" if project is None else "PROJECT"
    names: set[str] = set()
    for draft in drafts:
        found += check_workflow(draft, statuses, scope=scope, new=True)
        found += _problems_of_screens(draft)
        name = draft.name.strip().lower()
        taken = Workflow.objects.filter(name__iexact=draft.name.strip(), project=project)
        if name and (name in names or taken.exists()):
            message = f'A workflow with the name "{draft.name}" already exists.'
            found.append(Problem("NON_UNIQUE_WORKFLOW_NAME", message, "WORKFLOW"))
        names.add(name)
    return found


def problems_of_updates(
    workflows: Mapping[str, Workflow], statuses: Sequence[StatusDraft], updates: Sequence[Update]
) -> list[Problem]:
    """Return what is wrong with updates; `workflows` are those that are known, by id."""
    found = [*check_statuses(statuses)]
    owners = {flow.project_id: flow.project for flow in workflows.values()}
    for project in owners.values() or (None,):
        found += problems_of_statuses(statuses, project)
    for update in updates:
        draft = update.draft
        workflow = workflows.get(draft.id)
        if workflow is None:
            message = f"Workflow with ID {draft.id} was not found"
            found.append(Problem("WORKFLOW_NOT_FOUND", message, "WORKFLOW"))
            continue
        if workflow.is_system:
            message = "The system workflow can't be edited."
            found.append(Problem("WORKFLOW_NOT_EDITABLE", message, "WORKFLOW"))
        scope = "GLOBAL" if workflow.project_id is None else "PROJECT"
        found += check_workflow(draft, statuses, scope=scope, new=False)
        found += _problems_of_screens(draft)
        found += problems_of_mappings(workflow, statuses, update)
    return found


def problems_of_mappings(
    workflow: Workflow, statuses: Sequence[StatusDraft], update: Update
) -> list[Problem]:
    """Return which issues would be left in a status that their workflow loses."""
    found = []
    for project, kind, status, target in losses_of(workflow, statuses, update):
        if target is None:
            pair = {"projectId": str(project), "issueTypeId": str(kind)}
            where = {"statusMappingReference": pair, "statusReference": str(status)}
            message = f"Issues in the status with ID {status} need a status mapping."
            found.append(Problem("MISSING_STATUS_MAPPING", message, "STATUS_MAPPING", where))
        elif target not in {place.reference for place in update.draft.places}:
            message = f"The status {target} of a status mapping is not in the workflow."
            found.append(Problem("INVALID_STATUS_MAPPING", message, "STATUS_MAPPING"))
    return found


def losses_of(
    workflow: Workflow, statuses: Sequence[StatusDraft], update: Update
) -> Iterable[tuple[int, int, int, str | None]]:
    """Yield (space, type, status, reference of the new one) where issues lose their status."""
    ids = {status.reference: status.id for status in statuses}
    stays = {int(ids[p.reference]) for p in update.draft.places if ids.get(p.reference)}
    lost = set(workflow.statuses.values_list("status_id", flat=True)) - stays
    if not lost:
        return
    references = {status.id: status.reference for status in statuses if status.id}
    for project in projects_using(workflow):
        kinds = [kind.id for kind in types_using(workflow, project)]
        rows = Issue.objects.filter(project=project, issue_type__in=kinds, status__in=lost)
        pairs = rows.order_by("issue_type_id", "status_id").values_list(
            "issue_type_id", "status_id"
        )
        for kind, status in pairs.distinct():
            own = update.mappings.get((str(project.id), str(kind)), {})
            target = None
            for mapping in (own, update.defaults):
                for name in (str(status), references.get(str(status), "")):
                    target = target or mapping.get(name)
            yield project.id, kind, status, target


def problems_of_statuses(
    statuses: Sequence[StatusDraft], project: Project | None
) -> Iterable[Problem]:
    """Yield what is wrong with statuses that somebody would write, against those that there are."""
    known = {
        str(key): (name.lower(), owner)
        for key, name, owner in Status.objects.values_list("id", "name", "project_id")
    }
    mine = None if project is None else project.id
    for draft in statuses:
        where = {"statusReference": draft.reference}
        if draft.id and (draft.id not in known or known[draft.id][1] not in {None, mine}):
            message = f"Status with ID {draft.id} was not found"
            yield Problem("STATUS_NOT_FOUND", message, "STATUS", where)
            continue
        name = draft.name.strip().lower()
        if any(
            taken == name and owner == mine and key != draft.id
            for key, (taken, owner) in known.items()
        ):
            message = f'Status name "{draft.name}" already in use. Try a different name.'
            yield Problem("NON_UNIQUE_STATUS_NAME", message, "STATUS", where)
        if draft.category not in CATEGORY_KEYS:
            message = f"{draft.category} is not a category of statuses."
            yield Problem("INVALID_STATUS_CATEGORY", message, "STATUS", where)


def _problems_of_screens(draft: WorkflowDraft) -> Iterable[Problem]:
    for item in draft.transitions:
        if item.screen is None or item.screen.key != SCREEN:
            continue
        key = item.screen.text("screenId")
        known = is_digits(key)
        if not (known and Screen.objects.filter(id=int(key)).exists()):
            where = {"transitionId": item.id}
            yield Problem("SCREEN_NOT_FOUND", f"Screen with ID {key} was not found", "RULE", where)
