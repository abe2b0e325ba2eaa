"""Quick actions, invocable actions, tabs, menus, and how queries are explained."""

from __future__ import annotations

from typing import Any

import pytest

from clones.core.models.post import Message
from tests.crm.conftest import Org


def test_a_quick_action_makes_a_record_that_belongs_to_the_one_at_hand(org: Org) -> None:
    account = org.make("Account", Name="Ash")
    listed = org.call("GET", "/quickActions")
    assert "NewTask" in [one["name"] for one in listed]
    own = next(
        one
        for one in org.call("GET", "/sobjects/Account/quickActions")
        if one["name"] == "LogACall"
    )
    assert org.call("GET", own["urls"]["quickAction"]) == own
    described = org.call("GET", own["urls"]["describe"])
    assert (described["targetSobjectType"], described["targetParentField"]) == ("Task", "WhatId")
    defaults = org.call("GET", own["urls"]["defaultValuesTemplate"].replace("{ID}", account))
    assert defaults == {
        "attributes": {"type": "Task"},
        "Status": "Completed",
        "WhatId": account,
    }
    body = {"contextId": account, "record": {"Subject": "Called"}}
    made = org.call("POST", own["urls"]["quickAction"], body, status=201)
    assert made["success"] is True
    task = org.show("Task", made["id"])
    assert (task["Subject"], task["WhatId"], task["Status"]) == ("Called", account, "Completed")


@pytest.mark.parametrize(
    ("name", "body", "status"),
    [
        ("Nothing", {}, 404),
        ("NewContact", {"record": {}}, 400),
        ("NewContact", {"record": []}, 400),
        ("NewContact", {"contextId": 1}, 400),
        ("NewContact", {"contextId": "001000000000000AAA", "record": {"LastName": "Oak"}}, 404),
        ("NewContact", [], 400),
    ],
)
def test_quick_actions_that_will_not_do(org: Org, name: str, body: Any, status: int) -> None:
    assert org.ask("POST", f"/quickActions/{name}", body).status == status
    assert org.call("GET", "/query?q=SELECT Id FROM Contact")["totalSize"] == 0


def test_an_action_is_invoked_for_each_input(org: Org) -> None:
    actions = org.call("GET", "/actions/standard")["actions"]
    assert [one["name"] for one in actions] == ["chatterPost", "emailSimple", "submit"]
    path = org.call("GET", actions[0]["url"])
    assert [one["name"] for one in path["inputs"] if one["required"]] == ["text", "subjectNameOrId"]
    account = org.make("Account", Name="Ash")
    body = {"inputs": [{"text": "Hello", "subjectNameOrId": account}, {"text": "Alone"}]}
    good, bad = org.call("POST", actions[0]["url"], body)
    assert good["isSuccess"] is True
    assert org.show("FeedItem", good["outputValues"]["feedItemId"])["Body"] == "Hello"
    assert bad["isSuccess"] is False
    assert bad["errors"][0]["statusCode"] == "MISSING_ARGUMENT"
    mail: dict[str, Any] = {"emailBody": "B", "emailAddresses": "a@b.example"}
    mail |= {"emailSubject": "S", "logEmailOnSend": True}
    (sent,) = org.call("POST", "/actions/standard/emailSimple", {"inputs": [mail]})
    assert sent["isSuccess"] is True
    letters = org.call("GET", "/query?q=SELECT Id FROM EmailMessage")["totalSize"]
    assert letters == 1
    row = org.call("GET", "/query?q=SELECT ToAddress, Subject FROM EmailMessage")["records"][0]
    assert (row["ToAddress"], row["Subject"]) == ("a@b.example", "S")
    with org.reading():
        assert [letter.subject for letter in Message.objects.all()] == ["S"]
    assert org.call("GET", "/actions/custom/flow") == {"actions": []}
    assert org.refused("POST", "/actions/standard/nothing", {"inputs": []})["status"] == 404


@pytest.mark.parametrize("inputs", [None, [], {}, [1], [{"text": 5}], [{"nothing": "x"}]])
def test_inputs_that_are_none(org: Org, inputs: Any) -> None:
    assert org.ask("POST", "/actions/standard/chatterPost", {"inputs": inputs}).status == 400


def test_tabs_theme_and_menus(org: Org) -> None:
    tabs = {one["name"]: one for one in org.call("GET", "/tabs")}
    assert tabs["standard-Account"]["label"] == "Accounts"
    assert tabs["standard-Account"]["colors"][0]["color"] == "5867E8"
    names = [one["name"] for one in org.call("GET", "/theme")["themeItems"]]
    assert "Opportunity" in names
    apps = org.call("GET", "/appMenu/AppSwitcher")["appMenuItems"]
    assert apps[0]["label"] == "Sales"
    assert org.refused("GET", "/appMenu/Nothing")["status"] == 404


def test_unverified_a_query_is_explained(org: Org) -> None:
    for name in ("Ash", "Oak"):
        org.make("Account", Name=name)
    shown = org.call("GET", "/query?explain=SELECT Id FROM Account WHERE Name = 'Ash'")
    (plan,) = shown["plans"]
    assert (plan["cardinality"], plan["sobjectCardinality"]) == (1, 2)
    assert plan["sobjectType"] == "Account"
    views = org.call("GET", "/sobjects/Account/listviews")["listviews"]
    assert org.call("GET", f"/query?explain={views[0]['id']}")["plans"][0]["cardinality"] == 2
    assert org.refused("GET", "/query?explain=SELECT")["errorCode"] == "MALFORMED_QUERY"
    assert org.refused("GET", "/query?explain=00B000000000000EAA")["status"] == 404
