"""Approval processes as they are defined: which takes a record, its steps, who decides in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from clones.crm.models import ApprovalProcess, SObjectRow, rows_of
from clones.crm.queries.formulas import FormulaRecord, Looker, checked_formula
from clones.crm.rules.criteria import meets, read_items
from clones.crm.rules.formulas import (
    FormulaError,
    FormulaValueError,
    Kind,
    Place,
    evaluate,
)
from clones.crm.rules.schema import Field

UNANIMOUS, FIRST = "Unanimous", "FirstResponse"
APPROVE, REJECT, NEXT = "ApproveRecord", "RejectRecord", "GotoNextStep"
BACK: Final = "BackToPrevious"
ANYBODY: Final = "allInternalUsers"


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a process: `node` is the id of its row, `place` where it stands."""

    node: str
    place: int
    name: str
    label: str
    given: Mapping[str, Any]

    @property
    def approvers(self) -> Sequence[Mapping[str, Any]]:
        """Who decides, as the metadata say it."""
        found: Sequence[Mapping[str, Any]] = self.given["assignedApprover"]["approver"]
        return found

    @property
    def is_unanimous(self) -> bool:
        """Whether all have to approve."""
        return bool(self.given["assignedApprover"].get("whenMultipleApprovers") == UNANIMOUS)

    @property
    def goes_back(self) -> bool:
        """Whether a rejection leads to the step before."""
        return bool((self.given.get("rejectBehavior") or {}).get("type") == BACK)


def steps_of(process: ApprovalProcess) -> list[Step]:
    """Return the steps of a process, in their order."""
    nodes = {
        row.DeveloperName: row
        for row in rows_of("ProcessNode").filter(ProcessDefinitionId=process.id)
    }
    return [
        Step(nodes[one["name"]].pk, place, one["name"], nodes[one["name"]].Name, one)
        for place, one in enumerate(process.definition["approvalStep"])
    ]


def holds(given: Mapping[str, Any] | None, row: SObjectRow, looker: Looker) -> bool:
    """Tell whether a record meets criteria: items with a logic, or a formula; none are met."""
    if not given:
        return True
    of = row.sobject
    record = FormulaRecord(of, row.__getattribute__, looker)
    if given.get("formula") is not None:
        try:
            checked = checked_formula(of, given["formula"], Place.WORKFLOW, Kind.BOOLEAN)
            return evaluate(checked, record, situation=looker.situation()) is True
        except FormulaError:
            return False

    def value(field: Field) -> Any:
        try:
            return record.value(field)
        except FormulaValueError:
            return None

    return meets(read_items(given.get("criteriaItems")), given.get("booleanFilter"), of, value)


def may_submit(process: ApprovalProcess, row: SObjectRow, user: str) -> bool:
    """Tell whether a user (by id) may submit a record to a process."""
    for one in process.definition.get("allowedSubmitters") or []:
        kind, name = one.get("type"), str(one.get("submitter") or "")
        if kind == ANYBODY:
            return True
        if kind == "owner" and user in people_of(str(getattr(row, "OwnerId", None))):
            return True
        if kind == "creator" and getattr(row, "CreatedById", None) == user:
            return True
        if kind == "user" and _is_called(user, name):
            return True
        if kind in ("group", "queue") and any(user in people_of(id) for id in _groups(name)):
            return True
        if kind in ("role", "roleSubordinates", "roleSubordinatesInternal") and _has_role(
            user, name, below=kind != "role"
        ):
            return True
    return False


def people_of(actor: str) -> set[str]:
    """Return the users (by id) who a user or a group stands for, groups within it included."""
    found, waiting, seen = set[str](), [actor], {actor}
    while waiting:
        one = waiting.pop()
        if one.startswith("005"):
            found.add(one)
            continue
        members = rows_of("GroupMember").filter(GroupId=one).values_list("UserOrGroupId", flat=True)
        for member in members:
            if member not in seen:
                seen.add(member)
                waiting.append(member)
    return found


def _groups(name: str) -> list[str]:
    rows = rows_of("Group").filter(DeveloperName=name, Type__in=("Regular", "Queue"))
    return list(rows.order_by("Id").values_list("Id", flat=True))


def _is_called(user: str, name: str) -> bool:
    return bool(rows_of("User").filter(Id=user, Username__iexact=name).exists())


def _has_role(user: str, name: str, *, below: bool) -> bool:
    role = rows_of("User").filter(Id=user).values_list("UserRoleId", flat=True).first()
    seen: set[str] = set()
    while role is not None and role not in seen:
        seen.add(role)
        row = rows_of("UserRole").filter(Id=role).first()
        if row is None:
            return False
        if row.DeveloperName == name:
            return True
        role = row.ParentRoleId if below else None
    return False
