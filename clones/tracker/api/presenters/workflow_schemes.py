"""Workflow schemes as JSON: the older form with names, and the newer with ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.refs import user_ref
from clones.tracker.models import Task, Workflow, WorkflowScheme, WorkflowSchemeItem
from clones.tracker.queries.workflow_documents import scope_of

Json = dict[str, Any]


def present_schemes(
    schemes: Sequence[WorkflowScheme], show: Show, *, brief: bool = False
) -> list[Json]:
    """Return schemes in their order; `brief` ones do not say whether they are drafts."""
    keys = [scheme.id for scheme in schemes]
    keys += [scheme.draft_of_id for scheme in schemes if scheme.draft_of_id is not None]
    mappings = _mappings(keys)
    found = []
    for scheme in schemes:
        show.note(scheme)
        found.append(_scheme(scheme, mappings, show, brief=brief))
    return found


def present_scheme(scheme: WorkflowScheme, show: Show) -> Json:
    """Return one scheme, or a draft."""
    return present_schemes([scheme], show)[0]


def _mappings(schemes: Sequence[int]) -> dict[int, dict[str, str]]:
    """Return the names of workflows by type, by scheme."""
    found: dict[int, dict[str, str]] = {key: {} for key in schemes}
    rows = WorkflowSchemeItem.objects.filter(scheme__in=schemes).order_by("issue_type_id")
    for scheme, kind, name in rows.values_list("scheme_id", "issue_type_id", "workflow__name"):
        found[scheme][str(kind)] = name
    return found


def _scheme(
    scheme: WorkflowScheme, mappings: Mapping[int, Mapping[str, str]], show: Show, *, brief: bool
) -> Json:
    owner = scheme.id if scheme.draft_of_id is None else scheme.draft_of_id
    address = show.url(f"workflowscheme/{owner}")
    found: Json = {
        "id": scheme.id,
        "name": scheme.name,
        "description": scheme.description,
        "defaultWorkflow": scheme.default_workflow.name,
        "issueTypeMappings": mappings[scheme.id],
        "self": address if scheme.draft_of_id is None else f"{address}/draft",
    }
    if not brief:
        found["draft"] = scheme.draft_of_id is not None
    if scheme.draft_of is not None:
        found["originalDefaultWorkflow"] = scheme.draft_of.default_workflow.name
        found["originalIssueTypeMappings"] = mappings[scheme.draft_of.id]
        found["lastModified"] = show.when(scheme.updated)
        found["lastModifiedUser"] = user_ref(scheme.updated_by, show)
    return found


def present_newer(schemes: Sequence[WorkflowScheme], show: Show) -> list[Json]:
    """Return schemes in the form in which workflows have ids and versions."""
    rows = WorkflowSchemeItem.objects.filter(scheme__in=schemes).select_related("workflow")
    types: dict[int, dict[Workflow, list[str]]] = {scheme.id: {} for scheme in schemes}
    for item in rows.order_by("workflow_id", "issue_type_id"):
        types[item.scheme_id].setdefault(item.workflow, []).append(str(item.issue_type_id))
    busy = _tasks()
    found = []
    for scheme in schemes:
        show.note(scheme)
        body: Json = {
            "id": str(scheme.id),
            "name": scheme.name,
            "description": scheme.description,
            "scope": scope_of(scheme.default_workflow.project),
            "version": {"id": scheme.version_uuid, "versionNumber": scheme.version},
            "defaultWorkflow": _metadata(scheme.default_workflow),
            "workflowsForIssueTypes": [
                {"issueTypeIds": kinds, "workflow": _metadata(workflow)}
                for workflow, kinds in types[scheme.id].items()
            ],
        }
        if scheme.id in busy:
            body["taskId"] = str(busy[scheme.id])
        found.append(body)
    return found


def _tasks() -> dict[int, int]:
    rows = Task.objects.filter(kind__startswith="workflow.", status__in=("ENQUEUED", "RUNNING"))
    found: dict[int, int] = {}
    for task in rows.order_by("id"):
        found |= dict.fromkeys(task.payload.get("scheme") or (), task.id)
    return found


def _metadata(workflow: Workflow) -> Json:
    return {
        "id": workflow.uuid,
        "name": workflow.name,
        "description": workflow.description,
        "version": {"id": workflow.version_uuid, "versionNumber": workflow.version},
    }
