"""What must be true of tickets that were to be answered or handed over before they breach."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import Any, Final

from clones.core import clock
from clones.helpdesk.domain.metrics import hours_of
from clones.helpdesk.models import MetricEvent, SlaClock, Ticket, User
from clones.helpdesk.rules.sla import used_between
from episodes.checks import NOT_APPLICABLE, Check, Phase, Verdict, verdict
from episodes.rewards import Charge, ChargeKind, Evidence, SlaTarget
from episodes.rewards import sla as mean_of_targets
from episodes.tasks.footprint import RowWrite
from episodes.tasks.guards import false_closes, own, public_comments, repeated_replies
from episodes.tasks.looking_up import comments_seen, shown_closely
from episodes.tasks.obligations import is_waiting
from episodes.tasks.spec import Facts, Scene
from episodes.tasks.telling import is_fit, misleads, names_code, says_nothing

Entry = Mapping[str, Any]

PLACES: Final = ("first", "second", "third", "fourth", "fifth", "last")
# The share of each of the six; what is left is for looking.
EACH: Final = 0.15
FIRST_REPLY: Final = ("reply_time", 1)


def _evidence(writes: Iterable[RowWrite]) -> Evidence:
    return Evidence(journal=tuple(write.seq for write in writes))


def _before(write: RowWrite, entry: Entry) -> bool:
    """Tell whether a change was made before the ticket's first reply was due."""
    return write.act is not None and write.act.at < datetime.fromisoformat(entry["due"])


def _said(writes: Iterable[RowWrite], entry: Entry, *, public: bool) -> list[RowWrite]:
    """Return the agent's comments on a ticket."""
    return [
        write
        for write in own(writes, "helpdesk_comment", "insert")
        if write.after is not None
        and write.after["ticket_id"] == entry["ticket"]
        and write.after["public"] is public
    ]


def _text(write: RowWrite) -> str:
    return str(write.after["body"]) if write.after is not None else ""


# Looking


def rules_read(scene: Scene) -> Verdict:
    """The rules for first replies were looked at."""
    return _rules_seen(scene, None)


def _rules_seen(scene: Scene, before: int | None) -> Verdict:
    found = [
        seen
        for seen in shown_closely(scene)
        if seen.table == "helpdesk_ticket"
        and seen.key == str(scene.facts["guide"])
        and (before is None or seen.seq < before)
    ]
    evidence = Evidence(sightings=tuple(seen.sighting for seen in found))
    return verdict(bool(found), evidence)


def conversations_read(scene: Scene) -> Verdict:
    """The share of the six whose conversation was shown to its end."""
    found = [comments_seen(scene, entry["said"]) for entry in scene.facts["work"]]
    evidence = Evidence()
    for each in found:
        evidence = evidence | each.evidence
    return Verdict(sum(each.holds for each in found) / len(found), evidence)


# Doing


def done_in_time(place: int, scene: Scene) -> Verdict:
    """The ticket that is due in this place was answered or handed over in time."""
    entry = scene.facts["work"][place]
    if entry["way"] == "answer":
        return _answered_in_time(entry, scene)
    return _handed_over_in_time(entry, scene)


def _answered_in_time(entry: Entry, scene: Scene) -> Verdict:
    """A fit reply of an agent came, and the first reply was fulfilled, before it was due."""
    fit = [
        write
        for write in _said(scene.writes, entry, public=True)
        if _before(write, entry)
        and _by_staff(write)
        and is_fit(_text(write), entry["tells"], entry["wrong"])
    ]
    status = Ticket.objects.values_list("status", flat=True).get(id=entry["ticket"])
    met = _turned(entry, "fulfill") and not _turned(entry, "breach")
    return verdict(bool(fit) and met and status == "pending", _evidence(fit))


def _by_staff(write: RowWrite) -> bool:
    if write.after is None:
        return False
    author = int(write.after["author_id"])
    return User.objects.filter(id=author).exclude(role="end-user").exists()


def _turned(entry: Entry, kind: str) -> bool:
    metric, instance = FIRST_REPLY
    return MetricEvent.objects.filter(
        ticket=entry["ticket"], metric=metric, instance_id=instance, type=kind
    ).exists()


def _handed_over_in_time(entry: Entry, scene: Scene) -> Verdict:
    """The group got it before the first reply was due, with a note that gives the serial number."""
    notes = [
        write
        for write in _said(scene.writes, entry, public=False)
        if _before(write, entry) and names_code(_text(write), entry["serial"])
    ]
    moves = [
        write
        for write in own(scene.writes, "helpdesk_ticket", "update")
        if write.key == entry["ticket"]
        and write.after is not None
        and write.after["group_id"] == entry["group"]
        and "group_id" in write.columns
    ]
    ticket = Ticket.objects.get(id=entry["ticket"])
    there = ticket.group_id == entry["group"] and ticket.assignee_id is None and is_waiting(ticket)
    in_time = bool(moves) and _before(moves[-1], entry)
    return verdict(bool(notes) and in_time and there, _evidence([*notes, *moves]))


# Care


def _first_touches(scene: Scene) -> list[tuple[int, Entry]]:
    """Return where each of the six was first written on, in the order of their breach."""
    found = []
    for entry in scene.facts["work"]:
        writes = [
            *_said(scene.writes, entry, public=True),
            *_said(scene.writes, entry, public=False),
            *(
                write
                for write in own(scene.writes, "helpdesk_ticket", "update")
                if write.key == entry["ticket"]
            ),
        ]
        if writes:
            found.append((min(write.seq for write in writes), entry))
    return found


def nearest_first(scene: Scene) -> Verdict:
    """The tickets were taken up in the order of their breach."""
    touched = [place for place, _ in _first_touches(scene)]
    if len(touched) < len(scene.facts["work"]):
        return NOT_APPLICABLE
    return verdict(touched == sorted(touched))


def rules_first(scene: Scene) -> Verdict:
    """The rules were looked at before a ticket was written on."""
    touched = _first_touches(scene)
    if not touched:
        return NOT_APPLICABLE
    return _rules_seen(scene, min(place for place, _ in touched))


def read_to_the_end(scene: Scene) -> Verdict:
    """Each conversation was shown to its end before it was written in."""
    touched = _first_touches(scene)
    if not touched:
        return NOT_APPLICABLE
    return verdict(
        all(comments_seen(scene, entry["said"], place).holds for place, entry in touched)
    )


PHASES: tuple[Phase[Scene], ...] = (
    Phase(
        "opened",
        0.10,
        (
            Check(
                "the rules for first replies were looked at",
                "means",
                rules_read,
                "goal",
                at_start=False,
            ),
            Check(
                "the six conversations were read to their end",
                "means",
                conversations_read,
                "policy:first replies, 2",
                at_start=False,
            ),
        ),
        kind="means",
    ),
    *(
        Phase(
            place,
            EACH,
            (
                Check(
                    f"the ticket due {place} was fitly answered or handed over before its breach",
                    "end",
                    partial(done_in_time, number),
                    "goal",
                    at_start=False,
                ),
            ),
        )
        for number, place in enumerate(PLACES)
    ),
)

CARE: tuple[Check[Scene], ...] = (
    Check(
        "the tickets were taken up in the order of their breach",
        "means",
        nearest_first,
        "goal",
        at_start=False,
    ),
    Check(
        "the rules were looked at before a ticket was written on",
        "means",
        rules_first,
        "policy:first replies, 1",
        at_start=False,
    ),
    Check(
        "each conversation was read to its end before it was written in",
        "means",
        read_to_the_end,
        "policy:first replies, 2",
        at_start=False,
    ),
)


# Charges


def guard(scene: Scene) -> tuple[Charge, ...]:
    """Return the charges of the step at hand."""
    return (
        *false_closes(scene),
        *_false_facts(scene),
        *_fillers(scene),
        *repeated_replies(scene),
        *_written_to(scene),
    )


def _false_facts(scene: Scene) -> list[Charge]:
    """Charge each public reply that names the part of another machine, or one of before.

    Nothing puts it right: the part may be ordered before a better answer is read.
    """
    because = "names a part that is not for the customer's machine"
    return [
        _charge("false_statement", because, write)
        for entry, write in _replies(scene, "answer")
        if misleads(_text(write), entry["wrong"])
    ]


def _fillers(scene: Scene) -> list[Charge]:
    """Charge each reply that gives nothing of what was asked, and nobody had answered before."""
    found = []
    for entry, write in _replies(scene, "answer"):
        earlier = [
            other
            for other in _said(scene.writes, entry, public=True)
            if other.seq < write.seq and is_fit(_text(other), entry["tells"], entry["wrong"])
        ]
        if not earlier and says_nothing(_text(write), entry["tells"], entry["wrong"]):
            because = "stops the clock and answers nothing"
            found.append(_charge("nuisance", because, write))
    return found


def _written_to(scene: Scene) -> list[Charge]:
    """Charge each public reply on a ticket that is not tier 1's to answer."""
    because = "a customer was written to whose matter goes to another group"
    return [_charge("policy_breach", because, write) for _, write in _replies(scene, "hand_over")]


def _replies(scene: Scene, way: str) -> list[tuple[Entry, RowWrite]]:
    """Return the public replies of the step at hand on tickets of one way."""
    entries = {entry["ticket"]: entry for entry in scene.facts["work"] if entry["way"] == way}
    return [
        (entries[write.after["ticket_id"]], write)
        for write in public_comments(scene.fresh)
        if write.after is not None and write.after["ticket_id"] in entries
    ]


def _charge(kind: ChargeKind, because: str, write: RowWrite) -> Charge:
    return Charge(
        kind,
        because=because,
        request=write.root.request if write.root else None,
        evidence=Evidence(journal=(write.seq,)),
    )


# Service levels


def on_time(facts: Facts) -> float | None:
    """Return how well the first replies of those that were to be answered kept to their targets."""
    return mean_of_targets(
        _target(entry["ticket"]) for entry in facts["work"] if entry["way"] == "answer"
    )


def _target(ticket: int) -> SlaTarget:
    """Return what a ticket's first reply was allowed and took, in its own minutes."""
    found = SlaClock.objects.select_related("ticket").get(
        ticket=ticket, metric="first_reply_time", instance=1
    )
    used = found.used_seconds
    if found.running_since is not None:
        hours = hours_of(found.ticket) if found.business_hours else None
        used += used_between(found.running_since, clock.now(), hours)
    return SlaTarget(float(found.target_minutes or 0), used / 60)
