"""Open activities and histories of activities: tasks and events beside each other."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from clones.core import clock
from tests.crm.asking import ask
from tests.crm.conftest import BEN, Org
from tests.crm.metadata.test_metadata import call, written

OPEN = "ORDER BY ActivityDate ASC NULLS LAST, LastModifiedDate DESC LIMIT 500"
HISTORY = "ORDER BY ActivityDate DESC NULLS LAST, LastModifiedDate DESC LIMIT 500"


def day(org: Org, days: int) -> str:
    """Return the moment some days from now, as a body has it."""
    with org.reading():
        return (clock.now() + timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")


@pytest.fixture
def account(org: Org) -> str:
    """An account with a task and an event that are to come, and one of each that are over."""
    id = org.make("Account", Name="Ash")
    contact = org.make("Contact", LastName="Oak", AccountId=id)
    org.make("Task", Subject="Call", WhatId=id, ActivityDate=day(org, 3)[:10])
    org.make("Task", Subject="Sent", WhatId=id, Status="Completed")
    for subject, days in (("Visit", 1), ("Met", -2)):
        times = {"StartDateTime": day(org, days), "EndDateTime": day(org, days)}
        org.make("Event", Subject=subject, WhoId=contact, **times)
    return id


def listed(org: Org, name: str, rest: str = "", of: str = "Account", **how: Any) -> list[str]:
    """Return the subjects of a list of activities of the one record there is."""
    query = f"SELECT Id, (SELECT Subject FROM {name} {rest}) FROM {of}"
    (found,) = ask(org, query, **how)
    return [one["Subject"] for one in (found[name] or {"records": []})["records"]]


def test_tasks_and_events_are_listed_by_what_is_done(org: Org, account: str) -> None:
    assert listed(org, "OpenActivities", OPEN) == ["Visit", "Call"]
    assert sorted(listed(org, "ActivityHistories", HISTORY)) == ["Met", "Sent"]
    assert sorted(listed(org, "OpenActivities", of="Contact")) == ["Visit"]
    query = "SELECT (SELECT Id, IsTask, Who.Name, ActivityType FROM OpenActivities ORDER BY Subject"
    (found,) = ask(org, f"{query}) FROM Account WHERE Id = '{account}'")
    call, visit = found["OpenActivities"]["records"]
    assert (call["IsTask"], visit["IsTask"], visit["Who"]["Name"]) == (True, False, "Oak")
    assert call["attributes"]["type"] == "OpenActivity"
    assert call["Id"].startswith("00T")
    filtered = listed(org, "OpenActivities", "WHERE IsTask = TRUE")
    assert filtered == ["Call"]


def test_a_list_of_activities_is_no_object_to_query(org: Org) -> None:
    for name in ("OpenActivity", "ActivityHistory"):
        error = org.refused("GET", f"/query?q=SELECT+Id+FROM+{name}")
        assert error["errorCode"] == "INVALID_TYPE_FOR_OPERATION"
        assert error["message"] == f"entity type {name} does not support query"
    children = org.call("GET", "/sobjects/Account/describe")["childRelationships"]
    found = {one["childSObject"]: one for one in children}
    assert found["OpenActivity"]["field"] == "AccountId"
    assert found["OpenActivity"]["relationshipName"] == "OpenActivities"
    assert found["ActivityHistory"]["cascadeDelete"] is True


def test_activities_go_with_their_account(org: Org, account: str) -> None:
    org.call("DELETE", f"/sobjects/Account/{account}", status=204)
    assert ask(org, "SELECT Id FROM Task") == []


@pytest.mark.parametrize(
    "rest",
    [
        OPEN.replace(" LIMIT 500", ""),
        OPEN.replace("500", "501"),
        OPEN.replace("ActivityDate ASC", "ActivityDate DESC"),
        "LIMIT 10",
        "WHERE IsTask = TRUE " + OPEN,
    ],
)
def test_unverified_who_does_not_see_all_asks_in_the_order_of_the_list(
    org: Org, account: str, rest: str
) -> None:
    query = f"SELECT (SELECT Subject FROM OpenActivities {rest}) FROM Account"
    path = f"/query?q={query} WHERE Id = '{account}'".replace(" ", "+")
    error = org.refused("GET", path, login=BEN)
    assert error["errorCode"] == "MALFORMED_QUERY"
    assert "There is an implementation restriction on OpenActivities." in error["message"]
    org.call("GET", path)


def test_who_does_not_see_all_sees_what_is_shared(org: Org, account: str) -> None:
    query = f"SELECT (SELECT Subject FROM OpenActivities {OPEN}) FROM Account"
    path = f"/query?q={query}".replace(" ", "+")
    assert "one record" in org.refused("GET", path, login=BEN)["message"]
    answer = org.call("GET", f"{path}+WHERE+Id='{account}'", login=BEN)
    (found,) = answer["records"]
    assert [one["Subject"] for one in found["OpenActivities"]["records"]] == ["Visit", "Call"]


def test_custom_objects_have_lists_of_activities(org: Org) -> None:
    body = written(
        "CustomObject",
        fullName="Visit__c",
        label="Visit",
        pluralLabel="Visits",
        nameField={"label": "Visit Name", "type": "Text"},
    )
    assert call(org, "createMetadata", body)["result"][0]["success"] == ["true"]
    id = org.make("Visit__c", Name="First")
    org.make("Task", Subject="Call", WhatId=id)
    assert listed(org, "OpenActivities", OPEN, of="Visit__c") == ["Call"]
