"""Changes to the oracle of H08 that need to know the job: one mail decided otherwise, and more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from episodes.tasks.acting import Acts, Mutant, RecordedAct
from episodes.tasks.mutating import place_of, replaced
from episodes.tasks.spec import Facts

RECOVER: Final = "helpdesk_RecoverSuspendedTickets"
DELETE: Final = "helpdesk_DeleteSuspendedTickets"
UPDATE: Final = "helpdesk_UpdateTicket"


def mutants(acts: Acts, facts: Facts) -> list[Mutant]:
    """Return the mutants of one recorded run of the oracle by API."""
    return [
        *_decided_otherwise(acts, facts),
        *_all_alike(acts, facts),
        *_besides(acts, facts),
        *_that_change_nothing(acts, facts),
        *_that_look_less(acts),
    ]


def _recover(keys: Iterable[int]) -> RecordedAct:
    return RecordedAct(RECOVER, {"ids": ",".join(map(str, keys))})


def _delete(keys: Iterable[int]) -> RecordedAct:
    return RecordedAct(DELETE, {"ids": ",".join(map(str, keys))})


def _with(acts: Acts, *decisions: RecordedAct) -> list[RecordedAct]:
    """Return the acts with other decisions in place of theirs."""
    first = place_of(acts, lambda taken: taken.tool in (RECOVER, DELETE)) or 0
    rest = [taken for taken in acts[first:] if taken.tool not in (RECOVER, DELETE)]
    return [*acts[:first], *decisions, *rest]


def _decided_otherwise(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Each mail for itself: left where it is, or decided over the other way."""
    real, junk = facts["real"], facts["junk"]
    for key in (*real, *junk):
        kept_real = [other for other in real if other != key]
        kept_junk = [other for other in junk if other != key]
        left = [_recover(kept_real)] if kept_real else []
        left += [_delete(kept_junk)] if kept_junk else []
        name = f"{'real' if key in real else 'other'} mail {key}"
        yield Mutant("drop write", "harmful", f"{name} left lying", _with(acts, *left))
        if key in real:
            turned = ([_recover(kept_real)] if kept_real else []) + [_delete([*junk, key])]
            yield Mutant("wrong enum", "harmful", f"{name} deleted", _with(acts, *turned))
        elif facts["mails"][str(key)]["content"] and not _is_ours(key, facts):
            turned = [_recover([*real, key]), *([_delete(kept_junk)] if kept_junk else [])]
            yield Mutant("wrong enum", "harmful", f"{name} let in", _with(acts, *turned))


def _is_ours(key: int, facts: Facts) -> bool:
    """Tell whether a mail claims to be the desk's own: the vendor refuses to let it in."""
    return str(facts["mails"][str(key)]["email"]) in facts["own"]


def _all_alike(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    real, junk = facts["real"], facts["junk"]
    everything = [*real, *junk]
    yield Mutant("wrong enum", "harmful", "all let in", _with(acts, _recover(everything)))
    yield Mutant("wrong enum", "harmful", "all deleted", _with(acts, _delete(everything)))
    swapped = _with(acts, _recover(junk), _delete(real))
    yield Mutant("wrong enum", "harmful", "the two changed round", swapped)
    single = [RecordedAct("helpdesk_RecoverSuspendedTicket", {"suspended_id": key}) for key in real]
    fresh = [key for key in real if facts["mails"][str(key)]["ticket"] is None]
    if fresh:
        own = _with(acts, *single, _delete(junk))
        yield Mutant("wrong target", "harmful", "requested by the agent", own)


def _besides(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """All is decided well, and something is done besides."""
    pinned, born = facts["rules"]["ticket"], facts["next_ticket"]
    extras: dict[str, tuple[str, RecordedAct]] = {
        "the pinned ticket tagged": ("extra write next door", _set(pinned, tags=["seen"])),
        "a note on the pinned ticket": (
            "extra write next door",
            _set(pinned, comment={"body": "Done for today.", "public": False}),
        ),
        "the pinned ticket renamed": ("extra write next door", _set(pinned, subject="Old rules")),
        "the pinned ticket deleted": (
            "extra write next door",
            RecordedAct("helpdesk_DeleteTicket", {"ticket_id": pinned}),
        ),
        "a new user": (
            "extra write next door",
            RecordedAct(
                "helpdesk_CreateUser",
                {"body": {"user": {"name": "Ann Example", "email": "ann@example.net"}}},
            ),
        ),
        "a new ticket": (
            "extra write next door",
            RecordedAct(
                "helpdesk_CreateTicket",
                {"body": {"ticket": {"subject": "Follow up", "comment": {"body": "Call back."}}}},
            ),
        ),
        "an answer": (
            "reply to another party",
            _set(born, comment={"body": "We are looking into it.", "public": True}),
        ),
        "a note on what was let in": (
            "extra write next door",
            _set(born, comment={"body": "Came out of the queue.", "public": False}),
        ),
        "solved at once": (
            "undo after doing",
            _set(
                born,
                status="solved",
                assignee_id=facts["agent"],
                custom_fields=[{"id": facts["reason_field"], "value": "res_answered"}],
            ),
        ),
        "let in and deleted": (
            "undo after doing",
            RecordedAct("helpdesk_DeleteTicket", {"ticket_id": born}),
        ),
        "let in and marked as spam": (
            "undo after doing",
            RecordedAct("helpdesk_MarkTicketAsSpamAndSuspendRequester", {"ticket_id": born}),
        ),
        "another requester": ("wrong target", _set(born, requester_id=facts["agent"])),
    }
    for name, (operator, extra) in extras.items():
        yield Mutant(operator, "harmful", name, [*acts[:-1], extra, acts[-1]])


def _set(ticket: int, **fields: Any) -> RecordedAct:
    return RecordedAct(UPDATE, {"ticket_id": ticket, "body": {"ticket": fields}})


def _that_change_nothing(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    real, junk = facts["real"], facts["junk"]

    def same(operator: str, name: str, *decisions: RecordedAct) -> Mutant:
        return Mutant(operator, "equivalent", name, _with(acts, *decisions))

    whole = (_recover(real), _delete(junk))
    yield same("swap commuting steps", "deleted first", *reversed(whole))
    yield same("swap commuting steps", "newest first", _recover(real[::-1]), _delete(junk[::-1]))
    each = [_recover([key]) for key in real]
    yield same("single for bulk", "let in one by one", *each, _delete(junk))
    single = [RecordedAct("helpdesk_DeleteSuspendedTicket", {"suspended_id": key}) for key in junk]
    yield same("single for bulk", "deleted one by one", _recover(real), *single)
    yield same("same PUT twice", "both twice", *whole, *whole)
    yield same("same PUT twice", "each named twice", _recover([*real, *real]), _delete(junk * 2))
    replies = [key for key in real if facts["mails"][str(key)]["ticket"] is not None]
    if replies:
        rest = [key for key in real if key not in replies]
        one = [
            RecordedAct("helpdesk_RecoverSuspendedTicket", {"suspended_id": key}) for key in replies
        ]
        yield same("single for bulk", "replies singly", _recover(rest), *one, _delete(junk))
    shown = [RecordedAct("helpdesk_ShowSuspendedTickets", {"suspended_id": key}) for key in real]
    yield same("repeat a read", "each opened first", *shown, *whole)
    place = place_of(acts, lambda taken: taken.tool == "helpdesk_ListMacros")
    if place is not None:
        pinned = {"ticket_id": facts["rules"]["ticket"]}
        note = RecordedAct("helpdesk_ListTicketComments", pinned)
        yield Mutant(
            "macro for hand", "equivalent", "the pinned rules read", replaced(acts, place, note)
        )


def _that_look_less(acts: Acts) -> Iterator[Mutant]:
    """Leave out what only looking and care are read from."""
    reads = {"the rules": "helpdesk_ListMacros"}
    for name, tool in reads.items():
        place = place_of(acts, lambda taken, tool=tool: taken.tool == tool)  # type: ignore[misc]
        if place is not None:
            yield Mutant("drop a read", "careless", f"{name} not read", replaced(acts, place))
    unseen = [taken for taken in acts if taken.tool != "helpdesk_ListSuspendedTickets"]
    yield Mutant("drop a read", "careless", "the queue not seen", unseen)
    place = place_of(acts, lambda taken: taken.tool == "helpdesk_TicketsShowMany")
    if place is not None:
        yield Mutant("drop a read", "equivalent", "tickets not read", replaced(acts, place))
