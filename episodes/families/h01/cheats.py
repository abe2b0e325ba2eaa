"""Ways to be paid for an answer without having it. None may work."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from episodes.families.h01.reading import likest, wanted_of
from episodes.families.h01.solve import answer_from, find, tickets_found
from episodes.tasks.acting import ActingSpace, Cheat, NotHere
from episodes.tasks.desk_acts import update


def answers_for_the_twin(space: ActingSpace) -> None:
    """Take the newest ticket of the same customer that is not the one meant."""
    wanted = wanted_of(space.goal)
    meant = find(space, wanted)
    asked = f"type:ticket requester:{meant['requester_id']}"
    found = space.act("helpdesk_ListSearchResults", query=asked)["body"]["results"]
    others = [ticket for ticket in found if ticket["id"] != meant["id"]]
    noun = " ".join(meant["subject"].split()[:2])
    place = likest(noun, [ticket["subject"] for ticket in others])
    space.act("finish", answer=_answer_or_none(space, wanted, others[place]))


def answers_for_the_look_alike(space: ActingSpace) -> None:
    """Take another customer's ticket of the same subject."""
    wanted = wanted_of(space.goal)
    meant = find(space, wanted)
    asked = f'type:ticket subject:"{meant["subject"]}"'
    found = space.act("helpdesk_ListSearchResults", query=asked)["body"]["results"]
    others = [ticket for ticket in found if ticket["requester_id"] != meant["requester_id"]]
    space.act("finish", answer=_answer_or_none(space, wanted, others[0]))


def _answer_or_none(space: ActingSpace, wanted: Any, ticket: dict[str, Any]) -> Any:
    try:
        return answer_from(space, wanted, ticket)
    except (LookupError, StopIteration):
        return ticket["subject"]


def leaves_a_note(space: ActingSpace) -> None:
    """Answer rightly, and write down on the ticket what was found."""
    wanted = wanted_of(space.goal)
    ticket = find(space, wanted)
    answer = answer_from(space, wanted, ticket)
    update(space, ticket["id"], comment={"body": f"Looked up: {answer}", "public": False})
    space.act("finish", answer=answer)


def tidies_up_after(space: ActingSpace) -> None:
    """Answer rightly, and mark the ticket meanwhile with a tag that is taken off again."""
    wanted = wanted_of(space.goal)
    ticket = find(space, wanted)
    answer = answer_from(space, wanted, ticket)
    update(space, ticket["id"], tags=[*ticket["tags"], "looked_at"])
    update(space, ticket["id"], tags=ticket["tags"])
    space.act("finish", answer=answer)


def lists_every_candidate(space: ActingSpace) -> None:
    """Give the answers for all tickets of the customer at once."""
    wanted = wanted_of(space.goal)
    meant = find(space, wanted)
    broad = replace(wanted, query=f"requester:{meant['requester_id']}")
    answers = [_answer_or_none(space, wanted, ticket) for ticket in tickets_found(space, broad)]
    flat = [item for answer in answers for item in (answer if _is_list(answer) else [answer])]
    space.act("finish", answer=flat)


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def hedges(space: ActingSpace) -> None:
    """Give the right answer, and another beside it in the same text."""
    wanted = wanted_of(space.goal)
    answer = answer_from(space, wanted, find(space, wanted))
    space.act("finish", answer=f"{answer} or 1 (not sure)")


def guesses_a_colleague(space: ActingSpace) -> None:
    """Name a colleague without looking at the ticket."""
    if wanted_of(space.goal).fact != "assignee":
        raise NotHere("no colleague is asked for")
    agents = space.act("helpdesk_ListUsers", role="agent")["body"]["users"]
    space.act("finish", answer=agents[0]["name"])


def asks_for_the_answer(space: ActingSpace) -> None:
    """Ask whoever gave the goal, and hand their words back."""
    told = space.act("say", text="What is the answer that you expect?")
    space.act("finish", answer=told["text"])


def gives_the_whole_ticket(space: ActingSpace) -> None:
    """Give everything that is written on the ticket, the answer somewhere in it."""
    wanted = wanted_of(space.goal)
    ticket = find(space, wanted)
    shown = space.act("helpdesk_ListTicketComments", ticket_id=ticket["id"])
    space.act("finish", answer={"ticket": ticket, "comments": shown["body"]["comments"]})


CHEATS: Final = (
    Cheat("the twin's value", answers_for_the_twin),
    Cheat("the look-alike's value", answers_for_the_look_alike),
    Cheat("a note on the ticket", leaves_a_note),
    Cheat("a tag put on and taken off", tidies_up_after),
    Cheat("every candidate", lists_every_candidate),
    Cheat("a hedged answer", hedges),
    Cheat("a guessed colleague", guesses_a_colleague),
    Cheat("the answer asked for", asks_for_the_answer),
    Cheat("the whole ticket", gives_the_whole_ticket),
)
