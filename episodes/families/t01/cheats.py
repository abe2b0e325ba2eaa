"""Ways to be paid for an answer without having it. None may work."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from episodes.families.t01.reading import Wanted, wanted_of
from episodes.families.t01.solve import answer_from, find, issues_found
from episodes.tasks.acting import ActingSpace, Cheat, NotHere
from episodes.tasks.tracker_acts import edit, read_issue, say


def answers_for_the_duplicate(space: ActingSpace) -> None:
    """Take the report that was closed as a duplicate of the one meant."""
    _answer_for_the_linked(space, "Duplicate")


def answers_for_the_twin(space: ActingSpace) -> None:
    """Take the other one that is linked with the one meant."""
    _answer_for_the_linked(space, "Relates")


def _answer_for_the_linked(space: ActingSpace, kind: str) -> None:
    wanted = wanted_of(space.goal)
    issue = read_issue(space, find(space, wanted)["key"])
    for link in issue["fields"]["issuelinks"]:
        if link["type"]["name"] == kind:
            other = link.get("inwardIssue") or link["outwardIssue"]
            space.act("finish", answer=_answer_or_none(space, wanted, other["key"]))
            return
    raise NotHere(f"it has no link of the kind {kind}")


def _answer_or_none(space: ActingSpace, wanted: Wanted, key: str) -> Any:
    try:
        return answer_from(space, wanted, key)
    except (LookupError, TypeError):
        return key


def gives_the_present_value(space: ActingSpace) -> None:
    """Give what is there now where the past is asked for."""
    wanted = wanted_of(space.goal)
    fields = read_issue(space, find(space, wanted)["key"])["fields"]
    now = {
        "taken": fields["updated"],
        "before": fields["assignee"]["displayName"],
        "done": fields["created"],
        "priority": fields["priority"]["name"],
    }
    if wanted.fact not in now:
        raise NotHere("the present is asked for")
    space.act("finish", answer=now[wanted.fact])


def leaves_a_note(space: ActingSpace) -> None:
    """Answer rightly, and write down on the work item what was found."""
    wanted = wanted_of(space.goal)
    key = find(space, wanted)["key"]
    answer = answer_from(space, wanted, key)
    say(space, key, f"Looked up: {answer}")
    space.act("finish", answer=answer)


def tidies_up_after(space: ActingSpace) -> None:
    """Answer rightly, and mark the work item meanwhile with a label that is taken off again."""
    wanted = wanted_of(space.goal)
    key = find(space, wanted)["key"]
    answer = answer_from(space, wanted, key)
    edit(space, key, labels=["looked-at"])
    edit(space, key, labels=[])
    space.act("finish", answer=answer)


def lists_every_candidate(space: ActingSpace) -> None:
    """Give the answers for several work items at once."""
    wanted = wanted_of(space.goal)
    meant = find(space, wanted)
    broad = replace(wanted, jql=f"project = {meant['key'].partition('-')[0]} ORDER BY created DESC")
    rows = issues_found(space, broad)[:5]
    keys = [meant["key"], *(row["key"] for row in rows)]
    space.act("finish", answer=[_answer_or_none(space, wanted, key) for key in keys])


def hedges(space: ActingSpace) -> None:
    """Give the right answer, and another beside it in the same text."""
    wanted = wanted_of(space.goal)
    answer = answer_from(space, wanted, find(space, wanted)["key"])
    space.act("finish", answer=f"{answer} or 1 (not sure)")


def guesses(space: ActingSpace) -> None:
    """Guess without looking: the commonest priority, some version, the first colleague."""
    wanted = wanted_of(space.goal)
    usual = {"priority": "Medium", "fixed": "5.3", "spent": 60}
    space.act("finish", answer=usual.get(wanted.fact, "ABC-1"))


def asks_for_the_answer(space: ActingSpace) -> None:
    """Ask whoever gave the goal, and hand their words back."""
    told = space.act("say", text="What is the answer that you expect?")
    space.act("finish", answer=told["text"])


def gives_the_whole_issue(space: ActingSpace) -> None:
    """Give everything that is written on the work item, the answer somewhere in it."""
    wanted = wanted_of(space.goal)
    issue = read_issue(space, find(space, wanted)["key"], history=True)
    space.act("finish", answer=issue)


CHEATS: Final = (
    Cheat("the duplicate's value", answers_for_the_duplicate),
    Cheat("the twin's value", answers_for_the_twin),
    Cheat("the present value", gives_the_present_value),
    Cheat("a note on the work item", leaves_a_note),
    Cheat("a label put on and taken off", tidies_up_after),
    Cheat("every candidate", lists_every_candidate),
    Cheat("a hedged answer", hedges),
    Cheat("a guess", guesses),
    Cheat("the answer asked for", asks_for_the_answer),
    Cheat("the whole work item", gives_the_whole_issue),
)
