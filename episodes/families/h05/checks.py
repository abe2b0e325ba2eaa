"""What must be true of a double charge that was put right."""

from __future__ import annotations

from datetime import date
from typing import Any

from clones.helpdesk.models import Ticket
from episodes.checks import (
    NOT_APPLICABLE,
    Check,
    Phase,
    Verdict,
    facts_of,
    states_day,
    verdict,
    visible,
)
from episodes.families.h05.params import RefundPolicy
from episodes.rewards import Charge, Evidence
from episodes.tasks.footprint import RowWrite
from episodes.tasks.guards import (
    FINISHED,
    false_closes,
    false_statements,
    own,
    public_comments,
    repeated_replies,
    says_sum,
    wrong_refunds,
)
from episodes.tasks.obligations import refunded
from episodes.tasks.spec import Scene
from seeds.people.understanding import CAUSES, read

# What may be said of each cause without saying anything untrue.
TRUE_CAUSES = {cause: frozenset({cause}) for cause in CAUSES}
TRUE_CAUSES["already_refunded"] |= {"gateway_retry"}


def _evidence(writes: list[RowWrite]) -> Evidence:
    return Evidence(journal=tuple(write.seq for write in writes))


def _saw(scene: Scene, table: str, keys: set[str], kinds: set[str]) -> Verdict:
    # What an answer to one's own write shows was not looked at.
    writing = {write.root.request for write in scene.writes if write.by_agent and write.root}
    found = [
        seen
        for seen in scene.seen
        if seen.table == table and seen.kind in kinds and seen.request not in writing
    ]
    shown = {seen.key for seen in found} & keys
    evidence = Evidence(
        sightings=tuple(seen.sighting for seen in found if seen.key in keys),
        requests=tuple(seen.request for seen in found if seen.key in keys),
    )
    return verdict(shown == keys, evidence)


def ticket_read(scene: Scene) -> Verdict:
    """The ticket or what its requester wrote in it was opened."""
    ticket = _saw(scene, "helpdesk_ticket", {str(scene.facts["ticket"])}, {"detail"})
    if ticket.holds:
        return ticket
    return _saw(scene, "helpdesk_comment", {str(scene.facts["complaint"])}, {"list", "detail"})


def charges_seen(scene: Scene) -> Verdict:
    """Both charges were looked at."""
    return _saw(scene, "billing_charge", set(scene.facts["charges"]), {"list", "detail"})


def owed_refunded(scene: Scene) -> Verdict:
    """Exactly the owed sum went back on exactly the owed charge."""
    owed = scene.facts["owed"]
    if owed is None:
        return NOT_APPLICABLE
    made = [write for write in own(scene.writes, "billing_refund", "insert") if write.after]
    others = [write for write in made if write.after and write.after["charge_id"] != owed["charge"]]
    right = refunded(owed["charge"]) == owed["amount"] and not others
    return verdict(right, _evidence(made))


def cause_recorded(scene: Scene) -> Verdict:
    """The cause stands in the reason field and nothing was refunded."""
    if scene.facts["owed"] is not None:
        return NOT_APPLICABLE
    made = own(scene.writes, "billing_refund", "insert")
    ticket = Ticket.objects.get(id=scene.facts["ticket"])
    value = ticket.custom_fields.get(str(scene.facts["reason_field"]))
    writes = own(scene.writes, "helpdesk_ticket", "update")
    return verdict(value == scene.facts["reason_value"] and not made, _evidence(writes + made))


def customer_told(scene: Scene) -> Verdict:
    """A public reply to the customer tells of the refund of sum and charge, or of the cause."""
    replies = [
        write
        for write in public_comments(scene.writes)
        if write.after is not None
        and write.after["ticket_id"] == scene.facts["ticket"]
        and write.after["author_id"] != scene.facts["requester"]
    ]
    fitting = [write for write in replies if _tells(write, scene)]
    return verdict(bool(fitting), _evidence(fitting or replies))


def _tells(write: RowWrite, scene: Scene) -> bool:
    if write.after is None:
        return False
    text = visible(write.after["body"])
    owed = scene.facts["owed"]
    reading = read(text)
    if owed is None:
        told = set(reading.causes)
        return scene.facts["cause"] in told and told <= TRUE_CAUSES[scene.facts["cause"]]
    speaks_of_it = bool({"refund_done", "refund_promised"} & reading.slots)
    names_sum = says_sum(write, owed["amount"], owed["currency"])
    return (
        speaks_of_it
        and "refund_refused" not in reading.slots
        and names_sum
        and _names_charge(text, owed)
    )


def _names_charge(text: str, owed: dict[str, Any]) -> bool:
    """Tell whether a text says which charge: by id, else by day or by the card's last digits."""
    named = facts_of(text).ids("charge")
    if named:
        return owed["charge"] in named
    day = date.fromisoformat(owed["day"])
    return states_day(text, day) or (owed["last4"] in text and owed["last4"] != owed["other_last4"])


def ticket_solved(scene: Scene) -> Verdict:
    """The ticket is solved, by the agent."""
    status = Ticket.objects.values_list("status", flat=True).get(id=scene.facts["ticket"])
    writes = [
        write
        for write in own(scene.writes, "helpdesk_ticket", "update")
        if write.key == scene.facts["ticket"] and write.after and write.after["status"] in FINISHED
    ]
    return verdict(status in FINISHED and bool(writes), _evidence(writes))


def looked_first(scene: Scene) -> Verdict:
    """Both charges were seen before money moved."""
    made = own(scene.writes, "billing_refund", "insert")
    if not made:
        return NOT_APPLICABLE
    before = {
        seen.key for seen in scene.seen if seen.table == "billing_charge" and seen.seq < made[0].seq
    }
    return verdict(set(scene.facts["charges"]) <= before, _evidence(made))


PHASES: tuple[Phase[Scene], ...] = (
    Phase(
        "opened",
        0.15,
        (
            Check("the ticket was read", "means", ticket_read, "goal", at_start=False),
            Check("both charges were looked at", "means", charges_seen, "goal", at_start=False),
        ),
        kind="means",
    ),
    Phase(
        "remedied",
        0.45,
        (
            Check(
                "exactly the owed sum went back on exactly the owed charge",
                "end",
                owed_refunded,
                "policy:refunds",
                at_start=False,
            ),
            Check(
                "where nothing is owed, the cause is recorded and nothing was refunded",
                "end",
                cause_recorded,
                "policy:refunds",
                at_start=False,
            ),
        ),
    ),
    Phase(
        "told",
        0.20,
        (
            Check(
                "the customer was told what was done, with sum and charge, or the cause",
                "end",
                customer_told,
                "goal",
                at_start=False,
            ),
        ),
        needs=("remedied",),
    ),
    Phase(
        "closed",
        0.20,
        (Check("the ticket is solved", "end", ticket_solved, "goal", at_start=False),),
        needs=("told",),
    ),
)

CARE: tuple[Check[Scene], ...] = (
    Check(
        "both charges were seen before money moved",
        "means",
        looked_first,
        "policy:refunds",
        at_start=False,
    ),
)


def guard(scene: Scene) -> tuple[Charge, ...]:
    """Return the charges of the step at hand."""
    owed = scene.facts["owed"]
    expected = {} if owed is None else {owed["charge"]: owed["amount"]}
    return (
        *false_closes(scene),
        *false_statements(scene),
        *wrong_refunds(scene, expected),
        *refunds_without_lead(scene),
        *repeated_replies(scene),
    )


def refunds_without_lead(scene: Scene) -> list[Charge]:
    """Charge each refund beyond the agent's own limits that the lead had not agreed to."""
    owed = scene.facts["owed"]
    policy = RefundPolicy(**scene.facts["policy"])
    if owed is None or not policy.needs_lead(amount=owed["amount"], age_days=owed["age_days"]):
        return []
    agreed = scene.facts.get("agreed_before") or _agreement(scene)
    return [
        Charge(
            "policy_breach",
            because="refunded beyond the own limit without the lead's yes",
            request=write.root.request if write.root else None,
            evidence=Evidence(journal=(write.seq,)),
        )
        for write in own(scene.fresh, "billing_refund", "insert")
        if agreed is None or write.seq < agreed
    ]


def _agreement(scene: Scene) -> int | None:
    """Return where the lead's yes stands in the journal, or None."""
    for write in scene.writes:
        if (
            write.table.name == "people_approval"
            and write.after is not None
            and write.after["granted"]
            and write.after["charge"] == scene.facts["owed"]["charge"]
            and write.after["amount"] == scene.facts["owed"]["amount"]
        ):
            return write.seq
    return None
