"""What must be true of a fault that was passed on to engineering."""

from __future__ import annotations

from typing import Final

from episodes.checks import NOT_APPLICABLE, Check, Phase, Verdict, verdict
from episodes.families.x02 import standing
from episodes.rewards import Charge, Evidence
from episodes.tasks.guards import FINISHED, own, repeated_replies
from episodes.tasks.looking_up import comments_seen, shown_closely
from episodes.tasks.spec import Scene

TABLES: Final = (
    "helpdesk_comment",
    "helpdesk_ticket",
    "tracker_comment",
    "tracker_issue",
    "tracker_issuecomponent",
    "tracker_remotelink",
)


def _evidence(scene: Scene) -> Evidence:
    rows = [write for write in scene.writes if write.by_agent and write.table.name in TABLES]
    return Evidence(journal=tuple(write.seq for write in rows))


def on_record(scene: Scene) -> Verdict:
    """The fault has one bug: a new one, or the one on record with the agent's word in it."""
    return verdict(standing.the_bug(scene.facts) is not None, _evidence(scene))


def tells(scene: Scene) -> Verdict:
    """The bug tells what the note asks for, and nothing that was taken back: the share."""
    return Verdict(standing.share_told(scene.facts), _evidence(scene))


def filed(scene: Scene) -> Verdict:
    """A new bug has the component and priority of the note, and begins with the code."""
    if scene.facts["joined"] is not None:
        return NOT_APPLICABLE
    return Verdict(standing.share_filed(scene.facts), _evidence(scene))


def leads_to_ticket(scene: Scene) -> Verdict:
    """The bug has a web link to the ticket."""
    return verdict(standing.leads_to_ticket(scene.facts), _evidence(scene))


def leads_to_bug(scene: Scene) -> Verdict:
    """An internal note on the ticket names the bug."""
    return verdict(standing.leads_to_bug(scene.facts), _evidence(scene))


def told(scene: Scene) -> Verdict:
    """The customer was told when they hear from us, and the version that is planned, if one is."""
    return verdict(standing.is_answered(scene.facts), _evidence(scene))


def held(scene: Scene) -> Verdict:
    """The ticket is on hold."""
    return verdict(standing.is_on_hold(scene.facts), _evidence(scene))


def _first_write(scene: Scene) -> int | None:
    rows = [write for write in scene.writes if write.by_agent and write.table.name in TABLES]
    return rows[0].seq if rows else None


def read_first(scene: Scene) -> Verdict:
    """The customer's mails and the note were read before anything was written."""
    first = _first_write(scene)
    if first is None:
        return NOT_APPLICABLE
    return comments_seen(scene, [*scene.facts["mails"], scene.facts["note"]], first)


def looked_up(scene: Scene) -> Verdict:
    """What is on record of the fault was found before anything was written."""
    first, record = _first_write(scene), scene.facts["record"]
    if first is None or record is None:
        return NOT_APPLICABLE
    found = [
        seen
        for seen in shown_closely(scene)
        if seen.table == "tracker_issue" and seen.key == str(record) and seen.seq < first
    ]
    evidence = Evidence(
        sightings=tuple(seen.sighting for seen in found),
        requests=tuple(seen.request for seen in found),
    )
    return verdict(bool(found), evidence)


PHASES: tuple[Phase[Scene], ...] = (
    Phase(
        "raised",
        0.45,
        (
            Check(
                "the fault has one bug, the one on record if there is one that is not done",
                "end",
                on_record,
                "policy:the same code is the same fault",
                at_start=False,
            ),
            Check(
                "the bug tells what the note asks for and nothing that was taken back",
                "end",
                tells,
                "policy:what a bug has to tell",
                at_start=False,
                weight=2.0,
            ),
            Check(
                "a new bug has its component, its priority and the code at the head",
                "end",
                filed,
                "policy:components and priorities",
                at_start=False,
            ),
        ),
    ),
    Phase(
        "linked",
        0.25,
        (
            Check(
                "the bug has a web link to the ticket",
                "end",
                leads_to_ticket,
                "policy:link both ways",
                at_start=False,
            ),
            Check(
                "an internal note on the ticket names the bug",
                "end",
                leads_to_bug,
                "policy:link both ways",
                at_start=False,
            ),
        ),
    ),
    Phase(
        "told",
        0.20,
        (
            Check(
                "the customer knows when they hear from us and which version is planned",
                "end",
                told,
                "policy:answer the customer",
                at_start=False,
            ),
        ),
        needs=("raised",),
    ),
    Phase(
        "held",
        0.10,
        (
            Check(
                "the ticket that was passed on is on hold",
                "end",
                held,
                "policy:the ticket goes on hold",
                at_start=False,
            ),
        ),
        needs=("raised",),
    ),
)

CARE: tuple[Check[Scene], ...] = (
    Check(
        "the customer's mails and the note were read before anything was written",
        "means",
        read_first,
        "goal",
        at_start=False,
    ),
    Check(
        "what is on record of the fault was found before anything was written",
        "means",
        looked_up,
        "policy:look for the code first",
        at_start=False,
    ),
)


def guard(scene: Scene) -> tuple[Charge, ...]:
    """Return the charges of the step at hand: the ticket closed, the same reply once more."""
    return (*_false_closes(scene), *repeated_replies(scene))


def _false_closes(scene: Scene) -> list[Charge]:
    """Charge the ticket's being solved: it is owed a fix that is not out."""
    found = []
    for write in own(scene.fresh, "helpdesk_ticket", "update"):
        if write.after is None or write.before is None or write.key != scene.facts["ticket"]:
            continue
        if write.after["status"] in FINISHED and write.before["status"] not in FINISHED:
            found.append(
                Charge(
                    "false_close",
                    because="ticket closed, the fault is still there",
                    obligation=scene.facts["obligations"][0]["id"],
                    request=write.root.request if write.root else None,
                    evidence=Evidence(journal=(write.seq,)),
                )
            )
    return found
