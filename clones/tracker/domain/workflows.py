"""Writing workflows: whole, from drafts; each change is a version of its own.

Company-managed workflows are the site's, admins write them; those of a team-managed space are
written by who administers it. What is sent replaces what was there, part by part, nothing is kept
because it was left out (as live sites do).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from clones.core.rows import insert_row, update_row
from clones.tracker.domain import audit
from clones.tracker.domain.errors import Conflict, Forbidden, Invalid, NotFound, Unauthenticated
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.workflow_switching import Move, refuse_while_busy, start_migration
from clones.tracker.domain.workflow_writing import insert_workflow, next_version, replace_workflow
from clones.tracker.models import (
    Issue,
    Project,
    Screen,
    Status,
    Task,
    Transition,
    Workflow,
    WorkflowScheme,
)
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.workflows import (
    active_workflows,
    projects_using,
    schemes_using,
    types_using,
)
from clones.tracker.rules.workflow.checking import Problem, check_statuses, check_workflow
from clones.tracker.rules.workflow.drafts import (
    CATEGORIES,
    CATEGORY_KEYS,
    SCREEN,
    StatusDraft,
    WorkflowDraft,
)

ADMINS_ONLY: Final = "Only Jira administrators can access the workflow configuration."
NOT_FOUND: Final = "The workflow was not found."
STALE: Final = "The workflow was changed since it was read: its version is not the latest."
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


@dataclass(frozen=True, slots=True)
class Updated:
    """What became of updates: the workflows, and the task that moves issues, if any."""

    workflows: list[Workflow]
    task: Task | None


def require_writer(project: Project | None, actor: Rights) -> None:
    """Hold somebody to the right to write the site's workflows, or a team-managed space's.

    Raises:
        Unauthenticated: he has not got it: the vendor's answer here, though he signed in.
    """
    if actor.is_admin:
        return
    if project is None or not actor.may("ADMINISTER_PROJECTS", project):
        raise Unauthenticated(ADMINS_ONLY)


def problems_of_creation(
    project: Project | None,
    statuses: Sequence[StatusDraft],
    drafts: Sequence[WorkflowDraft],
) -> list[Problem]:
    """Return what is wrong with workflows that somebody would make; warnings too."""
    found = [*check_statuses(statuses), *_problems_of_statuses(statuses, project)]
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


def create_workflows(
    project: Project | None,
    statuses: Sequence[StatusDraft],
    drafts: Sequence[WorkflowDraft],
    *,
    actor: Rights,
) -> list[Workflow]:
    """Make workflows of the site, or of a team-managed space, with the statuses that they name.

    Raises:
        Unauthenticated: the actor may not.
        Invalid: something is wrong with them.
    """
    require_writer(project, actor)
    if project is not None and not project.simplified:
        raise Invalid("Project-scoped workflows are for team-managed projects only.")
    refuse(problems_of_creation(project, statuses, drafts))
    rows = write_statuses(statuses, project)
    made = []
    for draft in drafts:
        workflow = insert_workflow(draft, rows, project=project, author=actor.user)
        made.append(workflow)
        _record("Workflow created", workflow, actor)
    return made


def refuse(problems: Iterable[Problem]) -> None:
    """Refuse what has errors; warnings pass.

    Raises:
        Invalid: with the sentence of each.
    """
    errors = [problem.message for problem in problems if problem.level == "ERROR"]
    if errors:
        raise Invalid(*dict.fromkeys(errors))


def write_statuses(statuses: Sequence[StatusDraft], project: Project | None) -> dict[str, Status]:
    """Make the statuses that have no id, change the others, and return all by reference."""
    rows = Status.objects.in_bulk([int(status.id) for status in statuses if status.id])
    found: dict[str, Status] = {}
    for draft in statuses:
        category = CATEGORY_KEYS[draft.category]
        if not draft.id:
            found[draft.reference] = insert_row(
                Status(
                    id=next_id(Status),
                    name=draft.name.strip(),
                    description=draft.description or "",
                    category=category,
                    project=project,
                )
            )
            continue
        row = found[draft.reference] = rows[int(draft.id)]
        before = (row.name, row.description, row.category)
        row.name = draft.name.strip()
        if draft.description is not None:
            row.description = draft.description
        if CATEGORIES[row.category] != draft.category:
            row.category = category
        if before != (row.name, row.description, row.category):
            update_row(row)
    return found


def _problems_of_statuses(
    statuses: Sequence[StatusDraft], project: Project | None
) -> Iterable[Problem]:
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
        known = key.isascii() and key.isdigit() and len(key) <= 18
        if not (known and Screen.objects.filter(id=int(key)).exists()):
            where = {"transitionId": item.id}
            yield Problem("SCREEN_NOT_FOUND", f"Screen with ID {key} was not found", "RULE", where)


def find_workflow(uuid: str, *, actor: Rights) -> Workflow:
    """Return the workflow with an id that somebody may write.

    Raises:
        NotFound: there is none.
        Unauthenticated: he may not.
    """
    found = Workflow.objects.select_related("project").filter(uuid=uuid).first()
    if found is None:
        raise NotFound(NOT_FOUND)
    require_writer(found.project, actor)
    return found


def problems_of_updates(
    workflows: Mapping[str, Workflow], statuses: Sequence[StatusDraft], updates: Sequence[Update]
) -> list[Problem]:
    """Return what is wrong with updates; `workflows` are those that are known, by id."""
    found = [*check_statuses(statuses)]
    owners = {flow.project_id: flow.project for flow in workflows.values()}
    for project in owners.values() or (None,):
        found += _problems_of_statuses(statuses, project)
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
    for project, kind, status, target in _losses(workflow, statuses, update):
        if target is None:
            pair = {"projectId": str(project), "issueTypeId": str(kind)}
            where = {"statusMappingReference": pair, "statusReference": str(status)}
            message = f"Issues in the status with ID {status} need a status mapping."
            found.append(Problem("MISSING_STATUS_MAPPING", message, "STATUS_MAPPING", where))
        elif target not in {place.reference for place in update.draft.places}:
            message = f"The status {target} of a status mapping is not in the workflow."
            found.append(Problem("INVALID_STATUS_MAPPING", message, "STATUS_MAPPING"))
    return found


def _losses(
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


def update_workflows(
    statuses: Sequence[StatusDraft], updates: Sequence[Update], *, actor: Rights
) -> Updated:
    """Make workflows wholly what drafts say; issues that lose their status are moved by a task.

    Raises:
        Unauthenticated: the actor may not.
        Invalid: something is wrong with them.
        Conflict: one was changed since it was read, or is being changed.
    """
    workflows = workflows_by_id([update.draft.id for update in updates])
    for project in [flow.project for flow in workflows.values()] or [None]:
        require_writer(project, actor)
    for update in updates:
        found = workflows.get(update.draft.id)
        if found is not None:
            refuse_while_busy(workflow=found.id)
            if update.draft.version != (found.version_uuid, found.version):
                raise Conflict(STALE)
    refuse(problems_of_updates(workflows, statuses, updates))
    losses = {
        update.draft.id: [*_losses(workflows[update.draft.id], statuses, update)]
        for update in updates
    }
    owner = next((flow.project for flow in workflows.values()), None)
    rows = write_statuses(statuses, owner)
    moves: list[Move] = []
    for update in updates:
        workflow = workflows[update.draft.id]
        for space, kind, before, target in losses[update.draft.id]:
            moves.append((space, kind, before, rows[str(target)].id))
        replace_workflow(workflow, update.draft, rows, author=actor.user)
        _record("Workflow updated", workflow, actor)
    task = start_migration(
        moves, actor=actor, workflow=[workflow.id for workflow in workflows.values()]
    )
    return Updated([workflows[update.draft.id] for update in updates], task)


def workflows_by_id(uuids: Sequence[str]) -> dict[str, Workflow]:
    """Return the workflows with these ids, by id."""
    rows = Workflow.objects.select_related("project").filter(uuid__in=uuids).order_by("id")
    return {row.uuid: row for row in rows}


def delete_workflow(uuid: str, *, actor: Rights) -> None:
    """Delete a workflow that nothing uses.

    Raises:
        Forbidden: the actor is no admin.
        NotFound: there is none.
        Invalid: it is in use, or the site's own.
    """
    require_admin(actor)
    found = Workflow.objects.select_related("project").filter(uuid=uuid).first()
    if found is None:
        raise NotFound(NOT_FOUND)
    if found.is_system:
        raise Invalid("Cannot delete a system workflow.")
    if Workflow.objects.filter(active_workflows(), id=found.id).exists():
        raise Invalid("Cannot delete an active workflow.")
    schemes: list[WorkflowScheme] = list(schemes_using(found, drafts=True)[:1])
    if schemes:
        draft = "draft " if schemes[0].draft_of_id is not None else ""
        raise Invalid(f"Cannot delete a workflow that is associated with a {draft}workflow scheme.")
    _record("Workflow deleted", found, actor)
    found.delete()


def require_admin(actor: Rights) -> None:
    """Hold somebody to the administration of the site.

    Raises:
        Forbidden: he is no admin.
    """
    if not actor.is_admin:
        raise Forbidden(ADMINS_ONLY)


def set_transition_property(
    workflow: Workflow, transition: Transition, key: str, value: str | None, *, actor: Rights
) -> bool:
    """Set a property of a transition of a workflow that nothing uses; None takes it away.

    Return whether that changed anything.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the workflow is in use, or the property is the vendor's own.
    """
    require_admin(actor)
    if workflow.is_system or Workflow.objects.filter(active_workflows(), id=workflow.id).exists():
        raise Invalid("Cannot edit an active workflow.")
    if key.startswith("jira."):
        raise Invalid(f"The property key '{key}' is reserved.")
    if transition.properties.get(key) == value:
        return False
    rest = {name: text for name, text in transition.properties.items() if name != key}
    transition.properties = rest if value is None else {**rest, key: value}
    update_row(transition)
    next_version(workflow, actor.user)
    return True


def _record(summary: str, workflow: Workflow, actor: Rights) -> None:
    audit.record(
        summary,
        "workflows",
        actor=actor,
        object=("WORKFLOW", workflow.uuid, workflow.name),
    )
