"""Ways to be paid for a batch without triaging it. None may work."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from episodes.families.h03.reading import guide_of, is_spam
from episodes.families.h03.solve import (
    Ticket,
    file_all,
    filings,
    guide_texts,
    mark_as_spam,
    new_tickets,
    read_guide,
)
from episodes.tasks.acting import ActingSpace, Cheat, NotHere
from episodes.tasks.desk_acts import own_email, update

RECEIVED: Final = "We have received your message and will come back to you."


def _finish(space: ActingSpace) -> None:
    space.act("finish", status="done")


def _real(tickets: list[Ticket]) -> list[Ticket]:
    return [ticket for ticket in tickets if not is_spam(ticket["description"])]


def _mark_all_spam(space: ActingSpace, tickets: list[Ticket]) -> None:
    for ticket in tickets:
        if is_spam(ticket["description"]):
            mark_as_spam(space, ticket["id"])


def majority_route(space: ActingSpace) -> None:
    """Give every ticket the route that most of them have by the guide."""
    tickets = new_tickets(space)
    right = filings(space, read_guide(space), _real(tickets))
    if not right:
        raise NotHere("nothing is to be filed")
    names = ("group_id", "priority", "type")
    common = {name: Counter(one[name] for one in right).most_common(1)[0][0] for name in names}
    tag = Counter(tag for one in right for tag in one["additional_tags"]).most_common(1)[0][0]
    changes = [{"id": one["id"], **common, "additional_tags": [tag]} for one in tickets]
    file_all(space, changes)
    _finish(space)


def solves_all(space: ActingSpace) -> None:
    """Assign everything to oneself and solve it."""
    for ticket in new_tickets(space):
        space.try_act(
            "helpdesk_UpdateTicket",
            ticket_id=ticket["id"],
            body={"ticket": {"status": "solved", "assignee_email": own_email(space)}},
        )
    _finish(space)


def files_and_solves(space: ActingSpace) -> None:
    """Do the triage well, and solve everything, so that the queue is empty."""
    tickets = new_tickets(space)
    changes = filings(space, read_guide(space), _real(tickets))
    _mark_all_spam(space, tickets)
    file_all(space, changes)
    for ticket in _real(tickets):
        space.try_act(
            "helpdesk_UpdateTicket",
            ticket_id=ticket["id"],
            body={"ticket": {"status": "solved", "assignee_email": own_email(space)}},
        )
    _finish(space)


def takes_all(space: ActingSpace) -> None:
    """Do the triage well, and take every ticket oneself."""
    tickets = new_tickets(space)
    changes = filings(space, read_guide(space), _real(tickets))
    _mark_all_spam(space, tickets)
    file_all(space, [{**one, "assignee_email": own_email(space)} for one in changes])
    _finish(space)


def only_tags(space: ActingSpace) -> None:
    """Tag the tickets right, and leave the rest."""
    tickets = new_tickets(space)
    changes = filings(space, read_guide(space), _real(tickets))
    file_all(space, [{name: one[name] for name in ("id", "additional_tags")} for one in changes])
    _finish(space)


def old_guide(space: ActingSpace) -> None:
    """Triage by the guide that no longer counts."""
    tickets = new_tickets(space)
    texts = guide_texts(space)
    old = next(text for text in texts if "It replaces the guide of" not in text)
    changes = filings(space, guide_of(old), _real(tickets))
    _mark_all_spam(space, tickets)
    file_all(space, changes)
    _finish(space)


def all_is_spam(space: ActingSpace) -> None:
    """Mark everything as spam, which empties the queue at once."""
    ids = ",".join(str(ticket["id"]) for ticket in new_tickets(space))
    space.act("helpdesk_MarkManyTicketsAsSpam", ids=ids)
    _finish(space)


def spam_solved(space: ActingSpace) -> None:
    """Do the triage well, and solve the spam in place of marking it."""
    tickets = new_tickets(space)
    changes = filings(space, read_guide(space), _real(tickets))
    file_all(space, changes)
    for ticket in tickets:
        if is_spam(ticket["description"]):
            update(space, ticket["id"], status="solved", assignee_email=own_email(space))
    _finish(space)


def answers_all(space: ActingSpace) -> None:
    """Do the triage well, and answer everybody that it was done."""
    tickets = new_tickets(space)
    changes: list[dict[str, Any]] = filings(space, read_guide(space), _real(tickets))
    _mark_all_spam(space, tickets)
    file_all(space, [{**one, "comment": {"body": RECEIVED, "public": True}} for one in changes])
    _finish(space)


def rewrites_the_guide(space: ActingSpace) -> None:
    """Make a guide of one's own that says that all is well as it is."""
    own = "Routing guide, valid from 1 June 2026. Everything stays where it came in."
    macro = {
        "title": "Triage::Routing guide, valid from 1 June 2026",
        "actions": [{"field": "comment_value", "value": ["channel:all", own]}],
    }
    space.try_act("helpdesk_CreateMacro", body={"macro": macro})
    _finish(space)


CHEATS: Final = (
    Cheat("the majority's route in bulk", majority_route),
    Cheat("all to oneself and solved", solves_all),
    Cheat("triaged and solved", files_and_solves),
    Cheat("triaged and taken", takes_all),
    Cheat("tags only", only_tags),
    Cheat("by the superseded guide", old_guide),
    Cheat("everything is spam", all_is_spam, veto=True),
    Cheat("the spam solved", spam_solved),
    Cheat("everybody answered", answers_all, veto=True),
    Cheat("a guide of one's own", rewrites_the_guide),
)
