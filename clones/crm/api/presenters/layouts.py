"""Layouts, as describe shows them: sections with rows of items, each of them a field or several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, Final

from clones.crm.api.presenters.describes import (
    present_field,
    present_picklist_value,
    present_record_type,
)
from clones.crm.queries.record_types import offers_of, record_types_of
from clones.crm.rules.layouts import Layout, LayoutSection, item_label, layout_of
from clones.crm.rules.record_types import Offers, RecordTypeInfo, is_picklist, offered
from clones.crm.rules.schema import Field, SObject
from clones.crm.rules.shown_values import ADDRESS_PARTS

# What stands beside who made or changed a record: when.
_WHEN: Final = {"CreatedById": "CreatedDate", "LastModifiedById": "LastModifiedDate"}
_LINES: Final = 6  # lines that a page shows of a long text
_LISTED: Final = 5  # records that a related list shows


def present_layouts(of: SObject, root: str) -> dict[str, Any]:
    """Return the layouts of an object and which record type has which."""
    layout, types = layout_of(of), record_types_of(of)
    return {
        "layouts": [present_layout(layout)],
        "recordTypeMappings": [
            dict(
                sorted(
                    {
                        **present_record_type(of, one, root),
                        "layoutId": layout.id,
                        "picklistsForRecordType": _picklists(of, offers_of(one.id)),
                    }.items()
                )
            )
            for one in types
        ],
        "recordTypeSelectorRequired": [_are_chosen(types)],
    }


def _are_chosen(types: Sequence[RecordTypeInfo]) -> bool:
    """Tell whether a user who makes a record is asked of which type."""
    return sum(one.is_available and not one.is_master for one in types) > 1


def present_layout(layout: Layout) -> dict[str, Any]:
    """Return a layout with its sections, as a page shows and as it edits them."""
    return {
        "buttonLayoutSection": {"detailButtons": _buttons(layout.object)},
        "detailLayoutSections": _sections(layout),
        "editLayoutSections": _sections(layout, for_edit=True),
        "feedView": None,
        "highlightsPanelLayoutSection": None,
        "id": layout.id,
        "multirowEditLayoutSections": [],
        "offlineLinks": [],
        "quickActionList": {"quickActionListItems": []},
        "relatedContent": None,
        "relatedLists": [_related_list(layout, name) for name in layout.related],
        "saveOptions": [],
    }


def present_compact_layouts(of: SObject, root: str) -> dict[str, Any]:
    """Return the compact layouts of an object: the fields at the head of a record's page."""
    layout, numbers = layout_of(of), count(1)
    fields = [field for name in layout.highlights if (field := of.field(name)) is not None]
    items = [_item(layout, field, numbers, for_edit=False) for field in fields]
    own = f"{root}/sobjects/{of.name}/describe/compactLayouts"
    return {
        "compactLayouts": [
            {
                "actions": [],
                "fieldItems": items,
                "id": None,
                "imageItems": [],
                "label": "System Default",
                "name": "SYSTEM",
                "objectType": of.name,
            }
        ],
        "defaultCompactLayoutId": None,
        "recordTypeCompactLayoutMappings": [
            {
                "available": one.is_available,
                "compactLayoutId": None,
                "compactLayoutName": "SYSTEM",
                "recordTypeId": one.id,
                "recordTypeName": one.name,
                "urls": {"compactLayout": f"{own}/{one.id}"},
            }
            for one in record_types_of(of)
        ],
        "urls": {"primary": f"{own}/primary"},
    }


def present_column(of: SObject, path: str) -> dict[str, Any]:
    """Return a column of a list of records of an object: a field, or one of a parent."""
    relationship, _, name = path.rpartition(".")
    reference = of.reference(relationship) if relationship else None
    parent = of
    if reference is not None:
        # An owner is a user here, though he may be a queue.
        target = "User" if "User" in reference.reference_to else reference.reference_to[0]
        parent = of.schema.objects[target]
    field = parent.field(name)
    if field is None:
        field = parent.name_field
    if field is None:
        raise LookupError(path)
    label = item_label(layout_of(parent), field)
    if reference is not None and relationship == "Owner":
        label = f"{of.label} Owner {field.label}"
    elif reference is not None and name == "Name":
        label = item_label(layout_of(of), reference)
    dated = field.type if field.type in ("date", "datetime") else None
    return {"field": f"{parent.name}.{field.name}", "format": dated, "label": label, "name": path}


def _buttons(of: SObject) -> list[dict[str, Any]]:
    names = {"Edit": "updateable", "Delete": "deletable", "Clone": "createable"}
    return [
        {
            "behavior": None,
            "colors": [],
            "content": None,
            "contentSource": None,
            "custom": False,
            "encoding": None,
            "height": None,
            "icons": [],
            "label": name,
            "menubar": False,
            "name": name,
            "overridden": False,
            "resizeable": False,
            "scrollbars": False,
            "showsLocation": False,
            "showsStatus": False,
            "toolbar": False,
            "url": None,
            "width": None,
            "windowPosition": None,
        }
        for name, ability in names.items()
        if of.abilities[ability]
    ]


def _sections(layout: Layout, *, for_edit: bool = False) -> list[dict[str, Any]]:
    shown, numbers = [], count(1)
    for place, section in enumerate(layout.sections):
        rows = list(_rows(layout, section, numbers, for_edit=for_edit))
        if not rows:
            continue
        shown.append(
            {
                "collapsed": False,
                "columns": section.columns,
                "heading": section.heading,
                "layoutRows": rows,
                "layoutSectionId": layout.section_id(place),
                "parentLayoutId": layout.id,
                "rows": len(rows),
                "tabOrder": "LeftToRight",
                "useCollapsibleSection": False,
                "useHeading": True,
            }
        )
    return shown


def _rows(
    layout: Layout, section: LayoutSection, numbers: Iterator[int], *, for_edit: bool
) -> Iterator[dict[str, Any]]:
    for row in section.rows:
        fields = [layout.object.field(name) if name else None for name in row]
        if for_edit and not any(field is not None and _can_be_edited(field) for field in fields):
            continue
        items = [
            _EMPTY if field is None else _item(layout, field, numbers, for_edit=for_edit)
            for field in fields
        ]
        yield {"layoutItems": items, "numItems": len(items)}


def _can_be_edited(field: Field) -> bool:
    return bool(field.createable or field.updateable or field.type == "address")


_EMPTY: Final[dict[str, Any]] = {
    "editableForNew": False,
    "editableForUpdate": False,
    "label": "",
    "layoutComponents": [],
    "placeholder": True,
    "required": False,
}


def _item(
    layout: Layout, field: Field, numbers: Iterator[int], *, for_edit: bool
) -> dict[str, Any]:
    is_address = field.type == "address"
    components = [_component(layout, field, numbers)]
    when = layout.object.field(_WHEN.get(field.name, ""))
    if when is not None and not for_edit:
        between = {"displayLines": 1, "tabOrder": next(numbers), "type": "Separator", "value": ", "}
        components += [between, _component(layout, when, numbers)]
    return {
        "editableForNew": bool(field.createable or is_address or _is_named(field)),
        "editableForUpdate": bool(field.updateable or is_address or _is_named(field)),
        "label": item_label(layout, field),
        "layoutComponents": components,
        "placeholder": False,
        "required": field.is_required or field.name in layout.required,
    }


def _is_named(field: Field) -> bool:
    """Tell whether a field is the name of a person, whose parts are what is edited."""
    return bool(field.extraTypeInfo == "personname")


def _component(layout: Layout, field: Field, numbers: Iterator[int]) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    parts = _parts(layout.object, field)
    if parts:
        shown["components"] = [_component(layout, part, numbers) for part in parts]
    long = field.type == "textarea" and field.length > 255
    return {
        **shown,
        "details": present_field(field),
        "displayLines": _LINES if long else 1,
        **({"fieldType": field.type} if parts else {}),
        "tabOrder": next(numbers),
        "type": "Field",
        "value": field.name,
    }


def _parts(of: SObject, field: Field) -> list[Field]:
    if field.type != "address":
        return []
    stem = field.name.removesuffix("Address")
    found = (of.field(f"{stem}{part}") for part in ADDRESS_PARTS.values())
    return [one for one in found if one is not None]


def _related_list(layout: Layout, name: str) -> dict[str, Any]:
    child = layout.object.schema.child(layout.object, name)
    if child is None:
        raise LookupError(name)
    columns = []
    for path in layout.related[name]:
        column = present_column(child.child, path)
        id = f"{path.rpartition('.')[0]}.Id" if "." in path else f"{child.child.name}.Id"
        is_link = column["field"].endswith(".Name")
        columns.append(
            {
                "field": column["field"],
                "fieldApiName": path,
                "format": column["format"],
                "label": column["label"],
                "lookupId": id if is_link else None,
                "name": f"{child.child.name}.{path}",
            }
        )
    return {
        "accessLevelRequiredForCreate": None,
        "buttons": [],
        "columns": columns,
        "custom": False,
        "field": child.field.name,
        "label": child.child.plural,
        "limitRows": _LISTED,
        "name": name,
        "sobject": child.child.name,
        "sort": [],
    }


def _picklists(of: SObject, offers: Offers) -> list[dict[str, Any]]:
    return [
        {
            "picklistName": field.name,
            "picklistValues": [present_picklist_value(one) for one in offered(field, offers)],
        }
        for field in of.fields
        if is_picklist(field) and field.values
    ]
