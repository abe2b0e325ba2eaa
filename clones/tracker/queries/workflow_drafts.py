"""Workflows as drafts: what a workflow is now, and the draft in which somebody changes it."""

from __future__ import annotations

from typing import Final

from clones.tracker.models import Transition, Workflow, WorkflowStatus
from clones.tracker.queries.workflows import statuses_of, transitions_of
from clones.tracker.rules.workflow.drafts import (
    CATEGORIES,
    SCREEN,
    StatusDraft,
    StatusPlacement,
    TransitionDraft,
    TransitionSource,
    WorkflowDraft,
)
from clones.tracker.rules.workflow.editing import Drafted, drafted_of
from clones.tracker.rules.workflow.rule import Rule, rule_of, tree_of

KEPT: Final = "draft"  # the property of a workflow in which its draft is


def has_draft(workflow: Workflow) -> bool:
    """Tell whether a draft of a workflow waits to be published."""
    return KEPT in workflow.properties


def working_copy(workflow: Workflow) -> Drafted:
    """Return the draft of a workflow, or where it has none what it is now."""
    kept = workflow.properties.get(KEPT)
    return drafted_of(kept) if kept else as_it_is(workflow)


def as_it_is(workflow: Workflow) -> Drafted:
    """Return what a workflow is now; statuses are named by their ids."""
    places = statuses_of([workflow.id])[workflow.id]
    transitions = transitions_of([workflow.id])[workflow.id]
    return Drafted(
        WorkflowDraft(
            name=workflow.name,
            places=tuple(_place(one) for one in places),
            transitions=tuple(_transition(one) for one in transitions),
            description=workflow.description,
            start=workflow.layout.get("start"),
            loop=workflow.layout.get("loop"),
            id=workflow.uuid,
            version=(workflow.version_uuid, workflow.version),
        ),
        tuple(_status(one) for one in places),
    )


def _status(place: WorkflowStatus) -> StatusDraft:
    status = place.status
    key = str(status.id)
    return StatusDraft(key, status.name, CATEGORIES[status.category], key, status.description)


def _place(place: WorkflowStatus) -> StatusPlacement:
    return StatusPlacement(str(place.status_id), place.layout, place.properties)


def _transition(row: Transition) -> TransitionDraft:
    screen = None
    if row.screen_id is not None:
        screen = Rule(SCREEN, {"screenId": str(row.screen_id)})
    elif row.reminder:
        screen = rule_of(row.reminder)
    return TransitionDraft(
        id=str(row.number),
        name=row.name,
        type=row.type,
        to="" if row.to_status_id is None else str(row.to_status_id),
        description=row.description,
        links=tuple(
            TransitionSource(str(one["status"]), one.get("from_port"), one.get("to_port"))
            for one in row.sources
        ),
        conditions=tree_of(row.conditions),
        validators=tuple(rule_of(one) for one in row.validators),
        actions=tuple(rule_of(one) for one in row.actions),
        triggers=tuple(rule_of(one) for one in row.triggers),
        screen=screen,
        event=row.custom_issue_event,
        properties=row.properties,
    )
