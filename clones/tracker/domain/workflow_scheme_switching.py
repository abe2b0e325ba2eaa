"""Putting workflow schemes in each other's place: in a space, from a draft, or as a whole.

Issues whose status the new workflow has not are moved by a task, as the caller says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from clones.tracker.domain import audit
from clones.tracker.domain.errors import Conflict, Forbidden, Invalid, NotFound
from clones.tracker.domain.tasks import carries_out, start_task
from clones.tracker.domain.workflow_schemes import (
    NO_DRAFT,
    checked_name,
    find_draft,
    items_of,
    replace_items,
    system_workflow,
    touch,
)
from clones.tracker.domain.workflow_switching import (
    PUBLISH,
    SWITCH,
    Move,
    answered,
    move_issues,
    needs_of,
    refuse_while_busy,
    start_migration,
)
from clones.tracker.models import Issue, IssueType, Project, Task, Workflow, WorkflowScheme
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.workflows import Paths

ADMINS_ONLY: Final = "Only Jira administrators can access workflow scheme associations."
STALE: Final = "The workflow scheme was changed since it was read: its version is not the latest."


def assign_scheme(project: Project, scheme: WorkflowScheme, *, actor: Rights) -> None:
    """Give a space without issues another scheme.

    Raises:
        Invalid: it is team-managed, or has issues.
    """
    _require_classic(project)
    if Issue.objects.filter(project=project).exists():
        raise Invalid("The workflow scheme can only be assigned to a project that has no issues.")
    _switch(project, scheme, actor)


def _require_classic(project: Project) -> None:
    if project.simplified:
        raise Invalid("Only classic projects can have workflow schemes assigned.")


def _switch(project: Project, scheme: WorkflowScheme, actor: Rights) -> None:
    project.workflow_scheme = scheme
    project.save(update_fields=["workflow_scheme_id"])
    audit.record(
        "Workflow scheme added to project",
        "workflows",
        actor=actor,
        object=("SCHEME", str(scheme.id), scheme.name),
        associated=[("PROJECT", str(project.id), project.name)],
    )


def switch_scheme(
    project: Project,
    scheme: WorkflowScheme,
    by_type: Mapping[tuple[int, int], int],
    *,
    actor: Rights,
) -> Task:
    """Begin to give a space another scheme; its issues get the statuses that are said.

    Args:
        project: the space.
        scheme: the one that it gets.
        by_type: the new status of a type's status.
        actor: who wants it.

    Raises:
        Invalid: it is team-managed, or a mapping is missing.
        Conflict: a switch is under way.
    """
    _require_classic(project)
    refuse_while_busy(project=project.id)
    before = Paths([project.workflow_scheme_id])
    after = Paths([scheme.id])
    needs = needs_of(
        [project],
        lambda kind: before.workflow_id(project.workflow_scheme_id, kind),
        lambda kind: after.workflow_id(scheme.id, kind),
    )
    moves = [[project.id, *move] for move in answered(needs, by_type)]
    payload = {"project": [project.id], "scheme": [scheme.id], "moves": moves}
    return start_task(SWITCH, payload, actor=actor, description="Switch workflow scheme")


@carries_out(SWITCH)
def carry_out_switch(task: Task, actor: Rights) -> dict[str, Any]:
    """Give the space of a task its scheme, and its issues their statuses."""
    project = Project.objects.get(id=task.payload["project"][0])
    scheme = WorkflowScheme.objects.get(id=task.payload["scheme"][0])
    _switch(project, scheme, actor)
    count = move_issues(task.payload["moves"], actor=actor)
    return {"updatedIssues": count, "successful": True}


def publish_draft(
    scheme: WorkflowScheme,
    by_type: Mapping[tuple[int, int], int],
    *,
    validate_only: bool,
    actor: Rights,
) -> Task | None:
    """Begin to put a draft in the place of its scheme; None if only looked at.

    Raises:
        NotFound: there is no draft.
        Invalid: a mapping is missing.
        Conflict: one is being published.
    """
    draft = find_draft(scheme)
    if draft is None:
        raise NotFound(NO_DRAFT)
    refuse_while_busy(scheme=scheme.id)
    paths = Paths([scheme.id, draft.id])
    key = draft.id
    projects = list(Project.objects.filter(workflow_scheme=scheme).order_by("id"))
    needs = needs_of(
        projects,
        lambda kind: paths.workflow_id(scheme.id, kind),
        lambda kind: paths.workflow_id(key, kind),
    )
    moves = [[project.id, *move] for move in answered(needs, by_type) for project in projects]
    if validate_only:
        return None
    payload = {"scheme": [scheme.id], "draft": draft.id, "moves": moves}
    return start_task(PUBLISH, payload, actor=actor, description="Publish workflow scheme")


@carries_out(PUBLISH)
def carry_out_publication(task: Task, actor: Rights) -> dict[str, Any]:
    """Put the draft of a task in the place of its scheme."""
    scheme = WorkflowScheme.objects.get(id=task.payload["scheme"][0])
    draft = WorkflowScheme.objects.get(id=task.payload["draft"])
    scheme.name, scheme.description = draft.name, draft.description
    scheme.default_workflow_id = draft.default_workflow_id
    replace_items(scheme, items_of(draft))
    draft.delete()
    touch(scheme, actor)
    return {"updatedIssues": move_issues(task.payload["moves"], actor=actor)}


@dataclass(frozen=True, slots=True)
class SchemeSpec:
    """What a scheme shall be: workflows by type, and the default one."""

    items: Mapping[int, int]
    default: int

    def workflow_id(self, issue_type: int) -> int:
        """Return the workflow of a type."""
        return self.items.get(issue_type, self.default)


def wanted_of(
    scheme: WorkflowScheme, default: str | None, items: Sequence[tuple[str, Sequence[str]]]
) -> SchemeSpec:
    """Read what a scheme shall be: the default workflow's id, and types by workflow.

    Raises:
        Invalid: it names what there is not.
    """
    uuids = [uuid for uuid, _ in items] + ([default] if default else [])
    project = scheme.default_workflow.project_id
    rows = Workflow.objects.filter(uuid__in=uuids, project=project)
    flows = dict(rows.values_list("uuid", "id"))
    kinds = {str(key) for key in IssueType.objects.values_list("id", flat=True)}
    found: dict[int, int] = {}
    for uuid, types in items:
        for kind in types:
            if kind not in kinds:
                raise Invalid(f"Issue type with ID '{kind}' was not found.")
            if int(kind) in found:
                raise Invalid(f"Issue type with ID '{kind}' is mapped more than once.")
            if uuid in flows:
                found[int(kind)] = flows[uuid]
    for uuid in uuids:
        if uuid not in flows:
            raise Invalid(f"Workflow with ID '{uuid}' was not found.")
    if default:
        return SchemeSpec(found, flows[default])
    kept = scheme.default_workflow_id if project is not None else system_workflow().id
    return SchemeSpec(found, kept)


def require_editor(scheme: WorkflowScheme, actor: Rights) -> None:
    """Hold somebody to the right to change a scheme: of the site, or of a team-managed space.

    Raises:
        Forbidden: they have not got it.
    """
    project = scheme.default_workflow.project
    if actor.is_admin:
        return
    if project is None or not actor.may("ADMINISTER_PROJECTS", project):
        raise Forbidden(ADMINS_ONLY)


def rewrite_scheme(
    scheme: WorkflowScheme,
    wanted: SchemeSpec,
    *,
    name: str,
    description: str,
    version: tuple[str, int],
    by_type: Mapping[tuple[int, int], int],
    by_flow: Mapping[tuple[int, int, int], int],
    actor: Rights,
) -> Task | None:
    """Make a scheme wholly what is wanted, active or not; issues are moved by the task returned.

    Raises:
        Forbidden: the actor may not.
        Invalid: a mapping is missing, or the name is taken.
        Conflict: it was changed since it was read, or is being changed.
    """
    require_editor(scheme, actor)
    refuse_while_busy(scheme=scheme.id)
    if version != (scheme.version_uuid, scheme.version):
        raise Conflict(STALE)
    if scheme.is_default:
        raise Invalid("The default workflow scheme cannot be edited.")
    scheme.name = checked_name(name, but=scheme)
    scheme.description = description
    before = Paths([scheme.id])
    projects = list(Project.objects.filter(workflow_scheme=scheme).order_by("id"))
    needs = needs_of(projects, lambda kind: before.workflow_id(scheme.id, kind), wanted.workflow_id)
    found = answered(needs, by_type, by_flow)
    scheme.default_workflow_id = wanted.default
    replace_items(scheme, wanted.items)
    touch(scheme, actor)
    moves: list[Move] = [
        (project.id, kind, old, new) for project in projects for kind, old, new in found
    ]
    return start_migration(moves, actor=actor, scheme=[scheme.id])
