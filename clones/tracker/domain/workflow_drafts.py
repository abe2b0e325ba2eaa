"""Drafts of workflows: kept beside the workflow until they are published or discarded.

A draft is the whole workflow as it shall be. Publishing it is the update that the API has too.
"""

from __future__ import annotations

from collections.abc import Mapping

from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.workflow_problems import (
    Update,
    losses_of,
    problems_of_statuses,
    refuse,
)
from clones.tracker.domain.workflows import Updated, require_writer, update_workflows
from clones.tracker.models import Workflow
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.workflow_drafts import KEPT, has_draft, working_copy
from clones.tracker.rules.workflow.checking import Problem, check_statuses, check_workflow
from clones.tracker.rules.workflow.editing import Drafted, stored

NO_DRAFT = "The workflow has no draft."


def keep_draft(workflow: Workflow, drafted: Drafted, *, actor: Rights) -> None:
    """Keep a draft of a workflow in the place of the one that it has, if any.

    Raises:
        Unauthenticated: the actor may not write the workflow.
        Invalid: the draft has a fault, or the workflow is the site's own.
    """
    require_writer(workflow.project, actor)
    if workflow.is_system:
        raise Invalid("The system workflow can't be edited.")
    taken = problems_of_statuses(drafted.statuses, workflow.project)
    refuse([*faults_of(workflow, drafted), *taken])
    workflow.properties = {**workflow.properties, KEPT: stored(drafted)}
    workflow.save(update_fields=["properties"])


def faults_of(workflow: Workflow, drafted: Drafted) -> list[Problem]:
    """Return what is wrong with a draft by itself: errors and warnings."""
    scope = "GLOBAL" if workflow.project_id is None else "PROJECT"
    return [
        *check_statuses(drafted.statuses),
        *check_workflow(drafted.workflow, drafted.statuses, scope=scope, new=False),
    ]


def discard_draft(workflow: Workflow, *, actor: Rights) -> None:
    """Forget the draft of a workflow.

    Raises:
        Unauthenticated: the actor may not write the workflow.
        Invalid: it has none.
    """
    require_writer(workflow.project, actor)
    _forget(workflow)


def losses(workflow: Workflow) -> list[str]:
    """Return the ids of the statuses that issues would lose if the draft were published."""
    drafted = working_copy(workflow)
    rows = losses_of(workflow, drafted.statuses, Update(drafted.workflow))
    return list(dict.fromkeys(str(status) for _, _, status, _ in rows))


def publish_draft(workflow: Workflow, mappings: Mapping[str, str], *, actor: Rights) -> Updated:
    """Make a workflow wholly what its draft says.

    Args:
        workflow: one that has a draft.
        mappings: the reference of the new status of issues, by the id of the one that they lose.
        actor: who publishes it.

    Raises:
        Unauthenticated: the actor may not write the workflow.
        Invalid: it has no draft, or something is wrong with it: issues would lose their status.
        Conflict: the workflow was changed since the draft was begun, or is being changed.
    """
    require_writer(workflow.project, actor)
    if not has_draft(workflow):
        raise Invalid(NO_DRAFT)
    drafted = working_copy(workflow)
    _forget(workflow)
    update = Update(drafted.workflow, dict(mappings))
    return update_workflows(list(drafted.statuses), [update], actor=actor)


def _forget(workflow: Workflow) -> None:
    if not has_draft(workflow):
        raise Invalid(NO_DRAFT)
    rest = {key: value for key, value in workflow.properties.items() if key != KEPT}
    workflow.properties = rest
    workflow.save(update_fields=["properties"])
