"""What is around a record: the lists beside it, and what its references may lead to."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote

from pydantic import Field as Asked

from clones.core.operations import Call, Reply
from clones.core.operations.inputs import Query
from clones.crm.api.operations import root, version_of, versioned
from clones.crm.api.presenters.layouts import present_column
from clones.crm.api.ui.asked import UiPageQuery, names, one_id, page_urls, ui_object
from clones.crm.api.ui.lists import lookup_id
from clones.crm.api.ui.reading import UiReader, Wanted, wanted_of
from clones.crm.api.ui.records import tagged_reply
from clones.crm.api.ui.shown import tagged
from clones.crm.errors import CrmError, NotFound
from clones.crm.queries.recent import seen_records
from clones.crm.queries.records import find_record
from clones.crm.queries.soql.asking import ask, calendar_of
from clones.crm.rules.layouts import layout_of
from clones.crm.rules.listing import Filter, condition_text, field_at
from clones.crm.rules.schema import Field, SObject
from clones.crm.rules.schema.objects import ChildRelationship


class UiLookupQuery(Query):
    """What is looked for, and how."""

    q: str | None = None
    search_type: str = Asked("Search", alias="searchType")
    page: Annotated[int, Asked(ge=1, le=1000)] = 1
    page_size: Annotated[int, Asked(ge=1, le=2000, alias="pageSize")] = 25


@versioned(
    "GetUiRelatedLists",
    "GET",
    "/ui-api/related-list-info/{object}",
    summary="List the lists beside a record.",
)
def show_related_lists(call: Call) -> dict[str, Any]:
    """Answer with the lists that the object's layout has."""
    of = ui_object(call.path["object"])
    found = [_child(of, name) for name in layout_of(of).related]
    return tagged(
        {
            "objectApiName": of.name,
            "relatedLists": [_in_short(of, one) for one in found],
        }
    )


@versioned(
    "GetUiRelatedList",
    "GET",
    "/ui-api/related-list-info/{object}/{name}",
    summary="Show what a list beside a record shows.",
)
def show_related_list(call: Call) -> Reply:
    """Answer with the list's columns and order."""
    of = ui_object(call.path["object"])
    child = _child(of, call.path["name"])
    own = child.child
    columns = [
        {
            "dataType": "" if (field := field_at(own, path)) is None else field.type,
            "fieldApiName": path,
            "label": present_column(own, path)["label"],
            "lookupId": lookup_id(own, path),
            "sortable": field is not None and bool(field.sortable),
        }
        for path in _columns(of, child)
    ]
    body = {
        **_in_short(of, child),
        "cloneable": False,
        "createable": own.abilities["createable"],
        "deletable": False,
        "displayColumns": columns,
        "filterLogicString": None,
        "filteredByInfo": [],
        "orderedByInfo": [],
        "scope": None,
        "updateable": False,
        "userPreferences": {"columnWidths": {}, "columnWrap": {}, "orderedBy": []},
        "visibility": None,
        "visibilityEditable": False,
    }
    return tagged_reply(call, tagged(body))


@versioned(
    "GetUiRelatedRecords",
    "GET",
    "/ui-api/related-list-records/{id}/{name}",
    summary="Show the records of a list beside a record.",
    query=UiPageQuery,
)
def show_related_records(call: Call) -> dict[str, Any]:
    """Answer with a page of them."""
    id, of = one_id(call.path["id"])
    find_record(of, id)
    child, asked = _child(of, call.path["name"]), call.query
    wanted = wanted_of(
        child.child, fields=names(asked.fields), optional=names(asked.optional_fields)
    )
    if not wanted.fields and not wanted.parents:
        for path in _columns(of, child):
            wanted.add(path)
    wanted.add(child.field.name)
    order = _order(child.child, asked.sort_by)
    rest = f"WHERE {child.field.name} = '{id}' ORDER BY {order}"
    rows = UiReader(call).ask(wanted, rest, size=asked.page_size + 1, start=asked.page_token)
    shown, is_last = rows[: asked.page_size], len(rows) <= asked.page_size
    address = f"{root(call)}/ui-api/related-list-records/{id}/{child.seen.name}"
    body = {
        **page_urls(address, asked, is_last=is_last),
        "count": len(shown),
        "fields": names(asked.fields),
        "listReference": _reference(of, child, id),
        "optionalFields": names(asked.optional_fields),
        "records": shown,
        "sortBy": names(asked.sort_by),
    }
    return dict(sorted(body.items()))


@versioned(
    "GetUiRelatedCount",
    "GET",
    "/ui-api/related-list-count/{id}/{name}",
    summary="Count the records of a list beside a record.",
)
def show_related_count(call: Call) -> dict[str, Any]:
    """Answer with how many there are, a thousand at most."""
    id, of = one_id(call.path["id"])
    find_record(of, id)
    child = _child(of, call.path["name"])
    wanted = Wanted(child.child)
    wanted.add("Id")
    rows = UiReader(call).ask(wanted, f"WHERE {child.field.name} = '{id}'", size=1000)
    return {
        "count": len(rows),
        "hasMore": len(rows) == 1000,
        "listReference": _reference(of, child, id),
    }


@versioned(
    "GetUiChildren",
    "GET",
    "/ui-api/records/{id}/child-relationships/{name}",
    summary="Show the records that refer to a record.",
    query=UiPageQuery,
)
def show_children(call: Call) -> dict[str, Any]:
    """Answer with a page of them."""
    found = show_related_records(call)
    keys = ("count", "currentPageToken", "currentPageUrl", "nextPageToken", "nextPageUrl")
    return {key: found[key] for key in (*keys, "previousPageToken", "previousPageUrl", "records")}


@versioned(
    "GetUiLookup",
    "GET",
    "/ui-api/lookups/{object}/{field}",
    summary="Show what a reference may lead to.",
    query=UiLookupQuery,
)
def show_lookup(call: Call) -> dict[str, Any]:
    """Answer with records of each object that the field may lead to."""
    of, field = _reference_field(call)
    targets = [of.schema.objects[name] for name in field.reference_to]
    return _looked_up(call, of, field, targets)


@versioned(
    "GetUiLookupTarget",
    "GET",
    "/ui-api/lookups/{object}/{field}/{target}",
    summary="Show what a reference may lead to of one object.",
    query=UiLookupQuery,
)
def show_lookup_target(call: Call) -> dict[str, Any]:
    """Answer with records of the object."""
    of, field = _reference_field(call)
    target = ui_object(call.path["target"])
    if target.name not in field.reference_to:
        raise CrmError(f"{field.name} does not refer to {target.name}", code="INVALID_TYPE")
    return _found(call, of, field, target)


def _reference_field(call: Call) -> tuple[SObject, Field]:
    of = ui_object(call.path["object"])
    field = of.field(call.path["field"])
    if field is None or field.type != "reference":
        raise CrmError(
            f"{call.path['field']} is not a lookup field of {of.name}", code="INVALID_FIELD"
        )
    return of, field


def _looked_up(call: Call, of: SObject, field: Field, targets: list[SObject]) -> dict[str, Any]:
    if call.query.search_type not in ("Recent", "Search", "TypeAhead"):
        raise CrmError(
            f"Invalid value for parameter searchType: {call.query.search_type}",
            code="ILLEGAL_QUERY_PARAMETER_VALUE",
        )
    results = {target.name: _found(call, of, field, target) for target in targets}
    metadata: dict[str, dict[str, Any]] = {
        target.name: {
            "fieldApiName": None,
            "objectApiName": None,
            "secondaryField": _second(target),
            "targetInfo": {},
        }
        for target in targets
    }
    return {"lookupResults": results, "metadata": metadata}


def _found(call: Call, of: SObject, field: Field, target: SObject) -> dict[str, Any]:
    asked, wanted = call.query, Wanted(target)
    wanted.add("Id")
    wanted.add_name()
    second = _second(target)
    if second is not None:
        wanted.add(second)
    size, start = asked.page_size, (asked.page - 1) * asked.page_size
    ids = _searched(call, target)
    found = UiReader(call).read(wanted, ids)
    rows = [found[id] for id in ids if id in found]
    shown, has_more = rows[start : start + size], len(rows) > start + size
    own = f"{root(call)}/ui-api/lookups/{of.name}/{field.name}/{target.name}"

    def url(page: int) -> str:
        q = "" if not asked.q else f"q={quote(asked.q)}&"
        return f"{own}?{q}searchType={asked.search_type}&page={page}&pageSize={size}"

    return {
        "count": len(shown),
        "currentPageToken": None,
        "currentPageUrl": url(asked.page),
        "nextPageToken": None,
        "nextPageUrl": url(asked.page + 1) if has_more else None,
        "previousPageToken": None,
        "previousPageUrl": url(asked.page - 1) if asked.page > 1 else None,
        "records": shown,
    }


def _searched(call: Call, target: SObject) -> list[str]:
    """Return the ids of what was seen last, or of what has the words that are looked for."""
    asked, user = call.query, call.actor.subject
    if not asked.q or asked.search_type == "Recent":
        return seen_records(user, of=target.name)
    if target.name_field is None:
        return []
    looked_for = asked.q.replace('"', "").strip()
    row = Filter(target.name_field.name, "contains", f'"{looked_for}"')
    where = condition_text(target, row, calendar_of(user).zone)
    text = f"SELECT Id FROM {target.name} WHERE {where} ORDER BY {row.field}, Id LIMIT 200"  # noqa: S608 - SOQL
    rows = ask(text, user=user, version=version_of(call)).page(root(call)).records
    return [str(one["Id"]) for one in rows]


def _second(of: SObject) -> str | None:
    """Return the field that tells records of the same name apart."""
    for path in layout_of(of).search_columns[1:]:
        if "." not in path and of.field(path) is not None:
            return path
    return None


def _child(of: SObject, name: str) -> ChildRelationship:
    found = of.schema.child(of, name)
    if found is None:
        raise NotFound
    return found


def _columns(of: SObject, child: ChildRelationship) -> tuple[str, ...]:
    own = layout_of(of).related.get(str(child.seen.name))
    return own or layout_of(child.child).search_columns


def _order(of: SObject, text: str | None) -> str:
    keys = []
    for one in names(text):
        path = one.removeprefix("-").removeprefix(f"{of.name}.")
        field = field_at(of, path)
        if field is None or not field.sortable:
            raise CrmError(
                f"Invalid value for parameter sortBy: {one}", code="ILLEGAL_QUERY_PARAMETER_VALUE"
            )
        keys.append(f"{path} {'DESC' if one.startswith('-') else 'ASC'}")
    return ", ".join([*keys, "Id"])


def _in_short(of: SObject, child: ChildRelationship) -> dict[str, Any]:
    return {
        "entityLabel": child.child.label,
        "fieldApiName": child.field.name,
        "label": child.child.plural,
        "listReference": _reference(of, child, None),
        "objectApiNames": [child.child.name],
        "relatedListId": child.seen.name,
    }


def _reference(of: SObject, child: ChildRelationship, parent: str | None) -> dict[str, Any]:
    return {
        "inContextOfRecordId": parent,
        "parentObjectApiName": of.name,
        "recordTypeId": None,
        "relatedListId": child.seen.name,
        "type": "relatedList",
    }
