"""Macros: list, show, try, keep."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from pydantic import Field

from clones.core import resources
from clones.core.digits import is_digits
from clones.core.operations import Call
from clones.helpdesk import queries
from clones.helpdesk.api.operations import (
    OPERATIONS,
    Body,
    Query,
    SideloadQuery,
    SortedQuery,
    includes,
    listed,
    show,
)
from clones.helpdesk.api.paging import Order
from clones.helpdesk.api.presenters.rules import present_macro, present_replica
from clones.helpdesk.api.presenters.tickets import present_ticket
from clones.helpdesk.api.resources import register_resource
from clones.helpdesk.api.rule_lists import rule_page
from clones.helpdesk.api.rule_sideloads import put_rule_sideloads
from clones.helpdesk.domain import macros
from clones.helpdesk.domain.errors import MissingParameter
from clones.helpdesk.models import Macro, Ticket
from clones.helpdesk.rules.text import html_of_plain

BY_TITLE = Order(("title", "id"))


class MacroList(SortedQuery, SideloadQuery):
    """Filters, order and paging of a list of macros."""

    active: bool | None = None
    access: str | None = None
    category: str | None = None
    group_id: int | None = Field(None, description="Macros that are for this group.")
    query: str | None = None


class ActionWrite(Body):
    """An action of a rule or macro: the field and the value that it gets."""

    field: str
    value: Any = None


class MacroWrite(Body):
    """The attributes of a macro that can be set."""

    title: str | None = None
    description: str | None = None
    active: bool | None = None
    position: int | None = None
    actions: list[ActionWrite] | None = None
    restriction: dict[str, Any] | None = None
    id: int | None = None


class MacroBody(Body):
    """A macro to create or update."""

    macro: MacroWrite


def _page(call: Call, rows: QuerySet[Macro], *, cursor: bool = True) -> dict[str, Any]:
    if call.query.group_id is not None:
        rows = macros.macros_of_group(rows, call.query.group_id)
    page = rule_page(call, rows, BY_TITLE, kind="macro", cursor=cursor)
    bodies = [present_macro(macro, show(call)) for macro in page.rows]
    put_rule_sideloads(bodies, page.rows, includes(call), call.actor, "macro")
    beside = {"categories": _categories(call)} if "categories" in includes(call) else {}
    return listed("macros", bodies, page, **beside)


@OPERATIONS.operation(
    "ListMacros", "GET", "/macros", summary="List the macros you may use.", query=MacroList
)
def list_macros(call: Call) -> dict[str, Any]:
    """List macros, inactive ones too unless `active` says otherwise."""
    rows = macros.usable_macros(call.actor)
    if call.query.active is not None:
        rows = rows.filter(active=call.query.active)
    if call.query.access == "personal":
        rows = rows.filter(restriction__type="User")
    elif call.query.access == "shared":
        rows = rows.exclude(restriction__type="User")
    if call.query.category is not None:
        rows = rows.filter(title__startswith=f"{call.query.category}::")
    return _page(call, rows)


@OPERATIONS.operation(
    "ListActiveMacros", "GET", "/macros/active", summary="List the active macros.", query=MacroList
)
def list_active_macros(call: Call) -> dict[str, Any]:
    """List active macros."""
    return _page(call, macros.usable_macros(call.actor).filter(active=True))


@OPERATIONS.operation(
    "SearchMacro", "GET", "/macros/search", summary="Find macros by title.", query=MacroList
)
def search_macros(call: Call) -> dict[str, Any]:
    """Find macros whose title holds a text."""
    rows = macros.usable_macros(call.actor).filter(title__icontains=call.query.query or "")
    return _page(call, rows, cursor=False)


@OPERATIONS.operation(
    "ListMacroCategories",
    "GET",
    "/macros/categories",
    summary="List the first parts of macro titles.",
)
def list_categories(call: Call) -> dict[str, Any]:
    """List what stands before `::` in titles."""
    return {"categories": _categories(call)}


def _categories(call: Call) -> list[str]:
    titles = macros.usable_macros(call.actor).filter(active=True).values_list("title", flat=True)
    return sorted({title.split("::")[0] for title in titles if "::" in title})


class ReplicaQuery(Query):
    """The macro or the ticket to derive a new macro from; a macro comes before a ticket."""

    macro_id: int | None = Field(None, ge=0, lt=2**63)
    ticket_id: int | None = Field(None, ge=0, lt=2**63)


@OPERATIONS.operation(
    "ShowDerivedMacro",
    "GET",
    "/macros/new",
    summary="Show a macro made from another or from a ticket. Keeps nothing.",
    query=ReplicaQuery,
)
def show_replica(call: Call) -> dict[str, Any]:
    """Show a macro as it could be created from another or from a ticket."""
    wanted = call.query
    if wanted.macro_id is not None:
        source = queries.one(macros.usable_macros(call.actor), "macro", wanted.macro_id)
        show(call, "detail").note(source)
        return {"macro": present_replica(macros.replica_of_macro(source))}
    if wanted.ticket_id is None:
        raise MissingParameter("macro_id")
    ticket = queries.ticket(call.actor, wanted.ticket_id)
    show(call, "detail").note(ticket)
    return {"macro": present_replica(macros.replica_of_ticket(ticket))}


def _macro(call: Call) -> Macro:
    return queries.one(macros.usable_macros(call.actor), "macro", call.path["macro_id"])


MACROS: Final = resources.ResourceApi(
    resource=macros.MACRO,
    path="/macros",
    one="/{macro_id:int}",
    find_for=_macro,
    present=present_macro,
    body=MacroBody,
    writes="agent",
)
register_resource(MACROS, resources.shows("ShowMacro", "Show one macro."), module=__name__)


@OPERATIONS.operation(
    "ShowChangesToTicket",
    "GET",
    "/macros/{macro_id:int}/apply",
    summary="Show what a macro would change. Changes nothing.",
)
def apply_to_none(call: Call) -> dict[str, Any]:
    """Show what a macro would change on any ticket."""
    preview = macros.preview_macro(_macro(call), actor=call.actor)
    return {"result": {"ticket": _changed(preview)}}


@OPERATIONS.operation(
    "ShowTicketAfterChanges",
    "GET",
    "/tickets/{ticket_id:int}/macros/{macro_id:int}/apply",
    summary="Show a ticket as a macro would leave it. Changes nothing.",
)
def apply_to_ticket(call: Call) -> dict[str, Any]:
    """Show a ticket as it would be after a macro."""
    ticket = queries.ticket(call.actor, call.path["ticket_id"])
    preview = macros.preview_macro(_macro(call), actor=call.actor, ticket=ticket)
    body = present_ticket(ticket, show(call, "detail"))
    changed = _changed(preview)
    custom = changed.pop("fields", None)
    body.update(changed)
    if custom is not None:
        _fill(body, ticket, custom)
    return {"result": {"ticket": body}}


def _fill(body: dict[str, Any], ticket: Ticket, custom: Any) -> None:
    entries = custom if isinstance(custom, list) else [custom]
    values = {entry["id"]: entry["value"] for entry in entries}
    fields = [
        {**item, "value": values.get(item["id"], item["value"])} for item in body["custom_fields"]
    ]
    body["custom_fields"] = body["fields"] = fields


def _changed(preview: macros.Preview) -> dict[str, Any]:
    """Return only what changes, under the names of a ticket's JSON."""
    found: dict[str, Any] = {}
    for name, value in preview.changes.items():
        if name == "custom_fields":
            entries = [{"id": int(key), "value": item} for key, item in value.items()]
            found["fields"] = entries[0] if len(entries) == 1 else entries
        elif name == "email_ccs":
            found["collaborator_ids"] = [entry["user_id"] for entry in value]
        elif name.endswith("_id") and isinstance(value, str) and is_digits(value):
            found[name] = int(value)
        else:
            found[name] = value
    if preview.body is not None or preview.html_body is not None:
        text = preview.body or ""
        found["comment"] = {
            "body": text,
            "html_body": preview.html_body or html_of_plain(text),
            "scoped_body": [["channel:all", text]],
            "public": preview.public if preview.public is not None else True,
        }
    elif preview.public is not None:
        found["comment"] = {"public": preview.public}
    return found


register_resource(
    MACROS,
    resources.creates("CreateMacro", "Create a macro."),
    resources.updates("UpdateMacro", "Change a macro."),
    resources.deletes("DeleteMacro", "Delete a macro."),
    module=__name__,
)
