"""Who decides in a step: users and queues that are named, or that the record or a user names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from clones.crm.domain.approvals.processes import Step
from clones.crm.errors import RecordError
from clones.crm.models import ApprovalProcess, SObjectRow, rows_of

MANAGER: Final = "Manager"
NEXT_APPROVERS: Final = "nextApproverIds"


def approvers_of(
    process: ApprovalProcess, step: Step, row: SObjectRow, *, submitter: str, chosen: Sequence[str]
) -> list[str]:
    """Return the users and queues (by id) who decide in a step, in their order, each once.

    `chosen` are those whom the caller named, for a step that leaves it to the caller.

    Raises:
        RecordError: nobody is found, or one is no active user.
    """
    found: list[str] = []
    for one in step.approvers:
        kind, name = one["type"], one.get("name")
        if kind == "adhoc":
            found += _chosen(chosen)
        elif kind == "user":
            found += _ids("User", Username__iexact=name, IsActive=True)
        elif kind == "queue":
            found += _ids("Group", DeveloperName=name, Type="Queue")
        elif kind == "relatedUserField":
            found += _related(row, str(name))
        else:
            found.append(_manager(process.definition, row, submitter))
    if not found:
        raise RecordError("NO_APPLICABLE_PROCESS", "No applicable approval process was found.")
    return list(dict.fromkeys(found))


def _chosen(ids: Sequence[str]) -> list[str]:
    if not ids:
        raise RecordError(
            "REQUIRED_FIELD_MISSING",
            f"missing required field: [{NEXT_APPROVERS}]",
            [NEXT_APPROVERS],
        )
    for id in ids:
        users = rows_of("User").filter(Id=id, IsActive=True)
        if not users.exists() and not rows_of("Group").filter(Id=id, Type="Queue").exists():
            raise RecordError(
                "INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id", [NEXT_APPROVERS]
            )
    return list(ids)


def _ids(of: str, **wanted: Any) -> list[str]:
    return list(rows_of(of).filter(**wanted).order_by("Id").values_list("Id", flat=True)[:1])


def _related(row: SObjectRow, name: str) -> list[str]:
    field = row.sobject.field(name) or row.sobject.reference(name)
    id = None if field is None else getattr(row, field.name)
    return [] if id is None else [id]


def _manager(definition: Mapping[str, Any], row: SObjectRow, submitter: str) -> str:
    automatic = definition.get("nextAutomatedApprover") or {}
    user = submitter
    if automatic.get("useApproverFieldOfRecordOwner") is True:
        user = str(getattr(row, "OwnerId", None) or submitter)
    manager = rows_of("User").filter(Id=user).values_list("ManagerId", flat=True).first()
    if manager is None or not rows_of("User").filter(Id=manager, IsActive=True).exists():
        raise RecordError("MANAGER_NOT_DEFINED", "Manager undefined.")
    return str(manager)
