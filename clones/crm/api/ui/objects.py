"""Objects, picklists and layouts, records with all that a page of them needs, and defaults."""

from __future__ import annotations

from typing import Any

from pydantic import Field as Asked

from clones.core.operations import Call, Reply
from clones.core.operations.inputs import Query
from clones.crm.api.operations import root, versioned
from clones.crm.api.presenters.describes import MASTER_TYPE
from clones.crm.api.ui.asked import (
    UiRecordQuery,
    ids_of,
    layout_types,
    modes,
    names,
    one_id,
    ui_object,
)
from clones.crm.api.ui.presenting import (
    layouts_of,
    picklists,
    present_info,
    present_object_in_short,
    present_picklist,
    present_type,
    present_ui_layout,
)
from clones.crm.api.ui.reading import FULL, UiReader, layout_fields, wanted_of
from clones.crm.api.ui.records import read_many, tagged_reply
from clones.crm.api.ui.shown import tagged, ui_value
from clones.crm.api.views.recent import mark_seen
from clones.crm.errors import CrmError, NotFound
from clones.crm.models import rows_of
from clones.crm.queries.manners import display_value
from clones.crm.queries.record_types import offers_of, record_types_of
from clones.crm.queries.records import find_record
from clones.crm.queries.schema import org_schema
from clones.crm.rules.layouts import layout_of
from clones.crm.rules.record_ids import read_id
from clones.crm.rules.record_types import RecordTypeInfo
from clones.crm.rules.schema import SObject
from clones.crm.rules.shown_values import shown_value


class UiLayoutQuery(Query):
    """Which layout is wanted."""

    layout_type: str = Asked("Full", alias="layoutType")
    mode: str = "View"
    record_type: str | None = Asked(None, alias="recordTypeId")
    form_factor: str = Asked("Large", alias="formFactor")
    optional_fields: str | None = Asked(None, alias="optionalFields")


def site_of(call: Call) -> str:
    """Return the address of the pages, as the caller reaches them."""
    return call.request.build_absolute_uri("/").rstrip("/")


@versioned("GetUiObjects", "GET", "/ui-api/object-info", summary="List the objects of pages.")
def list_ui_objects(call: Call) -> dict[str, Any]:
    """Answer with every object in short, by name."""
    shown = [of for of in org_schema() if of.abilities["queryable"]]
    return {"objects": {of.name: present_object_in_short(of, root(call)) for of in shown}}


@versioned(
    "GetUiObject", "GET", "/ui-api/object-info/{object}", summary="Describe an object to pages."
)
def show_ui_object(call: Call) -> Reply:
    """Answer with the object, its fields and its relationships."""
    return tagged_reply(call, present_info(ui_object(call.path["object"]), site_of(call)))


@versioned(
    "GetUiObjectBatch",
    "GET",
    "/ui-api/object-info/batch/{objects}",
    summary="Describe objects to pages.",
)
def show_ui_object_batch(call: Call) -> dict[str, Any]:
    """Answer with each object, or with why it cannot be described."""
    schema, site, results = org_schema(), site_of(call), []
    for name in names(call.path["objects"])[:200]:
        of = schema.find(name)
        if of is not None:
            results.append({"result": present_info(of, site), "statusCode": 200})
        else:
            said = f"Object API name is invalid: [{name}]"
            missing = {"errorCode": "INVALID_TYPE", "message": said}
            results.append({"result": [missing], "statusCode": 400})
    return {"hasErrors": any(one["statusCode"] != 200 for one in results), "results": results}


@versioned(
    "GetUiPicklists",
    "GET",
    "/ui-api/object-info/{object}/picklist-values/{record_type}",
    summary="List what an object's picklists offer.",
)
def show_picklists(call: Call) -> dict[str, Any]:
    """Answer with the values that each field offers."""
    of, kind = _type_of_path(call)
    offers = offers_of(kind)
    found = {one.name: present_picklist(of, one, kind, root(call), offers) for one in picklists(of)}
    return tagged({"picklistFieldValues": found})


@versioned(
    "GetUiPicklist",
    "GET",
    "/ui-api/object-info/{object}/picklist-values/{record_type}/{field}",
    summary="List what a picklist offers.",
)
def show_picklist(call: Call) -> Reply:
    """Answer with the values that the field offers."""
    of, kind = _type_of_path(call)
    field = of.field(call.path["field"])
    if field is None or field.type not in ("picklist", "multipicklist"):
        raise CrmError(
            f"{call.path['field']} is not a picklist field of {of.name}", code="INVALID_FIELD"
        )
    return tagged_reply(call, present_picklist(of, field, kind, root(call), offers_of(kind)))


@versioned(
    "GetUiLayout",
    "GET",
    "/ui-api/layout/{object}",
    summary="Show a layout to pages.",
    query=UiLayoutQuery,
)
def show_ui_layout(call: Call) -> Reply:
    """Answer with the layout of a type, in a mode."""
    of, asked = ui_object(call.path["object"]), call.query
    record_type = record_type_of(of, asked.record_type).id if asked.record_type else MASTER_TYPE
    (kind,), (mode,) = layout_types(asked.layout_type)[:1], modes(asked.mode)[:1]
    return tagged_reply(call, present_ui_layout(layout_of(of), kind, mode, record_type))


@versioned(
    "GetUiRecordPages",
    "GET",
    "/ui-api/record-ui/{ids}",
    summary="Show records with layouts and objects.",
    query=UiRecordQuery,
)
def show_record_ui(call: Call) -> dict[str, Any]:
    """Answer with records, and with what a page needs to show them."""
    if not call.query.layout_types and not call.query.fields and not call.query.optional_fields:
        call.query.layout_types = FULL
    given = ids_of(call.path["ids"])
    records = read_many(call, given)
    for id, of in given:
        if id not in records:
            if of is not None:
                find_record(of, id)  # says why
            raise NotFound
        if call.query.update_mru and of is not None:
            mark_seen(call, of.name, id)
    kinds = {of.name: of for _, of in given if of is not None}
    types = layout_types(call.query.layout_types) if call.query.layout_types else []
    shown = modes(call.query.modes)
    return tagged(
        {
            "layoutUserStates": {layout_of(of).id: _state(of) for of in kinds.values()},
            "layouts": {of.name: layouts_of(of, types, shown) for of in kinds.values()},
            "objectInfos": {of.name: present_info(of, site_of(call)) for of in kinds.values()},
            "records": {id: records[id] for id, _ in given},
        }
    )


def _state(of: SObject) -> dict[str, Any]:
    layout = layout_of(of)
    sections = range(len(layout.sections))
    states = {
        layout.section_id(place): {"collapsed": False, "id": layout.section_id(place)}
        for place in sections
    }
    return {"id": layout.id, "sectionUserStates": states}


@versioned(
    "GetUiCreateDefaults",
    "GET",
    "/ui-api/record-defaults/create/{object}",
    summary="Show what a new record begins with.",
    query=UiLayoutQuery,
)
def show_create_defaults(call: Call) -> dict[str, Any]:
    """Answer with default values, the layout and the object."""
    of = ui_object(call.path["object"])
    values = {one.name: one.default for one in of.fields if one.createable}
    if of.field("OwnerId") is not None:
        values["OwnerId"] = call.actor.subject
    return _defaults(call, of, values, is_default=True)


@versioned(
    "GetUiTemplateDefaults",
    "GET",
    "/ui-api/record-defaults/template/create/{object}",
    summary="Show what a new record begins with, alone.",
    query=UiLayoutQuery,
)
def show_template_defaults(call: Call) -> dict[str, Any]:
    """Answer with default values."""
    return {"objectInfos": None, **_without(show_create_defaults(call), "layout", "objectInfos")}


@versioned(
    "GetUiCloneDefaults",
    "GET",
    "/ui-api/record-defaults/clone/{id}",
    summary="Show what a copy of a record begins with.",
    query=UiLayoutQuery,
)
def show_clone_defaults(call: Call) -> dict[str, Any]:
    """Answer with the record's own values, the layout and the object."""
    id, of = one_id(call.path["id"])
    row = find_record(of, id)
    values = {
        one.name: shown_value(getattr(row, one.name))
        for one in of.stored
        if one.createable and not one.unique
    }
    return _defaults(call, of, values)


def _without(body: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in body.items() if key not in keys}


def _defaults(
    call: Call, of: SObject, values: dict[str, Any], *, is_default: bool = False
) -> dict[str, Any]:
    if not of.abilities["createable"]:
        raise CrmError(f"Object {of.name} is not createable", code="INVALID_TYPE")
    given = call.query.record_type
    if given:
        record_type = record_type_of(of, given)
    else:
        record_type = next(one for one in record_types_of(of) if one.is_default)
    for name, offer in offers_of(record_type.id).items():
        if name in values and is_default:
            values[name] = offer.default
    layout, reader = layout_of(of), UiReader(call)
    wanted = wanted_of(of)
    for name in layout_fields(layout, FULL, editing=True):
        wanted.add(name)
    fields = {
        name: {
            "displayValue": display_value(one, values.get(name), reader.manner),
            "value": ui_value(values.get(name)),
        }
        for name, one in sorted(wanted.fields.items())
        if one.createable
    }
    record = {
        "apiName": of.name,
        "childRelationships": {},
        "eTag": "",
        "fields": fields | _owner(of, values),
        "id": None,
        "lastModifiedById": None,
        "lastModifiedDate": None,
        "recordTypeId": record_type.id,
        "recordTypeInfo": None if record_type.is_master else present_type(record_type),
        "systemModstamp": None,
        "weakEtag": 0,
    }
    return {
        "layout": present_ui_layout(layout, FULL, "Create", record_type.id),
        "objectInfos": {of.name: present_info(of, site_of(call))},
        "record": record,
    }


def _owner(of: SObject, values: dict[str, Any]) -> dict[str, Any]:
    if of.field("OwnerId") is None or not values.get("OwnerId"):
        return {}
    name = rows_of("User").filter(Id=values["OwnerId"]).values_list("Name", flat=True).first()
    return {
        "OwnerId": {"displayValue": name, "value": values["OwnerId"]},
    }


def _type_of_path(call: Call) -> tuple[SObject, str]:
    """Return the object that an address names, and the id of the type of its records."""
    of = ui_object(call.path["object"])
    return of, record_type_of(of, call.path["record_type"]).id


def record_type_of(of: SObject, text: str) -> RecordTypeInfo:
    """Return the type of an object's records that a text is the id of.

    Raises:
        CrmError: it is of none that the object has.
    """
    whole = read_id(text)
    for one in record_types_of(of):
        if one.id == whole:
            return one
    raise CrmError(f"Record type ID is invalid: [{text}]", code="INVALID_RECORD_TYPE_ID")
