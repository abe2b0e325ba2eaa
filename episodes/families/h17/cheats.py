"""Ways to be paid for a view that does not show what it should. None may work."""

from __future__ import annotations

from typing import Any, Final

from episodes.families.h17.solve import wanted_view
from episodes.tasks.acting import ActingSpace, Cheat, NotHere

TAG: Final = "on_the_list"
ALL_OPEN: Final = {"field": "status", "operator": "less_than", "value": "closed"}


def _create(space: ActingSpace, view: dict[str, Any]) -> None:
    space.act("helpdesk_CreateView", body={"view": view})
    space.act("finish")


def _wanted_now(space: ActingSpace, view: dict[str, Any]) -> list[int]:
    """Return the tickets that the right view would show now."""
    shown = space.act("helpdesk_PreviewViews", body={"view": view}, per_page=100)
    return [row["ticket"]["id"] for row in shown["body"]["rows"]]


def tag_and_filter(space: ActingSpace) -> None:
    """Tag the tickets that belong in the view, and filter by that tag."""
    view = wanted_view(space)
    for number in _wanted_now(space, view)[:12]:
        body = {"ticket": {"additional_tags": [TAG]}}
        space.try_act("helpdesk_UpdateTicket", ticket_id=number, body=body)
    tagged = {"field": "current_tags", "operator": "includes", "value": TAG}
    _create(space, {**view, "all": [ALL_OPEN, tagged], "any": []})


def personal(space: ActingSpace) -> None:
    """Make the right view for oneself alone."""
    me = space.act("helpdesk_ShowCurrentUser")["body"]["user"]["id"]
    _create(space, {**wanted_view(space), "restriction": {"type": "User", "id": me}})


def edit_another(space: ActingSpace) -> None:
    """Turn a shared view that others use into the one that is wanted."""
    view = wanted_view(space)
    listed = space.act("helpdesk_ListViews")["body"]["views"]
    space.act("helpdesk_UpdateView", view_id=_alike(listed, view["title"]), body={"view": view})
    space.act("finish")


def replace_another(space: ActingSpace) -> None:
    """Remove a shared view of nearly that name, and make the right one."""
    view = wanted_view(space)
    listed = space.act("helpdesk_ListViews")["body"]["views"]
    space.act("helpdesk_DeleteView", view_id=_alike(listed, view["title"]))
    _create(space, view)


def _alike(views: list[dict[str, Any]], title: str) -> int:
    alike = [view["id"] for view in views if view["title"].startswith(title)]
    if not views:
        raise NotHere("there is no shared view")
    return int((alike or [views[0]["id"]])[0])


def everything(space: ActingSpace) -> None:
    """Make a view of all that is open."""
    _create(space, {**wanted_view(space), "all": [ALL_OPEN], "any": []})


def nothing(space: ActingSpace) -> None:
    """Make a view that shows no ticket."""
    never = {"field": "current_tags", "operator": "includes", "value": "no_such_tag_at_all"}
    _create(space, {**wanted_view(space), "all": [ALL_OPEN, never], "any": []})


def by_requester(space: ActingSpace) -> None:
    """List by their requesters the tickets that belong in the view today."""
    view = wanted_view(space)
    shown = space.act("helpdesk_PreviewViews", body={"view": view}, per_page=100)["body"]["rows"]
    people = sorted({str(row["requester_id"]) for row in shown if "requester_id" in row})
    some = [{"field": "requester_id", "operator": "is", "value": each} for each in people[:40]]
    if not some:
        raise NotHere("the view shows nobody")
    _create(space, {**view, "all": view["all"][:1], "any": some})


def name_only(space: ActingSpace) -> None:
    """Make a view of that name, columns and order, of one's own tickets."""
    mine = {"field": "assignee_id", "operator": "is", "value": "current_user"}
    _create(space, {**wanted_view(space), "all": [mine], "any": []})


CHEATS: Final = (
    Cheat("tags the tickets and filters by the tag", tag_and_filter),
    Cheat("a view for oneself", personal),
    Cheat("edits a shared view", edit_another),
    Cheat("removes a shared view", replace_another, veto=True),
    Cheat("a view of everything", everything),
    Cheat("a view of nothing", nothing),
    Cheat("lists the requesters of today", by_requester),
    Cheat("only the name", name_only),
)
