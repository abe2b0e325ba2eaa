"""Workflow rules, their actions and flows, as objects that tooling queries know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from clones.crm.models import FlowVersion, WorkflowAction, WorkflowRule

# The objects, and of each its fields with their types.
AUTOMATION_TABLES: Final[Mapping[str, str]] = {
    "Flow": "Id:id DefinitionId:string FullName:string MasterLabel:string ProcessType:string"
    " Status:string VersionNumber:int Metadata:complexvalue CreatedDate:datetime",
    "FlowDefinition": "Id:id DeveloperName:string MasterLabel:string ActiveVersionId:string"
    " LatestVersionId:string NamespacePrefix:string",
    **dict.fromkeys(
        (
            "WorkflowAlert",
            "WorkflowFieldUpdate",
            "WorkflowOutboundMessage",
            "WorkflowRule",
            "WorkflowTask",
        ),
        "Id:id Name:string TableEnumOrId:string FullName:string Metadata:complexvalue"
        " NamespacePrefix:string CreatedDate:datetime",
    ),
}
AUTOMATION_PREFIXES: Final = {
    "Flow": "301",
    "FlowDefinition": "300",
    "WorkflowAlert": "01W",
    "WorkflowFieldUpdate": "04Y",
    "WorkflowOutboundMessage": "04k",
    "WorkflowRule": "01Q",
    "WorkflowTask": "01T",
}


def automation_rows(name: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of one of `AUTOMATION_TABLES`, by their ids."""
    if name == "Flow":
        yield from (_version(row) for row in FlowVersion.objects.order_by("id"))
    elif name == "FlowDefinition":
        yield from _definitions()
    elif name == "WorkflowRule":
        yield from (_of_object(row) for row in WorkflowRule.objects.order_by("id"))
    else:
        rows = WorkflowAction.objects.filter(kind=name.removeprefix("Workflow")).order_by("id")
        yield from (_of_object(row) for row in rows)


def _of_object(row: WorkflowRule | WorkflowAction) -> dict[str, Any]:
    return {
        "Id": row.id,
        "Name": row.name,
        "TableEnumOrId": row.object,
        "FullName": f"{row.object}.{row.name}",
        "Metadata": row.definition,
        "NamespacePrefix": None,
        "CreatedDate": row.created_at,
    }


def _version(row: FlowVersion) -> dict[str, Any]:
    given = row.definition
    return {
        "Id": row.id,
        "DefinitionId": row.flow,
        "FullName": f"{row.name}-{row.number}",
        "MasterLabel": given.get("label"),
        "ProcessType": given.get("processType", "AutoLaunchedFlow"),
        "Status": "Active" if row.is_active else given.get("status", "Draft"),
        "VersionNumber": row.number,
        "Metadata": given,
        "CreatedDate": row.created_at,
    }


def _definitions() -> Iterator[dict[str, Any]]:
    found: dict[str, list[FlowVersion]] = {}
    for row in FlowVersion.objects.order_by("flow", "number"):
        found.setdefault(row.flow, []).append(row)
    for id, versions in found.items():
        last = versions[-1]
        yield {
            "Id": id,
            "DeveloperName": last.name,
            "MasterLabel": last.definition.get("label"),
            "ActiveVersionId": next((one.id for one in versions if one.is_active), None),
            "LatestVersionId": last.id,
            "NamespacePrefix": None,
        }
