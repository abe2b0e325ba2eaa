"""What the organization has done by itself: rules, their actions, and who approves what."""

from __future__ import annotations

import tomllib
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.db import models

from clones.crm.models import (
    ApprovalProcess,
    ValidationRule,
    WorkflowAction,
    WorkflowRule,
)
from clones.crm.rules.record_ids import POD, long_id
from seeds.kestrel.catalogue import FOUNDED
from seeds.kestrel.projection.crm.organization import Office
from seeds.kestrel.projection.crm.records import CrmWriter

FILE = Path(__file__).with_name("automation.toml")
DEFINED = FOUNDED + timedelta(days=700)
UPDATE = "FieldUpdate"
# What the ids of definitions begin with, as `clones.crm.domain` gives them.
PREFIXES: dict[type[models.Model], str] = {
    WorkflowRule: "01Q",
    WorkflowAction: "04Y",
    ValidationRule: "03d",
}


class CrmAutomation:
    """Writes the definitions."""

    def __init__(self, writer: CrmWriter, office: Office) -> None:
        self.writer, self.admin = writer, office.users[0]

    def write(self) -> None:
        """Write everything."""
        given = tomllib.loads(FILE.read_text(encoding="utf-8"))
        for one in given["updates"]:
            self._define(WorkflowAction, one, kind=UPDATE, definition=_update(one))
        for one in given["rules"]:
            is_active = one.get("active", True)
            self._define(WorkflowRule, one, is_active=is_active, definition=_rule(one))
        for one in given["validations"]:
            said = {name: one[name] for name in ("formula", "message", "field")}
            self._define(ValidationRule, one, is_active=True, **said)
        for one in given["processes"]:
            self._write_process(one)

    def _define(self, model: type[models.Model], given: dict[str, Any], **values: Any) -> None:
        key = long_id(self.writer.ids.keyed(PREFIXES[model] + POD, model))
        row = {"id": key, "object": given["of"], "name": given["name"], **values}
        self.writer.writer.add(model, {**row, "created_at": DEFINED, "updated_at": DEFINED})

    def _write_process(self, given: dict[str, Any]) -> None:
        row = {
            "Name": given["label"],
            "DeveloperName": given["name"],
            "Description": given["description"],
            "Type": "Approval",
            "TableEnumOrId": given["of"],
            "LockType": "Total",
            "State": "Active",
        }
        key = self.writer.add("ProcessDefinition", row, by=self.admin, at=DEFINED)
        for step in given["steps"]:
            node = {
                "Name": step["label"],
                "DeveloperName": step["name"],
                "ProcessDefinitionId": key,
            }
            self.writer.add("ProcessNode", node, by=self.admin, at=DEFINED)
        process = {
            "id": key,
            "object": given["of"],
            "name": given["name"],
            "is_active": True,
            "order": 1,
            "definition": _process(given),
        }
        self.writer.writer.add(ApprovalProcess, process)


def _update(given: dict[str, Any]) -> dict[str, Any]:
    """Return the metadata of a field update: it sets a value, or empties the field."""
    found = {"name": given["label"], "field": given["field"]}
    if "literal" in given:
        return {**found, "operation": "Literal", "literalValue": given["literal"]}
    return {**found, "operation": "Null"}


def _rule(given: dict[str, Any]) -> dict[str, Any]:
    return {
        "active": given.get("active", True),
        "triggerType": given["trigger"],
        "criteriaItems": given["criteria"],
        "actions": [{"type": UPDATE, "name": name} for name in given["actions"]],
    }


def _process(given: dict[str, Any]) -> dict[str, Any]:
    """Return the metadata of an approval process whose steps go to the manager of who asks."""
    manager = {"type": "userHierarchyField", "name": "Manager"}
    return {
        "active": True,
        "label": given["label"],
        "description": given["description"],
        "allowedSubmitters": [{"type": "allInternalUsers"}],
        "entryCriteria": {"criteriaItems": given["criteria"]},
        "approvalStep": [
            {
                "name": step["name"],
                "label": step["label"],
                "assignedApprover": {"approver": [manager]},
            }
            for step in given["steps"]
        ],
        "nextAutomatedApprover": {
            "useApproverFieldOfRecordOwner": False,
            "userHierarchyField": "Manager",
        },
    }
