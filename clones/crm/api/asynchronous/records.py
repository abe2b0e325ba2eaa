"""Records of the older bulk API as XML and JSON have them, and what became of each."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final

from clones.crm.api.soap.xml import Element, UnreadableXml, read_xml, tag
from clones.crm.domain.bulk.errors import BulkError
from clones.crm.queries.bulk import Outcome
from clones.crm.rules.bulk.tables import quoted

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def read_records(body: bytes) -> list[dict[str, Any]]:
    """Return the records of a document, as JSON would have them.

    Raises:
        BulkError: it is none, or no list of records.
    """
    try:
        root = read_xml(body.strip())
    except UnreadableXml as error:
        raise BulkError("InvalidBatch", f"Failed to parse XML: {error}") from error
    if root.name != "sObjects":
        raise BulkError("InvalidBatch", f"Expected sObjects, found {root.name[:40]}")
    return [_given(one) for one in root.all("sObject")]


def json_record(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record with its moments as milliseconds, as this API's JSON has them."""
    return {name: _json_value(name, value) for name, value in record.items()}


def xml_records(records: Iterable[dict[str, Any]]) -> str:
    """Return records as elements."""
    return "".join(_record("records", one) for one in records)


def saved_csv(one: Outcome) -> str:
    """Return what became of a record as a row of a table."""
    done, made = str(not one.errors).lower(), str(one.is_created).lower()
    return quoted((one.id or "", done, made, one.text))


def saved_json(one: Outcome) -> dict[str, Any]:
    """Return what became of a record as JSON has it."""
    errors = [
        {
            "message": error["message"],
            "fields": error["fields"],
            "statusCode": error["statusCode"],
            "extendedErrorDetails": None,
        }
        for error in one.errors
    ]
    return {"success": not errors, "created": one.is_created, "id": one.id, "errors": errors}


def saved_xml(one: Outcome) -> str:
    """Return what became of a record as an element."""
    errors = "".join(
        "<errors>"
        + "".join(tag("fields", field) for field in error["fields"])
        + tag("message", error["message"])
        + tag("statusCode", error["statusCode"])
        + "</errors>"
        for error in one.errors
    )
    own = "" if one.id is None else tag("id", one.id)
    more = tag("success", not one.errors) + tag("created", one.is_created)
    return f"<result>{errors}{own}{more}</result>"


def _given(element: Element) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for child in element.children:
        inner = child.child("sObject")
        if child.name == "type":
            found["attributes"] = {"type": child.text.strip()}
        elif child.is_nil:
            found[child.name] = None
        else:
            found[child.name] = child.text if inner is None else _given(inner)
    return found


def _record(name: str, record: dict[str, Any]) -> str:
    inner = tag("type", record["attributes"]["type"])
    for key, value in record.items():
        if isinstance(value, dict) and key != "attributes":
            inner += _record(key, value) if "attributes" in value else _children(key, value)
        elif key != "attributes":
            is_moment = isinstance(value, str) and _is_moment(value)
            inner += tag(key, value.replace("+0000", "Z") if is_moment else value)
    return f'<{name} xsi:type="sObject">{inner}</{name}>'


def _children(name: str, found: dict[str, Any]) -> str:
    records = "".join(_record("records", one) for one in found.get("records", ()))
    size = tag("size", found.get("totalSize", 0))
    return f'<{name} xsi:type="QueryResult">{tag("done", True)}{records}{size}</{name}>'


def _json_value(name: str, value: Any) -> Any:
    if name == "attributes":
        return value
    if isinstance(value, dict):
        return json_record(value)
    if isinstance(value, list):
        return [json_record(one) if isinstance(one, dict) else one for one in value]
    return _milliseconds(value) if isinstance(value, str) else value


def _is_moment(text: str) -> bool:
    return len(text) == 28 and text[10] == "T" and text.endswith("+0000")


def _milliseconds(text: str) -> int | str:
    """Return a moment in milliseconds; any other text as it is."""
    if not _is_moment(text):
        return text
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    return round((moment - _EPOCH).total_seconds() * 1000)
