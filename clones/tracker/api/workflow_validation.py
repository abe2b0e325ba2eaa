"""Looking at workflows before they are written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import Field

from clones.core.operations import Call
from clones.tracker.api.admin_lists import AdminBody
from clones.tracker.api.operations import actor, operation
from clones.tracker.api.presenters.workflows import present_problem
from clones.tracker.api.workflow_bodies import (
    Creation,
    Levels,
    WorkflowChanges,
    hold_limits,
    project_of,
)
from clones.tracker.domain.workflow_problems import problems_of_creation, problems_of_updates
from clones.tracker.domain.workflows import require_writer, workflows_by_id
from clones.tracker.rules.workflow.checking import Problem


class CreationCheck(AdminBody):
    """Workflows to create, for validation alone."""

    payload: Creation
    options: Levels | None = Field(None, alias="validationOptions")


class ChangesCheck(AdminBody):
    """Workflows to change, for validation alone."""

    payload: WorkflowChanges
    options: Levels | None = Field(None, alias="validationOptions")


def _answer(problems: Iterable[Problem], options: Levels | None) -> dict[str, Any]:
    wanted = (options.levels if options is not None else None) or ["ERROR", "WARNING"]
    return {"errors": [present_problem(one) for one in problems if one.level in wanted]}


@operation(
    "validateCreateWorkflows",
    "POST",
    "/rest/api/3/workflows/create/validation",
    summary="Tell what is wrong with workflows that are to be made.",
    body=CreationCheck,
    writes=False,
)
def validate_creation(call: Call) -> dict[str, Any]:
    """Tell what is wrong with new workflows."""
    body: CreationCheck = call.body
    project = project_of(body.payload.scope)
    require_writer(project, actor(call))
    hold_limits(body.payload.statuses, body.payload.workflows, "payload.")
    problems = problems_of_creation(
        project,
        [status.draft() for status in body.payload.statuses],
        [workflow.draft() for workflow in body.payload.workflows],
    )
    return _answer(problems, body.options)


@operation(
    "validateUpdateWorkflows",
    "POST",
    "/rest/api/3/workflows/update/validation",
    summary="Tell what is wrong with workflows that are to be changed.",
    body=ChangesCheck,
    writes=False,
)
def validate_update(call: Call) -> dict[str, Any]:
    """Tell what is wrong with changes of workflows."""
    body: ChangesCheck = call.body
    hold_limits(body.payload.statuses, body.payload.workflows, "payload.")
    workflows = workflows_by_id([workflow.id for workflow in body.payload.workflows])
    for project in [flow.project for flow in workflows.values()] or [None]:
        require_writer(project, actor(call))
    problems = problems_of_updates(
        workflows,
        [status.draft() for status in body.payload.statuses],
        [workflow.update() for workflow in body.payload.workflows],
    )
    return _answer(problems, body.options)
