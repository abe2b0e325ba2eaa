"""Entitlements and the milestones of their processes, on the sandbox's clock."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from clones.core.models import Job
from tests.crm.conftest import Org
from tests.crm.services import (
    letters,
    make_template,
    now_of,
    pass_time,
    reach,
    set_hours,
    set_process,
    writing,
)


def moment(text: str) -> datetime:
    """Return a moment as the API shows it."""
    return datetime.fromisoformat(text)


def minute(text: str) -> datetime:
    """Return the minute of a moment: each call takes a second of the sandbox's time."""
    return moment(text).replace(second=0)


def entitle(org: Org, process: str | None, **values: Any) -> str:
    """Make an account's entitlement to a process, and return its id."""
    account = org.make("Account", Name="Brine")
    return org.make("Entitlement", Name="Gold", AccountId=account, SlaProcessId=process, **values)


def gold(org: Org, *, recurrence: str = "none", minutes: int = 240, **step: Any) -> str:
    """Make an entitlement to a process of one milestone, and return its id."""
    org.make("MilestoneType", Name="First Response", RecurrenceType=recurrence)
    one = {"milestoneName": "First Response", "minutesToComplete": minutes, **step}
    return entitle(org, set_process(org, "Gold", milestones=[one]))


def action(org: Org, kind: str, name: str, **metadata: Any) -> dict[str, str]:
    """Define a workflow action of cases, and return how a process names it."""
    body = {"FullName": f"Case.{name}", "Metadata": {"name": name, **metadata}}
    org.call("POST", f"/tooling/sobjects/Workflow{kind}", body, status=201)
    return {"type": kind, "name": name}


def raised(org: Org) -> dict[str, str]:
    """Define the action that raises the priority of a case."""
    return action(
        org, "FieldUpdate", "Raise", field="Priority", operation="Literal", literalValue="High"
    )


def milestones(org: Org, case: str) -> list[dict[str, Any]]:
    """Return the milestones of a case in the order in which they began."""
    query = (
        f"SELECT FIELDS(ALL) FROM CaseMilestone WHERE CaseId = '{case}' ORDER BY StartDate LIMIT 9"
    )
    found: list[dict[str, Any]] = org.call("GET", f"/query?q={query}")["records"]
    return found


def change(org: Org, of: str, id: str, **values: Any) -> None:
    """Change a record."""
    org.call("PATCH", f"/sobjects/{of}/{id}", values, status=204)


def complete(org: Org, milestone: dict[str, Any]) -> None:
    """Complete a milestone now."""
    change(org, "CaseMilestone", milestone["Id"], CompletionDate=now_of(org).isoformat())


def test_a_milestone_is_made_timed_and_completed(org: Org) -> None:
    case = org.make("Case", EntitlementId=gold(org))
    (one,) = milestones(org, case)
    created = moment(org.show("Case", case)["CreatedDate"])
    assert moment(one["StartDate"]) == created
    assert moment(one["TargetDate"]) == created + timedelta(hours=4)
    assert (one["TargetResponseInMins"], one["TargetResponseInHrs"]) == (240, 4.0)
    assert one["TimeRemainingInMins"] == "240:00"
    assert org.show("Case", case)["MilestoneStatus"] == "Compliant"
    pass_time(org, minutes=90, seconds=5)
    (one,) = milestones(org, case)
    shown = org.show("CaseMilestone", one["Id"])
    assert shown["TimeRemainingInMins"] == one["TimeRemainingInMins"]
    assert one["TimeRemainingInMins"].startswith("149:5")
    assert (one["TimeRemainingInHrs"], one["TimeSinceTargetInMins"]) == ("2.50", None)
    complete(org, one)
    (one,) = milestones(org, case)
    assert (one["IsCompleted"], one["IsViolated"], one["ElapsedTimeInMins"]) == (True, False, 90)
    assert one["TimeRemainingInMins"] is None
    pass_time(org, weeks=3)
    (one,) = milestones(org, case)
    assert one["IsViolated"] is False


def test_a_milestone_is_violated_at_its_target(org: Org) -> None:
    case = org.make("Case", EntitlementId=gold(org))
    (one,) = milestones(org, case)
    reach(org, moment(one["TargetDate"]) - timedelta(seconds=1))
    assert milestones(org, case)[0]["IsViolated"] is False
    reach(org, moment(one["TargetDate"]))
    (late,) = milestones(org, case)
    assert late["IsViolated"] is True
    assert late["SystemModstamp"] == one["TargetDate"]
    assert org.show("Case", case)["MilestoneStatus"] == "Open Violation"
    pass_time(org, minutes=61)
    (late,) = milestones(org, case)
    assert (late["TimeSinceTargetInMins"], late["TimeRemainingInMins"]) == ("61:00", None)
    complete(org, late)
    assert org.show("Case", case)["MilestoneStatus"] == "Closed Violation"


def test_what_is_due_comes_at_its_own_time_in_one_long_step(org: Org) -> None:
    make_template(org, "Late", "Late: {!Case.Subject}", "{!Case.Priority}")
    triggers = [
        {
            "timeLength": -1,
            "workflowTimeTriggerUnit": "Hours",
            "actions": [raised(org)],
        },
        {
            "timeLength": 30,
            "workflowTimeTriggerUnit": "Minutes",
            "actions": [
                action(
                    org,
                    "Alert",
                    "Tell_all",
                    template="Late",
                    recipients=[{"type": "owner"}],
                    ccEmails=["boss@x.example"],
                    senderType="CurrentUser",
                ),
                action(
                    org,
                    "Task",
                    "Call",
                    subject="Call them",
                    dueDateOffset=2,
                    assignedToType="owner",
                    status="Not Started",
                    priority="Normal",
                ),
            ],
        },
    ]
    case = org.make("Case", Subject="Leak", EntitlementId=gold(org, timeTriggers=triggers))
    target = moment(milestones(org, case)[0]["TargetDate"])
    pass_time(org, weeks=5)
    assert letters(org) == [("Late: Leak", ["Ada Quist <ada@kestrel.example>"], "High")]
    shown = org.show("Case", case)
    assert shown["Priority"] == "High"
    assert moment(shown["LastModifiedDate"]) == target - timedelta(hours=1)
    task = org.call("GET", "/query?q=SELECT Subject, CreatedDate, WhatId FROM Task")["records"][0]
    assert (task["Subject"], task["WhatId"]) == ("Call them", case)
    assert moment(task["CreatedDate"]) == target + timedelta(minutes=30)


def test_success_actions_follow_completion_and_nothing_else_does(org: Org) -> None:
    working = {"field": "Status", "operation": "Literal", "literalValue": "Working"}
    success = [action(org, "FieldUpdate", "Work", **working)]
    trigger = {"timeLength": 1, "workflowTimeTriggerUnit": "Days", "actions": [raised(org)]}
    entitlement = gold(org, successActions=success, timeTriggers=[trigger])
    case = org.make("Case", EntitlementId=entitlement)
    complete(org, milestones(org, case)[0])
    pass_time(org, weeks=1)
    shown = org.show("Case", case)
    assert (shown["Status"], shown["Priority"]) == ("Working", "Medium")


def test_business_hours_and_holidays_do_not_count(org: Org) -> None:
    from clones.crm.domain.service.hours import add_holiday  # noqa: PLC0415 - see conftest

    now = now_of(org)
    monday = date(2030, 7, 1)
    assert now < datetime(2030, 6, 1, tzinfo=UTC)
    with writing(org):
        holiday = str(add_holiday("Fourth", date(2029, 7, 4), is_yearly=True).pk)
        single = str(add_holiday("Stock-taking", monday + timedelta(days=2)).pk)
    set_hours(org, "Office", holidays=[holiday, single])
    entitlement = gold(org, minutes=9 * 60, businessHours="Office")
    # Monday, 15:00 in New York: two hours that day, seven on Tuesday.
    reach(org, datetime(2030, 7, 1, 19, tzinfo=UTC))
    case = org.make("Case", EntitlementId=entitlement)
    (one,) = milestones(org, case)
    assert minute(one["TargetDate"]) == datetime(2030, 7, 2, 20, tzinfo=UTC)
    # Tuesday at 16:30: half an hour, then Wednesday and Thursday are closed, then eight on Friday.
    reach(org, datetime(2030, 7, 2, 20, 30, tzinfo=UTC))
    later = org.make("Case", EntitlementId=entitlement)
    (one,) = milestones(org, later)
    assert minute(one["TargetDate"]) == datetime(2030, 7, 8, 13, 30, tzinfo=UTC)
    reach(org, datetime(2030, 7, 4, 15, tzinfo=UTC))
    assert milestones(org, later)[0]["TimeRemainingInMins"] == "510:01"


def test_a_stopped_case_stops_its_clocks(org: Org) -> None:
    case = org.make("Case", EntitlementId=gold(org))
    start = moment(milestones(org, case)[0]["StartDate"])
    pass_time(org, hours=1)
    change(org, "Case", case, IsStopped=True)
    stopped = org.show("Case", case)
    assert moment(stopped["StopStartDate"]) >= start + timedelta(hours=1)
    remaining = milestones(org, case)[0]["TimeRemainingInMins"]
    pass_time(org, days=12)
    (one,) = milestones(org, case)
    assert (one["IsViolated"], one["TimeRemainingInMins"]) == (False, remaining)
    change(org, "Case", case, IsStopped=False)
    assert org.show("Case", case)["StopStartDate"] is None
    (one,) = milestones(org, case)
    assert (
        timedelta(seconds=-2)
        < moment(one["TargetDate"]) - (start + timedelta(days=12, hours=4))
        < timedelta(seconds=2)
    )
    pass_time(org, hours=3, seconds=2)
    assert milestones(org, case)[0]["IsViolated"] is True


def test_a_case_leaves_the_process_when_it_is_closed(org: Org) -> None:
    case = org.make("Case", EntitlementId=gold(org))
    assert org.show("Case", case)["SlaStartDate"] == org.show("Case", case)["CreatedDate"]
    change(org, "Case", case, Status="Closed")
    assert org.show("Case", case)["SlaExitDate"] is not None
    pass_time(org, weeks=1)
    assert milestones(org, case)[0]["IsViolated"] is False


def criteria(value: str) -> dict[str, Any]:
    """Return the criteria that a case has a priority."""
    item = {"field": "Case.Priority", "operation": "equals", "value": value}
    return {"milestoneCriteriaFilterItems": [item]}


def test_a_milestone_begins_when_its_criteria_are_met(org: Org) -> None:
    entitlement = gold(org, **criteria("High"), useCriteriaStartTime=True)
    case = org.make("Case", EntitlementId=entitlement)
    assert milestones(org, case) == []
    pass_time(org, days=1)
    change(org, "Case", case, Priority="High")
    (one,) = milestones(org, case)
    assert moment(one["StartDate"]) >= moment(org.show("Case", case)["CreatedDate"]) + timedelta(1)
    change(org, "Case", case, Subject="again")
    complete(org, one)
    change(org, "Case", case, Subject="and again")
    assert len(milestones(org, case)) == 1


def test_one_from_the_start_of_the_process_counts_from_there(org: Org) -> None:
    entitlement = gold(org, **criteria("High"))
    case = org.make("Case", EntitlementId=entitlement)
    pass_time(org, days=1)
    change(org, "Case", case, Priority="High")
    assert milestones(org, case)[0]["StartDate"] == org.show("Case", case)["SlaStartDate"]
    pass_time(org, seconds=1)
    assert milestones(org, case)[0]["IsViolated"] is True


@pytest.mark.parametrize("recurrence", ["recursIndependently", "recursChained"])
def test_unverified_one_that_recurs_begins_again_when_it_is_completed(
    org: Org, recurrence: str
) -> None:
    case = org.make("Case", EntitlementId=gold(org, recurrence=recurrence))
    (first,) = milestones(org, case)
    change(org, "Case", case, Subject="while it is open")
    assert len(milestones(org, case)) == 1
    pass_time(org, hours=1)
    complete(org, first)
    change(org, "Case", case, Subject="they wrote again")
    _, second = milestones(org, case)
    if recurrence == "recursChained":
        assert second["StartDate"] == first["TargetDate"]
    else:
        assert moment(second["StartDate"]) < moment(first["TargetDate"])
    pass_time(org, days=3)
    complete(org, second)
    change(org, "Case", case, Subject="and again")
    third = milestones(org, case)[2]
    assert moment(third["StartDate"]) > moment(second["TargetDate"])


def test_another_entitlement_begins_anew(org: Org) -> None:
    case = org.make("Case", EntitlementId=gold(org))
    (first,) = milestones(org, case)
    account = org.show("Entitlement", org.show("Case", case)["EntitlementId"])["AccountId"]
    bare = org.make("Entitlement", Name="Bare", AccountId=account)
    change(org, "Case", case, EntitlementId=bare)
    assert milestones(org, case) == []
    with org.reading():
        assert not Job.objects.filter(state="pending", key=f"crm.milestone:{first['Id']}").exists()


def test_an_entitlement_comes_into_force_and_expires_by_its_days(org: Org) -> None:
    today = now_of(org).date()
    entitlement = entitle(
        org,
        None,
        StartDate=(today + timedelta(days=3)).isoformat(),
        EndDate=(today + timedelta(days=10)).isoformat(),
    )
    seen = [org.show("Entitlement", entitlement)["Status"]]
    pass_time(org, days=5)
    seen.append(org.show("Entitlement", entitlement)["Status"])
    pass_time(org, weeks=2)
    seen.append(org.show("Entitlement", entitlement)["Status"])
    assert seen == ["Inactive", "Active", "Expired"]
    change(org, "Entitlement", entitlement, EndDate=None)
    assert org.show("Entitlement", entitlement)["Status"] == "Active"


def test_an_entitlement_counts_its_cases(org: Org) -> None:
    entitlement = entitle(org, None, IsPerIncident=True, CasesPerEntitlement=2)
    left = [org.show("Entitlement", entitlement)["RemainingCases"]]
    for _ in range(3):
        org.make("Case", EntitlementId=entitlement)
        left.append(org.show("Entitlement", entitlement)["RemainingCases"])
    assert left == [2, 1, 0, 0]
    change(org, "Entitlement", entitlement, CasesPerEntitlement=5)
    assert org.show("Entitlement", entitlement)["RemainingCases"] == 3


def test_a_case_of_an_expired_entitlement_has_no_milestones(org: Org) -> None:
    entitlement = gold(org)
    yesterday = (now_of(org) - timedelta(days=2)).date().isoformat()
    change(org, "Entitlement", entitlement, EndDate=yesterday)
    assert milestones(org, org.make("Case", EntitlementId=entitlement)) == []


def test_milestones_are_made_and_deleted_by_nobody(org: Org) -> None:
    case = org.make("Case", EntitlementId=gold(org))
    (one,) = milestones(org, case)
    assert org.refused("POST", "/sobjects/CaseMilestone", {"CaseId": case})["status"] == 400
    assert org.refused("DELETE", f"/sobjects/CaseMilestone/{one['Id']}")["status"] == 400
    error = org.refused("PATCH", f"/sobjects/CaseMilestone/{one['Id']}", {"IsViolated": True})
    assert error["errorCode"] == "INVALID_FIELD_FOR_INSERT_UPDATE"


@pytest.mark.parametrize(
    "given",
    [
        {"milestones": [{"milestoneName": "Nothing", "minutesToComplete": 1}]},
        {"milestones": [{"milestoneName": "First Response", "minutesToComplete": 10**20}]},
        {"milestones": [{"milestoneName": "First Response", "minutesToComplete": True}]},
        {"milestones": "First Response"},
        {"businessHours": "None such"},
        {"exitCriteriaFormula": "1 +"},
        {
            "milestones": [
                {
                    "milestoneName": "First Response",
                    "minutesToComplete": 1,
                    "successActions": [{"type": "Task", "name": "None such"}],
                }
            ]
        },
    ],
)
def test_a_process_that_cannot_be_is_refused(org: Org, given: dict[str, Any]) -> None:
    from clones.crm.errors import RecordError  # noqa: PLC0415 - the app may not be there

    org.make("MilestoneType", Name="First Response")
    with pytest.raises(RecordError):
        set_process(org, "Gold", **given)
    assert org.call("GET", "/query?q=SELECT COUNT() FROM SlaProcess")["totalSize"] == 0


def test_a_process_is_defined_and_shown_by_tooling(org: Org) -> None:
    org.make("MilestoneType", Name="First Response")
    one = {"milestoneName": "First Response", "minutesToComplete": 60}
    metadata = {"active": True, "milestones": [one]}
    where = "/tooling/sobjects/EntitlementProcess"
    made = org.call("POST", where, {"FullName": "Gold", "Metadata": metadata}, status=201)
    shown = org.call("GET", f"{where}/{made['id']}")
    assert (shown["FullName"], shown["Metadata"]) == ("Gold", metadata)
    case = org.make("Case", EntitlementId=entitle(org, made["id"]))
    assert [row["TargetResponseInMins"] for row in milestones(org, case)] == [60]
    assert org.refused("GET", f"{where}/552000000000000AAA")["status"] == 404
