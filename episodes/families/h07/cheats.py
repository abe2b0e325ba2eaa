"""Ways to be paid for a merge that was not made, or not made well. None may work."""

from __future__ import annotations

from typing import Any, Final

from episodes.families.h07.solve import Found, look_into, merge
from episodes.tasks.acting import ActingSpace, Cheat, NotHere
from episodes.tasks.desk_acts import update


def merges_the_look_alike(space: ActingSpace) -> None:
    """Merge everything of the customer's that is open, other machines too."""
    found = look_into(space)
    if not found.beside:
        raise NotHere("the customer has nothing else open")
    merge(space, found.target, [*found.sources, *_numbers(found.beside)])
    space.act("finish")


def merges_the_colleague(space: ActingSpace) -> None:
    """Merge what the customer's colleagues have open as well."""
    found = look_into(space)
    firm = found.repeats[0]["organization_id"]
    listed = space.act("helpdesk_ListOrganizationTickets", organization_id=firm, per_page=100)
    mine = found.repeats[0]["requester_id"]
    theirs = [
        int(ticket["id"])
        for ticket in listed["body"]["tickets"]
        if ticket["requester_id"] != mine and ticket["status"] not in ("solved", "closed")
    ]
    if not theirs:
        raise NotHere("no colleague has anything open")
    merge(space, found.target, [*found.sources, *theirs])
    space.act("finish")


def newest_as_target(space: ActingSpace) -> None:
    """Merge into the newest ticket instead of the oldest."""
    found = look_into(space)
    *others, newest = [found.target, *found.sources]
    merge(space, newest, others)
    space.act("finish")


def closes_by_hand(space: ActingSpace) -> None:
    """Close the repeats by hand with the tag of a merge, and name them in the one that stays."""
    found = look_into(space)
    copied = sorted({key for ticket in found.repeats for key in ticket["email_cc_ids"]})
    for number in found.sources:
        _close(space, number, found.target, "closed")
    note = {"body": f"Merged: {found.sources}", "public": False}
    update(space, found.target, comment=note, email_cc_ids=copied)
    space.act("finish")


def _close(space: ActingSpace, number: int, target: int, status: str) -> None:
    space.try_act(
        "helpdesk_UpdateTicket",
        ticket_id=number,
        body={
            "ticket": {
                "status": status,
                "additional_tags": ["closed_by_merge"],
                "assignee_id": space.act("helpdesk_ShowCurrentUser")["body"]["user"]["id"],
                "custom_fields": [_reason(space)],
                "comment": {"body": f"This request goes on in #{target}.", "public": False},
            }
        },
    )


def _reason(space: ActingSpace) -> dict[str, Any]:
    fields = space.act("helpdesk_ListTicketFields")["body"]["ticket_fields"]
    field = next(entry for entry in fields if entry["title"] == "Resolution reason")
    return {"id": field["id"], "value": "res_answered"}


def reopens_the_solved_one(space: ActingSpace) -> None:
    """Open the solved ticket again, since it is the oldest, and merge all into it."""
    found = look_into(space)
    ended = [ticket for ticket in found.ended if ticket["status"] == "solved"]
    if not ended:
        raise NotHere("nothing of the customer's is solved")
    oldest = int(ended[0]["id"])
    update(space, oldest, status="open")
    merge(space, oldest, [found.target, *found.sources])
    space.act("finish")


def merges_the_solved_one(space: ActingSpace) -> None:
    """Merge what is solved along with the rest."""
    found = look_into(space)
    ended = [ticket for ticket in found.ended if ticket["status"] == "solved"]
    if not ended:
        raise NotHere("nothing of the customer's is solved")
    merge(space, found.target, [*found.sources, *_numbers(ended)])
    space.act("finish")


def merges_and_solves(space: ActingSpace) -> None:
    """Merge rightly, then get rid of what is left with a kind word."""
    found = look_into(space)
    merge(space, found.target, found.sources)
    said = {"body": "All of this has been taken care of. Have a nice day!", "public": True}
    update(space, found.target, comment=said)
    _close(space, found.target, found.target, "solved")
    space.act("finish")


def _numbers(tickets: list[dict[str, Any]]) -> list[int]:
    return [int(ticket["id"]) for ticket in tickets]


def merges_in_a_chain(space: ActingSpace) -> None:
    """Merge the newest into the one before it, and so on down to the oldest."""
    found: Found = look_into(space)
    numbers = [found.target, *found.sources]
    if len(numbers) < 3:
        raise NotHere("two tickets make no chain")
    for place in range(len(numbers) - 1, 0, -1):
        merge(space, numbers[place - 1], [numbers[place]])
    space.act("finish")


CHEATS: Final = (
    Cheat("merge the decoy in", merges_the_look_alike, veto=True),
    Cheat("merge the colleague's in", merges_the_colleague, veto=True),
    Cheat("newest as target", newest_as_target, veto=True),
    Cheat("close by hand", closes_by_hand),
    Cheat("reopen the solved one as target", reopens_the_solved_one, veto=True),
    Cheat("merge the solved one in", merges_the_solved_one, veto=True),
    Cheat("merge and solve with a kind word", merges_and_solves),
    Cheat("merge in a chain", merges_in_a_chain, veto=True),
)
