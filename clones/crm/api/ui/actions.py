"""What can be done at each place of the pages: with a record, a list, a related list, a lookup."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from clones.core.operations import Call
from clones.crm.api.operations import root, versioned
from clones.crm.api.ui.asked import MOST_IDS, ids_of, names, ui_object
from clones.crm.api.ui.lists import view_by_id
from clones.crm.api.ui.objects import site_of
from clones.crm.api.ui.shown import tagged
from clones.crm.errors import CrmError, NotFound
from clones.crm.queries.records import find_records
from clones.crm.queries.schema import org_schema
from clones.crm.rules.apps import color_of, icon_of
from clones.crm.rules.organization import ORGANIZATION_ID
from clones.crm.rules.quick_actions import QUICK_ACTIONS
from clones.crm.rules.record_ids import long_id, short_id
from clones.crm.rules.schema import SObject


@dataclass(frozen=True, slots=True)
class ActionPlace:
    """Where actions are offered: whose they are, and of what object."""

    context: str
    source: str
    of: SObject | None = None
    related: str | None = None
    links: tuple[str, ...] = ()


# Buttons by the context of a place: name, label, whether it is there only for what is written to.
_BUTTONS: Final[dict[str, tuple[tuple[str, str, str], ...]]] = {
    "Record": (
        ("Edit", "Edit", "updateable"),
        ("ChangeOwnerOne", "Change Owner", "updateable"),
        ("Delete", "Delete", "deletable"),
    ),
    "RecordEdit": (
        ("SaveEdit", "Save", "updateable"),
        ("SaveAndNew", "Save &amp; New", "createable"),
        ("CancelEdit", "Cancel", "updateable"),
    ),
    "ListView": (
        ("EditFilter", "Filter", "queryable"),
        ("ListSort", "Sort", "queryable"),
        ("New", "New", "createable"),
        ("PrintableListView", "Printable View", "queryable"),
    ),
    "ListViewRecord": (
        ("Edit", "Edit", "updateable"),
        ("Delete", "Delete", "deletable"),
        ("ChangeOwnerOne", "Change Owner", "updateable"),
    ),
    "RelatedListRecord": (("Edit", "Edit", "updateable"), ("Delete", "Delete", "deletable")),
    "MruList": (("New", "New", "createable"),),
    "Lookup": (("CreateFromLookup", "New", "createable"),),
    "ObjectHomeChart": (
        ("NewObjectHomeChartAction", "New Chart", "queryable"),
        ("EditObjectHomeChartAction", "Edit Chart", "queryable"),
        ("DeleteObjectHomeChartAction", "Delete Chart", "queryable"),
    ),
}
_WITH_QUICK_ACTIONS: Final = ("Global", "Record")
_HERE: Final = "/ui-api/actions"


@versioned("GetUiGlobalActions", "GET", f"{_HERE}/global", summary="List what is done anywhere.")
def show_global(call: Call) -> dict[str, Any]:
    """Answer with the actions that need no record."""
    return _answer(call, [(f"{_HERE}/global", ActionPlace("Global", "Global"))], f"{_HERE}/global")


@versioned(
    "GetUiRecordActions",
    "GET",
    f"{_HERE}/record/{{ids}}",
    summary="List what is done with records.",
)
def show_of_records(call: Call) -> dict[str, Any]:
    """Answer with the actions at the head of each record's page."""
    return _of_records(call, "record", "Record", ("record-edit", "related-list"))


@versioned(
    "GetUiListRecordActions",
    "GET",
    f"{_HERE}/list-view-record/{{ids}}",
    summary="List what is done with rows of a list.",
)
def show_of_rows(call: Call) -> dict[str, Any]:
    """Answer with the actions in the menu of each row."""
    return _of_records(call, "list-view-record", "ListViewRecord")


@versioned(
    "GetUiEditActions",
    "GET",
    f"{_HERE}/record/{{id}}/record-edit",
    summary="List what is done with a record that is being changed.",
)
def show_of_edit(call: Call) -> dict[str, Any]:
    """Answer with the actions below the form."""
    ((id, of),) = _seen([call.path["id"]])
    path = f"{_HERE}/record/{id}/record-edit"
    return _answer(call, [(path, ActionPlace("RecordEdit", id, of))], path)


@versioned(
    "GetUiRelatedListActions",
    "GET",
    f"{_HERE}/record/{{id}}/related-list/{{names}}",
    summary="List what is done with related lists of a record.",
)
def show_of_related_lists(call: Call) -> dict[str, Any]:
    """Answer with the actions at the head of the lists: making another of their records."""
    ((id, of),) = _seen([call.path["id"]])
    asked = names(call.path["names"])
    children = {one.seen.name: one.child for one in org_schema().children(of) if one.seen.name}
    if not asked or any(name not in children for name in asked):
        raise NotFound
    path = f"{_HERE}/record/{id}/related-list/{','.join(asked)}"
    places = [(path, ActionPlace("RelatedList", id, children[name], name)) for name in asked]
    return _answer(call, places, path)


@versioned(
    "GetUiRelatedRecordActions",
    "GET",
    f"{_HERE}/record/{{id}}/related-list-record/{{ids}}",
    summary="List what is done with records of related lists.",
)
def show_of_related_records(call: Call) -> dict[str, Any]:
    """Answer with the actions in the menu of each row of the lists."""
    ((id, _),) = _seen([call.path["id"]])
    return _of_records(call, f"record/{id}/related-list-record", "RelatedListRecord")


@versioned(
    "GetUiListActions",
    "GET",
    f"{_HERE}/list-view/{{ids}}",
    summary="List what is done with list views.",
)
def show_of_lists(call: Call) -> dict[str, Any]:
    """Answer with the actions at the head of each list."""
    asked = names(call.path["ids"])
    if not 0 < len(asked) <= _MOST_LISTS:
        raise NotFound
    found = [view_by_id(call, id) for id in asked]
    places = [
        (f"{_HERE}/list-view/{view.row.pk}", ActionPlace("ListView", str(view.row.pk), view.of))
        for view in found
    ]
    return _answer(call, places, f"{_HERE}/list-view/{','.join(one.source for _, one in places)}")


@versioned(
    "GetUiChartActions",
    "GET",
    f"{_HERE}/list-view-chart/{{objects}}",
    summary="List what is done with the charts of list views.",
)
def show_of_charts(call: Call) -> dict[str, Any]:
    """Answer with the actions of the charts beside an object's lists."""
    return _of_objects(call, "list-view-chart", "ObjectHomeChart")


@versioned(
    "GetUiLookupActions",
    "GET",
    f"{_HERE}/lookup/{{objects}}",
    summary="List what is done where a record is looked up.",
)
def show_of_lookups(call: Call) -> dict[str, Any]:
    """Answer with the actions below what a lookup finds."""
    return _of_objects(call, "lookup", "Lookup")


@versioned(
    "GetUiMruListActions",
    "GET",
    f"{_HERE}/mru-list/{{objects}}",
    summary="List what is done with the lists of recent records.",
)
def show_of_recent(call: Call) -> dict[str, Any]:
    """Answer with the actions at the head of each list."""
    return _of_objects(call, "mru-list", "MruList")


_MOST_LISTS: Final = 50


def _seen(given: Sequence[str]) -> list[tuple[str, SObject]]:
    """Return ids with their objects, of records that the caller sees; one query for an object.

    Raises:
        NotFound: one is no record's.
    """
    asked = ids_of(",".join(given))
    kinds: dict[str, tuple[SObject, list[str]]] = {}
    for id, of in asked:
        if of is None:
            raise NotFound
        kinds.setdefault(of.name, (of, []))[1].append(id)
    there = {id for of, ids in kinds.values() for id in find_records(of, ids)}
    found = [(id, of) for id, of in asked if of is not None and id in there]
    if not asked or len(found) < len(asked):
        raise NotFound
    return list(dict.fromkeys(found))


def _of_records(call: Call, path: str, context: str, links: tuple[str, ...] = ()) -> dict[str, Any]:
    found = _seen(names(call.path["ids"]))
    places = []
    for id, of in found:
        own = f"{_HERE}/{path}/{id}"
        leading = tuple(f"{root(call)}{own}/{one}" for one in links)
        places.append((own, ActionPlace(context, id, of, links=leading)))
    return _answer(call, places, f"{_HERE}/{path}/{','.join(id for id, _ in found)}")


def _of_objects(call: Call, path: str, context: str) -> dict[str, Any]:
    asked = names(call.path["objects"])
    if not asked or len(asked) > MOST_IDS:
        raise CrmError("Object API names are invalid", code="INVALID_TYPE")
    found = [ui_object(name) for name in dict.fromkeys(asked)]
    places = [(f"{_HERE}/{path}/{of.name}", ActionPlace(context, of.name, of)) for of in found]
    return _answer(call, places, f"{_HERE}/{path}/{','.join(of.name for of in found)}")


def _answer(call: Call, places: list[tuple[str, ActionPlace]], address: str) -> dict[str, Any]:
    """Return the actions of places by whose they are, those of one source together."""
    site, found = site_of(call), dict[str, dict[str, Any]]()
    number = 0
    for path, place in places:
        shown = found.setdefault(
            place.source, {"actions": [], "links": [*place.links], "url": f"{root(call)}{path}"}
        )
        for action in _offered(call, place, site):
            number += 1
            action["id"] = long_id(f"0JV5g{number:010d}")
            shown["actions"].append(dict(sorted(action.items())))
    return tagged({"actions": found, "url": f"{root(call)}{address}"})


def _offered(call: Call, place: ActionPlace, site: str) -> list[dict[str, Any]]:
    found = []
    if place.context in _WITH_QUICK_ACTIONS:
        schema = org_schema()
        for one in QUICK_ACTIONS:
            target = schema.find(one.target)
            if target is not None and target.abilities["createable"]:
                describe = f"{root(call)}/quickActions/{one.name}/describe"
                more = {"actionTarget": describe, "actionTargetType": "Describe"}
                found.append(
                    _action(place, site, f"Global.{one.name}", one.label, one.target)
                    | {**more, "subtype": one.type, "type": "QuickAction"}
                )
    for name, label, ability in _BUTTONS.get(place.context, ()):
        if place.of is not None and place.of.abilities[ability]:
            found.append(_action(place, site, name, label, place.of.name))
    if place.context == "RelatedList" and place.of is not None and place.of.abilities["createable"]:
        found.append(_action(place, site, f"New{place.of.name}", "New", place.of.name))
    return found


def _action(place: ActionPlace, site: str, name: str, label: str, target: str) -> dict[str, Any]:
    organization = short_id(ORGANIZATION_ID)
    return {
        "actionListContext": place.context,
        "actionTarget": None,
        "actionTargetType": "Invoke",
        "apiName": name,
        "externalId": f"{organization}:{place.source}::{place.context}:Desktop:{name}",
        "iconUrl": f"{site}{icon_of(target)}",
        "isMassAction": "false",
        "label": label,
        "lwcComponent": None,
        "primaryColor": color_of(target),
        "relatedListRecordId": place.source if place.context == "RelatedListRecord" else None,
        "relatedSourceObject": place.related,
        "section": "Page",
        "sourceObject": place.source,
        "subtype": None,
        "targetObject": target,
        "targetUrl": None,
        "type": "StandardButton",
    }
