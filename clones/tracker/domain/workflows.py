"""Writing workflows: whole, from drafts; each change is a version of its own.

Company-managed workflows are the site's, admins write them; those of a team-managed space are
written by who administers it. What is sent replaces what was there, part by part, nothing is kept
because it was left out (as live sites do).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from clones.tracker.domain import audit
from clones.tracker.domain.errors import Conflict, Forbidden, Invalid, NotFound, Unauthenticated
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.workflow_problems import (
    Update,
    losses_of,
    problems_of_creation,
    problems_of_updates,
    refuse,
)
from clones.tracker.domain.workflow_switching import Move, refuse_while_busy, start_migration
from clones.tracker.domain.workflow_writing import insert_workflow, next_version, replace_workflow
from clones.tracker.models import (
    Project,
    Status,
    Task,
    Transition,
    Workflow,
    WorkflowScheme,
)
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.workflows import (
    active_workflows,
    schemes_using,
)
from clones.tracker.rules.workflow.drafts import (
    CATEGORIES,
    CATEGORY_KEYS,
    StatusDraft,
    WorkflowDraft,
)

ADMINS_ONLY: Final = "Only Jira administrators can access the workflow configuration."
NOT_FOUND: Final = "The workflow was not found."
STALE: Final = "The workflow was changed since it was read: its version is not the latest."


@dataclass(frozen=True, slots=True)
class Updated:
    """What became of updates: the workflows, and the task that moves issues, if any."""

    workflows: list[Workflow]
    task: Task | None


def require_writer(project: Project | None, actor: Rights) -> None:
    """Hold somebody to the right to write the site's workflows, or a team-managed space's.

    Raises:
        Unauthenticated: they have not got it: the vendor's answer here, though they signed in.
    """
    if actor.is_admin:
        return
    if project is None or not actor.may("ADMINISTER_PROJECTS", project):
        raise Unauthenticated(ADMINS_ONLY)


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


def write_statuses(statuses: Sequence[StatusDraft], project: Project | None) -> dict[str, Status]:
    """Make the statuses that have no id, change the others, and return all by reference."""
    rows = Status.objects.in_bulk([int(status.id) for status in statuses if status.id])
    found: dict[str, Status] = {}
    for draft in statuses:
        category = CATEGORY_KEYS[draft.category]
        if not draft.id:
            found[draft.reference] = Status.objects.create(
                id=next_id(Status),
                name=draft.name.strip(),
                description=draft.description or "",
                category=category,
                project=project,
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
            row.save()
    return found


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
        update.draft.id: [*losses_of(workflows[update.draft.id], statuses, update)]
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
        Forbidden: they are no admin.
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
    transition.save()
    next_version(workflow, actor.user)
    return True


def _record(summary: str, workflow: Workflow, actor: Rights) -> None:
    audit.record(
        summary,
        "workflows",
        actor=actor,
        object=("WORKFLOW", workflow.uuid, workflow.name),
    )
