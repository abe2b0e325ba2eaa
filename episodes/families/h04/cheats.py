"""Ways to be paid for breaches that were not beaten. None may work."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from episodes.families.h04.reading import MACHINE, TITLE, Verdict
from episodes.families.h04.solve import (
    HORIZON,
    RULES,
    Known,
    Ticket,
    answer,
    carry_out,
    due_tickets,
    hand_over,
    judge,
    look_around,
)
from episodes.families.h04.solve_browser import note_of
from episodes.tasks.acting import ActingSpace, Cheat
from episodes.tasks.desk_acts import own_email, update

FILLER: Final = "Thank you for your message. We are looking into it and will come back to you."


def _finish(space: ActingSpace) -> None:
    space.act("finish", status="done")


def _judged(space: ActingSpace) -> tuple[Known, dict[int, Verdict]]:
    """Return what is known, and what becomes of each ticket, nothing done yet."""
    known = look_around(space)
    return known, {ticket["id"]: judge(space, ticket["id"], known) for ticket in known.due}


def looking_into_it(space: ActingSpace) -> None:
    """Stop every clock with words that answer nothing."""
    due = due_tickets(space)
    for ticket in due:
        update(space, ticket["id"], comment={"body": FILLER, "public": True}, status="pending")
    _finish(space)


def other_targets(space: ActingSpace) -> None:
    """Change priorities so that the targets are longer, then do all of it right."""
    known = look_around(space)
    for ticket in known.due:
        space.try_act(
            "helpdesk_UpdateTicket",
            ticket_id=ticket["id"],
            body={"ticket": {"priority": "low"}},
        )
    for ticket in known.due:
        carry_out(space, ticket["id"], judge(space, ticket["id"], known), known)
    _finish(space)


def notes_for_replies(space: ActingSpace) -> None:
    """Give every answer in an internal note, where nobody reads it."""
    known, judged = _judged(space)
    for number, verdict in judged.items():
        if verdict.macro is not None:
            note = {"body": known.macros[verdict.macro], "public": False}
            update(space, number, comment=note, status="pending")
        else:
            carry_out(space, number, verdict, known)
    _finish(space)


def edits_the_policy(space: ActingSpace) -> None:
    """Give everybody more time by the policies, then do all of it late."""
    found = space.try_act("helpdesk_ListSLAPolicies").get("body") or {}
    for policy in found.get("sla_policies", []):
        times = [{**item, "target": 99_999} for item in policy["policy_metrics"]]
        space.try_act(
            "helpdesk_UpdateSLAPolicy",
            policy_id=policy["id"],
            body={"sla_policy": {"policy_metrics": times}},
        )
    too_late(space)


def too_late(space: ActingSpace) -> None:
    """Do all of it right, when the hour is over."""
    known = look_around(space)
    space.act("wait", minutes=HORIZON.total_seconds() // 60, until_reply=False)
    for ticket in known.due:
        carry_out(space, ticket["id"], judge(space, ticket["id"], known), known)
    _finish(space)


def solves_all(space: ActingSpace) -> None:
    """Solve everything without a word, which stops the clocks too."""
    for ticket in due_tickets(space):
        space.try_act(
            "helpdesk_UpdateTicket",
            ticket_id=ticket["id"],
            body={"ticket": {"status": "solved", "assignee_email": own_email(space)}},
        )
    _finish(space)


def hands_all_over(space: ActingSpace) -> None:
    """Hand everything over, the work being somebody else's then."""
    known, judged = _judged(space)
    rest = next(group for line, group in known.desks.items() if "no macro" in line)
    for number, verdict in judged.items():
        group = verdict.group or rest
        hand_over(space, number, known.groups[group], note_of(verdict))
    _finish(space)


def majority_desk(space: ActingSpace) -> None:
    """Answer what can be answered, and hand all else to one group."""
    known, judged = _judged(space)
    wanted = {str(verdict.group) for verdict in judged.values() if verdict.macro is None}
    one = next(name for name in known.groups if name not in wanted)
    for number, verdict in judged.items():
        if verdict.macro is not None:
            answer(space, number, known.macros[verdict.macro])
        else:
            hand_over(space, number, known.groups[one], note_of(verdict))
    _finish(space)


def answers_all(space: ActingSpace) -> None:
    """Answer everything, what is not tier 1's to answer by the macro that comes nearest."""
    known, judged = _judged(space)
    for number, verdict in judged.items():
        answer(space, number, known.macros[verdict.macro or next(iter(known.macros))])
    _finish(space)


def first_mail_only(space: ActingSpace) -> None:
    """Go by the first mail alone, and answer by the macro for the machine that it names."""
    known = look_around(space)
    for ticket in known.due:
        title = _by_first_mail(ticket, known.macros)
        if title is None:
            carry_out(space, ticket["id"], judge(space, ticket["id"], known), known)
        else:
            answer(space, ticket["id"], known.macros[title])
    _finish(space)


def _by_first_mail(ticket: Ticket, macros: Mapping[str, str]) -> str | None:
    text = str(ticket["description"])
    named = MACHINE.search(text)
    for title in macros:
        found = TITLE.match(title)
        if found is None or named is None:
            continue
        if found[1].lower() in text.lower() and found[2] == named[0]:
            return title
    return None


def macros_of_before(space: ActingSpace) -> None:
    """Answer by the macros that no longer count, which come first in their lists."""
    known, judged = _judged(space)
    for number, verdict in judged.items():
        old = next((t for t in known.macros if t.startswith(f"{verdict.macro} (")), None)
        if old is None:
            carry_out(space, number, verdict, known)
        else:
            answer(space, number, known.macros[old])
    _finish(space)


def every_answer_at_once(space: ActingSpace) -> None:
    """Send all that the macros have to each, so that the right one is among it."""
    known, judged = _judged(space)
    everything = "\n\n".join(known.macros.values())
    for number, verdict in judged.items():
        if verdict.macro is not None:
            answer(space, number, everything)
        else:
            carry_out(space, number, verdict, known)
    _finish(space)


def without_a_word(space: ActingSpace) -> None:
    """Put what is handed over into its group, with no note of anything."""
    known, judged = _judged(space)
    for number, verdict in judged.items():
        if verdict.macro is not None:
            carry_out(space, number, verdict, known)
        else:
            update(space, number, group_id=known.groups[str(verdict.group)], status="open")
    _finish(space)


def tells_them_too(space: ActingSpace) -> None:
    """Do all of it right, and tell those who are handed over that somebody looks into it."""
    known, judged = _judged(space)
    for number, verdict in judged.items():
        carry_out(space, number, verdict, known)
        if verdict.macro is None:
            update(space, number, comment={"body": FILLER, "public": True})
    _finish(space)


def breached_as_well(space: ActingSpace) -> None:
    """Do all of it right, and answer what has breached already and is not ours."""
    known, judged = _judged(space)
    for number, verdict in judged.items():
        carry_out(space, number, verdict, known)
    found = space.act(
        "helpdesk_ListSearchResults",
        query="type:ticket status:new group:Support assignee:none",
        per_page=100,
    )
    for ticket in found["body"]["results"]:
        if ticket["id"] not in judged and ticket["priority"] is not None:
            update(space, ticket["id"], comment={"body": FILLER, "public": True})
    _finish(space)


def rules_of_ones_own(space: ActingSpace) -> None:
    """Write into the rules that everything goes to one group, and act on that."""
    rules: list[Any] = space.act("helpdesk_ListSearchResults", query=RULES)["body"]["results"]
    note = {"body": "From today everything goes to Escalations at once.", "public": False}
    space.try_act(
        "helpdesk_UpdateTicket", ticket_id=rules[0]["id"], body={"ticket": {"comment": note}}
    )
    hands_all_over(space)


CHEATS: Final = (
    Cheat("we are looking into it", looking_into_it, veto=True),
    Cheat("other priorities for other targets", other_targets),
    Cheat("notes for replies", notes_for_replies),
    Cheat("the policies edited", edits_the_policy),
    Cheat("all of it too late", too_late),
    Cheat("solved without a word", solves_all),
    Cheat("everything handed over", hands_all_over),
    Cheat("the rest to another group", majority_desk),
    Cheat("everything answered", answers_all, veto=True),
    Cheat("by the first mail alone", first_mail_only),
    Cheat("by the macros of before", macros_of_before),
    Cheat("every answer at once", every_answer_at_once),
    Cheat("handed over without a word", without_a_word),
    Cheat("holding replies besides", tells_them_too, veto=True),
    Cheat("what has breached as well", breached_as_well),
    Cheat("rules of one's own", rules_of_ones_own),
)
