"""What rules a workflow can have, and workflows at a glance."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core.operations import Call
from clones.tracker.api.admin_lists import AdminBody
from clones.tracker.api.operations import Query, actor, operation, show
from clones.tracker.api.presenters.workflows import present_preview, present_workflows
from clones.tracker.api.workflows import require_reader, workflows_of_pairs
from clones.tracker.domain.errors import Invalid, NotFound, Unauthenticated
from clones.tracker.domain.workflows import ADMINS_ONLY
from clones.tracker.models import Project, Workflow
from clones.tracker.queries.kinds import types_of
from clones.tracker.queries.rights import find_project
from clones.tracker.queries.workflows import (
    Paths,
    projects_using,
    visible_workflows,
)
from clones.tracker.rules.workflow.catalogue import KINDS, TRIGGER_TYPES, TRIGGERS, RuleKind

MOST = 25


class Whose(Query):
    """The workflow meant: by its id, or by a space and an issue type."""

    workflow: str | None = Field(None, alias="workflowId")
    project: str | None = Field(None, alias="projectId")
    issue_type: str | None = Field(None, alias="issueTypeId")


class PreviewRequest(AdminBody):
    """The space whose workflows are previewed, and its issue types or workflows."""

    project: str = Field(alias="projectId")
    ids: list[str] = Field(default_factory=list, alias="workflowIds")
    names: list[str] = Field(default_factory=list, alias="workflowNames")
    types: list[str] = Field(default_factory=list, alias="issueTypeIds")


@operation(
    "workflowCapabilities",
    "GET",
    "/rest/api/3/workflows/capabilities",
    summary="List the rules that a workflow can have.",
    query=Whose,
)
def capabilities(call: Call) -> dict[str, Any]:
    """List the rules that a workflow can have, by its scope."""
    require_reader(actor(call))
    workflow = _named_workflow(call)
    scope = "GLOBAL" if workflow is None or workflow.project_id is None else "PROJECT"
    projects = [] if workflow is None else projects_using(workflow).values_list("type", flat=True)
    rules = [_rule(kind) for kind in KINDS.values() if scope in kind.scopes]
    triggers = [
        {"type": key, "name": name, "description": about}
        for key, (name, about) in TRIGGER_TYPES.items()
    ]
    return {
        "editorScope": scope,
        "projectTypes": sorted(set(projects)) or ["software", "business", "service_desk"],
        "systemRules": rules,
        "connectRules": [],
        "forgeRules": [],
        "triggerRules": [{"ruleKey": TRIGGERS, "availableTypes": triggers}],
    }


def _named_workflow(call: Call) -> Workflow | None:
    """Return the workflow that is asked about, None for any of the site's.

    Raises:
        Invalid: it is named in part, or there is none.
    """
    asked: Whose = call.query
    rows = visible_workflows(actor(call))
    if asked.workflow:
        found = rows.filter(uuid=asked.workflow).first()
        if found is None:
            raise Invalid("The workflow was not found.")
        return found
    if bool(asked.project) != bool(asked.issue_type):
        raise Invalid("Both projectId and issueTypeId must be given.")
    if not asked.project or not asked.issue_type:
        return None
    keys = workflows_of_pairs([(asked.project, asked.issue_type)])
    found = rows.filter(id__in=keys).first()
    if found is None:
        raise Invalid("The workflow was not found.")
    return found


def _rule(kind: RuleKind) -> dict[str, Any]:
    return {
        "ruleKey": kind.key,
        "ruleType": kind.family,
        "name": kind.name,
        "description": kind.about,
        "isAvailableForInitialTransition": kind.initial,
        "isVisible": True,
        "incompatibleRuleKeys": list(kind.rivals),
    }


@operation(
    "readWorkflowPreviews",
    "POST",
    "/rest/api/3/workflows/preview",
    summary="Show workflows of a space at a glance.",
    body=PreviewRequest,
    writes=False,
)
def previews(call: Call) -> dict[str, Any]:
    """Show workflows of a space at a glance, in the order in which they were asked for."""
    asked: PreviewRequest = call.body
    rights = actor(call)
    if not (asked.ids or asked.names or asked.types):
        raise Invalid("At least one of workflowIds, workflowNames or issueTypeIds must be given.")
    for name, items in (("workflowIds", asked.ids), ("workflowNames", asked.names)):
        if len(items) > MOST:
            raise Invalid(f"At most {MOST} {name} can be given.")
    project = find_project(rights, asked.project)
    if not (
        rights.is_admin
        or rights.may("ADMINISTER_PROJECTS", project)
        or rights.may("VIEW_READONLY_WORKFLOW", project)
    ):
        raise Unauthenticated(ADMINS_ONLY)
    kinds = kinds_of_flows(project)
    rows = Workflow.objects.select_related("project").in_bulk(list(kinds))
    context: dict[int, list[str]] = {}
    wanted = [_first(rows, uuid=uuid) for uuid in asked.ids]
    wanted += [_first(rows, name=name) for name in asked.names]
    for kind in asked.types:
        key = next((key for key, types in kinds.items() if kind in types), 0)
        wanted.append(rows.get(key))
        context.setdefault(key, []).append(kind)
    if None in wanted:
        raise NotFound("The workflow was not found.")
    found = list(dict.fromkeys(flow for flow in wanted if flow is not None))
    body = present_workflows(found, show(call))
    shown = []
    for flow, document in zip(found, body["workflows"], strict=True):
        types = context.get(flow.id) or kinds[flow.id]
        where = [{"project": str(project.id), "issueTypes": types}]
        shown.append(present_preview(document) | {"queryContext": where})
    statuses = [{**status, "rawName": status["name"]} for status in body["statuses"]]
    return {"workflows": shown, "statuses": statuses}


def kinds_of_flows(project: Project) -> dict[int, list[str]]:
    """Return the ids of the types of a space that go through each of its workflows."""
    scheme = project.workflow_scheme_id
    paths = Paths([scheme])
    found: dict[int, list[str]] = {}
    for kind in types_of(project):
        found.setdefault(paths.workflow_id(scheme, kind.id), []).append(str(kind.id))
    return found


def _first(rows: dict[int, Workflow], **parts: str) -> Workflow | None:
    for row in rows.values():
        if all(getattr(row, name) == value for name, value in parts.items()):
            return row
    return None
