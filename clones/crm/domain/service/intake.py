"""Cases and leads that come from outside: by mail, by forms of the organization's web pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final

from clones.core.digits import is_digits
from clones.crm.domain.saving.assigning import ACTIVE, Assigning, assigning
from clones.crm.domain.saving.pipeline import create_record
from clones.crm.domain.service.cases import contact_of
from clones.crm.domain.service.settings import automated_user, settings_of
from clones.crm.models import CustomField, SObjectRow, rows_of
from clones.crm.queries.schema import org_schema
from clones.crm.rules.record_ids import read_id
from clones.crm.rules.schema import Field, SObject

# What forms call the fields of a case and of a lead; other fields are named by their ids.
FORM_NAMES: Final[dict[str, dict[str, str]]] = {
    "Case": {
        "name": "SuppliedName",
        "email": "SuppliedEmail",
        "phone": "SuppliedPhone",
        "company": "SuppliedCompany",
        "subject": "Subject",
        "description": "Description",
        "type": "Type",
        "status": "Status",
        "reason": "Reason",
        "priority": "Priority",
        "recordType": "RecordTypeId",
    },
    "Lead": {
        "first_name": "FirstName",
        "last_name": "LastName",
        "salutation": "Salutation",
        "title": "Title",
        "company": "Company",
        "email": "Email",
        "phone": "Phone",
        "mobile": "MobilePhone",
        "fax": "Fax",
        "URL": "Website",
        "street": "Street",
        "city": "City",
        "state": "State",
        "zip": "PostalCode",
        "country": "Country",
        "description": "Description",
        "lead_source": "LeadSource",
        "industry": "Industry",
        "rating": "Rating",
        "revenue": "AnnualRevenue",
        "employees": "NumberOfEmployees",
        "recordType": "RecordTypeId",
    },
}
_WEB: Final = "Web"


def open_case(said: Mapping[str, Any], *, is_answered: bool = True) -> SObjectRow:
    """Make a case from outside: its sender's contact, the rules of assignment and of responses.

    Raises:
        RecordError: it cannot be kept as it is.
    """
    contact = contact_of(said.get("SuppliedEmail"))
    values = dict(said)
    if contact is not None:
        values = {"ContactId": contact.pk, "AccountId": contact.AccountId, **values}
    with assigning(Assigning(ACTIVE, answers=is_answered)):
        return create_record(org_schema().objects["Case"], values, actor=automated_user())


def take_form(object_: str, form: Mapping[str, str]) -> SObjectRow:
    """Make a case or a lead of what a form of a web page has.

    What the form has beside fields is left out.

    Raises:
        RecordError: it cannot be kept as it is.
        UnreadableBody: a value is of another type than its field.
    """
    of = org_schema().objects[object_]
    said: dict[str, Any] = {}
    for name, text in form.items():
        field = _field(of, name)
        if field is not None and text != "":
            said[field.name] = _value(field, text)
    if object_ == "Lead":
        with assigning(Assigning(ACTIVE, answers=True)):
            return create_record(of, {"LeadSource": _WEB, **said}, actor=automated_user())
    origin = settings_of("Case").get("caseOrigin") or _WEB
    return open_case({"Origin": origin, **said})


def is_own(organization: str) -> bool:
    """Tell whether a form is meant for this organization."""
    id = read_id(organization)
    return id is not None and bool(rows_of("Organization").filter(Id=id).exists())


def _field(of: SObject, name: str) -> Field | None:
    """Return the field that a form means by a name, None where it means none."""
    known = FORM_NAMES[of.name].get(name)
    if known is None and name[:3] == "00N" and (id := read_id(name)) is not None:
        rows = CustomField.objects.filter(id=id, object=of.name)
        known = rows.values_list("name", flat=True).first()
    return None if known is None else of.field(known)


def _value(field: Field, text: str) -> Any:
    """Return a value of a form in the form of a body: days are American, checkboxes are on."""
    read: Callable[[str], Any] = {"boolean": _is_on, "date": _day}.get(field.type, str)
    return read(text)


def _is_on(text: str) -> bool:
    return text.strip().lower() not in ("0", "false", "off", "no")


def _day(text: str) -> str:
    parts = text.strip().split("/")
    if len(parts) == 3 and all(is_digits(part, 4) for part in parts):
        month, day, year = (int(part) for part in parts)
        try:
            return date(year, month, day).isoformat()
        except ValueError:
            return text
    return text
