"""Workflows as JSON: documents with their times, and the older form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from clones.tracker.api.presenters.context import Show
from clones.tracker.models import Task, Workflow, WorkflowStatus, WorkflowVersion
from clones.tracker.queries.workflow_documents import documents_of
from clones.tracker.rules.workflow.checking import Problem

Json = dict[str, Any]


def present_workflows(
    workflows: Sequence[Workflow],
    show: Show,
    *,
    with_transitions: bool = True,
    approvals: bool = False,
) -> Json:
    """Return workflows in their order, and the statuses that they name."""
    shown, statuses = documents_of(
        workflows, with_transitions=with_transitions, approvals=approvals
    )
    busy = tasks_by_workflow()
    for workflow, document in zip(workflows, shown, strict=True):
        show.note(workflow)
        document["created"] = show.when(workflow.created)
        document["updated"] = show.when(workflow.updated)
        if workflow.id in busy:
            document["taskId"] = str(busy[workflow.id])
    return {"workflows": shown, "statuses": statuses}


def tasks_by_workflow() -> dict[int, int]:
    """Return the tasks that move issues for workflows which changed, by the workflow's id."""
    rows = Task.objects.filter(kind="workflow.migrate", status__in=("ENQUEUED", "RUNNING"))
    found: dict[int, int] = {}
    for task in rows.order_by("id"):
        found |= dict.fromkeys(task.payload.get("workflow") or (), task.id)
    return found


def present_version(version: WorkflowVersion, show: Show) -> Json:
    """Return a workflow as it was at a version."""
    workflow = version.workflow
    document: Json = dict(version.document["workflow"])
    document.pop("isEditable", None)
    document["created"] = show.when(workflow.created)
    document["updated"] = show.when(version.written)
    if version.author is not None:
        document["lastUpdateAuthorAAID"] = version.author.account_id
    return {"workflows": [document], "statuses": version.document["statuses"]}


def present_preview(document: Json) -> Json:
    """Return a workflow's document without what a preview leaves out."""
    found = {
        key: value
        for key, value in document.items()
        if value is not None and key not in {"isEditable", "created", "updated", "taskId"}
    }
    found["statuses"] = [
        {
            "statusReference": place["statusReference"],
            "layout": place["layout"] or {},
            "deprecated": False,
        }
        for place in document["statuses"]
    ]
    found["transitions"] = [
        _without_nulls({key: value for key, value in item.items() if key != "properties"})
        for item in document["transitions"]
    ]
    return found


def _without_nulls(transition: Json) -> Json:
    links = [
        {key: value for key, value in link.items() if value is not None}
        for link in transition["links"]
    ]
    triggers = [
        {"id": trigger["id"], "ruleKey": trigger["ruleKey"]} for trigger in transition["triggers"]
    ]
    return transition | {"links": links, "triggers": triggers}


def present_problem(problem: Problem) -> Json:
    """Return something that is wrong with a workflow."""
    return {
        "code": problem.code,
        "message": problem.message,
        "level": problem.level,
        "type": problem.kind,
        "elementReference": dict(problem.where),
    }


def present_older(
    workflow: Workflow,
    show: Show,
    document: Mapping[str, Any],
    places: Sequence[WorkflowStatus],
    expand: Sequence[str],
) -> Json:
    """Return a workflow as lists of the older kind show it."""
    found: Json = {
        "id": {"name": workflow.name, "entityId": workflow.uuid},
        "description": workflow.description,
        "transitions": [],
        "created": show.when(workflow.created),
        "updated": show.when(workflow.updated),
    }
    if any(word.startswith("transitions") for word in expand):
        found["transitions"] = [_older_transition(item, expand) for item in document["transitions"]]
    if any(word.startswith("statuses") for word in expand):
        found["statuses"] = [_older_status(place, expand) for place in places]
    if "default" in expand:
        found["isDefault"] = workflow.is_system
    if "hasDraftWorkflow" in expand:
        found["hasDraftWorkflow"] = False
    return found


def _older_status(place: WorkflowStatus, expand: Sequence[str]) -> Json:
    found: Json = {"id": str(place.status_id), "name": place.status.name}
    if "statuses.properties" in expand:
        found["properties"] = place.properties
    return found


def _older_transition(item: Mapping[str, Any], expand: Sequence[str]) -> Json:
    found: Json = {
        "id": item["id"],
        "name": item["name"],
        "description": item["description"],
        "from": [link["fromStatusReference"] for link in item["links"]],
        "to": item.get("toStatusReference", ""),
        "type": item["type"].lower(),
    }
    screen = item.get("transitionScreen")
    if screen is not None and "screenId" in screen["parameters"]:
        found["screen"] = {"id": screen["parameters"]["screenId"]}
    if "transitions.rules" in expand:
        found["rules"] = {
            "validators": [_older_rule(rule) for rule in item["validators"]],
            "postFunctions": [_older_rule(rule) for rule in item["actions"]],
        }
        if item.get("conditions"):
            found["rules"]["conditionsTree"] = _older_tree(item["conditions"])
    if "transitions.properties" in expand:
        found["properties"] = item["properties"]
    return found


def _older_rule(rule: Mapping[str, Any]) -> Json:
    return {"type": rule["ruleKey"], "configuration": rule["parameters"]}


def _older_tree(tree: Mapping[str, Any]) -> Json:
    parts = [
        {"nodeType": "simple", "type": rule["ruleKey"], "configuration": rule["parameters"]}
        for rule in tree["conditions"]
    ]
    parts += [_older_tree(group) for group in tree["conditionGroups"]]
    operator = "AND" if tree["operation"] == "ALL" else "OR"
    return {"nodeType": "compound", "operator": operator, "conditions": parts}
