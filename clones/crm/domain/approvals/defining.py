"""Defining approval processes, by the vendor's metadata of them."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any, Final

from clones.core import clock
from clones.crm.domain.approvals.processes import (
    APPROVE,
    BACK,
    FIRST,
    NEXT,
    REJECT,
    UNANIMOUS,
)
from clones.crm.domain.customizing import require_admin
from clones.crm.domain.rows import add_row
from clones.crm.domain.workflows import check_condition
from clones.crm.errors import NotFound, RecordError
from clones.crm.models import ApprovalProcess, WorkflowAction, rows_of
from clones.crm.queries.schema import org_schema
from clones.crm.rules.criteria import WrongCriteria, check_criteria, read_items
from clones.crm.rules.schema import SObject
from clones.crm.rules.schema.custom import is_name

MOST_STEPS: Final = 30
MOST_ACTIVE: Final = 300
MOST_APPROVERS: Final = 25
_SUBMITTERS: Final = frozenset(
    {"allInternalUsers", "creator", "group", "owner", "queue", "role", "user"}
) | {"roleSubordinates", "roleSubordinatesInternal"}
_APPROVERS: Final = frozenset({"adhoc", "queue", "relatedUserField", "user", "userHierarchyField"})
_EDITABILITY: Final = {"AdminOnly": "Total", "AdminOrCurrentApprover": "Node"}
_ACTIONS: Final = (
    "initialSubmissionActions",
    "finalApprovalActions",
    "finalRejectionActions",
    "recallActions",
)
_STEP_ACTIONS: Final = ("approvalActions", "rejectionActions")
_KINDS: Final = frozenset({"Alert", "FieldUpdate", "OutboundMessage", "Task"})
_LONGEST: Final = 80
_TEXTS: Final = {"label": 255, "description": 3000}  # characters


def define_process(full_name: str, given: Mapping[str, Any], *, actor: str) -> ApprovalProcess:
    """Give an object (`Opportunity.Large_Deals`) an approval process, or change the one there.

    `given`: what the vendor's metadata of an approval process have. The steps of a process that was
    switched on once stay as they are.

    Raises:
        RecordError: the actor may not, the name will not do, or the metadata are wrong.
        NotFound: there is no such object.
    """
    require_admin(actor)
    object_name, _, name = full_name.partition(".")
    of = org_schema().find(object_name)
    if of is None:
        raise NotFound
    instances = of.schema.objects["ProcessInstance"].field("TargetObjectId")
    if instances is None or of.name not in instances.reference_to:
        raise _wrong(f"{of.name} does not support approval processes")
    if not is_name(name):
        raise RecordError("INVALID_FIELD", "The process name is not valid.", ["FullName"])
    _check(of, given)
    kept = ApprovalProcess.objects.filter(object=of.name, name=name).first()
    is_active = given.get("active") is True
    if (
        is_active
        and kept is None
        and ApprovalProcess.objects.filter(is_active=True).count() >= (MOST_ACTIVE)
    ):
        raise RecordError("LIMIT_EXCEEDED", f"There are {MOST_ACTIVE} active processes already")
    if kept is None:
        kept = _new(of, name, given, actor)
    elif _names(kept.definition) != _names(given):
        if rows_of("ProcessInstance").filter(ProcessDefinitionId=kept.id).exists():
            raise _wrong("The steps of a process that was used cannot be changed")
        rows_of("ProcessNode").filter(ProcessDefinitionId=kept.id).delete()
        _add_nodes(kept.id, given, actor)
    kept.definition, kept.is_active = dict(given), is_active
    kept.order = given.get("processOrder") or kept.order
    kept.save()
    row = rows_of("ProcessDefinition").get(Id=kept.id)
    row.Name, row.Description = given.get("label") or name, given.get("description")
    row.State = "Active" if is_active else "Inactive"
    row.LockType = _EDITABILITY[given.get("recordEditability") or "AdminOnly"]
    row.LastModifiedDate = row.SystemModstamp = clock.now().replace(microsecond=0)
    row.LastModifiedById = actor
    row.save()
    return kept


def _new(of: SObject, name: str, given: Mapping[str, Any], actor: str) -> ApprovalProcess:
    values = {
        "Name": given.get("label") or name,
        "DeveloperName": name,
        "Type": "Approval",
        "TableEnumOrId": of.name,
        "LockType": "Total",
        "State": "Inactive",
    }
    now = clock.now().replace(microsecond=0)
    row = add_row("ProcessDefinition", values, by=actor, now=now)
    order = ApprovalProcess.objects.filter(object=of.name).count() + 1
    made = ApprovalProcess(
        id=row.pk, object=of.name, name=name, order=order, definition=dict(given)
    )
    made.save(force_insert=True)
    _add_nodes(row.pk, given, actor)
    return made


def _add_nodes(process: str, given: Mapping[str, Any], actor: str) -> None:
    now = clock.now().replace(microsecond=0)
    for one in given["approvalStep"]:
        node = {
            "Name": one.get("label") or one["name"],
            "DeveloperName": one["name"],
            "ProcessDefinitionId": process,
            "Description": one.get("description"),
        }
        add_row("ProcessNode", node, by=actor, now=now)


def _names(given: Mapping[str, Any]) -> list[str]:
    return [one["name"] for one in given["approvalStep"]]


def _check(of: SObject, given: Mapping[str, Any]) -> None:
    for name, longest in _TEXTS.items():
        text = given.get(name)
        if text is not None and (not isinstance(text, str) or len(text) > longest):
            raise _wrong(f"Invalid {name}")
    if not _is_one(given.get("recordEditability") or "AdminOnly", _EDITABILITY):
        raise _wrong("Invalid record editability")
    order = given.get("processOrder") or 1
    if type(order) is not int or not 0 < order <= MOST_ACTIVE:
        raise _wrong("Invalid process order")
    _check_criteria(of, given.get("entryCriteria"))
    submitters = given.get("allowedSubmitters")
    if not isinstance(submitters, list) or not submitters:
        raise _wrong("Required fields are missing: [allowedSubmitters]")
    for one in submitters:
        if not isinstance(one, Mapping) or not _is_one(one.get("type"), _SUBMITTERS):
            raise _wrong("Invalid submitter")
    for name in _ACTIONS:
        _check_actions(of, given.get(name))
    automatic = given.get("nextAutomatedApprover")
    if automatic is not None and not isinstance(automatic, Mapping):
        raise _wrong("Invalid next automated approver")
    names = [step["name"] for step in _checked_steps(of, given)]
    if len(set(names)) < len(names):
        raise _wrong("The names of steps must differ")


def _checked_steps(of: SObject, given: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    steps = given.get("approvalStep")
    if not isinstance(steps, list) or not 1 <= len(steps) <= MOST_STEPS:
        raise _wrong(f"A process has one to {MOST_STEPS} steps")
    for place, step in enumerate(steps):
        if not isinstance(step, Mapping) or not is_name(str(step.get("name") or "")):
            raise _wrong("The name of a step is not valid")
        if not isinstance(step.get("label") or "", str) or len(step.get("label") or "") > 255:
            raise _wrong(f"Invalid label of step {step['name']}")
        _check_criteria(of, step.get("entryCriteria"))
        otherwise = step.get("ifCriteriaNotMet")
        if otherwise not in (None, APPROVE, REJECT, NEXT) or (otherwise == NEXT and not place):
            raise _wrong(f"Invalid ifCriteriaNotMet of step {step['name']}")
        behavior = step.get("rejectBehavior")
        if behavior is not None and (
            not isinstance(behavior, Mapping) or behavior.get("type") not in (BACK, "RejectRequest")
        ):
            raise _wrong(f"Invalid rejectBehavior of step {step['name']}")
        for name in _STEP_ACTIONS:
            _check_actions(of, step.get(name))
        _check_approvers(of, step)
        yield step


def _check_approvers(of: SObject, step: Mapping[str, Any]) -> None:
    given = step.get("assignedApprover")
    assigned: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    approvers = assigned.get("approver")
    if not isinstance(approvers, list) or not 1 <= len(approvers) <= MOST_APPROVERS:
        raise _wrong(f"A step has one to {MOST_APPROVERS} approvers")
    if assigned.get("whenMultipleApprovers") not in (None, FIRST, UNANIMOUS):
        raise _wrong("Invalid whenMultipleApprovers")
    for one in approvers:
        kind = one.get("type") if isinstance(one, Mapping) else None
        name = str(one.get("name") or "")[:_LONGEST] if isinstance(one, Mapping) else ""
        if not _is_one(kind, _APPROVERS):
            raise _wrong(f"Invalid type of approver: {str(kind)[:_LONGEST]}")
        if kind == "user" and not rows_of("User").filter(Username__iexact=name).exists():
            raise _wrong(f"In field: approver - no User named {name} found")
        queues = rows_of("Group").filter(DeveloperName=name, Type="Queue")
        if kind == "queue" and not queues.exists():
            raise _wrong(f"In field: approver - no Queue named {name} found")
        field = of.field(name) or of.reference(name)
        if kind == "relatedUserField" and (field is None or "User" not in field.reference_to):
            raise _wrong(f"In field: approver - no CustomField named {of.name}.{name} found")


def _check_criteria(of: SObject, given: Any) -> None:
    if given is None:
        return
    if not isinstance(given, Mapping):
        raise _wrong("Invalid entry criteria")
    if given.get("formula") is not None:
        check_condition(of, str(given["formula"]))
        return
    logic = given.get("booleanFilter")
    if logic is not None and not isinstance(logic, str):
        raise _wrong("Invalid filter logic")
    try:
        check_criteria(read_items(given.get("criteriaItems")), logic, of)
    except WrongCriteria as error:
        raise _wrong(str(error)) from error


def _check_actions(of: SObject, given: Any) -> None:
    if given is None:
        return
    actions = given.get("action") if isinstance(given, Mapping) else None
    if not isinstance(actions, list):
        raise _wrong("Invalid actions")
    for one in actions:
        kind, name = (one.get("type"), one.get("name")) if isinstance(one, Mapping) else ("", "")
        rows = WorkflowAction.objects.filter(kind=str(kind), object=of.name, name=str(name))
        if not _is_one(kind, _KINDS) or not rows.exists():
            raise _wrong(f"In field: action - no {str(kind)[:40]} named {str(name)[:80]} found")


def _is_one(value: Any, names: Container[str]) -> bool:
    return isinstance(value, str) and value in names


def _wrong(message: str) -> RecordError:
    return RecordError("FIELD_INTEGRITY_EXCEPTION", message, ["Metadata"])
