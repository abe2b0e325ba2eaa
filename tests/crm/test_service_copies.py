"""Clocks of cases go on in copies of a store, and after a rewind, as they would have gone on."""

from __future__ import annotations

from typing import Any

from clones.core.accounts import account_cards
from clones.core.tenancy import unit_of_work
from snapshots.sandboxes import Sandboxes
from tests.conftest import bind
from tests.crm.conftest import BEN, Org
from tests.crm.services import pass_time, set_process, set_rule


def state(org: Org, case: str) -> tuple[Any, ...]:
    """Return what the clocks of a case have done to it."""
    shown = org.show("Case", case)
    query = "SELECT Id, IsViolated, TargetDate, SystemModstamp FROM CaseMilestone"
    one = org.call("GET", f"/query?q={query}")["records"][0]
    return (
        *(shown[name] for name in ("IsEscalated", "OwnerId", "MilestoneStatus", "SystemModstamp")),
        *(one[name] for name in ("Id", "IsViolated", "TargetDate", "SystemModstamp")),
    )


def test_clocks_run_alike_after_a_rewind_and_in_a_copy(org: Org, sandboxes: Sandboxes) -> None:
    org.make("MilestoneType", Name="First Response")
    step = {"milestoneName": "First Response", "minutesToComplete": 240}
    process = set_process(org, "Gold", milestones=[step])
    action = {"minutesToEscalation": 300, "assignedTo": BEN}
    set_rule(org, "escalation", "Case", [{"escalationAction": [action]}])
    account = org.make("Account", Name="Brine")
    entitlement = org.make("Entitlement", Name="Gold", AccountId=account, SlaProcessId=process)
    case = org.make("Case", EntitlementId=entitlement)
    pass_time(org, hours=1)
    sandboxes.mark(org.row.id, "before")
    pass_time(org, weeks=2)
    after = state(org, case)
    assert after[:3] == (True, org.users[BEN], "Open Violation")
    sandboxes.rewind(org.row.id, "before")
    assert state(org, case)[:3] != after[:3]
    copy = sandboxes.create(sandboxes.capture(org.row.id, "timed"))
    with bind(copy), unit_of_work("read"):
        cards = {card.login: card for card in account_cards(copy)}
    other = Org(copy, cards, org.users)
    for one in (org, other):
        pass_time(one, days=3)
        pass_time(one, days=11)
        assert state(one, case)[:2] == after[:2]
        assert state(one, case)[3:] == after[3:]
