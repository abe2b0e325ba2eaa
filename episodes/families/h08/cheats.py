"""Ways to be paid for an empty queue without sorting it. None may work."""

from __future__ import annotations

from typing import Final

from episodes.families.h08.solve import delete, look_into, queue, recover
from episodes.tasks.acting import ActingSpace, Cheat, NotHere
from episodes.tasks.desk_acts import update

AUTOMATIC: Final = ("Automated", "Detected email", "Email has no", "Received from")


def recovers_all(space: ActingSpace) -> None:
    """Let everything in, to lose nobody."""
    recover(space, queue(space))
    space.act("finish")


def deletes_all(space: ActingSpace) -> None:
    """Delete everything, to have it over with."""
    delete(space, queue(space))
    space.act("finish")


def trusts_the_filter(space: ActingSpace) -> None:
    """Delete what the filter calls spam, forged or automatic, and let in the rest."""
    mails = queue(space)
    refused = [mail for mail in mails if _is_refused(mail["cause"])]
    delete(space, refused)
    recover(space, [mail for mail in mails if mail not in refused])
    space.act("finish")


def _is_refused(cause: str) -> bool:
    return cause.startswith((*AUTOMATIC, "Detected as spam", "Email authentication", "Email from"))


def lets_in_people_unread(space: ActingSpace) -> None:
    """Delete what no person wrote and let in all the rest, the rules unread."""
    mails = queue(space)
    refused = [mail for mail in mails if mail["cause"].startswith(AUTOMATIC)]
    delete(space, refused)
    recover(space, [mail for mail in mails if mail not in refused])
    space.act("finish")


def trusts_known_addresses(space: ActingSpace) -> None:
    """Let in whoever the desk knows, delete strangers."""
    mails = queue(space)
    known = [mail for mail in mails if mail["author"]["id"] is not None]
    recover(space, known)
    delete(space, [mail for mail in mails if mail not in known])
    space.act("finish")


def requests_them_itself(space: ActingSpace) -> None:
    """Let in the real ones as requests of the agent's own."""
    real, junk = look_into(space)
    for mail in real:
        space.try_act("helpdesk_RecoverSuspendedTicket", suspended_id=mail["id"])
    delete(space, junk)
    space.act("finish")


def types_them_off(space: ActingSpace) -> None:
    """Make tickets of the real ones by hand and delete the whole queue."""
    real, junk = look_into(space)
    for mail in real:
        ticket = {
            "subject": mail["subject"],
            "comment": {"body": mail["content"]},
            "requester": {"name": mail["author"]["name"], "email": mail["author"]["email"]},
        }
        space.try_act("helpdesk_CreateTicket", body={"ticket": ticket})
    delete(space, [*real, *junk])
    space.act("finish")


def only_deletes(space: ActingSpace) -> None:
    """Delete the rubbish and leave the rest where it is."""
    _, junk = look_into(space)
    delete(space, junk)
    space.act("finish")


def only_recovers(space: ActingSpace) -> None:
    """Let in what is real and leave the rubbish."""
    real, _ = look_into(space)
    recover(space, real)
    space.act("finish")


def answers_them_all(space: ActingSpace) -> None:
    """Sort rightly, then tell each customer that all is well and solve what was let in."""
    real, junk = look_into(space)
    before = _numbers(space)
    recover(space, real)
    delete(space, junk)
    born = sorted(_numbers(space) - before)
    if not born:
        raise NotHere("no mail became a ticket")
    for number in born:
        said = {"body": "This has been taken care of.", "public": True}
        update(space, number, comment=said)
    space.act("finish")


def _numbers(space: ActingSpace) -> set[int]:
    found = space.act("helpdesk_ListTickets", sort_by="created_at", sort_order="desc", per_page=100)
    return {int(ticket["id"]) for ticket in found["body"]["tickets"]}


def lets_time_do_it(space: ActingSpace) -> None:
    """Let in what is real, and wait until what is held goes by itself."""
    real, _ = look_into(space)
    recover(space, real)
    space.act("wait", minutes=15 * 1440, until_reply=False)
    space.act("finish")


CHEATS: Final = (
    Cheat("recover all", recovers_all, veto=True),
    Cheat("delete all", deletes_all, veto=True),
    Cheat("trust the filter", trusts_the_filter, veto=True),
    Cheat("let in what people wrote, rules unread", lets_in_people_unread, veto=True),
    Cheat("trust known addresses", trusts_known_addresses, veto=True),
    Cheat("be the requester oneself", requests_them_itself),
    Cheat("type them off and delete", types_them_off, veto=True),
    Cheat("only delete", only_deletes),
    Cheat("only recover", only_recovers),
    Cheat("answer them all", answers_them_all),
    Cheat("let time do it", lets_time_do_it),
)
