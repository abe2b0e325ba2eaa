"""Mutants of what an oracle did on pages, that hold for any family whose home is the browser.

Acts are taken again by handles (role and name), so one that is left out does not lead the others
astray. Which of them wrote is read from the record.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from episodes.certify.runs import Run
from episodes.tasks.acting import Acts, Mutant, RecordedAct
from episodes.tasks.mutating import replaced, told_on_page

PAUSE: Final = RecordedAct("wait", {"minutes": 30, "until_reply": False})
# Of each sort of act so many are repeated.
REPEATED: Final = 5


def of_the_pages(oracle: Run) -> list[Mutant]:
    """Return the mutants of a recorded run on pages."""
    acts = oracle.acts
    writes = writes_on_pages(oracle)
    return [
        *_dropped(acts, writes),
        *_cut_short(acts, writes),
        *_slower(acts, writes),
        *_repeated(acts, writes),
    ]


def writes_on_pages(oracle: Run) -> list[int]:
    """Return the places of the acts that changed rows which the family allows to be changed."""
    tables = {allow.table for allow in oracle.arranged.allows}
    return [
        place
        for place, step in enumerate(oracle.steps)
        if any(change["table"] in tables for change in step.changes)
    ]


def _dropped(acts: Acts, writes: list[int]) -> Iterator[Mutant]:
    for place in writes:
        yield Mutant("drop write", "harmful", f"drop write {place}", replaced(acts, place))


def _cut_short(acts: Acts, writes: list[int]) -> Iterator[Mutant]:
    for place in writes[1:]:
        short = [*acts[:place], acts[-1]]
        yield Mutant("finish early", "harmful", f"finish before write {place}", short)


def _slower(acts: Acts, writes: list[int]) -> Iterator[Mutant]:
    """Take half an hour over each write."""
    for place in writes:
        pause = [*acts[:place], PAUSE, *acts[place:]]
        name = f"half an hour before write {place}"
        yield Mutant("slower within slack", "equivalent", name, pause)


def _repeated(acts: Acts, writes: list[int]) -> Iterator[Mutant]:
    """Follow a link, enter a text and choose an option twice: the second time changes nothing."""
    sorts = {"link": "repeat a read", "textbox": "same text twice", "combobox": "same choice twice"}
    seen: dict[str, int] = {}
    for place, taken in enumerate(acts):
        told = told_on_page(taken)
        role = told.get("role", "")
        if role not in sorts or taken.arguments.get("submit"):
            continue
        if role == "link" and place in writes:
            continue
        seen[role] = seen.get(role, 0) + 1
        if seen[role] <= REPEATED:
            again = replaced(acts, place, taken, taken)
            name = f"{told['act']} {role} {place} twice"
            yield Mutant(sorts[role], "equivalent", name, again)
