"""Parts of bodies that requests of many records share, read as strictly as the vendor does."""

from __future__ import annotations

from typing import Any

from clones.crm.domain.saving.many import Given
from clones.crm.errors import CrmError, UnreadableBody
from clones.crm.rules.schema import OrgSchema, SObject


def unreadable(kind: str, given: Any) -> UnreadableBody:
    """Return the error of a part of a body that is of another kind than it has to be."""
    if isinstance(given, dict):
        token = "START_OBJECT"  # noqa: S105 - a token of JSON
    elif isinstance(given, list):
        token = "START_ARRAY"  # noqa: S105 - a token of JSON
    else:
        token = "VALUE_NULL" if given is None else "VALUE_STRING"
    return UnreadableBody(
        f"Cannot deserialize instance of {kind} from {token}"
        " or request may be missing a required field at [line:1, column:1]"
    )


def mapping(given: Any, kind: str) -> dict[str, Any]:
    """Return an object of a body.

    Raises:
        UnreadableBody: it is something else.
    """
    if not isinstance(given, dict):
        raise unreadable(kind, given)
    return given


def items(body: Any, name: str, kind: str) -> list[Any]:
    """Return the list that a member of a body is.

    Raises:
        UnreadableBody: it is missing, or something else.
    """
    found = mapping(body, kind).get(name)
    if not isinstance(found, list):
        raise unreadable(name, found)
    return found


def flag(given: Any, name: str) -> bool:
    """Return a member of a body, or a parameter, that says yes or no; nothing is no.

    Raises:
        UnreadableBody: it says something else.
    """
    if given is None:
        return False
    if isinstance(given, str) and given.lower() in ("true", "false"):
        return given.lower() == "true"
    if not isinstance(given, bool):
        raise unreadable(f"boolean {name}", given)
    return given


def text(given: Any, name: str) -> str:
    """Return a text of a body.

    Raises:
        UnreadableBody: it is something else, or empty.
    """
    if not isinstance(given, str) or not given:
        raise unreadable(name, given)
    return given


def object_of(record: dict[str, Any], schema: OrgSchema) -> SObject:
    """Return the object that the attributes of a record name.

    Raises:
        UnreadableBody: they name none.
        CrmError: there is no such object.
    """
    attributes = mapping(record.get("attributes"), "attributes")
    name = text(attributes.get("type"), "type")
    found = schema.find(name)
    if found is None:
        raise CrmError(
            f"sObject type '{name}' is not supported. If you are attempting to use a custom"
            " object, be sure to append the '__c' after the entity name. Please reference your"
            " WSDL or the describe call for the appropriate names.",
            code="INVALID_TYPE",
        )
    return found


def given_records(body: Any, schema: OrgSchema) -> list[Given]:
    """Return the records of a body, each of which says itself of what object it is.

    Raises:
        UnreadableBody: they are no list of objects, or one does not say.
        CrmError: there is no such object.
    """
    records = [mapping(one, "sobject") for one in items(body, "records", "sobject collection")]
    return [Given(object_of(one, schema), one) for one in records]


def without_nul(given: Any) -> Any:
    """Return JSON without the characters NUL in its texts, which no store keeps."""
    if isinstance(given, str):
        return given.replace("\0", "")
    if isinstance(given, list):
        return [without_nul(one) for one in given]
    if isinstance(given, dict):
        return {without_nul(name): without_nul(value) for name, value in given.items()}
    return given
