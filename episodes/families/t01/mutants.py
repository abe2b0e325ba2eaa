"""Changes to the oracle of T01: other answers, other forms of the answer, and things written."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

from episodes.certify.tracker_mutants import ASSIGN, EDIT, LINK, MOVE, SAY
from episodes.families.t01.params import TIMES
from episodes.tasks.acting import Acts, Mutant, RecordedAct
from episodes.tasks.mutating import replaced
from episodes.tasks.spec import Facts
from episodes.tasks.tracker_acts import document

Label = Literal["harmful", "equivalent", "careless"]
OFF_BY: Final = {"a minute more": 1, "a minute less": -1, "an hour more": 60, "a day more": 1440}
OTHER_ZONES: Final = ("Asia/Tokyo", "America/Los_Angeles")


def mutants(acts: Acts, facts: Facts) -> list[Mutant]:
    """Return the mutants of one recorded run of the oracle by API."""
    said = acts[-1].arguments["answer"]
    return [
        *_answers(acts, _altered(facts, said), "answer altered", "harmful"),
        *_answers(acts, _of_others(facts), "another issue's answer", "harmful"),
        *_answers(acts, _formats(facts, said), "number formats", "equivalent"),
        *_written(acts, facts),
        *_said_otherwise(acts, facts),
        *_that_look_less(acts, facts),
    ]


def _answers(acts: Acts, answers: dict[str, Any], operator: str, label: Label) -> Iterator[Mutant]:
    for name, answer in answers.items():
        said = RecordedAct("finish", {**acts[-1].arguments, "answer": answer})
        yield Mutant(operator, label, f"{operator}: {name}", [*acts[:-1], said])


def _of_others(facts: Facts) -> dict[str, Any]:
    return {name: _as_given(facts, value) for name, value in facts["others"].items()}


def _as_given(facts: Facts, value: Any) -> Any:
    """Return a true answer as an agent would give it."""
    if facts["fact"] in TIMES:
        return _local(datetime.fromisoformat(value), facts["zone"])
    return value


def _local(moment: datetime, zone: str) -> str:
    return f"{moment.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}"


def _altered(facts: Facts, said: Any) -> dict[str, Any]:
    """Return answers that are not right, by what is wrong with them."""
    if facts["fact"] in TIMES:
        moment = datetime.fromisoformat(facts["answer"])
        found: dict[str, Any] = {
            name: _local(moment + timedelta(minutes=off), facts["zone"])
            for name, off in OFF_BY.items()
        }
        found |= {f"the time of {zone}": _local(moment, zone) for zone in OTHER_ZONES}
        return {**found, "the day alone": said[:10], "the time alone": said[11:]}
    if facts["fact"] == "spent":
        found = {name: said + off for name, off in OFF_BY.items()}
        return {**found, "seconds": said * 60, "in hours": f"{said} hours", "about": "a while"}
    return {
        "in a sentence": f"It may be {said}",
        "two of them": f"{said}, or {facts['others']['twin']}",
        "cut short": str(said)[1:],
        "something more": f"{said}1",
        "the key": facts["key"],
        "nothing known": "unknown",
    }


def _formats(facts: Facts, said: Any) -> dict[str, Any]:
    """Return other forms of the right answer."""
    if facts["fact"] in TIMES:
        moment = datetime.fromisoformat(facts["answer"])
        elsewhere = moment.astimezone(ZoneInfo("Asia/Tokyo"))
        return {
            "with a T": said.replace(" ", "T"),
            "with seconds": f"{said}:00",
            "in UTC, and saying so": f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
            "with another zone's offset": elsewhere.isoformat(),
        }
    if facts["fact"] == "spent":
        return {
            "as text": str(said),
            "with its unit": f"{said} minutes",
            "in hours and minutes": f"{said // 60} h {said % 60} min",
            "as a fraction": float(said),
        }
    return {
        "in capitals": said.upper(),
        "in small letters": said.lower(),
        "with spaces": f" {said} ",
    }


def _written(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Answer rightly, and write something: on the work item, on another, taken back or not."""
    own, other = facts["key"], facts["keys"]["twin"]
    note = {"body": document(f"The answer is {facts['answer']}.")}
    extras: dict[str, list[RecordedAct]] = {
        "a comment": [RecordedAct(SAY, {"key": own, "body": note})],
        "a label": [_edit(own, labels=["answered"])],
        "a summary": [_edit(own, summary="Answered")],
        "a priority": [_edit(own, priority={"name": "Low"}), _edit(own, priority={"name": "High"})],
        "nobody's": [RecordedAct(ASSIGN, {"issueIdOrKey": own, "body": {"accountId": None}})],
        "opened again": [_move(own, "11")],
        "a label for a moment": [_edit(own, labels=["answered"]), _edit(own, labels=[])],
        "a watcher": [RecordedAct("tracker_addWatcher", {"key": own})],
        "a link": [_link(own, other)],
        "a comment on the twin": [RecordedAct(SAY, {"key": other, "body": note})],
        "a label on the twin": [_edit(other, labels=["answered"])],
        "the twin opened again": [_move(other, "11")],
    }
    for name, extra in extras.items():
        yield Mutant(
            "something written", "harmful", f"written: {name}", [*acts[:-1], *extra, acts[-1]]
        )


def _edit(key: str, **fields: Any) -> RecordedAct:
    return RecordedAct(EDIT, {"issueIdOrKey": key, "body": {"fields": fields}})


def _move(key: str, number: str) -> RecordedAct:
    return RecordedAct(MOVE, {"issueIdOrKey": key, "body": {"transition": {"id": number}}})


def _link(source: str, destination: str) -> RecordedAct:
    body = {
        "type": {"name": "Relates"},
        "inwardIssue": {"key": source},
        "outwardIssue": {"key": destination},
    }
    return RecordedAct(LINK, {"body": body})


def _said_otherwise(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Finish with more or fewer words, or later; look at more on the way."""
    answer = acts[-1].arguments["answer"]
    own, twin = facts["key"], facts["keys"]["twin"]
    forms: dict[str, dict[str, Any]] = {
        "without a status": {"answer": answer},
        "with a reason": {"answer": answer, "reason": "as its history says"},
        "with evidence": {"answer": answer, "evidence": [own]},
    }
    for name, arguments in forms.items():
        last = RecordedAct("finish", arguments)
        yield Mutant("finish otherwise", "equivalent", f"finish {name}", [*acts[:-1], last])
    before: dict[str, RecordedAct] = {
        "the twin read as well": RecordedAct("tracker_getIssue", {"issueIdOrKey": twin}),
        "the history read as well": RecordedAct("tracker_getChangeLogs", {"issueIdOrKey": own}),
        "the comments read as well": RecordedAct("tracker_getComments", {"key": own}),
        "an hour passes": RecordedAct("wait", {"minutes": 60, "until_reply": False}),
        "a word to the giver": RecordedAct("say", {"text": "I am looking."}),
    }
    for name, more in before.items():
        yield Mutant("more on the way", "equivalent", name, [*acts[:-1], more, acts[-1]])


def _that_look_less(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Leave out looks: where a guess is easy the answer counts nothing without them."""
    blind: Label = "harmful" if facts["needs_support"] else "careless"
    yield Mutant("drop a read", blind, "nothing read", acts[-1:])
    yield Mutant("drop a read", "careless", "no search", replaced(acts, 0))
    # A list that is short enough shows the work item as well.
    yield Mutant("drop a read", "careless", "the work item not opened", replaced(acts, 1))
