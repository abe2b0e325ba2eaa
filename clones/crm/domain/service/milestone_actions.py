"""What follows a milestone: fields of the case are set, people are written to, tasks are made.

An action is JSON: `FieldUpdate` has `field` and `value`; `Alert` has `template` and `recipients`
(addresses, or `owner`, `contact`); `Task` has `subject`, `priority`, `status`, `days` until it is
due.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from django.db import transaction

from clones.core import clock
from clones.crm.domain.mailing import find_template
from clones.crm.domain.saving.pipeline import create_record, update_record
from clones.crm.domain.service.entitlements import organization_zone
from clones.crm.domain.service.letters import write_about
from clones.crm.domain.service.owners import addresses_of
from clones.crm.domain.service.settings import automated_user
from clones.crm.errors import CrmError, RecordError
from clones.crm.models import SObjectRow
from clones.crm.queries.records import find_records
from clones.crm.queries.schema import org_schema
from clones.crm.rules.schema import SObject

MOST: Final = 40
_LATEST: Final = 3650  # days until a task is due, at most


def read_actions(of: SObject, given: Any) -> list[dict[str, Any]]:
    """Return actions as they are kept.

    Raises:
        RecordError: there are too many, or one says what cannot be.
    """
    if not isinstance(given, Sequence) or len(given) > MOST:
        raise _wrong(f"There are at most {MOST} actions.")
    found = []
    for one in given:
        read = _READERS.get(str(one.get("type"))) if isinstance(one, Mapping) else None
        if read is None:
            raise _wrong("An action is a FieldUpdate, an Alert or a Task.")
        found.append(read(of, one))
    return found


def run_actions(actions: Sequence[Mapping[str, Any]], case: str) -> None:
    """Do what follows for a case. What its own rules refuse is left out, the rest is done."""
    of = org_schema().objects["Case"]
    for action in actions:
        row = find_records(of, [case]).get(case)
        if row is None:
            return
        try:
            with transaction.atomic():
                _ACTS[action["type"]](row, action)
        except CrmError:
            continue


def _set_field(row: SObjectRow, action: Mapping[str, Any]) -> None:
    said = {action["field"]: action["value"]}
    update_record(row.sobject, row.pk, said, actor=automated_user())


def _alert(row: SObjectRow, action: Mapping[str, Any]) -> None:
    recipients: dict[str, None] = {}
    for one in action["recipients"]:
        if one == "owner":
            recipients |= dict.fromkeys(addresses_of(row.OwnerId))
        elif one == "contact":
            recipients |= dict.fromkeys([row.ContactEmail] if row.ContactEmail else [])
        else:
            recipients[one] = None
    write_about(row, list(recipients), user=automated_user(), template=action["template"])


def _task(row: SObjectRow, action: Mapping[str, Any]) -> None:
    day = clock.now().astimezone(organization_zone()).date() + timedelta(days=action["days"])
    said: dict[str, Any] = {
        "Subject": action["subject"],
        "Status": action["status"],
        "Priority": action["priority"],
        "ActivityDate": day.isoformat(),
        "WhatId": row.pk,
    }
    if row.OwnerId.startswith("005"):
        said["OwnerId"] = row.OwnerId
    create_record(org_schema().objects["Task"], said, actor=automated_user())


def _read_field(of: SObject, given: Mapping[str, Any]) -> dict[str, Any]:
    field = of.field(str(given.get("field")))
    if field is None or not field.flags["updateable"]:
        raise _wrong(f"Field {str(given.get('field'))[:80]} does not exist. Check spelling.")
    return {"type": "FieldUpdate", "field": field.name, "value": given.get("value")}


def _read_alert(of: SObject, given: Mapping[str, Any]) -> dict[str, Any]:
    template = find_template(str(given.get("template")))
    recipients = given.get("recipients")
    if template is None or not isinstance(recipients, Sequence) or isinstance(recipients, str):
        raise _wrong("In field: template - no EmailTemplate of that name found")
    named = [str(one) for one in recipients][:MOST]
    return {"type": "Alert", "template": str(template.pk), "recipients": named}


def _read_task(of: SObject, given: Mapping[str, Any]) -> dict[str, Any]:
    days = given.get("days", 0)
    if isinstance(days, bool) or not isinstance(days, int) or not 0 <= days <= _LATEST:
        raise _wrong("dueDateOffset: bad value")
    return {
        "type": "Task",
        "subject": str(given.get("subject") or "")[:255],
        "status": str(given.get("status") or "Not Started"),
        "priority": str(given.get("priority") or "Normal"),
        "days": days,
    }


_READERS: Final[dict[str, Callable[[SObject, Mapping[str, Any]], dict[str, Any]]]] = {
    "FieldUpdate": _read_field,
    "Alert": _read_alert,
    "Task": _read_task,
}
_ACTS: Final[dict[str, Callable[[SObjectRow, Mapping[str, Any]], None]]] = {
    "FieldUpdate": _set_field,
    "Alert": _alert,
    "Task": _task,
}


def _wrong(message: str) -> RecordError:
    return RecordError("FIELD_INTEGRITY_EXCEPTION", message, ["Metadata"])
