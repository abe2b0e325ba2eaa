"""Components that are written: made, changed, taken away, each by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from clones.crm.api.metadata.components import Component, find_component
from clones.crm.api.metadata.processes import DEFINERS, said_by
from clones.crm.api.soap.xml import Element
from clones.crm.domain.customizing import define_field, define_object, remove_field, require_admin
from clones.crm.domain.list_views import (
    NamedView,
    change_list_view,
    create_list_view,
    remove_list_view,
)
from clones.crm.domain.validation_rules import change_rule, define_rule, remove_rule
from clones.crm.errors import CrmError, NotFound
from clones.crm.models import CustomField, ValidationRule, rows_of
from clones.crm.queries.schema import org_schema
from clones.crm.rules.listing import Filter, FilterError, ListView
from clones.crm.rules.schema import SObject
from clones.crm.rules.schema.custom import SUFFIX

WRITTEN: Final = ("CustomObject", "CustomField", "ValidationRule", "ListView", *DEFINERS)
# What of an object that is there is taken: its further fields.
_OF_KNOWN_OBJECTS: Final = frozenset({"fullName", "fields"})
_SCOPES: Final = {"Everything": "everything", "Mine": "mine", "Queue": "queue"}
_FLAGS: Final = {"required": "required", "unique": "unique", "externalId": "external_id"}
_NUMBERS: Final = {"length": "length", "precision": "precision", "scale": "scale"}


def write_component(
    kind: str, given: Element, *, actor: str, may_change: bool, may_make: bool
) -> tuple[str, bool]:
    """Make a component of what an element says, or change the one of its name.

    Returns its name, and whether it was made.

    Raises:
        CrmError: it is refused.
    """
    require_admin(actor)
    name = given.said("fullName")
    _check_kind(kind)
    known = find_component(kind, name, version=64.0, user=actor) if name else None
    if known is None and not may_make:
        raise CrmError(
            f"In field: fullName - no {kind} named {name} found", code="INVALID_CROSS_REFERENCE_KEY"
        )
    if known is not None and not may_change:
        code = "DUPLICATE_DEVELOPER_NAME"
        raise CrmError(f"There is already a {kind} named {name}.", code=code)
    if kind == "CustomObject":
        _object(given, name, known, actor)
    elif kind == "CustomField":
        _field(given, name, known, actor)
    elif kind == "ValidationRule":
        _rule(given, name, known, actor)
    elif kind in DEFINERS:
        DEFINERS[kind](name, said_by(given), actor=actor)
    else:
        _view(given, name, known, actor)
    return name, known is None


def remove_component(kind: str, name: str, *, actor: str) -> None:
    """Take a component away.

    Raises:
        CrmError: there is none, or it has to stay.
    """
    require_admin(actor)
    _check_kind(kind)
    known = find_component(kind, name, version=64.0, user=actor)
    if known is None or not known.id or kind in ("CustomObject", *DEFINERS):
        raise CrmError(f"No {kind} named: {name} found", code="INVALID_CROSS_REFERENCE_KEY")
    if kind == "CustomField":
        remove_field(CustomField.objects.get(id=known.id), actor=actor)
    elif kind == "ValidationRule":
        remove_rule(ValidationRule.objects.get(id=known.id), actor=actor)
    else:
        remove_list_view(rows_of("ListView").get(Id=known.id), actor=actor)


def _check_kind(kind: str) -> None:
    if kind not in WRITTEN:
        raise CrmError(
            f"Entity type: {kind[:80]} is not available in this api", code="INVALID_TYPE"
        )


def _flag(given: Element, name: str) -> bool:
    return given.said(name) in ("true", "1")


def _number(given: Element, name: str) -> int | None:
    text = given.said(name)
    if not text:
        return None
    if len(text) > 9 or any(one not in "0123456789" for one in text):
        raise CrmError(f"'{text[:40]}' is not a valid value for {name}", code="INVALID_FIELD")
    return int(text)


def _named(name: str) -> tuple[SObject, str]:
    """Return the object and the own name that a whole name has.

    Raises:
        CrmError: there is no such object.
    """
    of, _, own = name.partition(".")
    found = org_schema().find(of)
    if found is None or not own:
        raise CrmError(f"Entity Enumeration Or ID: bad value {of[:80]}", code="INVALID_FIELD")
    return found, own


def _object(given: Element, name: str, known: Component | None, actor: str) -> None:
    if known is None:
        field = given.child("nameField")
        define_object(
            name.removesuffix(SUFFIX),
            given.said("label"),
            given.said("pluralLabel") or given.said("label"),
            actor=actor,
            name_label="" if field is None else field.said("label"),
        )
    elif other := sorted({one.name for one in given.children} - _OF_KNOWN_OBJECTS):
        raise CrmError(
            f"Changing {other[0][:80]} of the object {name} is not available",
            code="FIELD_INTEGRITY_EXCEPTION",
        )
    for one in given.all("fields"):
        own = f"{name}.{one.said('fullName')}"
        if find_component("CustomField", own, version=64.0, user=actor) is None:
            _field(one, own, None, actor)


def _field(given: Element, name: str, known: Component | None, actor: str) -> None:
    if known is not None:
        raise CrmError(
            f"Changing the custom field {name} is not available", code="FIELD_INTEGRITY_EXCEPTION"
        )
    of, own = _named(name)
    options: dict[str, Any] = {
        option: _flag(given, said) for said, option in _FLAGS.items() if given.said(said)
    }
    for said, option in _NUMBERS.items():
        number = _number(given, said)
        if number is not None:
            options[option] = number
    if given.said("referenceTo"):
        options |= {"to": given.said("referenceTo"), "children": given.said("relationshipName")}
    if given.said("type") == "Checkbox":
        options["default"] = _flag(given, "defaultValue")
    options |= _choices(given)
    define_field(
        of.name,
        own.removesuffix(SUFFIX),
        given.said("type"),
        given.said("label"),
        actor=actor,
        **options,
    )


def _choices(given: Element) -> dict[str, Any]:
    set_, old = given.child("valueSet"), given.child("picklist")
    if set_ is not None:
        definition = set_.child("valueSetDefinition")
        values = [] if definition is None else definition.all("value")
        restricted = _flag(set_, "restricted")
    elif old is not None:
        values, restricted = old.all("picklistValues"), _flag(old, "restrictedPicklist")
    else:
        return {}
    names = [one.said("fullName") for one in values]
    default = next((one.said("fullName") for one in values if _flag(one, "default")), None)
    return {"values": names, "default": default, "restricted": restricted}


def _rule(given: Element, name: str, known: Component | None, actor: str) -> None:
    of, own = _named(name)
    values: dict[str, Any] = {
        "is_active": _flag(given, "active"),
        "formula": given.said("errorConditionFormula"),
        "message": given.said("errorMessage"),
        "field": given.said("errorDisplayField") or None,
        "description": given.said("description") or None,
    }
    if known is None:
        define_rule(of.name, own, values, actor=actor)
    else:
        change_rule(ValidationRule.objects.get(id=known.id), values, actor=actor)


def _view(given: Element, name: str, known: Component | None, actor: str) -> None:
    of, own = _named(name)
    scope = given.said("filterScope") or "Everything"
    if scope not in _SCOPES:
        raise CrmError(f"'{scope[:40]}' is not a valid filter scope", code="INVALID_FIELD")
    try:
        filters = tuple(
            Filter.read(one.said("field"), one.said("operation"), one.said("value"))
            for one in given.all("filters")
        )
    except FilterError as error:
        raise CrmError(str(error), code="INVALID_FIELD") from error
    shows = ListView(
        scope=_SCOPES[scope],
        filters=filters,
        logic=given.said("booleanFilter") or None,
        columns=tuple(one.text.strip() for one in given.all("columns")),
    )
    if scope == "Queue":
        rows = rows_of("Group").filter(DeveloperName=given.said("queue"), Type="Queue")
        queue = rows.values_list("Id", flat=True).first()
        if queue is None:
            raise CrmError(f"no Queue named {given.said('queue')} found", code="INVALID_FIELD")
        shows = replace(shows, queue=queue)
    label = given.said("label")
    if known is None:
        create_list_view(of, NamedView(own, label, shows), actor=actor)
        return
    row = rows_of("ListView").filter(Id=known.id).first()
    if row is None:
        raise NotFound
    change_list_view(of, row, label=label, shows=shows, actor=actor)
