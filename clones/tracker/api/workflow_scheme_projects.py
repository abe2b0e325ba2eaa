"""Workflow schemes of spaces: giving one, switching, and changing schemes as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.db.models import Q
from pydantic import Field

from clones.core.digits import is_digits, whole_number
from clones.core.operations import Call, Reply
from clones.core.operations.inputs import CommaList
from clones.tracker.api.admin_lists import AdminBody
from clones.tracker.api.operations import Query, actor, number, operation, show
from clones.tracker.api.presenters.workflow_schemes import present_newer, present_schemes
from clones.tracker.api.task_replies import task_reply
from clones.tracker.api.workflow_bodies import DocumentVersion
from clones.tracker.api.workflow_scheme_drafts import status_key
from clones.tracker.api.workflow_schemes import PATH
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound, Unauthenticated
from clones.tracker.domain.workflow_scheme_switching import (
    ADMINS_ONLY,
    assign_scheme,
    require_editor,
    rewrite_scheme,
    switch_scheme,
    wanted_of,
)
from clones.tracker.domain.workflow_schemes import NOT_FOUND, find_scheme
from clones.tracker.domain.workflow_switching import Need, needs_of, statuses_of_flows
from clones.tracker.models import Project, Status, Workflow, WorkflowScheme
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.workflows import Paths, initial_transition
from clones.tracker.rules.workflow.drafts import CATEGORIES

MOST: Final = 100


class ProjectsQuery(Query):
    """Filter of workflow scheme associations: the spaces that use the schemes."""

    ids: CommaList[str] = Field(default_factory=list, alias="projectId")


class WorkflowSchemeAssignment(AdminBody):
    """The workflow scheme of a space; null: the default one."""

    project: str = Field(alias="projectId")
    scheme: str | None = Field(None, alias="workflowSchemeId")


class StatusPair(AdminBody):
    """The new status of issues in a status that a space's workflows lose."""

    old: str = Field(alias="oldStatusId")
    new: str = Field(alias="newStatusId")


class TypePairs(AdminBody):
    """The new statuses of issues of a type, when a space switches schemes."""

    issue_type: str = Field(alias="issueTypeId")
    pairs: list[StatusPair] = Field(default_factory=list, alias="statusMappings")


class FlowPairs(AdminBody):
    """The new statuses of issues that leave one workflow for another."""

    before: str = Field(alias="oldWorkflowId")
    after: str = Field(alias="newWorkflowId")
    pairs: list[StatusPair] = Field(default_factory=list, alias="statusMappings")


class SchemeSwitch(AdminBody):
    """The workflow scheme that a space switches to, and issues' new statuses."""

    project: str | None = Field(None, alias="projectId")
    scheme: str | None = Field(None, alias="targetSchemeId")
    types: list[TypePairs] = Field(default_factory=list, alias="mappingsByIssueTypeOverride")


class SchemesToRead(AdminBody):
    """The workflow schemes to show: by their ids or by spaces."""

    projects: list[str | None] | None = Field(None, alias="projectIds")
    schemes: list[str | None] | None = Field(None, alias="workflowSchemeIds")


class WorkflowTypes(AdminBody):
    """A workflow and the issue types that use it in a workflow scheme."""

    types: list[str] = Field(alias="issueTypeIds")
    workflow: str = Field(alias="workflowId")


class SchemeMappings(AdminBody):
    """A planned workflow scheme, whose required status mappings are asked for."""

    id: str
    default: str | None = Field(None, alias="defaultWorkflowId")
    workflows: list[WorkflowTypes] = Field(default_factory=list, alias="workflowsForIssueTypes")


class Rewriting(SchemeMappings):
    """A workflow scheme to update, and the new statuses of issues."""

    name: str
    description: str
    version: DocumentVersion
    types: list[TypePairs] = Field(default_factory=list, alias="statusMappingsByIssueTypeOverride")
    flows: list[FlowPairs] = Field(default_factory=list, alias="statusMappingsByWorkflows")


def by_type(items: Sequence[TypePairs]) -> dict[tuple[int, int], int]:
    """Return the new status of a type's status."""
    return {
        (status_key(item.issue_type), status_key(pair.old)): status_key(pair.new)
        for item in items
        for pair in item.pairs
    }


def _by_flow(items: Sequence[FlowPairs]) -> dict[tuple[int, int, int], int]:
    uuids = {uuid for item in items for uuid in (item.before, item.after)}
    keys = dict(Workflow.objects.filter(uuid__in=uuids).values_list("uuid", "id"))
    return {
        (keys[item.before], keys[item.after], status_key(pair.old)): status_key(pair.new)
        for item in items
        for pair in item.pairs
        if item.before in keys and item.after in keys
    }


def _require_admin(call: Call) -> None:
    if not actor(call).is_admin:
        raise Forbidden(ADMINS_ONLY)


def _project(text: str | None) -> Project:
    known = bool(text) and is_digits(str(text))
    rows = Project.objects.select_related("workflow_scheme")
    found = rows.filter(id=int(str(text)), deleted_at=None).first() if known else None
    if found is None:
        raise NotFound("The project was not found.")
    return found


def _scheme(text: str | None) -> WorkflowScheme:
    if text is None:
        return WorkflowScheme.objects.get(is_default=True)
    if whole_number(text) is None:
        raise NotFound(NOT_FOUND)
    return find_scheme(int(text))


@operation(
    "getWorkflowSchemeProjectAssociations",
    "GET",
    PATH + "/project",
    summary="List the workflow schemes of some spaces.",
    query=ProjectsQuery,
)
def associations(call: Call) -> dict[str, Any]:
    """List the schemes of some spaces; team-managed and unknown ones are passed over."""
    _require_admin(call)
    ids = call.query.ids
    if not ids:
        raise Invalid(fields={"projectId": "The ID of a project has to be provided."})
    if len(ids) > MOST:
        raise Invalid(fields={"projectId": f"At most {MOST} projects can be provided."})
    keys = [number(text, "Project") for text in ids]
    projects = Project.objects.filter(id__in=keys, style="classic", deleted_at=None)
    users: dict[int, list[str]] = {}
    for key, project in projects.order_by("id").values_list("workflow_scheme_id", "id"):
        users.setdefault(key, []).append(str(project))
    rows = WorkflowScheme.objects.select_related("default_workflow").filter(id__in=users)
    schemes = list(rows.order_by("id"))
    found = []
    for scheme, shown in zip(
        schemes, present_schemes(schemes, show(call), brief=True), strict=True
    ):
        if scheme.is_default:
            # The vendor's default scheme is no row: it has no id.
            shown.pop("id")
            shown.pop("self")
        found.append({"projectIds": users[scheme.id], "workflowScheme": shown})
    return {"values": found}


@operation(
    "assignSchemeToProject",
    "PUT",
    PATH + "/project",
    summary="Give a space without issues a workflow scheme.",
    body=WorkflowSchemeAssignment,
    status=204,
)
def assign(call: Call) -> None:
    """Give a space a scheme."""
    _require_admin(call)
    project = _project(call.body.project)
    assign_scheme(project, _scheme(call.body.scheme), actor=actor(call))


@operation(
    "switchWorkflowSchemeForProject",
    "POST",
    PATH + "/project/switch",
    summary="Give a space another workflow scheme, by a task that moves its issues.",
    body=SchemeSwitch,
)
def switch(call: Call) -> Reply:
    """Switch the scheme of a space; what is not there is the vendor's 400 here."""
    _require_admin(call)
    body: SchemeSwitch = call.body
    try:
        project, scheme = _project(body.project), _scheme(body.scheme or "")
    except NotFound as error:
        raise Invalid(*error.messages) from error
    task = switch_scheme(project, scheme, by_type(body.types), actor=actor(call))
    return task_reply(call, task)


@operation(
    "readWorkflowSchemes",
    "POST",
    PATH + "/read",
    summary="Read workflow schemes by their ids, or of spaces.",
    body=SchemesToRead,
    writes=False,
)
def read_schemes(call: Call) -> list[dict[str, Any]]:
    """Read schemes, in the form in which workflows have ids."""
    body: SchemesToRead = call.body
    ids, projects = _numbers(body.schemes), _numbers(body.projects)
    if not ids and not projects:
        raise Invalid("Either workflowSchemeIds or projectIds must be given.")
    used = Project.objects.filter(id__in=projects, deleted_at=None).values("workflow_scheme")
    rows = _readable(actor(call)).filter(Q(id__in=ids) | Q(id__in=used))
    return present_newer(list(rows.order_by("id")), show(call))


def _readable(rights: Rights) -> Any:
    rows = WorkflowScheme.objects.filter(draft_of=None)
    rows = rows.select_related("default_workflow__project")
    if rights.is_admin:
        return rows
    mine = rights.projects_with("ADMINISTER_PROJECTS")
    if not mine:
        raise Unauthenticated(ADMINS_ONLY)
    return rows.filter(default_workflow__project__in=mine)


def _numbers(texts: Sequence[str | None] | None) -> list[int]:
    return [int(text) for text in texts or () if text and is_digits(text)]


@operation(
    "updateSchemes",
    "POST",
    PATH + "/update",
    summary="Make a workflow scheme wholly what is sent; a task moves issues.",
    body=Rewriting,
)
def rewrite(call: Call) -> Reply:
    """Change a scheme as a whole."""
    body: Rewriting = call.body
    scheme = _known(call, body.id)
    wanted = wanted_of(scheme, body.default, [(one.workflow, one.types) for one in body.workflows])
    task = rewrite_scheme(
        scheme,
        wanted,
        name=body.name,
        description=body.description,
        version=(body.version.id, body.version.number),
        by_type=by_type(body.types),
        by_flow=_by_flow(body.flows),
        actor=actor(call),
    )
    return Reply({}, 200) if task is None else task_reply(call, task)


def _known(call: Call, text: str) -> WorkflowScheme:
    """Return the scheme of a body that the caller may change.

    Raises:
        Invalid: there is none.
        Unauthenticated: they may not: the vendor's answer here.
    """
    try:
        scheme = _scheme(text)
        require_editor(scheme, actor(call))
    except NotFound as error:
        raise Invalid(*error.messages) from error
    except Forbidden as error:
        raise Unauthenticated(*error.messages) from error
    return scheme


@operation(
    "getRequiredWorkflowSchemeMappings",
    "POST",
    PATH + "/update/mappings",
    summary="Tell which statuses would need another if a workflow scheme changed.",
    body=SchemeMappings,
    writes=False,
)
def required_mappings(call: Call) -> dict[str, Any]:
    """Tell which statuses would need another."""
    body: SchemeMappings = call.body
    scheme = _known(call, body.id)
    wanted = wanted_of(scheme, body.default, [(one.workflow, one.types) for one in body.workflows])
    before = Paths([scheme.id])
    projects = Project.objects.filter(workflow_scheme=scheme).order_by("id")
    needs = needs_of(projects, lambda kind: before.workflow_id(scheme.id, kind), wanted.workflow_id)
    return _needs(needs)


def _needs(needs: Sequence[Need]) -> dict[str, Any]:
    keys = sorted({key for need in needs for key in (need.before, need.after)})
    uuids = dict(Workflow.objects.filter(id__in=keys).values_list("id", "uuid"))
    held = statuses_of_flows(keys)
    statuses = {status for found in held.values() for status in found}
    statuses |= {status for need in needs for status in need.statuses}
    pairs: dict[tuple[int, int], set[int]] = {}
    for need in needs:
        pairs.setdefault((need.before, need.after), set()).update(need.statuses)
    return {
        "statusMappingsByIssueTypes": [
            {"issueTypeId": str(need.issue_type), "statusIds": [str(key) for key in need.statuses]}
            for need in needs
        ],
        "statusMappingsByWorkflows": [
            {
                "sourceWorkflowId": uuids[before],
                "targetWorkflowId": uuids[after],
                "statusIds": [str(key) for key in sorted(found)],
            }
            for (before, after), found in pairs.items()
        ],
        "statuses": [
            {"id": str(row.id), "name": row.name, "category": CATEGORIES[row.category]}
            for row in Status.objects.filter(id__in=statuses).order_by("id")
        ],
        "statusesPerWorkflow": [
            {
                "workflowId": uuids[key],
                "initialStatusId": str(initial_transition(key).to_status_id),
                "statuses": [str(status) for status in sorted(held[key])],
            }
            for key in keys
        ],
    }
