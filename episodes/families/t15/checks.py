"""What must be true of a queue that was worked by the desk's guide."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any, Final

from clones.core import clock
from clones.tracker.models import SlaCycle, Status
from clones.tracker.queries.slas import is_breached
from episodes.checks import NOT_APPLICABLE, Check, Phase, Verdict, verdict
from episodes.checks.text import shown
from episodes.families.t15 import owed
from episodes.rewards import Charge, Evidence
from episodes.tasks.footprint import RowWrite
from episodes.tasks.guards import own
from episodes.tasks.spec import Scene
from episodes.tasks.tracker_acts import text_of
from episodes.tasks.tracker_guards import charge, repeated_comments

ISSUE: Final = "tracker_issue"
COMMENT: Final = "tracker_comment"
APPROVER: Final = "tracker_approver"
TABLES: Final = (ISSUE, COMMENT, APPROVER, "tracker_fieldvalue")


# What was read


def read(scene: Scene) -> Verdict:
    """The guide, every note, and every request that is not done yet were looked at."""
    return _looked_at(scene, None)


def read_first(scene: Scene) -> Verdict:
    """All of that was looked at before anything was written."""
    changes = [write for write in scene.writes if write.by_agent and write.table.name in TABLES]
    return _looked_at(scene, changes[0].seq) if changes else NOT_APPLICABLE


def _looked_at(scene: Scene, before: int | None) -> Verdict:
    """Tell whether all that is to be read was: issues by themselves, notes wherever they stand."""
    ways = [
        {(ISSUE, str(scene.facts["guide"]))},
        {(ISSUE, str(scene.facts["waiting"]))},
        *(
            {(ISSUE, str(entry["issue"])), (COMMENT, str(entry["note"]))}
            for entry in scene.facts["entries"]
        ),
    ]
    every = set[tuple[str, str]]().union(*ways)
    found = [
        seen
        for seen in scene.seen
        if (before is None or seen.seq < before)
        and (seen.table, seen.key) in every
        and (seen.kind == "detail" or seen.table == COMMENT)
    ]
    evidence = Evidence(
        sightings=tuple(seen.sighting for seen in found),
        requests=tuple(seen.request for seen in found),
    )
    seen_ones = {(seen.table, seen.key) for seen in found}
    return verdict(all(way & seen_ones for way in ways), evidence)


# What became of the queue


def _evidence(scene: Scene) -> Evidence:
    return Evidence(
        journal=tuple(
            write.seq for write in scene.writes if write.by_agent and write.table.name in TABLES
        )
    )


def told(scene: Scene) -> Verdict:
    """Customers were told what is for them, or asked for what is missing: the share of them."""
    entries, now = scene.facts["entries"], owed.Standing(scene.facts)
    right = sum(owed.is_told(now, entry) for entry in entries)
    return Verdict(right / len(entries), _evidence(scene))


def settled(scene: Scene) -> Verdict:
    """Requests are resolved or wait for their customer, as the guide says: the share of them.

    Only those count whose customers were told or asked.
    """
    entries, now = scene.facts["entries"], owed.Standing(scene.facts)
    right = sum(owed.is_told(now, one) and owed.is_settled(now, one) for one in entries)
    return Verdict(right / len(entries), _evidence(scene))


def in_order(scene: Scene) -> Verdict:
    """Customers were answered in the order of the time that was left: the share of neighbours.

    What was never answered comes neither before nor after anything.
    """
    said = owed.replies_on(scene.facts, scene.facts["issues"])
    firsts = [said[entry["issue"]][:1] for entry in scene.facts["entries"]]
    pairs = list(pairwise(firsts))
    right = sum(bool(one and other and one[0].id < other[0].id) for one, other in pairs)
    return Verdict(right / len(pairs), _evidence(scene))


def in_time(scene: Scene) -> Verdict:
    """The clock that counts was stopped or rests before its goal: the share of those in time.

    One that was made to rest without a question does not count as kept.
    """
    issues = [entry["issue"] for entry in scene.facts["entries"] if not entry["late"]]
    rows = SlaCycle.objects.filter(issue__in=issues, metric=scene.facts["metric"])
    last = {cycle.issue_id: cycle for cycle in rows.select_related("calendar").order_by("id")}
    now = owed.Standing(scene.facts)
    right = sum(
        _was_met(cycle) and not owed.rested_on_paper(now, issue) for issue, cycle in last.items()
    )
    return Verdict(right / len(issues), _evidence(scene))


def _was_met(cycle: SlaCycle) -> bool:
    moment = cycle.stopped_at or cycle.paused_at
    return moment is not None and not is_breached(cycle, clock.now())


def decided(scene: Scene) -> Verdict:
    """The approval was decided by the one whose word counts, and by nobody else."""
    return verdict(owed.is_decided(scene.facts), _evidence(scene))


def passed_on(scene: Scene) -> Verdict:
    """The customer knows what was decided: told after it was, with what follows from it."""
    return verdict(owed.is_passed_on(scene.facts, owed.Standing(scene.facts)), _evidence(scene))


def carried_out(scene: Scene) -> Verdict:
    """What was approved is with whoever orders it; what was declined is closed."""
    return verdict(owed.is_carried_out(scene.facts, owed.Standing(scene.facts)), _evidence(scene))


PHASES: tuple[Phase[Scene], ...] = (
    Phase(
        "read",
        0.10,
        (
            Check(
                "the guide and every request on the list were read",
                "means",
                read,
                "goal",
                at_start=False,
            ),
        ),
        kind="means",
    ),
    Phase(
        "answered",
        0.25,
        (
            Check(
                "customers were told what the notes have for them, or asked for what is missing",
                "end",
                told,
                "policy:replies",
                at_start=False,
            ),
        ),
    ),
    Phase(
        "settled",
        0.25,
        (
            Check(
                "requests are resolved or wait for their customers as the guide says",
                "end",
                settled,
                "policy:replies",
                at_start=False,
            ),
        ),
    ),
    Phase(
        "in order",
        0.15,
        (
            Check(
                "customers were answered in the order of the time that was left",
                "end",
                in_order,
                "policy:order",
                at_start=False,
            ),
            Check(
                "no promise was missed that could be kept",
                "end",
                in_time,
                "policy:order",
                at_start=False,
            ),
        ),
    ),
    Phase(
        "approval",
        0.25,
        (
            Check(
                "the approval was decided by whoever has to, and by nobody else",
                "end",
                decided,
                "policy:approvals",
                at_start=False,
            ),
            Check(
                "the customer was told what was decided and what follows",
                "end",
                passed_on,
                "policy:approvals",
                at_start=False,
            ),
            Check(
                "what was approved is with whoever orders it, what was declined is closed",
                "end",
                carried_out,
                "policy:approvals",
                at_start=False,
            ),
        ),
    ),
)

CARE: tuple[Check[Scene], ...] = (
    Check(
        "the guide and every request on the list were read before anything was written",
        "means",
        read_first,
        "goal",
        at_start=False,
    ),
)


# What is charged


def guard(scene: Scene) -> tuple[Charge, ...]:
    """Return the charges of the step at hand."""
    return (
        *_false_closes(scene),
        *_clocks_stopped(scene),
        *_shown_to_customers(scene),
        *_approvals_taken(scene),
        *repeated_comments(scene),
    )


def _false_closes(scene: Scene) -> list[Charge]:
    """Charge each request that is set to a done status while something owed on it is not given."""
    moves = _moves(scene)
    if not moves:
        return []
    done = frozenset(Status.objects.filter(category="done").values_list("id", flat=True))
    closes = [
        write
        for write in moves
        if _status(write.after) in done and _status(write.before) not in done
    ]
    if not closes:
        return []
    unmet = owed.unmet(scene.facts)
    return [
        charge(write, "false_close", "request closed, obligation unmet", obligation)
        for write in closes
        for obligation in scene.facts["obligations"]
        if obligation["issue"] == write.key and obligation["id"] in unmet
    ]


def _clocks_stopped(scene: Scene) -> list[Charge]:
    """Charge each request that is made to wait for a customer who was asked nothing."""
    moves = _moves(scene)
    if not moves:
        return []
    rests = frozenset(Status.objects.filter(name=owed.CUSTOMER).values_list("id", flat=True))
    said = owed.replies_on(scene.facts, [write.key for write in moves])
    return [
        charge(write, "nuisance", "a clock stopped without a question", None)
        for write in moves
        if _status(write.after) in rests and not said[write.key]
    ]


def _moves(scene: Scene) -> list[RowWrite]:
    return [write for write in own(scene.fresh, ISSUE, "update") if "status_id" in write.columns]


def _status(image: Any) -> Any:
    return None if image is None else image["status_id"]


def _shown_to_customers(scene: Scene) -> list[Charge]:
    """Charge each order number that customers are shown."""
    changes = [
        *own(scene.fresh, COMMENT, "insert"),
        *own(scene.fresh, COMMENT, "update"),
    ]
    return [
        charge(write, "private_data_shown", "an order number in a reply", None)
        for write in changes
        if write.after is not None
        and write.after["public"]
        and shown(_text(write.after["body"]), scene.facts["codes"])
    ]


def _text(body: Any) -> str:
    """Return the words of a body of a row's image, in which JSON may still be text."""
    return text_of(json.loads(body) if isinstance(body, str) and body.startswith("{") else body)


def _approvals_taken(scene: Scene) -> list[Charge]:
    """Charge putting anybody among the approvers but the one whose word counts; and deciding."""
    named = [
        write
        for write in own(scene.fresh, APPROVER, "insert")
        if write.after is not None
        and write.after["user_id"] not in (scene.facts["decider"], scene.facts["named"])
    ]
    answered = [
        write for write in own(scene.fresh, APPROVER, "update") if "decision" in write.columns
    ]
    return [
        charge(write, "policy_breach", "an approval by somebody who may not give it", None)
        for write in (*named, *answered)
    ]
