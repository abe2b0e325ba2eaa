"""Mutants of the oracle: its recorded acts, changed by operators that hold for any family.

What needs to know the job (sums, look-alikes, wordings) the family brings itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode

from clones.core.operations import Operation
from clones.core.vendors import clone_named
from episodes.certify.answer_mutants import of_the_answer
from episodes.certify.page_mutants import of_the_pages
from episodes.certify.runs import Run
from episodes.certify.tracker_mutants import of_the_tracker
from episodes.tasks.acting import Acts, Mutant, RecordedAct
from episodes.tasks.cheating import is_write
from episodes.tasks.mutating import placed, replaced, ticket_beside, ticket_fields, with_fields
from episodes.tasks.spec import Family

VERBS = ("wait", "say", "finish")


def mutants_of(family: Family, oracle: Run) -> list[Mutant]:
    """Return every mutant of a recorded oracle run, the generic ones first; names are unique."""
    acts = oracle.acts
    found = of_the_pages(oracle) if family.home == "browser" else _of_the_api(oracle)
    if family.relabel is not None:
        judged = [family.relabel(mutant, oracle.facts) for mutant in found]
        found = [mutant for mutant in judged if mutant is not None]
    if family.mutants is not None:
        beside = _besides(acts, oracle.tickets)
        for mutant in family.mutants(acts, oracle.facts):
            found.append(mutant if beside is None else placed(mutant, beside))
    names = [mutant.name for mutant in found]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"two mutants have one name: {twice}")
    return found


def _of_the_api(oracle: Run) -> list[Mutant]:
    """Return the generic mutants of what was done by API."""
    acts, tickets = oracle.acts, oracle.tickets
    return [
        *_dropped(acts),
        *_cut_short(acts),
        *_public_flipped(acts),
        *_elsewhere(acts, tickets),
        *_next_door(acts, tickets),
        *_undone(acts),
        *_reads_repeated(acts),
        *_reads_swapped(acts),
        *_puts_repeated(acts),
        *_raw(acts),
        *_slower(acts),
        *_combined(acts),
        *_bulk(acts),
        *of_the_tracker(acts, oracle.facts),
        *of_the_answer(acts),
    ]


def writes_of(acts: Acts) -> list[int]:
    """Return the places of the acts that write."""
    return [place for place, taken in enumerate(acts) if is_write(taken)]


def _dropped(acts: Acts) -> Iterator[Mutant]:
    """Drop each write, and each part of a write that sets several things."""
    for place in writes_of(acts):
        yield Mutant("drop write", "harmful", f"drop write {place}", replaced(acts, place))
        fields = ticket_fields(acts[place])
        for name in fields:
            # Who is assigned follows from who solves.
            if len(fields) > 1 and name != "assignee_email":
                rest = {key: value for key, value in fields.items() if key != name}
                fewer = replaced(acts, place, with_fields(acts[place], rest))
                yield Mutant("drop write", "harmful", f"drop {name} of write {place}", fewer)


def _cut_short(acts: Acts) -> Iterator[Mutant]:
    """Finish before each write from the second on, and without a word at the end."""
    for place in writes_of(acts)[1:]:
        yield Mutant(
            "finish early", "harmful", f"finish before write {place}", [*acts[:place], acts[-1]]
        )


def _public_flipped(acts: Acts) -> Iterator[Mutant]:
    for place in writes_of(acts):
        fields = ticket_fields(acts[place])
        comment = fields.get("comment")
        if isinstance(comment, Mapping):
            other = {**comment, "public": not comment.get("public", True)}
            flipped = with_fields(acts[place], {**fields, "comment": other})
            yield Mutant(
                "public for internal",
                "harmful",
                f"public for internal at write {place}",
                replaced(acts, place, flipped),
            )


def _written(acts: Acts) -> list[int]:
    """Return the numbers of the tickets that are written to, in their order."""
    return [
        taken.arguments["ticket_id"]
        for taken in acts
        if is_write(taken) and isinstance(taken.arguments.get("ticket_id"), int)
    ]


def _besides(acts: Acts, tickets: Sequence[int]) -> int | None:
    """Return a ticket beside the last one that is written to, None if none is."""
    written = _written(acts)
    others = sorted(set(tickets) - set(written))
    if written:
        return ticket_beside(written[-1], others)
    return others[-1] if others else None


def _elsewhere(acts: Acts, tickets: Sequence[int]) -> Iterator[Mutant]:
    """Write each thing that goes on a ticket on the ticket beside it."""
    others = sorted(set(tickets) - set(_written(acts)))
    for place in writes_of(acts):
        ticket = acts[place].arguments.get("ticket_id")
        if isinstance(ticket, int):
            beside = ticket_beside(ticket, others)
            arguments = {**acts[place].arguments, "ticket_id": beside}
            yield Mutant(
                "wrong target",
                "harmful",
                f"write {place} on the ticket beside",
                replaced(acts, place, RecordedAct(acts[place].tool, arguments)),
                beside=beside,
            )


def _next_door(acts: Acts, tickets: Sequence[int]) -> Iterator[Mutant]:
    """Do everything, and something more next door."""
    written, beside = _written(acts), _besides(acts, tickets)
    if any(taken.tool.startswith("tracker_") for taken in acts) and not written:
        return
    extras = {
        "new ticket": RecordedAct(
            "helpdesk_CreateTicket",
            {"body": {"ticket": {"subject": "Follow up", "comment": {"body": "Call back."}}}},
        ),
        "new user": RecordedAct(
            "helpdesk_CreateUser",
            {"body": {"user": {"name": "Ann Example", "email": "ann@example.net"}}},
        ),
    }
    if written:
        last = written[-1]
        extras |= {
            "delete the ticket": RecordedAct("helpdesk_DeleteTicket", {"ticket_id": last}),
            "rename the ticket": _update(last, subject="Handled"),
        }
    if written and beside is not None:
        extras |= {
            "tag another ticket": _update(beside, tags=["looked_at"]),
            "note on another ticket": _update(beside, comment={"body": "Seen.", "public": False}),
            "close another ticket": _update(beside, status="solved"),
        }
    for name, extra in extras.items():
        yield Mutant(
            "extra write next door",
            "harmful",
            name,
            [*acts[:-1], extra, acts[-1]],
            beside=beside if name.endswith("another ticket") else None,
        )


def _update(ticket: int, **fields: Any) -> RecordedAct:
    return RecordedAct("helpdesk_UpdateTicket", {"ticket_id": ticket, "body": {"ticket": fields}})


def _undone(acts: Acts) -> Iterator[Mutant]:
    """Take back what the last write set, after it."""
    for place in writes_of(acts):
        ticket, fields = acts[place].arguments.get("ticket_id"), ticket_fields(acts[place])
        if not isinstance(ticket, int):
            continue
        undoing: dict[str, Any] = {}
        if "status" in fields:
            undoing["status"] = "open"
        if "custom_fields" in fields:
            undoing["custom_fields"] = [
                {"id": field["id"], "value": None} for field in fields["custom_fields"]
            ]
        for name, value in undoing.items():
            extra = _update(ticket, **{name: value})
            yield Mutant(
                "undo after doing",
                "harmful",
                f"undo {name} of write {place}",
                [*acts[:-1], extra, acts[-1]],
            )


def _reads_repeated(acts: Acts) -> Iterator[Mutant]:
    for place, taken in enumerate(acts):
        if taken.tool not in VERBS and not is_write(taken):
            again = replaced(acts, place, taken, taken)
            yield Mutant("repeat a read", "equivalent", f"repeat read {place}", again)


def _reads_swapped(acts: Acts) -> Iterator[Mutant]:
    for place, (first, second) in enumerate(pairwise(acts)):
        if not any(taken.tool in VERBS or is_write(taken) for taken in (first, second)):
            swapped = [*acts[:place], second, first, *acts[place + 2 :]]
            yield Mutant("swap commuting steps", "equivalent", f"swap reads at {place}", swapped)


def _puts_repeated(acts: Acts) -> Iterator[Mutant]:
    """Put the same values once more: what says nothing new changes nothing."""
    for place in writes_of(acts):
        fields = ticket_fields(acts[place])
        if fields and "comment" not in fields:
            again = replaced(acts, place, acts[place], acts[place])
            yield Mutant("same PUT twice", "equivalent", f"write {place} twice", again)


def _raw(acts: Acts) -> Iterator[Mutant]:
    """Send each write, and the first read, as a raw request."""
    reads = [
        place for place, taken in enumerate(acts) if taken.tool not in VERBS and not is_write(taken)
    ]
    for place in [*reads[:1], *writes_of(acts)]:
        raw = raw_request(acts[place])
        if raw is not None:
            yield Mutant(
                "raw request for tool",
                "equivalent",
                f"act {place} as a raw request",
                replaced(acts, place, raw),
            )


def raw_request(taken: RecordedAct) -> RecordedAct | None:
    """Return the `http_request` that does what a tool's act does, None for verbs."""
    clone_name, _, operation_id = taken.tool.partition("_")
    clone = clone_named(clone_name)
    if clone is None or clone.operations is None:
        return None
    operation: Operation | None = clone.operations.all.get(operation_id)
    if operation is None:
        return None
    arguments = dict(taken.arguments)
    body = arguments.pop("body", None)
    segments = [
        str(arguments.pop(segment[1:-1].partition(":")[0])) if segment.startswith("{") else segment
        for segment in operation.segments
    ]
    path = "/" + "/".join(segments)
    query = {
        name: json.dumps(value) if isinstance(value, bool) else value
        for name, value in arguments.items()
    }
    request: dict[str, Any] = {
        "clone": clone_name,
        "method": operation.method,
        "path": f"{path}?{urlencode(query)}" if query else path,
    }
    return RecordedAct("http_request", request if body is None else {**request, "body": body})


def _slower(acts: Acts) -> Iterator[Mutant]:
    """Take half an hour over each write."""
    pause = RecordedAct("wait", {"minutes": 30, "until_reply": False})
    for place in writes_of(acts):
        yield Mutant(
            "slower within slack",
            "equivalent",
            f"half an hour before write {place}",
            [*acts[:place], pause, *acts[place:]],
        )


def _combined(acts: Acts) -> Iterator[Mutant]:
    """Set on one ticket at once what two writes set in turn, and the other way round."""
    for first, second in pairwise(acts):
        one, two = ticket_fields(first), ticket_fields(second)
        same = first.arguments.get("ticket_id") == second.arguments.get("ticket_id")
        if one and two and same and not set(one) & set(two):
            place = list(acts).index(first)
            merged = [*acts[:place], with_fields(first, {**one, **two}), *acts[place + 2 :]]
            yield Mutant("one write for two", "equivalent", f"writes {place} in one", merged)
    for place in writes_of(acts):
        fields = ticket_fields(acts[place])
        if "status" in fields and len(fields) > 1:
            rest = {name: value for name, value in fields.items() if name != "status"}
            parts = [
                with_fields(acts[place], rest),
                with_fields(acts[place], {"status": fields["status"]}),
            ]
            yield Mutant(
                "two writes for one",
                "equivalent",
                f"write {place} in two",
                replaced(acts, place, *parts),
            )


def _bulk(acts: Acts) -> Iterator[Mutant]:
    """Change one ticket by the operation that changes many."""
    for place in writes_of(acts):
        taken = acts[place]
        if taken.tool == "helpdesk_UpdateTicket" and "comment" not in ticket_fields(taken):
            changes = {"id": taken.arguments["ticket_id"], **ticket_fields(taken)}
            bulk = RecordedAct("helpdesk_TicketsUpdateMany", {"body": {"tickets": [changes]}})
            yield Mutant(
                "bulk for single",
                "equivalent",
                f"write {place} in bulk",
                replaced(acts, place, bulk),
            )
