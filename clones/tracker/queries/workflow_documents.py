"""Workflows as documents: what the API shows of them, and what their history keeps.

A document is {"workflow": ..., "statuses": [...]}; times are left out, they depend on the reader.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from clones.tracker.models import Project, Status, Transition, Workflow, WorkflowStatus
from clones.tracker.queries.workflows import statuses_of, transitions_of
from clones.tracker.rules.workflow.drafts import (
    CATEGORIES,
    SCREEN,
    approval_of,
    without_approval,
)

Json = dict[str, Any]


def document_of(workflow: Workflow) -> Json:
    """Return what a workflow is now: itself, and the statuses that it names."""
    workflows, statuses = documents_of([workflow])
    return {"workflow": workflows[0], "statuses": statuses}


def documents_of(
    workflows: Sequence[Workflow], *, with_transitions: bool = True, approvals: bool = False
) -> tuple[list[Json], list[Json]]:
    """Return workflows, in their order, and the statuses that they name, by id.

    Args:
        workflows: with their spaces loaded.
        with_transitions: whether transitions are wanted.
        approvals: whether an approval stands apart; else it is among a status's properties.
    """
    keys = [workflow.id for workflow in workflows]
    places = statuses_of(keys)
    transitions = transitions_of(keys) if with_transitions else {}
    shown = [
        workflow_document(
            workflow,
            places[workflow.id],
            transitions.get(workflow.id),
            approvals=approvals,
        )
        for workflow in workflows
    ]
    named = {place.status_id: place.status for rows in places.values() for place in rows}
    return shown, [status_document(named[key]) for key in sorted(named)]


def workflow_document(
    workflow: Workflow,
    places: Iterable[WorkflowStatus],
    transitions: Iterable[Transition] | None,
    *,
    approvals: bool = False,
) -> Json:
    """Return a workflow, without its times."""
    found: Json = {
        "id": workflow.uuid,
        "name": workflow.name,
        "description": workflow.description,
        "scope": scope_of(workflow.project),
        "isEditable": not workflow.is_system,
        "version": {"id": workflow.version_uuid, "versionNumber": workflow.version},
        "startPointLayout": workflow.layout.get("start"),
        "statuses": [_place(place, approvals=approvals) for place in places],
    }
    if workflow.layout.get("loop"):
        found["loopedTransitionContainerLayout"] = workflow.layout["loop"]
    if transitions is not None:
        ordered = sorted(transitions, key=lambda transition: transition.number)
        found["transitions"] = [transition_document(transition) for transition in ordered]
    return found


def scope_of(project: Project | None) -> Json:
    """Return whose something is: everybody's, or one space's."""
    if project is None:
        return {"type": "GLOBAL"}
    return {"type": "PROJECT", "project": {"id": str(project.id)}}


def status_document(status: Status) -> Json:
    """Return a status as workflows name it."""
    return {
        "id": str(status.id),
        "name": status.name,
        "description": status.description,
        "statusCategory": CATEGORIES[status.category],
        "statusReference": str(status.id),
        "scope": scope_of(status.project),
    }


def _place(place: WorkflowStatus, *, approvals: bool) -> Json:
    found: Json = {
        "statusReference": str(place.status_id),
        "layout": place.layout,
        "properties": place.properties,
        "deprecated": False,
    }
    if approvals:
        found["properties"] = without_approval(place.properties)
        found["approvalConfiguration"] = approval_of(place.properties)
    return found


def transition_document(transition: Transition) -> Json:
    """Return a transition with its rules."""
    found: Json = {
        "id": str(transition.number),
        "name": transition.name,
        "description": transition.description,
        "type": transition.type,
        "links": [
            {
                "fromStatusReference": str(source["status"]),
                "fromPort": source.get("from_port"),
                "toPort": source.get("to_port"),
            }
            for source in transition.sources
        ],
        "actions": [_rule(rule) for rule in transition.actions],
        "validators": [_rule(rule) for rule in transition.validators],
        "triggers": [_rule(rule) for rule in transition.triggers],
        "properties": transition.properties,
    }
    if transition.to_status_id is not None:
        found["toStatusReference"] = str(transition.to_status_id)
    if transition.conditions:
        found["conditions"] = _tree(transition.conditions)
    if transition.screen_id is not None:
        parameters = {"screenId": str(transition.screen_id)}
        found["transitionScreen"] = {"ruleKey": SCREEN, "parameters": parameters}
    elif transition.reminder:
        found["transitionScreen"] = _rule(transition.reminder)
    if transition.custom_issue_event is not None:
        found["customIssueEventId"] = transition.custom_issue_event
    return found


def _rule(stored: Mapping[str, Any]) -> Json:
    return {
        "id": stored.get("id") or "",
        "ruleKey": stored["key"],
        "parameters": stored.get("parameters") or {},
    }


def _tree(stored: Mapping[str, Any]) -> Json:
    return {
        "operation": stored["operation"],
        "conditions": [_rule(rule) for rule in stored.get("conditions") or ()],
        "conditionGroups": [_tree(group) for group in stored.get("groups") or ()],
    }
