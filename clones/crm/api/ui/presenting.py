"""Objects, their picklists and layouts, apps and tabs, as UI resources show them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from clones.crm.api.presenters.describes import MASTER_TYPE
from clones.crm.api.ui.shown import tagged
from clones.crm.queries.record_types import record_types_of
from clones.crm.rules.apps import HOME, LightningApp, color_of, icon_of, is_standard_tab
from clones.crm.rules.layouts import Layout, LayoutSection, item_label, layout_of
from clones.crm.rules.record_types import Offers, RecordTypeInfo, offered
from clones.crm.rules.schema import Field, SObject
from clones.crm.rules.schema.fields import LENGTHS, PicklistValue

_TYPES: Final = {
    "id": "String",
    "boolean": "Boolean",
    "datetime": "DateTime",
    "textarea": "TextArea",
    "multipicklist": "MultiPicklist",
    "combobox": "ComboBox",
    "base64": "Base64",
}
_AS_THEY_ARE: Final = (
    *("calculated", "createable", "custom", "filterable", "highScaleNumber", "htmlFormatted"),
    *("nameField", "polymorphicForeignKey", "precision", "scale", "searchPrefilterable"),
    *("sortable", "unique", "updateable"),
)
_EXTRA: Final = {
    "personname": "PersonName",
    "switchablepersonname": "SwitchablePersonName",
    "plaintextarea": "PlainTextArea",
    "richtextarea": "RichTextArea",
    "imageurl": "ImageUrl",
    "externallookup": "ExternalLookup",
}
_IN_INFO: Final = (
    *("createable", "deletable", "feedEnabled", "layoutable", "mruEnabled", "queryable"),
    *("searchable", "updateable"),
)
# Tabs that are called otherwise than their objects.
_TABS: Final = {"Event": "Calendar"}


def name_fields(of: SObject) -> list[str]:
    """Return the names of the fields that make an object's name, those of its parts first."""
    if of.name_field is None:
        return []
    whole = of.name_field
    parts = [name for name in ("FirstName", "LastName") if of.field(name) is not None]
    return [*parts, whole.name] if whole.extraTypeInfo == "personname" else [whole.name]


def present_info(of: SObject, site: str) -> dict[str, Any]:
    """Return an object with its fields and relationships; `site` is the address of the pages."""
    types = record_types_of(of)
    children = [
        {
            "childObjectApiName": one.child.name,
            "fieldName": one.field.name,
            "junctionIdListNames": [],
            "junctionReferenceTo": [],
            "relationshipName": one.seen.name,
        }
        for one in of.schema.children(of)
        if one.seen.name is not None
    ]
    return tagged(
        {
            "apiName": of.name,
            "associateEntityType": None,
            "associateParentEntity": None,
            "childRelationships": children,
            "custom": of.is_custom,
            "defaultRecordTypeId": next(one.id for one in types if one.is_default),
            "dependentFields": {},
            "fields": {one.name: present_info_field(of, one) for one in _by_name(of.fields)},
            "keyPrefix": of.prefix,
            "label": of.label,
            "labelPlural": of.plural,
            "nameFields": name_fields(of),
            "recordTypeInfos": {one.id: present_type(one) for one in types},
            "themeInfo": {"color": color_of(of.name), "iconUrl": f"{site}{icon_of(of.name)}"},
            **{name: of.abilities[name] for name in _IN_INFO},
        }
    )


def present_type(one: RecordTypeInfo) -> dict[str, Any]:
    """Return a type of records, as it is open to the user at hand."""
    return {
        "available": one.is_available,
        "defaultRecordTypeMapping": one.is_default,
        "master": one.is_master,
        "name": one.name,
        "recordTypeId": one.id,
    }


def _by_name(fields: Iterable[Field]) -> list[Field]:
    return sorted(fields, key=lambda one: one.name)


def present_info_field(of: SObject, field: Field) -> dict[str, Any]:
    """Return a field of an object."""
    compound = field.compoundFieldName
    targets = (of.schema.objects.get(name) for name in field.reference_to)
    is_whole = field.type == "address" or (compound is not None and compound == field.name)
    found = {
        **{name: field.flags[name] for name in _AS_THEY_ARE},
        "apiName": field.name,
        "compound": is_whole or field.extraTypeInfo == "personname",
        "compoundComponentName": _component_name(field),
        "compoundFieldName": compound,
        "controllerName": field.controllerName,
        "controllingFields": [field.controllerName] if field.controllerName else [],
        "dataType": _TYPES.get(field.type, field.type.title()),
        "extraTypeInfo": _EXTRA.get(str(field.extraTypeInfo), None),
        "filteredLookupInfo": None,
        "inlineHelpText": field.inlineHelpText,
        "label": field.label,
        "length": _length(field),
        "reference": field.type == "reference",
        "referenceTargetField": None,
        "referenceToInfos": [
            {"apiName": one.name, "nameFields": name_fields(one)}
            for one in targets
            if one is not None
        ],
        "relationshipName": field.relationship,
        "required": not field.nillable,
    }
    return dict(sorted(found.items()))


def _length(field: Field) -> int:
    """Return how long a text may be; a picklist that takes other values says 255."""
    if field.type == "picklist" and not field.restrictedPicklist:
        return LENGTHS["picklist"]
    return field.length if field.is_text else 0


def _component_name(field: Field) -> str | None:
    whole = field.compoundFieldName
    if whole is None or whole == field.name:
        return None
    stem = str(whole).removesuffix("Address")
    return field.name.removeprefix(stem) if str(whole).endswith("Address") else field.name


def present_object_in_short(of: SObject, root: str) -> dict[str, Any]:
    """Return an object as the list of all shows it."""
    return {
        "apiName": of.name,
        "keyPrefix": of.prefix,
        "label": of.label,
        "labelPlural": of.plural,
        "nameFields": name_fields(of),
        "objectInfoUrl": f"{root}/ui-api/object-info/{of.name}",
    }


def present_picklist(
    of: SObject, field: Field, record_type: str, root: str, offers: Offers
) -> dict[str, Any]:
    """Return the values that a field of records of a type offers."""
    own = f"{root}/ui-api/object-info/{of.name}/picklist-values/{record_type}/{field.name}"
    offer = offered(field, offers)
    values = [_choice(one) for one in offer if one.is_active]
    default = next((_choice(one) for one in offer if one.is_default), None)
    return tagged({"controllerValues": {}, "defaultValue": default, "url": own, "values": values})


def _choice(one: PicklistValue) -> dict[str, Any]:
    return {"attributes": None, "label": one.label, "validFor": [], "value": one.value}


def picklists(of: SObject) -> list[Field]:
    """Return the fields of an object that offer values, by name."""
    kinds = ("picklist", "multipicklist")
    return [one for one in _by_name(of.fields) if one.type in kinds and one.values]


def present_ui_layout(
    layout: Layout, layout_type: str, mode: str, record_type: str = MASTER_TYPE
) -> dict[str, Any]:
    """Return a layout of a type, in a mode: to create a record, to edit or to view it."""
    sections = (
        [_section(layout, place, one, mode) for place, one in enumerate(layout.sections)]
        if layout_type == "Full"
        else [_highlights(layout, mode)]
    )
    return tagged(
        {
            "id": layout.id if layout_type == "Full" else None,
            "layoutType": layout_type,
            "mode": mode,
            "objectApiName": layout.object.name,
            "recordTypeId": record_type,
            "saveOptions": [],
            "sections": [one for one in sections if one["layoutRows"]],
        }
    )


def _highlights(layout: Layout, mode: str) -> dict[str, Any]:
    section = LayoutSection("", 1, tuple((name,) for name in layout.highlights))
    return {**_section(layout, 0, section, mode), "id": None, "useHeading": False}


def _section(layout: Layout, place: int, section: LayoutSection, mode: str) -> dict[str, Any]:
    rows = []
    for row in section.rows:
        items = [_item(layout, layout.object.field(name), mode) for name in row if name]
        shown = [one for one in items if one is not None]
        if shown:
            rows.append({"layoutItems": shown})
    return {
        "collapsible": bool(section.heading),
        "columns": section.columns,
        "heading": section.heading,
        "id": layout.section_id(place),
        "layoutRows": rows,
        "rows": len(rows),
        "useHeading": bool(section.heading),
    }


def _item(layout: Layout, field: Field | None, mode: str) -> dict[str, Any] | None:
    if field is None:
        return None
    is_whole = field.type == "address" or field.extraTypeInfo == "personname"
    for_new = bool(field.createable or is_whole)
    for_update = bool(field.updateable or is_whole)
    if (mode == "Create" and not for_new) or (mode == "Edit" and not for_update):
        return None
    return {
        "editableForNew": for_new,
        "editableForUpdate": for_update,
        "label": item_label(layout, field),
        "layoutComponents": [_component(layout, one) for one in _parts(layout.object, field)],
        "lookupIdApiName": "Id" if field.nameField else field.relationship and field.name,
        "required": field.is_required or field.name in layout.required,
        "sortable": bool(field.sortable),
    }


def _parts(of: SObject, field: Field) -> list[Field]:
    if field.type != "address":
        return [field]
    return [one for one in of.fields if one.compoundFieldName == field.name]


def _component(layout: Layout, field: Field) -> dict[str, Any]:
    return {
        "apiName": field.name,
        "componentType": "Field",
        "label": item_label(layout, field),
    }


def present_nav_item(of: SObject | None, site: str) -> dict[str, Any]:
    """Return a tab: an object's, or that of the home page."""
    name = HOME if of is None else of.name
    is_standard = is_standard_tab(name)
    api = "standard-report" if name == "Report" else f"standard-{name}"
    if of is None:
        content, api = f"{site}/lightning/page/home", "standard-home"
        reference: dict[str, Any] = {"attributes": {"pageName": "home"}, "state": {}}
        reference["type"] = "standard__namedPage"
    else:
        content = f"{site}/{of.prefix}/o"
        attributes = {"objectApiName": of.name, "actionName": "home"}
        reference = {"attributes": attributes, "state": {}, "type": "standard__objectPage"}
    is_custom = of is not None and of.is_custom
    return {
        "availableInClassic": True,
        "availableInLightning": True,
        "color": color_of(name),
        "content": content,
        "custom": is_custom,
        "developerName": name if is_custom else api,
        "iconUrl": f"{site}{icon_of(name)}",
        "id": None,
        "itemType": "Standard" if is_standard else "Entity",
        "label": name if of is None else _TABS.get(name, of.plural),
        "objectApiName": name,
        "objectLabel": None if of is None else of.label,
        "objectLabelPlural": None if of is None else of.plural,
        "pageReference": reference,
        "standardType": _page_name(of) if is_standard else None,
    }


def _page_name(of: SObject | None) -> str:
    return HOME if of is None else of.plural


def present_app(
    app: LightningApp, items: list[dict[str, Any]], site: str, *, is_selected: bool
) -> dict[str, Any]:
    """Return an app with its bar."""
    return tagged(
        {
            "appId": app.id,
            "description": app.description,
            "developerName": app.name,
            "formFactors": ["Small", "Medium", "Large"],
            "headerColor": "#0070D2",
            "iconUrl": f"{site}/logos/Salesforce/{app.logo}/icon.png",
            "isNavAutoTempTabsDisabled": False,
            "isNavPersonalizationDisabled": False,
            "isNavTabPersistenceDisabled": False,
            "label": app.label,
            "logoUrl": f"{site}/logos/Salesforce/{app.logo}/logo.png",
            "mobileStartUrl": None,
            "navItems": items,
            "selected": is_selected,
            "startUrl": f"{site}/home/home.jsp?tsid={app.id[:15]}",
            "type": "Lightning",
            "userNavItems": [],
        }
    )


def layouts_of(
    of: SObject, types: Iterable[str], modes: Iterable[str]
) -> dict[str, dict[str, dict[str, Any]]]:
    """Return an object's layouts, by record type, type and mode."""
    layout, modes = layout_of(of), list(modes)
    shown = {
        kind: {mode: present_ui_layout(layout, kind, mode) for mode in modes} for kind in types
    }
    return {MASTER_TYPE: shown}
