"""Writing workflows in tests: the one of the space LAS, as clients do it."""

from __future__ import annotations

from typing import Any

from tests.tracker.conftest import Site

LAS = "Software Simplified Workflow for Project LAS"


def read(site: Site, name: str = LAS) -> dict[str, Any]:
    """Return a workflow and the statuses that it names, as an update takes them."""
    body = site.post("workflows", {"workflowNames": [name]}, status=200)
    [workflow] = body["workflows"]
    return {"workflow": workflow, "statuses": body["statuses"]}


def payload(found: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return the body of an update of what was read."""
    keys = ("id", "version", "description", "startPointLayout", "statuses", "transitions")
    return {
        "statuses": found["statuses"],
        "workflows": [{key: found["workflow"][key] for key in keys} | more],
    }


def transition(found: dict[str, Any], id: str) -> dict[str, Any]:
    """Return a transition of what was read, to be changed in place."""
    [one] = [item for item in found["workflow"]["transitions"] if item["id"] == id]
    found_one: dict[str, Any] = one
    return found_one


def rule(key: str, **parameters: str) -> dict[str, Any]:
    """Return a rule of the system."""
    return {"ruleKey": f"system:{key}", "parameters": parameters}


def change(site: Site, id: str, /, **parts: Any) -> None:
    """Change parts of a transition of the workflow of LAS."""
    found = read(site)
    transition(found, id).update(parts)
    site.post("workflows/update", payload(found), status=200)


def all_of(*rules: dict[str, Any]) -> dict[str, Any]:
    """Return conditions that must all hold."""
    return {"operation": "ALL", "conditions": list(rules), "conditionGroups": []}
