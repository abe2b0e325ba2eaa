"""Workflow rules and their actions, defined by the tooling resources."""

from __future__ import annotations

from typing import Any, Final

from clones.core.operations import Call, Reply
from clones.crm.api.bodies import without_nul
from clones.crm.api.operations import root, versioned
from clones.crm.api.views.rows import members
from clones.crm.domain.workflows import (
    PREFIXES,
    change_workflow_action,
    change_workflow_rule,
    define_workflow_action,
    define_workflow_rule,
    remove_workflow,
)
from clones.crm.errors import NotFound, RecordError
from clones.crm.models import WorkflowAction, WorkflowRule
from clones.crm.rules.record_ids import read_id

_RULE: Final = "WorkflowRule"
# What the tooling resources call each kind of action.
_NAMES: Final = {f"Workflow{kind}": kind for kind in PREFIXES}


def metadata_of(body: Any) -> dict[str, Any]:
    """Return the metadata that a body of a tooling resource has.

    Raises:
        RecordError: it has none.
    """
    found = members(body).get("Metadata")
    if not isinstance(found, dict):
        raise RecordError("REQUIRED_FIELD_MISSING", "Required fields are missing: [Metadata]", [])
    return dict(without_nul(found))


def _made(call: Call, kind: str) -> Reply:
    metadata, name = metadata_of(call.body), str(call.body.get("FullName") or "")
    if kind == _RULE:
        id = define_workflow_rule(name, metadata, actor=call.actor.subject).id
    else:
        own = _NAMES[kind]
        id = define_workflow_action(own, name, metadata, actor=call.actor.subject).id
    return made_reply(call, kind, id)


def made_reply(call: Call, kind: str, id: str) -> Reply:
    """Return what is answered to one who defined something."""
    body = {"id": id, "success": True, "errors": [], "warnings": [], "infos": []}
    return Reply(body, 201, {"Location": f"{root(call)}/tooling/sobjects/{kind}/{id}"})


def _found(call: Call, kind: str) -> WorkflowRule | WorkflowAction:
    id = read_id(call.path["id"]) or ""
    found: WorkflowRule | WorkflowAction | None
    if kind == _RULE:
        found = WorkflowRule.objects.filter(id=id).first()
    else:
        found = WorkflowAction.objects.filter(id=id, kind=_NAMES[kind]).first()
    if found is None:
        raise NotFound
    return found


def _shown(call: Call, kind: str) -> dict[str, Any]:
    found = _found(call, kind)
    url = f"{root(call)}/tooling/sobjects/{kind}/{found.id}"
    return {
        "attributes": {"type": kind, "url": url},
        "Id": found.id,
        "Name": found.name,
        "TableEnumOrId": found.object,
        "FullName": f"{found.object}.{found.name}",
        "Metadata": found.definition,
    }


def _altered(call: Call, kind: str) -> None:
    found, metadata = _found(call, kind), metadata_of(call.body)
    if isinstance(found, WorkflowRule):
        change_workflow_rule(found, metadata, actor=call.actor.subject)
    else:
        change_workflow_action(found, metadata, actor=call.actor.subject)


def _register(kind: str, what: str) -> None:
    where = f"/tooling/sobjects/{kind}"

    @versioned(f"PostTooling{kind}", "POST", where, summary=f"Define {what}.", body=Any, status=201)
    def make(call: Call) -> Reply:
        return _made(call, kind)

    @versioned(f"GetTooling{kind}", "GET", f"{where}/{{id}}", summary=f"Show {what}.")
    def show(call: Call) -> dict[str, Any]:
        return _shown(call, kind)

    @versioned(
        f"PatchTooling{kind}",
        "PATCH",
        f"{where}/{{id}}",
        summary=f"Change {what}.",
        body=Any,
        status=204,
    )
    def alter(call: Call) -> None:
        _altered(call, kind)

    @versioned(
        f"DeleteTooling{kind}",
        "DELETE",
        f"{where}/{{id}}",
        summary=f"Take {what} away.",
        status=204,
    )
    def drop(call: Call) -> None:
        remove_workflow(_found(call, kind), actor=call.actor.subject)


_register(_RULE, "a workflow rule")
_register("WorkflowFieldUpdate", "a field update")
_register("WorkflowAlert", "an email alert")
_register("WorkflowTask", "a task of workflow rules")
_register("WorkflowOutboundMessage", "an outbound message")
