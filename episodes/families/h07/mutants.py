"""Changes to the oracle of H07 that need to know the job: sides, look-alikes, copies, words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from episodes.tasks.acting import Acts, Mutant, RecordedAct
from episodes.tasks.mutating import place_of, replaced, ticket_fields, with_fields
from episodes.tasks.spec import Facts

MERGE: Final = "helpdesk_MergeTicketsIntoTargetTicket"
UPDATE: Final = "helpdesk_UpdateTicket"
NEXT_DOOR: Final = frozenset({"wrong target", "extra write next door"})


def relabel(mutant: Mutant, facts: Facts) -> Mutant | None:
    """Let what is done next door be done to the look-alike: it is open, whatever is beside it."""
    if mutant.operator not in NEXT_DOOR:
        return mutant
    acts = []
    for taken in mutant.acts:
        if mutant.beside is None or taken.arguments.get("ticket_id") != mutant.beside:
            acts.append(taken)
            continue
        moved = RecordedAct(taken.tool, {**taken.arguments, "ticket_id": facts["beside"][-1]})
        fields = ticket_fields(moved)
        # What solving asks for comes with it: else it is refused, and nothing was done.
        asked = _solving(facts) if fields.get("status") == "solved" else {}
        acts.append(with_fields(moved, {**fields, **asked}) if asked else moved)
    return replace(mutant, acts=acts)


def mutants(acts: Acts, facts: Facts) -> list[Mutant]:
    """Return the mutants of one recorded run of the oracle by API."""
    return [
        *_of_the_sides(acts, facts),
        *_instead(acts, facts),
        *_afterwards(acts, facts),
        *_that_change_nothing(acts, facts),
        *_that_look_less(acts, facts),
    ]


def _merge(target: int, sources: list[int], **said: Any) -> RecordedAct:
    notes = {"target_comment": "Merged: the same machine.", "source_comment": f"See #{target}."}
    return RecordedAct(MERGE, {"ticket_id": target, "body": {"ids": sources, **notes, **said}})


def _with(acts: Acts, *merges: RecordedAct) -> list[RecordedAct]:
    """Return the acts with other merges in place of all of theirs."""
    first = place_of(acts, lambda taken: taken.tool == MERGE) or 0
    rest = [taken for taken in acts[first:] if taken.tool != MERGE]
    return [*acts[:first], *merges, *rest]


def _of_the_sides(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Another target, other sources."""
    target, sources = facts["ticket"], facts["sources"]

    def merged(operator: str, name: str, into: int, what: list[int]) -> Mutant:
        return Mutant(operator, "harmful", name, _with(acts, _merge(into, what)))

    everything = [target, *sources]
    for number in sources:
        others = [other for other in everything if other != number]
        yield merged("reverse direction", f"all into #{number}", number, others)
        rest = [other for other in sources if other != number]
        if rest:
            yield merged("drop write", f"#{number} left out", target, rest)
    for number in facts["beside"]:
        yield merged("wrong target", f"look-alike #{number} too", target, [*sources, number])
        yield merged("wrong target", f"only look-alike #{number}", target, [number])
        yield merged("wrong target", f"all into look-alike #{number}", number, everything)
        yield merged("wrong target", f"the rest into look-alike #{number}", number, sources)
    for number in facts["solved"]:
        yield merged("wrong target", "the solved one too", target, [*sources, number])
        yield merged("wrong target", "all into the solved one", number, everything)
    yield merged("wrong target", "the target itself too", target, everything)
    first, last = sources[0], sources[-1]
    if first != last:
        chained = _with(acts, _merge(first, [last]), _merge(target, sources[:-1]))
        yield Mutant("reverse direction", "harmful", "the last by way of another", chained)


def _instead(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Something like a merge in place of it."""
    target, sources = facts["ticket"], facts["sources"]
    ways: dict[str, dict[str, Any]] = {
        "closed by hand": {"status": "closed", "additional_tags": ["closed_by_merge"]},
        "solved by hand": {"status": "solved"},
        "linked as incidents": {"type": "incident", "external_id": str(target)},
        "renamed to the target's": {"subject": "Merged"},
    }
    for name, fields in ways.items():
        written = [_set(number, **fields) for number in sources]
        yield Mutant("wrong enum", "harmful", name, _with(acts, *written))
    deleted = [RecordedAct("helpdesk_DeleteTicket", {"ticket_id": number}) for number in sources]
    yield Mutant("wrong target", "harmful", "deleted", _with(acts, *deleted))
    spam = [
        RecordedAct("helpdesk_MarkTicketAsSpamAndSuspendRequester", {"ticket_id": number})
        for number in sources
    ]
    yield Mutant("wrong target", "harmful", "marked as spam", _with(acts, *spam))


def _set(ticket: int, **fields: Any) -> RecordedAct:
    return RecordedAct(UPDATE, {"ticket_id": ticket, "body": {"ticket": fields}})


def _afterwards(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """All is merged well, and then something is done to what stays."""
    target = facts["ticket"]
    copied = facts["copied"]
    extras: dict[str, tuple[str, dict[str, Any]]] = {
        "solved afterwards": ("undo after doing", {"status": "solved", **_solving(facts)}),
        "the requester changed": ("wrong target", {"requester_id": facts["colleague"]}),
        "somebody added in copy": (
            "extra write next door",
            {"email_ccs": [{"user_email": "ann@example.net", "action": "put"}]},
        ),
        "the customer written to": (
            "public for internal",
            {"comment": {"body": "We have put your requests together.", "public": True}},
        ),
        "tagged": ("extra write next door", {"additional_tags": ["merged"]}),
        "priority set": ("extra write next door", {"priority": "urgent"}),
    }
    if copied:
        kept = {"collaborator_ids": copied[1:]}
        extras["one in copy lost"] = ("undo after doing", kept)
    for name, (operator, fields) in extras.items():
        after = [*acts[:-1], _set(target, **fields), acts[-1]]
        yield Mutant(operator, "harmful", name, after)


def _solving(facts: Facts) -> dict[str, Any]:
    return {
        "assignee_id": facts["solver"],
        "custom_fields": [{"id": facts["reason_field"], "value": "res_answered"}],
    }


def _that_change_nothing(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    target, sources = facts["ticket"], facts["sources"]

    def same(operator: str, name: str, *merges: RecordedAct) -> Mutant:
        return Mutant(operator, "equivalent", name, _with(acts, *merges))

    single = [_merge(target, [number]) for number in sources]
    whole = _merge(target, sources)
    yield same("bulk for single", "all at once", whole)
    yield same("bulk for single", "all at once, turned round", _merge(target, sources[::-1]))
    yield same("swap commuting steps", "newest first", *reversed(single))
    yield same("same PUT twice", "each named twice", _merge(target, [*sources, *sources]))
    yield same("same PUT twice", "merged twice", whole, whole)
    quiet = {"target_comment": None, "source_comment": None}
    yield same("reworded text", "without a word", _merge(target, sources, **quiet))
    words = {"target_comment": "Same fault.", "source_comment": "See the other ticket."}
    yield same("reworded text", "other words", _merge(target, sources, **words))
    after = _set(target, comment={"body": "All in one place now.", "public": False})
    yield same("extra internal note", "a note besides", *single, after)
    before = _set(sources[0], comment={"body": "Will be merged.", "public": False})
    yield same("extra internal note", "a note before", before, *single)
    text = RecordedAct(MERGE, {**whole.arguments, "ticket_id": str(target)})
    yield same("number formats", "the target as text", text)
    for side in ("target", "source"):
        said = {f"{side}_comment_is_public": True}
        public = _with(acts, _merge(target, sources, **said))
        yield Mutant("public for internal", "harmful", f"the {side}'s comment public", public)


def _that_look_less(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Leave out what only looking and care are read from."""
    for number in (facts["ticket"], *facts["sources"]):
        place = place_of(
            acts,
            lambda taken, number=number: (  # type: ignore[misc]
                taken.tool == "helpdesk_ListTicketComments"
                and taken.arguments["ticket_id"] == number
            ),
        )
        if place is not None:
            yield Mutant("drop a read", "careless", f"#{number} not read", replaced(acts, place))
    place = place_of(acts, lambda taken: taken.tool == "helpdesk_TicketsShowMany")
    if place is not None:
        yield Mutant("drop a read", "equivalent", "not looked at after", replaced(acts, place))
