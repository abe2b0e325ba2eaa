"""What workflow rules do to a record: field updates, tasks, alerts by mail, outbound messages."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any, Final
from xml.sax.saxutils import escape

from clones.core.addresses import split_addresses
from clones.core.models import Delivery
from clones.core.webhooks import deliverers, outbox
from clones.core.webhooks.messages import Header, Outcome
from clones.crm.domain.mailing import address_of_person, fill_template, find_template, post_letter
from clones.crm.domain.new_ids import new_id
from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.pipeline import create_record, write_values
from clones.crm.domain.saving.validation import record_of, situation_of
from clones.crm.domain.workflows import hours_of, literal_value, moment_field, updated_object
from clones.crm.errors import RecordError
from clones.crm.models import WorkflowAction, rows_of
from clones.crm.queries.formula_values import fitting
from clones.crm.queries.formulas import checked_formula, field_type
from clones.crm.rules.formulas import FormulaError, Kind, Place, evaluate
from clones.crm.rules.organization import ORGANIZATION_ID
from clones.crm.rules.schema import Field, SObject
from clones.crm.rules.shown_values import shown_value

NOTIFICATION_PREFIX: Final = "04l"
_MESSAGE: Final = """<?xml version="1.0" encoding="UTF-8"?>
<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"\
 xmlns:xsd="http://www.w3.org/2001/XMLSchema"\
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
 <soapenv:Body>
  <notifications xmlns="http://soap.sforce.com/2005/09/outbound">
   <OrganizationId>{organization}</OrganizationId>
   <ActionId>{action}</ActionId>
   <SessionId xsi:nil="true"/>
   <EnterpriseUrl xsi:nil="true"/>
   <PartnerUrl xsi:nil="true"/>
   <Notification>
    <Id>{id}</Id>
    <sObject xsi:type="sf:{object}" xmlns:sf="urn:sobject.enterprise.soap.sforce.com">
{fields}
    </sObject>
   </Notification>
  </notifications>
 </soapenv:Body>
</soapenv:Envelope>"""
_AGAIN_AFTER: Final = (15, 30, 60, 120, 240, 480)  # seconds; then the message is given up


def updates_of(change: Change, actions: list[WorkflowAction]) -> dict[str, Any]:
    """Return the values that field updates give the record itself; those of parents are written.

    Raises:
        RecordError: a formula has no value, or a parent refuses its own.
    """
    found: dict[str, Any] = {}
    for action in actions:
        given = action.definition
        target = updated_object(change.of, given)
        field = None if target is None else target.field(given["field"])
        if target is None or field is None:
            continue
        value = _new_value(change, target, field, given)
        if target is change.of and not _is_of_parent(given, change.of):
            found[field.name] = value
            continue
        reference = change.of.reference(given["targetObject"]) or change.of.field(
            given["targetObject"]
        )
        parent = None if reference is None else change.get(reference.name)
        if parent is not None:
            write_values(target, parent, {field.name: value}, actor=change.actor)
    return found


def _is_of_parent(given: Mapping[str, Any], of: SObject) -> bool:
    target = given.get("targetObject")
    return target is not None and str(target).lower() != of.name.lower()


def _new_value(change: Change, target: SObject, field: Field, given: Mapping[str, Any]) -> Any:
    operation = given["operation"]
    if operation == "Literal":
        return literal_value(field, given.get("literalValue"))
    if operation == "LookupValue":
        return user_or_queue(given.get("lookupValue"))
    if operation in ("NextValue", "PreviousValue"):
        return _neighbour(field, change.get(field.name), 1 if operation == "NextValue" else -1)
    if operation == "Null":
        return False if field.type == "boolean" else None
    kind = field_type(field).kind
    kind = Kind.TEXT if kind is Kind.PICKLIST else kind
    try:
        checked = checked_formula(change.of, given["formula"], Place.FIELD_UPDATE, kind)
        value = evaluate(checked, record_of(change), situation=situation_of(change))
    except FormulaError as error:
        raise RecordError(
            "FIELD_INTEGRITY_EXCEPTION",
            f"The formula of a field update of {field.label} is invalid: {error}",
            [field.name],
        ) from error
    found = fitting(field, value, change.looker)
    if isinstance(found, str) and field.length and len(found) > field.length:
        raise RecordError(
            "STRING_TOO_LONG",
            f"{field.label}: data value too large: {found} (max length={field.length})",
            [field.name],
        )
    return found


def _neighbour(field: Field, value: Any, step: int) -> Any:
    """Return the value of a picklist after or before another; the same at its ends."""
    values = [one.value for one in field.values if one.is_active]
    if value not in values:
        return value
    return values[min(max(values.index(value) + step, 0), len(values) - 1)]


def user_or_queue(name: Any) -> str | None:
    """Return the id of the user of a login, or of the queue of a name; None if there is neither."""
    text = str(name or "")
    users = rows_of("User").filter(Username__iexact=text, IsActive=True)
    found: str | None = users.values_list("Id", flat=True).first()
    if found is None:
        queues = rows_of("Group").filter(DeveloperName=text, Type="Queue")
        found = queues.values_list("Id", flat=True).first()
    return found


def do_action(change: Change, action: WorkflowAction) -> None:
    """Do one of the actions that change no field: a task, an alert, an outbound message.

    Raises:
        RecordError: a task is refused.
    """
    _DOERS[action.kind](change, action)


def make_task(change: Change, action: WorkflowAction) -> None:
    """Make a task about the record."""
    given = action.definition
    values: dict[str, Any] = {
        "Subject": str(given["subject"])[:255],
        "Description": given.get("description"),
        "Priority": given["priority"],
        "Status": given["status"],
        "OwnerId": _assignee(change, given),
        **about(change.of, str(change.row.pk)),
    }
    day = moment_of(change, given.get("offsetFromField"))
    if day is not None and given.get("dueDateOffset") is not None:
        due = day + timedelta(days=hours_of(given["dueDateOffset"]))
        values["ActivityDate"] = (due.date() if isinstance(due, datetime) else due).isoformat()
    create_record(change.of.schema.objects["Task"], values, actor=change.actor)


def about(of: SObject, id: str) -> dict[str, str]:
    """Return the field by which a task is about a record (by id); none where it cannot be."""
    task = of.schema.objects["Task"]
    for name in ("WhoId", "WhatId"):
        field = task.field(name)
        if field is not None and of.name in field.reference_to:
            return {name: id}
    return {}


def moment_of(change: Change, field_name: Any) -> date | datetime | None:
    """Return what a time is reckoned from: a field of the record, or the present."""
    if field_name is None or str(field_name).lower() == "triggerdate":
        return change.now
    field = moment_field(change.of, field_name)
    found: date | datetime | None = None if field is None else change.get(field.name)
    return found


def _assignee(change: Change, given: Mapping[str, Any]) -> str:
    kind = given.get("assignedToType")
    found: str | None = None
    if kind == "user":
        found = user_or_queue(given.get("assignedTo"))
    elif kind == "creator":
        found = change.get("CreatedById")
    elif kind == "accountOwner":
        found = _account_owner(change)
    elif change.of.field("OwnerId") is not None:
        found = change.get("OwnerId")
    return found if found is not None and found.startswith("005") else change.actor


def _account_owner(change: Change) -> str | None:
    if change.of.field("AccountId") is None or change.get("AccountId") is None:
        return None
    rows = rows_of("Account").filter(Id=change.get("AccountId"))
    found: str | None = rows.values_list("OwnerId", flat=True).first()
    return found


def send_alert(change: Change, action: WorkflowAction) -> None:
    """Send a template's letter about the record; a template that is gone sends nothing."""
    given = action.definition
    template = find_template(given["template"])
    if template is None:
        return
    people, lines = _recipients(change, given.get("recipients") or [])
    record = str(change.row.pk)
    contact = next((one for one in people if not one.startswith("005")), None)
    letter = fill_template(
        template, record=record, recipient=contact or next(iter(people), None), actor=change.actor
    )
    found = [address_of_person(one) for one in people]
    copies, _ = split_addresses(",".join(map(str, given.get("ccEmails") or [])))
    sender = given.get("senderAddress")
    post_letter(
        letter,
        [*(one for one in found if one), *lines],
        actor=change.actor,
        about=record,
        cc=copies,
        sender=sender if isinstance(sender, str) and sender else None,
    )


def _recipients(change: Change, given: list[Any]) -> tuple[list[str], list[str]]:
    """Return the ids of the people that an alert names, and the addresses that fields have."""
    people: dict[str, None] = {}
    lines: list[str] = []
    for one in given:
        kind, field = one.get("type"), change.of.field(str(one.get("field")))
        found: list[str | None] = []
        if kind == "user":
            found = [user_or_queue(one.get("recipient"))]
        elif kind == "creator":
            found = [change.get("CreatedById")]
        elif kind == "accountOwner":
            found = [_account_owner(change)]
        elif kind in ("contactLookup", "userLookup") and field is not None:
            found = [change.get(field.name)]
        elif kind == "email" and field is not None and field.type == "email":
            lines += [change.get(field.name)] if change.get(field.name) else []
        elif kind == "owner" and change.of.field("OwnerId") is not None:
            found = [change.get("OwnerId")]
        elif kind in ("group", "queue"):
            found = [group_named(str(one.get("recipient")))]
        for id in found:
            people |= dict.fromkeys(members_of(id))
    return list(people), lines


def group_named(name: str) -> str | None:
    """Return the id of the group or queue of a name; None if there is none."""
    found: str | None = (
        rows_of("Group").filter(DeveloperName=name).values_list("Id", flat=True).first()
    )
    return found


def members_of(id: str | None) -> list[str]:
    """Return the people that an id stands for: the members of a group or queue, or itself."""
    if id is None:
        return []
    if not id.startswith("00G"):
        return [id]
    rows = rows_of("GroupMember").filter(GroupId=id, UserOrGroupId__startswith="005")
    return list(rows.order_by("Id").values_list("UserOrGroupId", flat=True))


def owe_message(change: Change, action: WorkflowAction) -> None:
    """Owe the endpoint of an outbound message the fields of the record that it asks for."""
    given = action.definition
    names = dict.fromkeys(["Id", *map(str, given.get("fields") or [])])
    lines = []
    for name in names:
        field = change.of.field(name)
        value = None if field is None else shown_value(record_of(change).value(field))
        if field is None or value is None:
            continue
        text = str(value).lower() if isinstance(value, bool) else escape(str(value))
        lines.append(f"     <sf:{field.name}>{text}</sf:{field.name}>")
    body = _MESSAGE.format(
        organization=ORGANIZATION_ID,
        action=action.id,
        id=new_id(NOTIFICATION_PREFIX, WorkflowAction),
        object=change.of.name,
        fields="\n".join(lines),
    )
    outbox.owe(
        clone="crm",
        webhook=f"outbound:{action.id}",
        event=change.of.name,
        method="POST",
        url=given["endpointUrl"],
        headers=[["Content-Type", "text/xml; charset=utf-8"], ["SOAPAction", '""']],
        body=body,
    )


def _headers(delivery: Delivery, sandbox: str, now: datetime) -> tuple[Header, ...] | None:
    is_there = WorkflowAction.objects.filter(id=delivery.webhook.partition(":")[2]).exists()
    return () if is_there else None


def _again_after(number: int, outcome: Outcome) -> timedelta | None:
    if outcome.is_success or number > len(_AGAIN_AFTER):
        return None
    return timedelta(seconds=_AGAIN_AFTER[number - 1])


deliverers.register("crm", deliverers.Deliverer(_headers, _again_after))

_DOERS: Final = {"Task": make_task, "Alert": send_alert, "OutboundMessage": owe_message}
