"""Approvals: which processes there are, records that are submitted, requests that are decided.

Beside them, the workflow rules that a record goes through as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.core.operations import Call, Reply
from clones.crm.api.bodies import items, mapping, unreadable
from clones.crm.api.operations import versioned
from clones.crm.api.presenters.saved import present_fault
from clones.crm.domain.approvals.running import (
    ACTIONS,
    LONGEST_COMMENTS,
    ApprovalOutcome,
    Decision,
    Submission,
    decide,
    submit,
)
from clones.crm.domain.saving.many import Saved, check_number, save_each
from clones.crm.errors import CrmError, NotFound, RecordError
from clones.crm.models import ApprovalProcess, WorkflowAction, WorkflowRule, rows_of
from clones.crm.queries.schema import org_schema
from clones.crm.rules.record_ids import read_id

_TRUE: Final = (True, "true", "True", "1")
_NOTHING: Final = {
    "actorIds": None,
    "entityId": None,
    "errors": None,
    "instanceId": None,
    "instanceStatus": None,
    "newWorkitemIds": None,
    "success": False,
}


@versioned("GetProcessApprovals", "GET", "/process/approvals", summary="List approval processes.")
def list_processes(call: Call) -> dict[str, Any]:
    """Answer with the active processes of each object, in their order."""
    shown = {
        row.pk: row for row in rows_of("ProcessDefinition").filter(State="Active", Type="Approval")
    }
    found: dict[str, list[dict[str, Any]]] = {}
    for one in ApprovalProcess.objects.filter(is_active=True).order_by("object", "order", "id"):
        row = shown.get(one.id)
        if row is not None:
            found.setdefault(one.object, []).append(
                {
                    "description": row.Description,
                    "id": row.pk,
                    "name": row.Name,
                    "object": one.object,
                    "sortOrder": one.order,
                }
            )
    return {"approvals": found}


@versioned(
    "PostProcessApprovals",
    "POST",
    "/process/approvals",
    summary="Submit records, approve or reject requests.",
    body=Any,
)
def process_approvals(call: Call) -> Reply:
    """Answer with what became of each request."""
    asked = [mapping(one, "approval request") for one in items(call.body, "requests", "requests")]
    check_number(asked)
    schema, actor, done = org_schema(), str(call.actor.subject), list[ApprovalOutcome]()

    def run(one: Mapping[str, Any]) -> Saved:
        if _text(one, "actionType") == "Submit":
            found = submit(schema, _submission(one, actor), actor=actor)
        else:
            found = decide(schema, _decision(one), actor=actor)
        done.append(found)
        return Saved(found.record)

    answer = []
    for saved in save_each(asked, run):
        if saved.error is None:
            answer.append(_outcome(done.pop(0)))
        else:
            answer.append({**_NOTHING, "errors": [present_fault(saved.error)]})
    is_refused = bool(answer) and not any(one["success"] for one in answer)
    return Reply(answer, 400 if is_refused else 200)


@versioned("GetProcessRules", "GET", "/process/rules", summary="List workflow rules.")
def list_rules(call: Call) -> dict[str, Any]:
    """Answer with the active rules of each object."""
    found: dict[str, list[dict[str, Any]]] = {}
    for one in WorkflowRule.objects.filter(is_active=True).order_by("object", "name"):
        found.setdefault(one.object, []).append(_rule(one))
    return {"rules": found}


@versioned(
    "GetProcessRulesOfObject",
    "GET",
    "/process/rules/{object}",
    summary="List the workflow rules of an object.",
)
def list_rules_of_object(call: Call) -> dict[str, Any]:
    """Answer with the active rules of the object."""
    of = org_schema().find(call.path["object"])
    if of is None:
        raise NotFound
    rules = WorkflowRule.objects.filter(is_active=True, object=of.name).order_by("name")
    return {"rules": {of.name: [_rule(one) for one in rules]}}


@versioned(
    "GetProcessRule",
    "GET",
    "/process/rules/{object}/{id}",
    summary="Show a workflow rule.",
)
def show_process_rule(call: Call) -> dict[str, Any]:
    """Answer with the rule."""
    of = org_schema().find(call.path["object"])
    id = read_id(call.path["id"]) or ""
    found = None if of is None else WorkflowRule.objects.filter(id=id, object=of.name).first()
    if found is None:
        raise NotFound
    return _rule(found)


def _rule(rule: WorkflowRule) -> dict[str, Any]:
    kinds = {(one["type"], one["name"]) for one in rule.definition.get("actions") or []}
    actions = [
        {"id": one.id, "name": one.name, "type": one.kind}
        for one in WorkflowAction.objects.filter(object=rule.object).order_by("kind", "name")
        if (one.kind, one.name) in kinds
    ]
    return {
        "actions": actions,
        "description": rule.definition.get("description"),
        "id": rule.id,
        "name": rule.name,
        "namespacePrefix": None,
        "object": rule.object,
    }


def _outcome(found: ApprovalOutcome) -> dict[str, Any]:
    return {
        "actorIds": found.actors or None,
        "entityId": found.record,
        "errors": None,
        "instanceId": found.instance,
        "instanceStatus": found.status,
        "newWorkitemIds": found.requests,
        "success": True,
    }


def _submission(given: Mapping[str, Any], actor: str) -> Submission:
    submitter = given.get("contextActorId")
    return Submission(
        record=_id(given.get("contextId"), "contextId"),
        submitter=actor if submitter is None else _id(submitter, "contextActorId"),
        comments=_comments(given),
        approvers=_approvers(given),
        process=_process(given.get("processDefinitionNameOrId")),
        skips_criteria=given.get("skipEntryCriteria") in _TRUE,
    )


def _decision(given: Mapping[str, Any]) -> Decision:
    action = _text(given, "actionType")
    action = "Removed" if action == "Remove" else action
    if action not in ACTIONS:
        raise CrmError(f"Invalid action type: {action[:80]}", code="INVALID_INPUT")
    return Decision(
        action,
        _id(given.get("contextId"), "contextId"),
        _comments(given),
        _approvers(given),
    )


def _text(given: Mapping[str, Any], name: str) -> str:
    found = given.get(name)
    if not isinstance(found, str):
        raise unreadable(name, found)
    return found


def _id(given: Any, name: str) -> str:
    if not isinstance(given, str):
        raise unreadable(name, given)
    found = read_id(given)
    if found is None:
        raise RecordError("MALFORMED_ID", f"malformed id {given[:80]}", [name])
    return found


def _process(given: Any) -> str | None:
    if given is not None and not isinstance(given, str):
        raise unreadable("processDefinitionNameOrId", given)
    return read_id(given) or given if given else None


def _approvers(given: Mapping[str, Any]) -> list[str]:
    found = given.get("nextApproverIds")
    if found is None:
        return []
    if not isinstance(found, list):
        raise unreadable("nextApproverIds", found)
    return [_id(one, "nextApproverIds") for one in found[:LONGEST_COMMENTS]]


def _comments(given: Mapping[str, Any]) -> str | None:
    found = given.get("comments")
    if found is None:
        return None
    if not isinstance(found, str):
        raise unreadable("comments", found)
    return checked_comments(found)


def checked_comments(text: str) -> str | None:
    """Return what somebody says to a decision, as it is kept.

    Raises:
        RecordError: it is too long.
    """
    text = text.replace("\0", "").strip()
    if len(text.encode()) > LONGEST_COMMENTS:
        raise RecordError(
            "STRING_TOO_LONG",
            f"Comments: data value too large: {text[:80]} (max length={LONGEST_COMMENTS})",
            ["comments"],
        )
    return text or None
