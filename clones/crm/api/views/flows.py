"""Flows, defined by the tooling resources: versions (`Flow`), and which one is active."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call, Reply
from clones.crm.api.operations import root, versioned
from clones.crm.api.views.rows import members
from clones.crm.api.views.workflows import made_reply, metadata_of
from clones.crm.domain.flows import activate, change_flow, deactivate, define_flow, remove_flow
from clones.crm.errors import NotFound, RecordError
from clones.crm.models import FlowVersion
from clones.crm.rules.record_ids import read_id


@versioned(
    "PostToolingFlow",
    "POST",
    "/tooling/sobjects/Flow",
    summary="Define a version of a flow.",
    body=Any,
    status=201,
)
def make_flow(call: Call) -> Reply:
    """Answer with the id of the version."""
    metadata = metadata_of(call.body)
    name = str(call.body.get("FullName") or "")
    made = define_flow(name, metadata, actor=call.actor.subject)
    return made_reply(call, "Flow", made.id)


@versioned(
    "GetToolingFlow", "GET", "/tooling/sobjects/Flow/{id}", summary="Show a version of a flow."
)
def show_flow(call: Call) -> dict[str, Any]:
    """Answer with the version."""
    found = _version(call)
    url = f"{root(call)}/tooling/sobjects/Flow/{found.id}"
    return {
        "attributes": {"type": "Flow", "url": url},
        "Id": found.id,
        "DefinitionId": found.flow,
        "FullName": f"{found.name}-{found.number}",
        "MasterLabel": found.definition.get("label"),
        "ProcessType": found.definition.get("processType", "AutoLaunchedFlow"),
        "Status": "Active" if found.is_active else found.definition.get("status", "Draft"),
        "VersionNumber": found.number,
        "Metadata": found.definition,
    }


@versioned(
    "PatchToolingFlow",
    "PATCH",
    "/tooling/sobjects/Flow/{id}",
    summary="Change a version of a flow.",
    body=Any,
    status=204,
)
def alter_flow(call: Call) -> None:
    """Answer with nothing."""
    change_flow(_version(call), metadata_of(call.body), actor=call.actor.subject)


@versioned(
    "DeleteToolingFlow",
    "DELETE",
    "/tooling/sobjects/Flow/{id}",
    summary="Take a version of a flow away.",
    status=204,
)
def drop_flow(call: Call) -> None:
    """Answer with nothing."""
    remove_flow(_version(call), actor=call.actor.subject)


@versioned(
    "GetToolingFlowDefinition",
    "GET",
    "/tooling/sobjects/FlowDefinition/{id}",
    summary="Show a flow, and which of its versions is active.",
)
def show_definition(call: Call) -> dict[str, Any]:
    """Answer with the flow."""
    versions = _versions(call)
    active = next((one for one in versions if one.is_active), None)
    last = versions[-1]
    return {
        "attributes": {
            "type": "FlowDefinition",
            "url": f"{root(call)}/tooling/sobjects/FlowDefinition/{last.flow}",
        },
        "Id": last.flow,
        "DeveloperName": last.name,
        "ActiveVersionId": None if active is None else active.id,
        "LatestVersionId": last.id,
        "MasterLabel": last.definition.get("label"),
        "Metadata": {"activeVersionNumber": 0 if active is None else active.number},
    }


@versioned(
    "PatchToolingFlowDefinition",
    "PATCH",
    "/tooling/sobjects/FlowDefinition/{id}",
    summary="Say which version of a flow is active; 0 for none.",
    body=Any,
    status=204,
)
def choose_version(call: Call) -> None:
    """Answer with nothing."""
    versions = _versions(call)
    number = members(metadata_of(call.body)).get("activeVersionNumber")
    chosen = next((one for one in versions if one.number == number), None)
    if chosen is not None:
        activate(chosen, actor=call.actor.subject)
        return
    if number not in (0, None):
        raise RecordError("INVALID_FIELD", "The flow has no such version.", ["Metadata"])
    for one in versions:
        if one.is_active:
            deactivate(one, actor=call.actor.subject)


def _version(call: Call) -> FlowVersion:
    found = FlowVersion.objects.filter(id=read_id(call.path["id"]) or "").first()
    if found is None:
        raise NotFound
    return found


def _versions(call: Call) -> list[FlowVersion]:
    found = list(FlowVersion.objects.filter(flow=read_id(call.path["id"]) or "").order_by("number"))
    if not found:
        raise NotFound
    return found
