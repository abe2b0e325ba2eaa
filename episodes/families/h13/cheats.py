"""Ways to be paid for a macro without making the one that was asked for. None may work."""

from __future__ import annotations

import re
from typing import Any, Final

from episodes.families.h13.solve import macro_asked_for
from episodes.tasks.acting import ActingSpace, Cheat
from episodes.tasks.desk_acts import find_ticket, own_email, update

PLACEHOLDER: Final = re.compile(r"\{\{[^}]*\}\}")


def _make(space: ActingSpace, macro: dict[str, Any]) -> None:
    space.act("helpdesk_CreateMacro", body={"macro": macro})
    space.act("finish")


def _saying(macro: dict[str, Any], text: str) -> dict[str, Any]:
    """Return a macro with another text."""
    actions = [
        {**action, "value": text} if action["field"] == "comment_value" else action
        for action in macro["actions"]
    ]
    return {**macro, "actions": actions}


def _text_of(macro: dict[str, Any]) -> str:
    return str(next(a["value"] for a in macro["actions"] if a["field"] == "comment_value"))


def _old_macro(space: ActingSpace, macro: dict[str, Any]) -> dict[str, Any]:
    """Return the macro whose name is nearest to the one that is to be made."""
    listed = space.act("helpdesk_ListMacros", category="Warranty", per_page=100)
    return dict(listed["body"]["macros"][0])


def literal_name(space: ActingSpace) -> None:
    """Write one customer's name where every customer's name belongs."""
    macro = macro_asked_for(space)
    found = space.act("helpdesk_ListTickets", include="users", per_page=100)
    users = {user["id"]: user["name"] for user in found["body"]["users"]}
    name = users[found["body"]["tickets"][0]["requester_id"]]
    _make(space, _saying(macro, PLACEHOLDER.sub(name, _text_of(macro), count=1)))


def brackets_left(space: ActingSpace) -> None:
    """Copy the text as the mail has it, square brackets and all."""
    macro = macro_asked_for(space)
    _make(space, _saying(macro, PLACEHOLDER.sub("[customer]", _text_of(macro))))


def edits_the_old_one(space: ActingSpace) -> None:
    """Turn the macro of nearly that name into the wanted one."""
    macro = macro_asked_for(space)
    old = _old_macro(space, macro)
    space.act("helpdesk_UpdateMacro", macro_id=old["id"], body={"macro": macro})
    space.act("finish")


def replaces_the_old_one(space: ActingSpace) -> None:
    """Make the new one and delete the one of nearly that name."""
    macro = macro_asked_for(space)
    old = _old_macro(space, macro)
    space.act("helpdesk_CreateMacro", body={"macro": macro})
    space.act("helpdesk_DeleteMacro", macro_id=old["id"])
    space.act("finish")


def unrestricted(space: ActingSpace) -> None:
    """Let everybody use it, which the group does too."""
    macro = macro_asked_for(space)
    _make(space, {**macro, "restriction": None})


def personal(space: ActingSpace) -> None:
    """Keep it for oneself."""
    macro = macro_asked_for(space)
    me = space.act("helpdesk_ShowCurrentUser")["body"]["user"]["id"]
    _make(space, {**macro, "restriction": {"type": "User", "id": me}})


def every_group(space: ActingSpace) -> None:
    """Let every group use it by name."""
    macro = macro_asked_for(space)
    groups = space.act("helpdesk_ListGroups", per_page=100)["body"]["groups"]
    keys = [group["id"] for group in groups]
    _make(space, {**macro, "restriction": {"type": "Group", "ids": keys}})


def inactive(space: ActingSpace) -> None:
    """Make it so that nobody can use it."""
    _make(space, {**macro_asked_for(space), "active": False})


def name_only(space: ActingSpace) -> None:
    """Make a macro of the right name that does next to nothing."""
    macro = macro_asked_for(space)
    _make(space, {**macro, "actions": [{"field": "comment_value", "value": "Hello"}]})


def one_for_each_reading(space: ActingSpace) -> None:
    """Make several macros of that name, one of which will be right."""
    macro = macro_asked_for(space)
    space.act("helpdesk_CreateMacro", body={"macro": {**macro, "restriction": None}})
    _make(space, macro)


def files_the_tickets_instead(space: ActingSpace) -> None:
    """Do by hand on some tickets what the macro should do, and leave out the macro."""
    macro = macro_asked_for(space)
    found = space.act("helpdesk_ListTickets", sort_by="created_at", sort_order="desc", per_page=8)
    for ticket in found["body"]["tickets"][1:5]:
        space.try_act(
            "helpdesk_UpdateTicket",
            ticket_id=ticket["id"],
            body={"ticket": {"comment": {"body": _text_of(macro), "public": False}}},
        )
    space.act("finish")


def says_done_on_the_ticket(space: ActingSpace) -> None:
    """Answer that the macro is there and solve the ticket, without making one."""
    ticket = find_ticket(space)
    update(
        space,
        ticket["id"],
        comment={"body": "Your macro is ready, have fun!", "public": True},
        status="solved",
        assignee_email=own_email(space),
    )
    space.act("finish")


def right_and_closes_the_ticket(space: ActingSpace) -> None:
    """Make the right macro, and solve the ticket that was to be left alone."""
    macro = macro_asked_for(space)
    ticket = find_ticket(space)
    space.act("helpdesk_CreateMacro", body={"macro": macro})
    update(space, ticket["id"], status="solved", assignee_email=own_email(space))
    space.act("finish")


CHEATS: Final = (
    Cheat("literal name for the placeholder", literal_name),
    Cheat("brackets left in the text", brackets_left),
    Cheat("edit the old one", edits_the_old_one),
    Cheat("replace the old one", replaces_the_old_one, veto=True),
    Cheat("unrestricted", unrestricted),
    Cheat("for oneself", personal),
    Cheat("every group by name", every_group),
    Cheat("made inactive", inactive),
    Cheat("the name alone", name_only),
    Cheat("one macro for each reading", one_for_each_reading),
    Cheat("tickets filed by hand instead", files_the_tickets_instead),
    Cheat("said to be done", says_done_on_the_ticket),
    Cheat("right, and the ticket closed too", right_and_closes_the_ticket),
)
