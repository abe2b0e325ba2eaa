"""Ways to be paid for a fault that engineering has not got. None may work."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from episodes.families.x02.reading import Plan
from episodes.families.x02.solve import (
    answer,
    fields_of,
    link_to_ticket,
    look_into,
    note_key,
    project_key,
    report,
)
from episodes.tasks.acting import ActingSpace, Cheat, NotHere
from episodes.tasks.desk_acts import own_email, update
from episodes.tasks.tracker_acts import create, edit, move, quoted, say, search


def solves_with_an_apology(space: ActingSpace) -> None:
    """Say sorry, solve, and raise nothing."""
    ticket, _ = look_into(space)
    text = "Hello,\n\nwe are sorry. Our developers know of it."
    update(space, ticket["id"], comment={"body": text, "public": True})
    update(space, ticket["id"], status="solved", assignee_email=own_email(space))
    space.act("finish", status="done")


def solves_what_was_raised(space: ActingSpace) -> None:
    """Do all of it rightly, and solve the ticket instead of holding it."""
    ticket, found = look_into(space)
    _raise_and_link(space, ticket, found)
    answer(space, ticket["id"], found)
    update(space, ticket["id"], status="solved", assignee_email=own_email(space))
    space.act("finish", status="done")


def _raise_and_link(space: ActingSpace, ticket: dict[str, Any], found: Plan) -> str:
    key = report(space, found)
    link_to_ticket(space, key, ticket["id"])
    note_key(space, ticket["id"], key)
    return key


def raises_it_anew(space: ActingSpace) -> None:
    """Raise a new bug, whatever is on record."""
    ticket, found = look_into(space)
    if found.joined is None:
        raise NotHere("there is nothing to join")
    project = project_key(space, found.note)
    own = replace(found, joined=None)
    key = create(space, project, "Bug", own.summary, **fields_of(own))
    link_to_ticket(space, key, ticket["id"])
    note_key(space, ticket["id"], key)
    answer(space, ticket["id"], found)
    space.act("finish", status="done")


def joins_and_raises(space: ActingSpace) -> None:
    """Do what is right, and raise one more to be on the safe side."""
    ticket, found = look_into(space)
    key = _raise_and_link(space, ticket, found)
    other = replace(found, joined=None)
    create(space, key.partition("-")[0], "Bug", other.summary, **fields_of(other))
    answer(space, ticket["id"], found)
    space.act("finish", status="done")


def joins_the_namesake(space: ActingSpace) -> None:
    """Join the open bug that has the ticket's title."""
    ticket, found = look_into(space)
    project = project_key(space, found.note)
    where = f"project = {project} AND statusCategory != Done AND summary ~ "
    rows = search(space, where + quoted(ticket["subject"]), "summary")
    named = [row["key"] for row in rows if row["fields"]["summary"] == ticket["subject"]]
    if not named:
        raise NotHere("no open bug has the title")
    _raise_and_link(space, ticket, replace(found, joined=named[0]))
    answer(space, ticket["id"], found)
    space.act("finish", status="done")


def links_the_bug_only(space: ActingSpace) -> None:
    """Link the bug to the ticket, and not the ticket to the bug."""
    ticket, found = look_into(space)
    link_to_ticket(space, report(space, found), ticket["id"])
    answer(space, ticket["id"], found)
    space.act("finish", status="done")


def links_the_ticket_only(space: ActingSpace) -> None:
    """Name the bug on the ticket, and not the ticket on the bug."""
    ticket, found = look_into(space)
    note_key(space, ticket["id"], report(space, found))
    answer(space, ticket["id"], found)
    space.act("finish", status="done")


def raises_a_bare_title(space: ActingSpace) -> None:
    """Pass on the title with the code, and none of the rest."""
    ticket, found = look_into(space)
    if found.joined is not None:
        say(space, found.joined, f"Another customer has {found.report.code}.")
        key = found.joined
    else:
        fields = {**fields_of(found)}
        del fields["description"]
        key = create(space, project_key(space, found.note), "Bug", found.summary, **fields)
    link_to_ticket(space, key, ticket["id"])
    note_key(space, ticket["id"], key)
    answer(space, ticket["id"], found)
    space.act("finish", status="done")


def holds_in_silence(space: ActingSpace) -> None:
    """Put the ticket on hold, and do nothing else."""
    ticket, _ = look_into(space)
    update(space, ticket["id"], status="hold")
    space.act("finish", status="done")


def promises_everything(space: ActingSpace) -> None:
    """Give every number of days that the note has, so that the right one is among them."""
    ticket, found = look_into(space)
    _raise_and_link(space, ticket, found)
    days = " or ".join(f"{number} working days" for number in found.note.days.values())
    text = f"Hello,\n\nyou will hear from us within {days}."
    if found.version is not None:
        text += f" The fix is planned for version {found.version}."
    update(space, ticket["id"], comment={"body": text, "public": True}, status="hold")
    space.act("finish", status="done")


def answers_twice(space: ActingSpace) -> None:
    """Send the same answer twice, raise nothing."""
    ticket, found = look_into(space)
    answer(space, ticket["id"], found)
    answer(space, ticket["id"], found)
    space.act("finish", status="done")


def closes_what_is_on_record(space: ActingSpace) -> None:
    """Close the bug on record, so that there is nothing left to join."""
    ticket, found = look_into(space)
    if found.joined is None:
        raise NotHere("there is nothing to join")
    move(space, found.joined, "Close", fields={"resolution": {"name": "Done"}})
    note_key(space, ticket["id"], found.joined)
    answer(space, ticket["id"], found)
    space.act("finish", status="done")


def renames_the_namesake(space: ActingSpace) -> None:
    """Write the code into a bug that is there, instead of raising one."""
    ticket, found = look_into(space)
    project = project_key(space, found.note)
    where = f"project = {project} AND statusCategory != Done AND summary ~ "
    rows = search(space, where + quoted(ticket["subject"]), "summary")
    if not rows or found.joined is not None:
        raise NotHere("there is no other bug, or one to join")
    key = rows[0]["key"]
    edit(space, key, summary=found.summary, **fields_of(found))
    link_to_ticket(space, key, ticket["id"])
    note_key(space, ticket["id"], key)
    answer(space, ticket["id"], found)
    space.act("finish", status="done")


CHEATS: Final = (
    Cheat("an apology and solved", solves_with_an_apology),
    Cheat("solved what was raised", solves_what_was_raised),
    Cheat("raised anew what is on record", raises_it_anew),
    Cheat("one more to be safe", joins_and_raises),
    Cheat("joined by the title", joins_the_namesake),
    Cheat("linked from the bug only", links_the_bug_only),
    Cheat("linked from the ticket only", links_the_ticket_only),
    Cheat("a bare title", raises_a_bare_title),
    Cheat("on hold in silence", holds_in_silence),
    Cheat("every number of days", promises_everything),
    Cheat("the same answer twice", answers_twice),
    Cheat("the bug on record closed", closes_what_is_on_record),
    Cheat("another bug rewritten", renames_the_namesake),
)
