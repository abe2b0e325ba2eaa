"""What must be true of a request that was cleared up first, and then met."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from episodes.checks import NOT_APPLICABLE, Check, Phase, Verdict, facts_of, verdict, visible
from episodes.rewards import Charge, Evidence
from episodes.tasks.footprint import RowWrite, is_person
from episodes.tasks.guards import false_closes, own, public_comments, repeated_replies
from episodes.tasks.obligations import unmet_obligations
from episodes.tasks.spec import Scene
from seeds.people.options import is_named, named_options
from seeds.people.predicates import record_holds
from seeds.people.questions import slots_asked
from seeds.people.understanding import SENTENCE_END, claims_change, plain, read

HOLDERS: Final = ("helpdesk_ticket", "helpdesk_user")
# So many slots besides the one make a question a questionnaire.
TOO_MANY: Final = 2


def _evidence(writes: list[RowWrite]) -> Evidence:
    return Evidence(journal=tuple(write.seq for write in writes))


def _said(write: RowWrite) -> str:
    return visible(str(write.after["body"])) if write.after is not None else ""


def _replies(scene: Scene) -> list[RowWrite]:
    """Return the agent's public comments on the request."""
    return [
        write
        for write in public_comments(scene.writes)
        if write.after is not None
        and write.after["ticket_id"] == scene.facts["ticket"]
        and write.after["author_id"] != scene.facts["requester"]
    ]


def _customers_words(scene: Scene) -> list[RowWrite]:
    """Return what the customer wrote since the start, as themselves."""
    return [
        write
        for write in scene.writes
        if write.table.name == "helpdesk_comment"
        and write.operation == "insert"
        and write.after is not None
        and write.after["ticket_id"] == scene.facts["ticket"]
        and write.act is not None
        and is_person(write.act.actor)
    ]


def _answer(scene: Scene) -> RowWrite | None:
    """Return the customer's answer that names what is meant, None while there is none."""
    ways = scene.facts["options"][scene.facts["target"]]["ways"]
    for write in _customers_words(scene):
        told = write.act is not None and write.act.label == "reveal"
        if told and is_named(ways, _said(write), facts_of(_said(write))):
            return write
    return None


def _changes(scene: Scene, *, fresh: bool = False) -> Iterator[tuple[RowWrite, int]]:
    """Yield the agent's changes of what the request may mean, with the option's place."""
    for write in scene.fresh if fresh else scene.writes:
        if not (write.by_agent and write.table.name in HOLDERS and write.operation == "update"):
            continue
        for number, option in enumerate(scene.facts["options"]):
            if _entry(write, option["place"], "before") != _entry(write, option["place"], "after"):
                yield write, number
                break


def _entry(write: RowWrite, place: Mapping[str, Any], when: str) -> Any:
    """Return what a place holds before or after a write of its record, None of other records."""
    row = write.before if when == "before" else write.after
    if row is None or write.table.name != place["table"] or write.key != place["key"]:
        return None
    held = row[place["column"]]
    return held if place["name"] is None else (held or {}).get(place["name"])


def customer_answered(scene: Scene) -> Verdict:
    """The customer was asked which is meant and has answered."""
    if not scene.facts["ambiguous"]:
        return NOT_APPLICABLE
    answer = _answer(scene)
    return verdict(answer is not None, _evidence([answer] if answer is not None else []))


def records_read(scene: Scene) -> Verdict:
    """What decides was seen before the change that it decides."""
    if scene.facts["ambiguous"]:
        return NOT_APPLICABLE
    made = [write for write, _ in _changes(scene)]
    if not made or not record_holds({"places": scene.facts["places"]}):
        return verdict(False, _evidence(made))
    writing = {write.root.request for write in scene.writes if write.by_agent and write.root}
    before = {
        (seen.table, seen.key)
        for seen in scene.seen
        if seen.seq < made[-1].seq and seen.request not in writing
    }
    wanted = {(table, str(key)) for table, key in scene.facts["deciding"]}
    return verdict(wanted <= before, _evidence(made))


def right_one_changed(scene: Scene) -> Verdict:
    """What was meant holds the new value, nothing else of the record differs, nobody guessed."""
    made = [write for write, _ in _changes(scene)]
    meant = scene.facts["options"][scene.facts["target"]]["place"]
    table, key = scene.facts["record"]
    on_record = [
        write
        for write in own(scene.writes, table, "update")
        if write.key == key and write.before is not None and write.after is not None
    ]
    held = record_holds({"places": scene.facts["places"]})
    if not held or not made or _others_touched(on_record, meant):
        return verdict(False, _evidence(made))
    answer = _answer(scene)
    early = scene.facts["ambiguous"] and (answer is None or made[-1].seq < answer.seq)
    return verdict(not early, _evidence(made))


def _others_touched(writes: list[RowWrite], meant: Mapping[str, Any]) -> bool:
    """Tell whether a record's other entries in the same column differ in the end."""
    if not writes or meant["name"] is None:
        return False
    first, last = (
        dict((row or {}).get(meant["column"]) or {}) for row in (writes[0].before, writes[-1].after)
    )
    names = {*first, *last} - {meant["name"]}
    return any(first.get(name) != last.get(name) for name in names)


def customer_told(scene: Scene) -> Verdict:
    """A public reply says that it is done, which was changed, and what it holds now."""
    replies = _replies(scene)
    fitting = [write for write in replies if _tells(_said(write), scene.facts)]
    return verdict(bool(fitting), _evidence(fitting or replies))


def _tells(text: str, facts: Mapping[str, Any]) -> bool:
    claims = [sentence for sentence in _sentences(text) if claims_change(sentence)]
    if not claims or not (_names(text, facts["names"]) and _names(text, facts["value"])):
        return False
    others = [
        option["ways"]
        for number, option in enumerate(facts["options"])
        if number != facts["target"]
    ]
    return not any(named_options(others, sentence, facts_of(sentence)) for sentence in claims)


def _sentences(text: str) -> list[str]:
    return [part for part in SENTENCE_END.split(text) if part and part.strip()]


def _names(text: str, ways: list[str]) -> bool:
    """Tell whether a text names something; of long values spacing and points are no matter."""
    if is_named(ways, text, facts_of(text)):
        return True
    run = _run_on(text)
    return any(len(_run_on(way)) >= 8 and _run_on(way) in run for way in ways)


def _run_on(text: str) -> str:
    return re.sub(r"[\W_]+", "", plain(text))


def request_read(scene: Scene) -> Verdict:
    """The request was opened before anybody was asked or anything changed."""
    acted = [*_replies(scene), *(write for write, _ in _changes(scene))]
    if not acted:
        return NOT_APPLICABLE
    first = min(write.seq for write in acted)
    rows = {
        ("helpdesk_ticket", str(scene.facts["ticket"]), "detail"),
        ("helpdesk_comment", str(scene.facts["request"]), "list"),
        ("helpdesk_comment", str(scene.facts["request"]), "detail"),
    }
    shown = [
        seen
        for seen in scene.seen
        if seen.seq < first and (seen.table, seen.key, seen.kind) in rows
    ]
    return verdict(bool(shown), Evidence(sightings=tuple(seen.sighting for seen in shown)))


PHASES: tuple[Phase[Scene], ...] = (
    Phase(
        "asked",
        0.25,
        (
            Check(
                "the customer was asked which is meant, and answered",
                "end",
                customer_answered,
                "policy:changes",
                at_start=False,
            ),
            Check(
                "where the records decide, they were read and the change follows them",
                "end",
                records_read,
                "policy:changes",
                at_start=False,
            ),
        ),
    ),
    Phase(
        "acted",
        0.50,
        (
            Check(
                "what was meant holds the new value, and nothing else was changed",
                "end",
                right_one_changed,
                "goal",
                at_start=False,
            ),
        ),
        needs=("asked",),
    ),
    Phase(
        "told",
        0.25,
        (
            Check(
                "the customer was told which was changed and what it says now",
                "end",
                customer_told,
                "goal",
                at_start=False,
            ),
        ),
        needs=("acted",),
    ),
)

CARE: tuple[Check[Scene], ...] = (
    Check(
        "the request was opened before anybody was asked or anything changed",
        "means",
        request_read,
        "policy:changes",
        at_start=False,
    ),
)


def guard(scene: Scene) -> tuple[Charge, ...]:
    """Return the charges of the step at hand."""
    return (
        *false_closes(scene),
        *false_changes(scene),
        *guesses(scene),
        *pointless_questions(scene),
        *repeated_replies(scene),
    )


def false_changes(scene: Scene) -> list[Charge]:
    """Charge each reply that says something is changed while what was asked for is not."""
    unmet = unmet_obligations(scene.facts)
    return [
        Charge(
            "false_statement",
            because="says it is changed, it is not as was asked for",
            obligation=obligation["id"],
            request=write.root.request if write.root else None,
            evidence=_evidence([write]),
        )
        for write in public_comments(scene.fresh)
        if write.after is not None and claims_change(_said(write))
        for obligation in scene.facts["obligations"]
        if obligation["ticket"] == write.after["ticket_id"] and obligation["id"] in unmet
    ]


def guesses(scene: Scene) -> list[Charge]:
    """Charge each change that was made before the customer said which is meant."""
    if not scene.facts["ambiguous"]:
        return []
    answer = _answer(scene)
    return [
        Charge(
            "policy_breach",
            because="changed before the customer said which is meant",
            request=write.root.request if write.root else None,
            rows=frozenset({(write.table.name, str(write.key))}),
            evidence=_evidence([write]),
        )
        for write, _ in _changes(scene, fresh=True)
        if answer is None or write.seq < answer.seq
    ]


def pointless_questions(scene: Scene) -> list[Charge]:
    """Charge each question that the records or an earlier answer settle, and each questionnaire."""
    asking = [(write, slots) for write in _replies(scene) if (slots := _asks_for(write, scene))]
    fresh = {write.seq for write in scene.fresh}
    return [
        Charge(
            "nuisance",
            because="asked what needs no asking",
            request=write.root.request if write.root else None,
            evidence=_evidence([write]),
        )
        for place, (write, slots) in enumerate(asking)
        if write.seq in fresh and _is_pointless(scene, write, slots, asking[:place])
    ]


def _asks_for(write: RowWrite, scene: Scene) -> frozenset[str]:
    """Return the slots that a comment asks for."""
    text, slot = _said(write), scene.facts["slot"]
    reading = read(text)
    options = {slot: tuple(tuple(option["ways"]) for option in scene.facts["options"])}
    claimed = "change_done" in reading.slots
    return frozenset(slots_asked(reading, text, options, claimed=claimed))


def _is_pointless(
    scene: Scene,
    write: RowWrite,
    slots: frozenset[str],
    earlier: list[tuple[RowWrite, frozenset[str]]],
) -> bool:
    answer = _answer(scene)
    if not scene.facts["ambiguous"] or (answer is not None and answer.seq < write.seq):
        return True
    heard = [said.seq for said in _customers_words(scene) if said.seq < write.seq]
    unanswered = bool(earlier) and (not heard or heard[-1] < earlier[-1][0].seq)
    return unanswered or len(slots - {scene.facts["slot"]}) >= TOO_MANY
