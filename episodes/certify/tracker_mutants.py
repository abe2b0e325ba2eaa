"""Mutants of what an oracle did at the tracker, that hold for any family there.

`facts["neighbour"]` is, where a family names one, the key of an open issue that is none of its
work: what is written next door is written there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Final

from episodes.tasks.acting import Acts, Mutant, RecordedAct
from episodes.tasks.cheating import is_write
from episodes.tasks.mutating import replaced
from episodes.tasks.spec import Facts
from episodes.tasks.tracker_acts import document
from episodes.tasks.tracker_cheats import issues_written, named_in, with_keys

EDIT: Final = "tracker_editIssue"
MOVE: Final = "tracker_doTransition"
SAY: Final = "tracker_addComment"
ASSIGN: Final = "tracker_assignIssue"
LINK: Final = "tracker_linkIssues"


def of_the_tracker(acts: Acts, facts: Facts) -> list[Mutant]:
    """Return the mutants of acts at the tracker; none where nothing was done there."""
    if not any(taken.tool.startswith("tracker_") for taken in acts):
        return []
    return [
        *_fewer_fields(acts),
        *_elsewhere(acts, facts),
        *_next_door(acts, facts),
        *_reversed_links(acts),
        *_fields_repeated(acts),
        *_split(acts),
        *_said_twice_over(acts),
    ]


def fields_of(taken: RecordedAct) -> dict[str, Any]:
    """Return the fields that an act sets on an issue, empty if it sets none."""
    body = taken.arguments.get("body")
    found = body.get("fields") if isinstance(body, Mapping) else None
    return dict(found) if isinstance(found, Mapping) else {}


def with_body(taken: RecordedAct, **changes: Any) -> RecordedAct:
    """Return an act whose body has other parts; None takes a part out."""
    body = {**taken.arguments["body"], **changes}
    kept = {name: value for name, value in body.items() if value is not None}
    return RecordedAct(taken.tool, {**taken.arguments, "body": kept})


def _fewer_fields(acts: Acts) -> Iterator[Mutant]:
    """Set one field less, where an act sets several or moves an issue as well."""
    for place, taken in enumerate(acts):
        fields = fields_of(taken)
        if taken.tool == EDIT and len(fields) < 2:
            continue
        if taken.tool not in (EDIT, MOVE, "tracker_createIssue"):
            continue
        for name in fields:
            rest = {key: value for key, value in fields.items() if key != name}
            fewer = replaced(acts, place, with_body(taken, fields=rest or None))
            yield Mutant("drop write", "harmful", f"drop {name} of write {place}", fewer)


def _elsewhere(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Do each thing that is written on an issue on one that is none of this work."""
    neighbour = facts.get("neighbour")
    if neighbour is None:
        return
    for place, taken in enumerate(acts):
        key = named_in(taken)
        if is_write(taken) and key is not None:
            arguments = with_keys(dict(taken.arguments), {key: neighbour})
            other = replaced(acts, place, RecordedAct(taken.tool, arguments))
            yield Mutant("wrong target", "harmful", f"write {place} next door", other)


def _next_door(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Do everything, and something more that nobody asked for."""
    neighbour, written = facts.get("neighbour"), issues_written(acts)
    extras: dict[str, RecordedAct] = {}
    if written:
        last = written[-1]
        extras["new summary"] = _edit(last, summary="Handled")
        extras["new issue"] = RecordedAct(
            "tracker_createIssue",
            {
                "body": {
                    "fields": {
                        "project": {"key": last.partition("-")[0]},
                        "issuetype": {"name": "Task"},
                        "summary": "Follow up",
                    }
                }
            },
        )
        extras["new description"] = _edit(last, description=document("Done."))
    if neighbour is not None:
        note = {"body": document("Seen.")}
        extras["label another issue"] = _edit(neighbour, labels=["looked-at"])
        extras["comment on another issue"] = RecordedAct(SAY, {"key": neighbour, "body": note})
        extras["take another issue"] = RecordedAct(
            ASSIGN, {"issueIdOrKey": neighbour, "body": {"accountId": None}}
        )
        extras["rename another issue"] = _edit(neighbour, summary="Handled")
        if written:
            extras["link with another issue"] = RecordedAct(
                LINK,
                {
                    "body": {
                        "type": {"name": "Relates"},
                        "inwardIssue": {"key": neighbour},
                        "outwardIssue": {"key": written[-1]},
                    }
                },
            )
    for name, extra in extras.items():
        yield Mutant("extra write next door", "harmful", name, [*acts[:-1], extra, acts[-1]])


def _edit(key: str, **fields: Any) -> RecordedAct:
    return RecordedAct(EDIT, {"issueIdOrKey": key, "body": {"fields": fields}})


def _reversed_links(acts: Acts) -> Iterator[Mutant]:
    """Link the wrong way round; the words of some kinds are the same from either end."""
    for place, taken in enumerate(acts):
        if taken.tool != LINK or taken.arguments["body"]["type"].get("name") == "Relates":
            continue
        body = taken.arguments["body"]
        turned = with_body(
            taken, inwardIssue=body["outwardIssue"], outwardIssue=body["inwardIssue"]
        )
        yield Mutant(
            "reverse link", "harmful", f"link {place} reversed", replaced(acts, place, turned)
        )


def _fields_repeated(acts: Acts) -> Iterator[Mutant]:
    """Set the same values once more: what says nothing new changes nothing."""
    for place, taken in enumerate(acts):
        if taken.tool in (EDIT, ASSIGN, LINK):
            again = replaced(acts, place, taken, taken)
            yield Mutant("same PUT twice", "equivalent", f"write {place} twice", again)


def _split(acts: Acts) -> Iterator[Mutant]:
    """Set in two writes what one sets, and in one what two set on one issue in turn."""
    for place, taken in enumerate(acts):
        fields = fields_of(taken)
        if taken.tool == EDIT and len(fields) > 1:
            first, *_ = fields
            rest = {key: value for key, value in fields.items() if key != first}
            parts = (
                with_body(taken, fields={first: fields[first]}),
                with_body(taken, fields=rest),
            )
            yield Mutant(
                "two writes for one",
                "equivalent",
                f"write {place} in two",
                replaced(acts, place, *parts),
            )
    for place, (one, other) in enumerate(pairwise(acts)):
        both = {**fields_of(one), **fields_of(other)}
        alike = one.tool == other.tool == EDIT and named_in(one) == named_in(other)
        if alike and len(both) == len(fields_of(one)) + len(fields_of(other)):
            merged = [*acts[:place], with_body(one, fields=both), *acts[place + 2 :]]
            yield Mutant("one write for two", "equivalent", f"writes {place} in one", merged)


def _said_twice_over(acts: Acts) -> Iterator[Mutant]:
    """Say more where something is said: one comment besides."""
    for place, taken in enumerate(acts):
        if taken.tool == SAY:
            more = RecordedAct(
                SAY, {**taken.arguments, "body": {"body": document("Noted, thanks.")}}
            )
            yield Mutant(
                "extra internal note",
                "equivalent",
                f"a word more at write {place}",
                replaced(acts, place, taken, more),
            )
