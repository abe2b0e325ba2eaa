"""Changes to the oracle of T14: other answers, other forms of the answer, and things written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

from episodes.certify.tracker_mutants import EDIT, LINK, MOVE, SAY
from episodes.tasks.acting import Acts, Mutant, RecordedAct
from episodes.tasks.mutating import replaced
from episodes.tasks.spec import Facts
from episodes.tasks.tracker_acts import document

Label = Literal["harmful", "equivalent", "careless"]
SEARCH: Final = "tracker_searchAndReconsileIssuesUsingJql"


def mutants(acts: Acts, facts: Facts) -> list[Mutant]:
    """Return the mutants of one recorded run of the oracle by API."""
    said = dict(acts[-1].arguments["answer"])
    return [
        *_answers(acts, dict(facts["others"]), "another reading's answer", "harmful"),
        *_answers(acts, _less_and_more(facts, said), "set changed", "harmful"),
        *_answers(acts, _other_firsts(facts, said), "first changed", "harmful"),
        *_answers(acts, _misshapen(said), "answer altered", "harmful"),
        *_answers(acts, _formats(said), "number formats", "equivalent"),
        *_written(acts, facts),
        *_said_otherwise(acts, facts),
        *_that_look_less(acts),
    ]


def _answers(
    acts: Acts, answers: Mapping[str, Any], operator: str, label: Label
) -> Iterator[Mutant]:
    for name, answer in answers.items():
        said = RecordedAct("finish", {**acts[-1].arguments, "answer": answer})
        yield Mutant(operator, label, f"{operator}: {name}", [*acts[:-1], said])


def _less_and_more(facts: Facts, said: dict[str, Any]) -> dict[str, Any]:
    """Return answers whose list lacks each one in turn, has another in its place, or one more."""
    keys = said["blockers"]
    strange = {"one of its own": facts["own"][0], "what relates": facts["neighbour"]}
    found = {f"without {key}": [one for one in keys if one != key] for key in keys}
    found |= {
        f"{name} for {key}": [other if one == key else one for one in keys]
        for key in keys
        for name, other in strange.items()
    }
    found |= {f"{name} besides": [*keys, other] for name, other in strange.items()}
    found |= {"nothing": [], "the first alone": [said["first"]]}
    return {name: {**said, "blockers": blockers} for name, blockers in found.items()}


def _other_firsts(facts: Facts, said: dict[str, Any]) -> dict[str, Any]:
    others = [key for key in said["blockers"] if key != said["first"]]
    others += [facts["neighbour"], facts["own"][0], "", None, said["blockers"]]
    return {f"{other or repr(other)}": {**said, "first": other} for other in others}


def _misshapen(said: dict[str, Any]) -> dict[str, Any]:
    return {
        "the list alone": said["blockers"],
        "the first alone": said["first"],
        "only the list": {"blockers": said["blockers"]},
        "only the first": {"first": said["first"]},
        "a field more": {**said, "last": said["blockers"][-1]},
        "the list as text": {**said, "blockers": ", ".join(said["blockers"])},
        "other names": {"keys": said["blockers"], "due": said["first"]},
        "hedged": {**said, "first": f"{said['first']} or {said['blockers'][0]}"},
        "cut short": {**said, "first": said["first"][:-1]},
    }


def _formats(said: dict[str, Any]) -> dict[str, Any]:
    """Return other forms of the right answer."""
    keys = said["blockers"]
    return {
        "backwards": {**said, "blockers": keys[::-1]},
        "one of them twice": {**said, "blockers": [*keys, keys[0]]},
        "in small letters": {
            "blockers": [key.lower() for key in keys],
            "first": said["first"].lower(),
        },
        "with spaces": {**said, "first": f" {said['first']} "},
        "the first field first": {"first": said["first"], "blockers": keys},
    }


def _written(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Answer rightly, and write something: on a blocker, on the release's work, taken back."""
    first, own = facts["answer"]["first"], facts["own"][0]
    note = {"body": document(f"{first} blocks it.")}
    blocks = {"name": "Blocks"}
    ends = {"inwardIssue": {"key": first}, "outwardIssue": {"key": facts["own"][-1]}}
    extras: dict[str, list[RecordedAct]] = {
        "a comment": [RecordedAct(SAY, {"key": first, "body": note})],
        "a comment on its own work": [RecordedAct(SAY, {"key": own, "body": note})],
        "a label": [_edit(first, labels=["blocker"])],
        "a label for a moment": [_edit(first, labels=["blocker"]), _edit(first, labels=[])],
        "a summary": [_edit(own, summary="Blocked")],
        "a due date": [_edit(first, duedate="2026-01-02")],
        "a priority": [_edit(first, priority={"name": "Highest"})],
        "a description": [_edit(own, description=document("Blocked."))],
        "closed": [
            RecordedAct(MOVE, {"issueIdOrKey": first, "body": {"transition": {"id": "61"}}})
        ],
        "a link": [RecordedAct(LINK, {"body": {"type": {"name": "Duplicate"}, **ends}})],
        "a straight link": [RecordedAct(LINK, {"body": {"type": blocks, **ends}})],
        "a watcher": [RecordedAct("tracker_addWatcher", {"key": first})],
    }
    for name, extra in extras.items():
        yield Mutant(
            "something written", "harmful", f"written: {name}", [*acts[:-1], *extra, acts[-1]]
        )


def _edit(key: str, **fields: Any) -> RecordedAct:
    return RecordedAct(EDIT, {"issueIdOrKey": key, "body": {"fields": fields}})


def _said_otherwise(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Finish with more or fewer words, or later; look at more on the way."""
    answer, own = acts[-1].arguments["answer"], facts["own"][0]
    first = facts["answer"]["first"]
    forms: dict[str, dict[str, Any]] = {
        "without a status": {"answer": answer},
        "with a reason": {"answer": answer, "reason": "as the links say"},
        "with evidence": {"answer": answer, "evidence": [own, first]},
    }
    for name, arguments in forms.items():
        last = RecordedAct("finish", arguments)
        yield Mutant("finish otherwise", "equivalent", f"finish {name}", [*acts[:-1], last])
    before: dict[str, RecordedAct] = {
        "its own work opened": RecordedAct("tracker_getIssue", {"issueIdOrKey": own}),
        "the first opened": RecordedAct("tracker_getIssue", {"issueIdOrKey": first}),
        "its history read": RecordedAct("tracker_getChangeLogs", {"issueIdOrKey": first}),
        "what only relates read": RecordedAct(
            "tracker_getIssue", {"issueIdOrKey": facts["neighbour"]}
        ),
        "an hour passes": RecordedAct("wait", {"minutes": 60, "until_reply": False}),
        "a word to the giver": RecordedAct("say", {"text": "I am looking."}),
    }
    for name, more in before.items():
        yield Mutant("more on the way", "equivalent", name, [*acts[:-1], more, acts[-1]])


def _that_look_less(acts: Acts) -> Iterator[Mutant]:
    """Leave out looks: the answer stays right, and what it rests on was not seen."""
    searches = [place for place, taken in enumerate(acts) if taken.tool == SEARCH]
    yield Mutant("drop a read", "careless", "nothing read", acts[-1:])
    for link, place in enumerate(searches[1:], start=1):
        name = f"what is {link} links away not looked up"
        yield Mutant("drop a read", "careless", name, replaced(acts, place))
