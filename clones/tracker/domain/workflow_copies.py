"""Making workflows from little: from the status in which work begins, or from another workflow."""

from __future__ import annotations

from dataclasses import replace

from clones.tracker.domain.numbering import new_uuid
from clones.tracker.domain.workflows import create_workflows
from clones.tracker.models import Status, Workflow, WorkflowStatus
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.workflow_drafts import as_it_is
from clones.tracker.rules.workflow.drafts import (
    CATEGORIES,
    StatusDraft,
    StatusPlacement,
    TransitionDraft,
    WorkflowDraft,
)


def begin_workflow(name: str, description: str, status: Status, *, actor: Rights) -> Workflow:
    """Make a workflow of one status, in which work begins.

    Raises:
        Unauthenticated: the actor is no admin.
        Invalid: the name is missing or taken.
    """
    reference = new_uuid(WorkflowStatus)
    kept = StatusDraft(
        reference, status.name, CATEGORIES[status.category], str(status.id), status.description
    )
    first = TransitionDraft("1", "Create", "INITIAL", reference)
    draft = WorkflowDraft(name, (StatusPlacement(reference),), (first,), description)
    (made,) = create_workflows(None, [kept], [draft], actor=actor)
    return made


def copy_workflow(source: Workflow, name: str, description: str, *, actor: Rights) -> Workflow:
    """Make a workflow with the statuses, transitions and rules of another one.

    Raises:
        Unauthenticated: the actor is no admin.
        Invalid: the name is missing or taken.
    """
    now = as_it_is(source)
    # New workflows name their statuses by references of their own.
    fresh = {status.reference: new_uuid(WorkflowStatus) for status in now.statuses}
    statuses = [replace(one, reference=fresh[one.reference]) for one in now.statuses]
    places = tuple(replace(one, reference=fresh[one.reference]) for one in now.workflow.places)
    transitions = tuple(
        replace(
            one,
            to=fresh[one.to] if one.to else "",
            links=tuple(replace(link, reference=fresh[link.reference]) for link in one.links),
        )
        for one in now.workflow.transitions
    )
    draft = replace(
        now.workflow,
        name=name,
        description=description,
        places=places,
        transitions=transitions,
        id="",
        version=("", 0),
    )
    (made,) = create_workflows(None, statuses, [draft], actor=actor)
    return made
