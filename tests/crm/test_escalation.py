"""Escalation: the hourly sweep over open cases."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from clones.core.models import Job
from tests.crm.conftest import ADA, BEN, Org
from tests.crm.services import (
    letters,
    make_queue,
    make_template,
    now_of,
    pass_time,
    reach,
    set_hours,
    set_rule,
)


def entry(*actions: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return an entry whose clock runs from a case's creation."""
    return {"escalationStartTime": "CaseCreation", "escalationAction": list(actions), **more}


def to_ben(minutes: int, **more: Any) -> dict[str, Any]:
    """Return an action that gives a case to Ben when it is of an age."""
    return {"minutesToEscalation": minutes, "assignedTo": BEN, "assignedToType": "User", **more}


def change(org: Org, case: str, **values: Any) -> None:
    """Change a case, and leave its owner to the change."""
    off: dict[str, Any] = {"Sforce-Auto-Assign": "FALSE"}
    org.call("PATCH", f"/sobjects/Case/{case}", values, status=204, **off)


def test_a_case_that_is_too_old_is_passed_on_by_the_sweep(org: Org) -> None:
    make_template(org, "Yours", "Yours: {!Case.Subject}", "x")
    told = to_ben(120, assignedToTemplate="Yours", notifyEmail=["boss@x.example"])
    set_rule(org, "escalation", "Case", [entry(told)])
    case = org.make("Case", Subject="Leak")
    pass_time(org, minutes=119)
    shown = org.show("Case", case)
    assert (shown["IsEscalated"], shown["OwnerId"]) == (False, org.users[ADA])
    pass_time(org, minutes=62)
    after = org.show("Case", case)
    assert (after["IsEscalated"], after["OwnerId"]) == (True, org.users[BEN])
    assert datetime.fromisoformat(after["SystemModstamp"]).minute == 17
    sent = letters(org)
    assert sent[0][:2] == ("Yours: Leak", [BEN])
    assert sent[1][1] == ["boss@x.example"]
    pass_time(org, weeks=1)
    assert len(letters(org)) == len(sent)


def test_actions_come_one_after_the_other_in_one_long_step(org: Org) -> None:
    queue = make_queue(org, "Tier_2", "Case")
    second = {"minutesToEscalation": 600, "assignedTo": "Tier_2", "assignedToType": "Queue"}
    telling = {"minutesToEscalation": 300, "notifyCaseOwner": True}
    set_rule(org, "escalation", "Case", [entry(second, to_ben(60), telling)])
    case = org.make("Case")
    closed = org.make("Case", Status="Closed")
    pass_time(org, weeks=3)
    assert org.show("Case", case)["OwnerId"] == queue
    assert [recipients for _, recipients, _ in letters(org)] == [[BEN]]
    assert org.show("Case", closed)["IsEscalated"] is False
    with org.reading():
        assert Job.objects.filter(kind="crm.escalation", state="done").count() >= 3 * 7 * 24 - 1


def test_the_first_entry_that_is_met_is_the_only_one(org: Org) -> None:
    low = {"field": "Case.Priority", "operation": "equals", "value": "Low"}
    patient = entry(to_ben(10_000), criteriaItems=[low])
    set_rule(org, "escalation", "Case", [patient, entry(to_ben(60))])
    waiting, urgent = org.make("Case", Priority="Low"), org.make("Case", Priority="High")
    pass_time(org, hours=3)
    assert org.show("Case", waiting)["IsEscalated"] is False
    assert org.show("Case", urgent)["IsEscalated"] is True


@pytest.mark.parametrize(
    ("more", "after_change", "later"),
    [
        ({}, True, True),
        ({"disableEscalationWhenModified": True}, False, False),
        ({"escalationStartTime": "CaseLastModified"}, False, True),
    ],
)
def test_clocks(org: Org, more: dict[str, Any], after_change: bool, later: bool) -> None:
    set_rule(org, "escalation", "Case", [entry(to_ben(180), **more)])
    case = org.make("Case")
    pass_time(org, hours=2)
    change(org, case, Subject="new")
    pass_time(org, hours=2)
    assert org.show("Case", case)["IsEscalated"] is after_change
    pass_time(org, days=1)
    assert org.show("Case", case)["IsEscalated"] is later


def test_unverified_one_that_was_last_changed_anew_escalates_anew(org: Org) -> None:
    owner = {"minutesToEscalation": 60, "notifyCaseOwner": True}
    set_rule(org, "escalation", "Case", [entry(owner, escalationStartTime="CaseLastModified")])
    case = org.make("Case")
    pass_time(org, days=1)
    assert len(letters(org)) == 1
    change(org, case, Subject="new")
    pass_time(org, days=1)
    assert len(letters(org)) == 2


def test_age_is_counted_in_business_hours(org: Org) -> None:
    set_hours(org, "Office", default=True)
    friday = datetime(2030, 6, 28, 20, tzinfo=UTC)  # an hour before New York goes home
    assert now_of(org) < friday
    reach(org, friday)
    rule = entry(to_ben(120), businessHoursSource="Static", businessHours="Office")
    set_rule(org, "escalation", "Case", [rule])
    case = org.make("Case")
    assert org.show("Case", case)["BusinessHoursId"] is not None
    reach(org, friday + timedelta(days=2))
    assert org.show("Case", case)["IsEscalated"] is False
    reach(org, datetime(2030, 7, 1, 14, 20, tzinfo=UTC))
    assert org.show("Case", case)["IsEscalated"] is True


def test_without_an_active_rule_nothing_sweeps(org: Org) -> None:
    with org.reading():
        assert not Job.objects.filter(kind="crm.escalation").exists()
    set_rule(org, "escalation", "Case", [entry(to_ben(60))])
    set_rule(org, "escalation", "Case", [entry(to_ben(60))], active=False)
    case = org.make("Case")
    pass_time(org, days=2)
    assert org.show("Case", case)["IsEscalated"] is False
    with org.reading():
        assert not Job.objects.filter(kind="crm.escalation", state="pending").exists()


@pytest.mark.parametrize(
    "given",
    [
        entry(),
        entry(to_ben(-1)),
        entry(to_ben(10**30)),
        entry(*[to_ben(one) for one in range(6)]),
        entry(to_ben(1), escalationStartTime="Never"),
        entry(to_ben(1), businessHoursSource="Static", businessHours="None such"),
    ],
)
def test_an_entry_that_cannot_be_is_refused(org: Org, given: dict[str, Any]) -> None:
    from clones.crm.errors import RecordError  # noqa: PLC0415 - the app may not be there

    with pytest.raises(RecordError):
        set_rule(org, "escalation", "Case", [given])
