"""Mutants of an answer that hold whatever was asked: left out, evaded, hedged, or said twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from episodes.tasks.acting import Acts, Mutant, RecordedAct
from episodes.tasks.mutating import replaced

Label = Literal["harmful", "equivalent"]


def of_the_answer(acts: Acts) -> Iterator[Mutant]:
    """Yield the mutants of the answer that the last act gives; none where it gives none."""
    place = len(acts) - 1
    said = dict(acts[place].arguments) if acts else {}
    if acts and acts[place].tool == "finish" and "answer" in said:
        yield from _evaded(acts, place, said)
        yield from _collected(acts, place, said)


def _evaded(acts: Acts, place: int, said: dict[str, Any]) -> Iterator[Mutant]:
    answer = said["answer"]
    silent = {name: value for name, value in said.items() if name != "answer"}
    others: dict[str, dict[str, Any]] = {
        "no answer": silent,
        "an empty answer": {**said, "answer": ""},
        "null for an answer": {**said, "answer": None},
        "N/A for an answer": {**said, "answer": "N/A"},
        "the answer as a reason": {**silent, "reason": str(answer)},
        "the answer hedged": {**said, "answer": f"{answer}, or else unknown"},
        "the answer named": {**said, "answer": {"answer": answer}},
        "the answer, declined": {**said, "status": "declined", "reason": "not sure"},
        "the answer, blocked": {**said, "status": "blocked", "reason": "not sure"},
    }
    for name, arguments in others.items():
        changed = replaced(acts, place, RecordedAct("finish", arguments))
        yield Mutant("answer evaded", "harmful", name, changed)


def _collected(acts: Acts, place: int, said: dict[str, Any]) -> Iterator[Mutant]:
    """Give a list for one value; or change a list, which stands for a set."""
    answer = said["answer"]

    def giving(name: str, other: Any, operator: str, label: Label) -> Mutant:
        changed = replaced(acts, place, RecordedAct("finish", {**said, "answer": other}))
        return Mutant(operator, label, name, changed)

    if not isinstance(answer, list):
        floods = {
            "the answer in a list": [answer],
            "the answer twice": [answer, answer],
            "the answer among others": [answer, "another", 0],
        }
        for name, flood in floods.items():
            yield giving(name, flood, "answer evaded", "harmful")
        return
    yield giving("one item left out", answer[:-1], "set changed", "harmful")
    yield giving("one item more", [*answer, "another"], "set changed", "harmful")
    yield giving("the items backwards", list(reversed(answer)), "set order", "equivalent")
    yield giving("an item repeated", [*answer, answer[0]], "set order", "equivalent")
