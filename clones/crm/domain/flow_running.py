"""Running a flow: from its start, element by element, until none follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any, Final

from django.db import transaction

from clones.core.addresses import split_addresses
from clones.core.digits import is_digits
from clones.crm.domain.flow_values import FlowContext, shown_text
from clones.crm.domain.mailing import (
    Letter,
    address_of_person,
    fill_template,
    find_template,
    note_mail,
    post_letter,
)
from clones.crm.domain.saving.pipeline import create_record, delete_record, write_values
from clones.crm.domain.saving.values import stored_value
from clones.crm.domain.workflow_actions import send_alert
from clones.crm.errors import CrmError, RecordError
from clones.crm.models import SObjectRow, WorkflowAction
from clones.crm.queries.records import find_record, find_records
from clones.crm.queries.soql.asking import ask
from clones.crm.rules.flows import BEFORE_SAVE, FlowElement, conditions_hold, target_of
from clones.crm.rules.schema import Field, SObject

# Elements that one run of a flow goes through at most.
MOST_STEPS: Final = 2000
MOST_FOUND: Final = 200  # records that a step updates or deletes
_VERSION: Final = 64.0
_MOST_DAYS: Final = 100_000  # that are added to a day
_SIGNS: Final = {
    "EqualTo": "=",
    "NotEqualTo": "!=",
    "GreaterThan": ">",
    "GreaterThanOrEqualTo": ">=",
    "LessThan": "<",
    "LessThanOrEqualTo": "<=",
}
_DOINGS: Final = {
    "recordCreates": "create",
    "recordUpdates": "update",
    "recordDeletes": "delete",
    "recordLookups": "look up",
}


class CustomFlowError(Exception):
    """Raised where a flow refuses a record in words of its own."""

    def __init__(self, error: RecordError) -> None:
        super().__init__(error.message)
        self.error = error


def run_flow(context: FlowContext, start: str | None) -> None:
    """Go through a flow from an element on.

    Raises:
        CrmError: an element fails, and leads nowhere for that case.
        CustomFlowError: the flow refuses the record.
    """
    name, steps = start, 0
    loops: dict[str, Iterator[Any]] = {}
    while name is not None:
        element = context.flow.element(name)
        if element is None:
            return
        steps += 1
        if steps > MOST_STEPS:
            raise RecordError("LIMIT_EXCEEDED", f"Number of iterations exceeded: {MOST_STEPS}")
        if element.kind == "loops":
            name = _next_of_loop(context, element, loops)
        elif element.kind == "decisions":
            name = _decided(context, element)
        else:
            name = _done(context, element)


def compare(operator: str, left: Any, right: Any) -> bool:
    """Tell how two values of a flow compare; texts in any case, a blank one comes before none."""
    if operator == "IsNull":
        return (left is None or left == "") == (right is not False)
    left, right = _alike(left), _alike(right)
    if operator == "EqualTo":
        return bool(left == right)
    if operator == "NotEqualTo":
        return bool(left != right)
    if operator in ("StartsWith", "EndsWith", "Contains"):
        text, part = shown_text(left), shown_text(right)
        return {
            "StartsWith": text.startswith(part),
            "EndsWith": text.endswith(part),
            "Contains": part in text,
        }[operator]
    if left is None or right is None or type(left) is not type(right):
        return False
    sides: dict[str, bool] = {
        "GreaterThan": left > right,
        "GreaterThanOrEqualTo": left >= right,
        "LessThan": left < right,
        "LessThanOrEqualTo": left <= right,
    }
    return sides[operator]


def _alike(value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, SObjectRow):
        return str(value.pk).lower()
    if isinstance(value, str):
        return value.lower() or None
    if isinstance(value, datetime):
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)
    return float(value) if isinstance(value, int | float | Decimal) else value


def _decided(context: FlowContext, element: FlowElement) -> str | None:
    for rule in element.given.get("rules") or ():
        if conditions_hold(
            rule.get("conditions"), rule.get("conditionLogic"), lambda one: _holds(context, one)
        ):
            return target_of(rule.get("connector"))
    return target_of(element.given.get("defaultConnector"))


def _holds(context: FlowContext, condition: Mapping[str, Any]) -> bool:
    reference, operator = str(condition.get("leftValueReference")), condition["operator"]
    if operator == "IsChanged":
        wanted = context.value(condition.get("rightValue")) is not False
        return has_changed(context, reference.partition(".")[2]) == wanted
    return compare(operator, context.at(reference), context.value(condition.get("rightValue")))


def has_changed(context: FlowContext, field_name: str) -> bool:
    """Tell whether a field of the flow's record has another value than before; never of a new."""
    change = context.change
    field = None if change is None else change.of.field(field_name)
    if change is None or change.is_new or field is None or not field.is_stored:
        return False
    return change.has_changed(field.name)


def _next_of_loop(
    context: FlowContext, element: FlowElement, loops: dict[str, Iterator[Any]]
) -> str | None:
    if element.name not in loops:
        found = context.at(str(element.given.get("collectionReference")))
        items = found if isinstance(found, list) else [] if found is None else [found]
        if element.given.get("iterationOrder") == "Desc":
            items = items[::-1]
        loops[element.name] = iter(items)
    for item in loops[element.name]:
        context.found[element.name.lower()] = item
        return target_of(element.given.get("nextValueConnector"))
    del loops[element.name]
    return target_of(element.given.get("noMoreValuesConnector"))


def _done(context: FlowContext, element: FlowElement) -> str | None:
    """Do an element and return the next one; that for a fault where it fails and there is one."""
    fault = target_of(element.given.get("faultConnector"))
    try:
        with transaction.atomic():
            _DOERS[element.kind](context, element)
    except CrmError as error:
        context.fault = f"{error.code}: {error.message}"
        if fault is None:
            raise _told(element, error) from error
        return fault
    return target_of(element.given.get("connector"))


def _told(element: FlowElement, error: CrmError) -> CrmError:
    doing = _DOINGS.get(element.kind)
    if doing is None:
        return error
    return RecordError(
        error.code,
        f"This error occurred when the flow tried to {doing} records: {error.code}:"
        f" {error.message}. You can look up ExceptionCode values in the SOAP API Developer Guide.",
    )


def _assign(context: FlowContext, element: FlowElement) -> None:
    for one in element.given.get("assignmentItems") or ():
        reference = str(one["assignToReference"])
        value = context.value(one.get("value"))
        if one["operator"] != "Assign":
            value = _added(context.at(reference), value, is_less=one["operator"] == "Subtract")
        head, _, rest = reference.partition(".")
        if head.lower() == "$record":
            set_field(context, rest, value)
        elif rest and isinstance(row := context.found.get(head.lower()), SObjectRow):
            _set_of_row(row, rest, value)
        elif not rest:
            context.found[head.lower()] = value


def _set_of_row(row: SObjectRow, name: str, value: Any) -> None:
    field = row.sobject.field(name)
    if field is None or not field.is_stored:
        raise RecordError("INVALID_FIELD", f"The flow cannot set {name[:80]}", [])
    setattr(row, field.name, _kept(field, value))


def _added(left: Any, right: Any, *, is_less: bool) -> Any:
    if isinstance(left, list):
        return [*left, right]
    if isinstance(left, str) and not is_less:
        return left + shown_text(right)
    if isinstance(left, date):
        days = timedelta(days=min(max(_number(right), -_MOST_DAYS), _MOST_DAYS))
        try:
            return left - days if is_less else left + days
        except OverflowError:
            return None
    return _number(left) - _number(right) if is_less else _number(left) + _number(right)


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float | Decimal) else 0.0


def set_field(context: FlowContext, name: str, value: Any) -> None:
    """Give the record of a flow that runs before the save a value; others are kept until written.

    Raises:
        RecordError: the field cannot be set, or not to that.
    """
    change = context.change
    field = None if change is None else change.of.field(name)
    if change is None or field is None or not field.is_stored or field.flags["calculated"]:
        raise RecordError("INVALID_FIELD", f"The flow cannot set {name[:80]}", [])
    kept = _kept(field, value)
    if context.flow.trigger == BEFORE_SAVE:
        change.set(field.name, kept)
        change.said = {**change.said, field.name: kept}
    else:
        context.found.setdefault("$set", {})[field.name] = kept


def _kept(field: Field, value: Any) -> Any:
    return stored_value(field, _api_value(field, value))


def _api_value(field: Field, value: Any) -> Any:
    """Return a value as a caller of the API would give it to a field."""
    if isinstance(value, SObjectRow):
        return str(value.pk)
    if isinstance(value, datetime):
        moment = value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)
        return moment.strftime("%Y-%m-%d" if field.type == "date" else "%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, date):
        day = value.isoformat()
        return f"{day}T00:00:00Z" if field.type == "datetime" else day
    if field.is_text and isinstance(value, bool | int | float):
        return shown_text(value)
    return value


def _assigned(context: FlowContext, element: FlowElement, of: SObject) -> dict[str, Any]:
    found = {}
    for one in element.given.get("inputAssignments") or ():
        field = of.field(str(one.get("field")))
        if field is not None:
            found[field.name] = _api_value(field, context.value(one.get("value")))
    return found


def _create(context: FlowContext, element: FlowElement) -> None:
    of = context.schema.objects[_object_name(context, element)]
    row = create_record(of, _assigned(context, element, of), actor=context.actor)
    context.found[element.name.lower()] = str(row.pk)
    target = element.given.get("assignRecordIdToReference")
    if isinstance(target, str):
        context.found[target.lower()] = str(row.pk)


def _object_name(context: FlowContext, element: FlowElement) -> str:
    of = context.schema.find(str(element.given.get("object")))
    if of is None:
        raise RecordError("INVALID_TYPE", "The flow names an object that is not there")
    return of.name


def _update(context: FlowContext, element: FlowElement) -> None:
    reference = element.given.get("inputReference")
    change = context.change
    if reference == "$Record" and change is not None:
        for one in element.given.get("inputAssignments") or ():
            set_field(context, str(one.get("field")), context.value(one.get("value")))
        values = context.found.pop("$set", {})
        if context.flow.trigger != BEFORE_SAVE and values:
            write_values(change.of, str(change.row.pk), values, actor=context.actor)
        return
    if isinstance(reference, str):
        _update_rows(context, reference)
        return
    of = context.schema.objects[_object_name(context, element)]
    values = {}
    for name, value in _assigned(context, element, of).items():
        field = of.field(name)
        if field is not None:
            values[name] = stored_value(field, value)
    for row in _found(context, element, of, MOST_FOUND):
        write_values(of, str(row.pk), values, actor=context.actor)


def _update_rows(context: FlowContext, reference: str) -> None:
    """Write the records that a step found and others assigned values to."""
    found = context.at(reference)
    for row in found if isinstance(found, list) else [found]:
        if not isinstance(row, SObjectRow):
            continue
        kept = find_record(row.sobject, str(row.pk))
        values = {}
        for field in row.sobject.stored:
            value = getattr(row, field.name)
            if value != getattr(kept, field.name) and not field.flags["calculated"]:
                values[field.name] = _kept(field, value)
        if values:
            write_values(row.sobject, str(row.pk), values, actor=context.actor)


def _look_up(context: FlowContext, element: FlowElement) -> None:
    of = context.schema.objects[_object_name(context, element)]
    is_first = element.given.get("getFirstRecordOnly") is not False
    rows = _found(context, element, of, 1 if is_first else MOST_FOUND)
    context.found[element.name.lower()] = next(iter(rows), None) if is_first else rows


def _delete(context: FlowContext, element: FlowElement) -> None:
    change = context.change
    if element.given.get("inputReference") == "$Record" and change is not None:
        delete_record(change.of, str(change.row.pk), actor=context.actor)
        return
    of = context.schema.objects[_object_name(context, element)]
    for row in _found(context, element, of, MOST_FOUND):
        delete_record(of, str(row.pk), actor=context.actor)


def _found(context: FlowContext, element: FlowElement, of: SObject, most: int) -> list[SObjectRow]:
    """Return the records that the filters of an element find, in its order."""
    given = element.given
    ids = ids_found(context, given, of, most)
    rows = find_records(of, ids)
    return [rows[id] for id in ids if id in rows]


def ids_found(context: FlowContext, given: Mapping[str, Any], of: SObject, most: int) -> list[str]:
    """Return the ids of the records that filters find, in the order that metadata say.

    Raises:
        CrmError: a filter compares a field with what it cannot have.
    """
    texts = [_filter_text(context, one, of) for one in given.get("filters") or ()]
    logic = str(given.get("filterLogic") or "and").lower()
    if not texts:
        where = ""
    elif logic in ("and", "or"):
        where = " WHERE " + f" {logic.upper()} ".join(f"({one})" for one in texts)
    else:
        where = " WHERE " + _by_numbers(str(given["filterLogic"]), texts)
    sort = of.field(str(given.get("sortField") or ""))
    side = "DESC" if given.get("sortOrder") == "Desc" else "ASC"
    order = f" ORDER BY {sort.name} {side}" if sort is not None else ""
    text = f"SELECT Id FROM {of.name}{where}{order} LIMIT {most}"  # noqa: S608 - the query language of the CRM, literals quoted
    page = ask(text, user=context.actor, version=_VERSION).page("")
    return [str(one["Id"]) for one in page.records]


def _by_numbers(logic: str, texts: list[str]) -> str:
    words = logic.replace("(", " ( ").replace(")", " ) ").split()
    return " ".join(f"({texts[int(one) - 1]})" if is_digits(one) else one for one in words)


def _filter_text(context: FlowContext, one: Mapping[str, Any], of: SObject) -> str:
    field, operator = of.field(str(one["field"])), one["operator"]
    if field is None:
        raise RecordError("INVALID_FIELD", f"{of.name} has no {str(one['field'])[:80]}")
    value = context.value(one.get("value"))
    if operator == "IsNull":
        return f"{field.name} {'!=' if value is False else '='} null"
    if operator in _SIGNS:
        return f"{field.name} {_SIGNS[operator]} {_query_literal(field, value)}"
    part = _escaped(shown_text(value)).replace("%", r"\%").replace("_", r"\_")
    start = "" if operator == "StartsWith" else "%"
    return f"{field.name} LIKE '{start}{part}{'' if operator == 'EndsWith' else '%'}'"


def _query_literal(field: Field, value: Any) -> str:
    value = _api_value(field, value)
    if value is None or value == "":
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if field.is_number:
        return shown_text(float(value)) if isinstance(value, int | float) else "null"
    if field.type in ("date", "datetime"):
        return str(value)
    return f"'{_escaped(str(value))}'"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", r"\'").replace("\n", r"\n")


def _act(context: FlowContext, element: FlowElement) -> None:
    parameters = {
        str(one.get("name")): context.value(one.get("value"))
        for one in element.given.get("inputParameters") or ()
    }
    if element.given["actionType"] == "emailAlert":
        _alert(context, str(element.given.get("actionName")))
    else:
        _mail(context, parameters)


def _alert(context: FlowContext, name: str) -> None:
    of, _, bare = name.partition(".")
    action = WorkflowAction.objects.filter(kind="Alert", object=of, name=bare).first()
    if action is None or context.change is None:
        raise RecordError("INVALID_FIELD", f"There is no email alert {name[:80]}")
    send_alert(context.change, action)


def _mail(context: FlowContext, given: Mapping[str, Any]) -> None:
    person = given.get("recipientId")
    record = given.get("relatedRecordId")
    about = str(record) if isinstance(record, str) else None
    if about is None and context.change is not None:
        about = str(context.change.row.pk)
    lines = _lines(given.get("emailAddresses")) + _lines(given.get("emailAddressesArray"))
    if isinstance(person, str):
        line = address_of_person(person)
        lines += [line] if line else []
    letter = _letter(context, given, about, person if isinstance(person, str) else None)
    post_letter(letter, lines, actor=context.actor, about=about)
    if given.get("logEmailOnSend") is True:
        note_mail(
            letter,
            lines,
            record=about,
            person=person if isinstance(person, str) else None,
            actor=context.actor,
        )


def _lines(given: Any) -> list[str]:
    texts = given if isinstance(given, list) else [given]
    found: list[str] = []
    for text in texts:
        if isinstance(text, str):
            found += split_addresses(text)[0]
    return found


def _letter(
    context: FlowContext, given: Mapping[str, Any], record: str | None, person: str | None
) -> Letter:
    template = (
        find_template(str(given["emailTemplateId"])) if given.get("emailTemplateId") else None
    )
    if template is not None:
        return fill_template(template, record=record, recipient=person, actor=context.actor)
    subject = " ".join(context.text(given.get("emailSubject")).split())
    body = context.text(given.get("emailBody"))
    if not subject or not body:
        raise RecordError("REQUIRED_FIELD_MISSING", "An email needs a subject and a body")
    return Letter(subject, body)


def _refuse(context: FlowContext, element: FlowElement) -> None:
    messages = element.given.get("customErrorMessages") or ()
    first = next((one for one in messages if isinstance(one, Mapping)), {})
    field = first.get("fieldSelection") if first.get("isFieldError") is True else None
    message = context.text(first.get("errorMessage")) or "The record is refused by a flow."
    fields = [str(field)] if field else []
    raise CustomFlowError(RecordError("FIELD_CUSTOM_VALIDATION_EXCEPTION", message, fields))


_DOERS: Final[dict[str, Callable[[FlowContext, FlowElement], None]]] = {
    "assignments": _assign,
    "recordCreates": _create,
    "recordUpdates": _update,
    "recordLookups": _look_up,
    "recordDeletes": _delete,
    "actionCalls": _act,
    "customErrors": _refuse,
}
