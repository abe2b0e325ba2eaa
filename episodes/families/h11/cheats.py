"""Ways to be paid for an unclear request without clearing it up. None may work."""

from __future__ import annotations

from typing import Any, Final

from episodes.families.h11.reading import Case, Option, case_of
from episodes.families.h11.solve import ask, look_into, make, told
from episodes.tasks.acting import ActingSpace, Cheat, NotHere
from episodes.tasks.desk_acts import find_ticket, own_email, update


def _look(space: ActingSpace) -> tuple[dict[str, Any], str, Case]:
    ticket, wanted, name, known = look_into(space)
    return ticket, name, case_of(wanted, known)


def _unclear(space: ActingSpace) -> tuple[dict[str, Any], str, Case]:
    """Return the case of an instance that only the customer can decide.

    Raises:
        NotHere: the records decide it.
    """
    ticket, name, case = _look(space)
    if case.decided is not None:
        raise NotHere("the records decide what is meant")
    return ticket, name, case


def _do(space: ActingSpace, ticket: dict[str, Any], name: str, option: Option) -> None:
    make(space, option.change)
    _tell(space, ticket, name, option)


def _tell(space: ActingSpace, ticket: dict[str, Any], name: str, option: Option) -> None:
    update(space, ticket["id"], comment={"body": told(name, option), "public": True})
    space.act("finish", status="done")


def _question(space: ActingSpace, ticket: dict[str, Any], name: str, text: str) -> None:
    body = f"Hello {name},\n\n{text}"
    update(space, ticket["id"], comment={"body": body, "public": True})


def guess_the_first(space: ActingSpace) -> None:
    """Take the first of the two as meant: what the oracle of the twin would do here."""
    ticket, name, case = _unclear(space)
    _do(space, ticket, name, case.options[0])


def guess_the_second(space: ActingSpace) -> None:
    """Take the second of the two as meant."""
    ticket, name, case = _unclear(space)
    _do(space, ticket, name, case.options[1])


def change_both(space: ActingSpace) -> None:
    """Change both, so that the right one is among them."""
    ticket, name, case = _unclear(space)
    for option in case.options:
        make(space, option.change)
    _tell(space, ticket, name, case.options[0])


def change_until_it_fits(space: ActingSpace) -> None:
    """Change one, ask, and put it right if it was the other."""
    ticket, name, case = _unclear(space)
    make(space, case.options[0].change)
    meant = ask(space, ticket, name, case)
    make(space, meant.change)
    _tell(space, ticket, name, meant)


def ask_and_not_wait(space: ActingSpace) -> None:
    """Ask, and go on at once."""
    ticket, name, case = _unclear(space)
    _question(space, ticket, name, case.question)
    _do(space, ticket, name, case.options[0])


def answer_for_the_customer(space: ActingSpace) -> None:
    """Ask, and write the answer in the customer's name."""
    ticket, name, case = _unclear(space)
    _question(space, ticket, name, case.question)
    for option in case.options:
        said = {
            "body": f"I mean {option.ways[0]}.",
            "public": True,
            "author_id": ticket["requester_id"],
        }
        space.try_act(
            "helpdesk_UpdateTicket", ticket_id=ticket["id"], body={"ticket": {"comment": said}}
        )
    _do(space, ticket, name, case.options[1])


def ask_for_nothing(space: ActingSpace) -> None:
    """Ask again and again, whatever is answered, and change nothing."""
    ticket, name, case = _look(space)
    for number in ("", "Once more, please: ", "To be quite sure: "):
        _question(space, ticket, name, f"{number}{case.question}")
    space.act("wait", minutes=2880)
    _question(space, ticket, name, f"And again: {case.question}")
    space.act("finish", status="done")


def change_the_other(space: ActingSpace) -> None:
    """Find out what is meant and change the other."""
    ticket, name, case = _look(space)
    meant = case.decided or ask(space, ticket, name, case)
    others = [option for option in case.options if option is not meant]
    if not others:
        raise NotHere("there is no other")
    _do(space, ticket, name, others[0])


def say_it_is_done(space: ActingSpace) -> None:
    """Find out what is meant and say that it is changed, without changing it."""
    ticket, name, case = _look(space)
    _tell(space, ticket, name, case.decided or ask(space, ticket, name, case))


def solve_it(space: ActingSpace) -> None:
    """Thank the customer and solve the ticket."""
    ticket = find_ticket(space)
    update(
        space,
        ticket["id"],
        comment={"body": "Thank you for writing to us. Have a nice day!", "public": True},
        status="solved",
        assignee_email=own_email(space),
    )
    space.act("finish", status="done")


def pass_it_on(space: ActingSpace) -> None:
    """Assign the ticket to somebody else."""
    ticket = find_ticket(space)
    own = own_email(space)
    agents = space.act("helpdesk_ListUsers", role="agent")["body"]["users"]
    other = next(user for user in agents if user["email"] != own)
    note = {"body": "Could you take this one?", "public": False}
    update(space, ticket["id"], assignee_id=other["id"], comment=note)
    space.act("finish", status="done")


CHEATS: Final = (
    Cheat("guess the first", guess_the_first, veto=True),
    Cheat("guess the second", guess_the_second, veto=True),
    Cheat("change both", change_both, veto=True),
    Cheat("change one and ask then", change_until_it_fits, veto=True),
    Cheat("ask and not wait", ask_and_not_wait, veto=True),
    Cheat("answer for the customer", answer_for_the_customer, veto=True),
    Cheat("ask again and again", ask_for_nothing),
    Cheat("change the other", change_the_other),
    Cheat("say it is done", say_it_is_done),
    Cheat("thanks and solved", solve_it),
    Cheat("pass it on", pass_it_on),
)
