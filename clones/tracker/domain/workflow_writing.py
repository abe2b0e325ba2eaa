"""The rows of workflows: written from drafts that were checked, and kept at each version."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clones.core import clock
from clones.tracker.domain.numbering import new_uuid, next_id, next_ids
from clones.tracker.models import (
    Project,
    Screen,
    Status,
    Transition,
    User,
    Workflow,
    WorkflowStatus,
    WorkflowVersion,
)
from clones.tracker.queries.workflow_documents import document_of
from clones.tracker.rules.workflow.drafts import SCREEN, TransitionDraft, WorkflowDraft
from clones.tracker.rules.workflow.layout import START, point_of
from clones.tracker.rules.workflow.rule import Rule, Tree

Statuses = Mapping[str, Status]  # by reference


def insert_workflow(
    draft: WorkflowDraft,
    statuses: Statuses,
    *,
    project: Project | None = None,
    is_system: bool = False,
    author: User | None = None,
) -> Workflow:
    """Write a new workflow with its statuses and transitions, as its first version."""
    now = clock.now()
    workflow = Workflow.objects.create(
        id=next_id(Workflow),
        uuid=new_uuid(Workflow),
        name=draft.name,
        description=draft.description,
        project=project,
        is_system=is_system,
        version=1,
        version_uuid=new_uuid(WorkflowVersion),
        layout=_layout(draft, {}),
        created=now,
        updated=now,
    )
    _write_places(workflow, draft, statuses)
    _write_transitions(workflow, draft, statuses)
    keep_version(workflow, author)
    return workflow


def replace_workflow(
    workflow: Workflow, draft: WorkflowDraft, statuses: Statuses, *, author: User | None
) -> None:
    """Make a workflow wholly what a draft says, as its next version."""
    workflow.name = draft.name or workflow.name
    workflow.description = draft.description
    workflow.layout = _layout(draft, workflow.layout)
    _write_places(workflow, draft, statuses)
    _write_transitions(workflow, draft, statuses)
    next_version(workflow, author)


def next_version(workflow: Workflow, author: User | None) -> None:
    """Count a change of a workflow, whose rows are written, and keep what it is now."""
    workflow.version += 1
    workflow.version_uuid = new_uuid(WorkflowVersion)
    workflow.updated = clock.now()
    workflow.save()
    keep_version(workflow, author)


def keep_version(workflow: Workflow, author: User | None) -> None:
    """Keep what a workflow is now, for its history."""
    WorkflowVersion.objects.create(
        id=next_id(WorkflowVersion),
        workflow=workflow,
        version=workflow.version,
        document=document_of(workflow),
        author=author,
        written=clock.now(),
    )


def _layout(draft: WorkflowDraft, before: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "start": dict(draft.start) if draft.start else before.get("start") or START,
        "loop": dict(draft.loop) if draft.loop else before.get("loop"),
    }


def _write_places(workflow: Workflow, draft: WorkflowDraft, statuses: Statuses) -> None:
    """Write which statuses a workflow has; those that stay keep their rows."""
    before = {place.status_id: place for place in workflow.statuses.all()}
    fresh: list[WorkflowStatus] = []
    for position, place in enumerate(draft.places):
        status = statuses[place.reference]
        row = before.pop(status.id, None)
        layout = dict(place.layout) if place.layout else None
        if row is None:
            row = WorkflowStatus(workflow=workflow, status=status, reference=str(status.id))
            fresh.append(row)
        row.layout = layout or row.layout or point_of(position)
        row.properties = dict(place.properties)
        row.position = position
        if row not in fresh:
            row.save()
    for row in before.values():
        row.delete()
    for key, row in zip(next_ids(WorkflowStatus, len(fresh)), fresh, strict=True):
        row.id = key
    WorkflowStatus.objects.bulk_create(fresh)


def _write_transitions(workflow: Workflow, draft: WorkflowDraft, statuses: Statuses) -> None:
    before = {row.number: row for row in workflow.transitions.all()}
    fresh: list[Transition] = []
    for item in draft.transitions:
        row = before.pop(int(item.id), None)
        made = row is None
        if row is None:
            row = Transition(workflow=workflow, number=int(item.id))
        _fill(row, item, statuses)
        if made:
            fresh.append(row)
        else:
            row.save()
    for row in before.values():
        row.delete()
    for key, row in zip(next_ids(Transition, len(fresh)), fresh, strict=True):
        row.id = key
    Transition.objects.bulk_create(fresh)


def _fill(row: Transition, item: TransitionDraft, statuses: Statuses) -> None:
    row.name = item.name
    row.description = item.description
    row.type = item.type
    row.to_status = statuses[item.to] if item.to else None
    row.sources = [
        {
            "status": str(statuses[link.reference].id),
            "from_port": link.from_port,
            "to_port": link.to_port,
        }
        for link in item.links
    ]
    tree = None if item.conditions is None else _numbered_tree(item.conditions)
    row.conditions = None if tree is None else tree.stored()
    row.validators = [_numbered(rule).stored() for rule in item.validators]
    row.actions = [_numbered(rule).stored() for rule in item.actions]
    row.triggers = [_numbered(rule).stored() for rule in item.triggers]
    row.screen = None
    row.reminder = None
    if item.screen is not None and item.screen.key == SCREEN:
        row.screen = Screen.objects.get(id=int(item.screen.text("screenId")))
    elif item.screen is not None:
        row.reminder = _numbered(item.screen).stored()
    row.custom_issue_event = item.event
    row.properties = dict(item.properties)


def _numbered(rule: Rule) -> Rule:
    """Return a rule with an id: its own, or a new one."""
    return rule if rule.id else Rule(rule.key, rule.parameters, new_uuid(Transition))


def _numbered_tree(tree: Tree) -> Tree:
    return Tree(
        tree.operation,
        tuple(_numbered(rule) for rule in tree.rules),
        tuple(_numbered_tree(group) for group in tree.groups),
    )
