"""Validation rules: what they refuse, when, and in whose words."""

from __future__ import annotations

from typing import Any

import pytest

from tests.crm.conftest import BEN, Org

RULE = "/tooling/sobjects/ValidationRule"
CLOSING = {"Name": "Lamps", "CloseDate": "2026-07-01"}


def give(org: Org, name: str, formula: str, message: str, **more: Any) -> str:
    """Give opportunities a rule, and return its id."""
    metadata = {"active": True, "errorConditionFormula": formula, "errorMessage": message, **more}
    body = {"FullName": f"Opportunity.{name}", "Metadata": metadata}
    made: dict[str, Any] = org.call("POST", RULE, body, status=201)
    return str(made["id"])


def refusals(org: Org, method: str, path: str, body: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """Return the messages of a refusal by rules, each with its fields."""
    answer = org.ask(method, path, body)
    assert answer.status == 400, answer.body
    assert {one["errorCode"] for one in answer.body} == {"FIELD_CUSTOM_VALIDATION_EXCEPTION"}
    return [(one["message"], one["fields"]) for one in answer.body]


def test_all_rules_that_are_true_say_their_message(org: Org) -> None:
    give(org, "Amount_needed", "ISBLANK(Amount)", "Say the amount.", errorDisplayField="Amount")
    give(org, "Long_step", "LEN(NextStep) > 5", "Be brief.")
    body = {**CLOSING, "StageName": "Prospecting", "NextStep": "Call them again"}
    assert refusals(org, "POST", "/sobjects/Opportunity", body) == [
        ("Say the amount.", ["Amount"]),
        ("Be brief.", []),
    ]
    id = org.make("Opportunity", **CLOSING, StageName="Prospecting", Amount=5)
    path = f"/sobjects/Opportunity/{id}"
    assert refusals(org, "PATCH", path, {"Amount": None}) == [("Say the amount.", ["Amount"])]
    assert org.show("Opportunity", id)["Amount"] == 5.0


def test_rules_know_what_was_before_who_saves_and_parents(org: Org) -> None:
    formula = 'AND(ISCHANGED(StageName), ISPICKVAL(PRIORVALUE(StageName), "Closed Won"))'
    give(org, "Won_stays", formula, "A won deal stays won.")
    give(org, "No_Ash", 'Account.Name = "Ash" && $User.Alias <> "aquist"', "Not your account.")
    account = org.make("Account", Name="Ash")
    id = org.make("Opportunity", **CLOSING, StageName="Closed Won", AccountId=account)
    path = f"/sobjects/Opportunity/{id}"
    found = refusals(org, "PATCH", path, {"StageName": "Prospecting"})
    assert found == [("A won deal stays won.", [])]
    answer = org.ask("PATCH", path, {"NextStep": "x"}, login=BEN)
    assert answer.body[0]["message"] == "Not your account."
    org.call("PATCH", path, {"NextStep": "x"}, status=204)


def test_rules_that_sleep_or_are_gone_refuse_nothing(org: Org) -> None:
    id = give(org, "Never", "TRUE", "Never.")
    assert org.call("GET", f"{RULE}/{id}")["Metadata"]["errorConditionFormula"] == "TRUE"
    body = {**CLOSING, "StageName": "Prospecting"}
    assert refusals(org, "POST", "/sobjects/Opportunity", body) == [("Never.", [])]
    org.call("PATCH", f"{RULE}/{id}", {"Metadata": {"active": False}}, status=204)
    org.make("Opportunity", **body)
    org.call("PATCH", f"{RULE}/{id}", {"Metadata": {"active": True}}, status=204)
    assert refusals(org, "POST", "/sobjects/Opportunity", body)
    assert org.ask("DELETE", f"{RULE}/{id}").status == 204
    org.make("Opportunity", **body)


@pytest.mark.parametrize(
    ("metadata", "code"),
    [
        ({"errorConditionFormula": "Amount >", "errorMessage": "x"}, "FIELD_INTEGRITY_EXCEPTION"),
        ({"errorConditionFormula": "Nothing__c", "errorMessage": "x"}, "FIELD_INTEGRITY_EXCEPTION"),
        ({"errorConditionFormula": "Amount + 1", "errorMessage": "x"}, "FIELD_INTEGRITY_EXCEPTION"),
        ({"errorConditionFormula": "TRUE"}, "REQUIRED_FIELD_MISSING"),
        ({"errorConditionFormula": "TRUE", "errorMessage": "x" * 256}, "STRING_TOO_LONG"),
        ({"errorConditionFormula": 1, "errorMessage": "x"}, "JSON_PARSER_ERROR"),
    ],
)
def test_rules_that_cannot_be_given(org: Org, metadata: dict[str, Any], code: str) -> None:
    body = {"FullName": "Opportunity.Odd", "Metadata": metadata}
    assert org.refused("POST", RULE, body)["errorCode"] == code
    org.make("Opportunity", **CLOSING, StageName="Prospecting")


def test_a_rule_without_a_value_says_so(org: Org) -> None:
    give(org, "Odd", "1 / Amount > 2", "Too small.")
    ((said, fields),) = refusals(
        org, "POST", "/sobjects/Opportunity", {**CLOSING, "StageName": "Prospecting", "Amount": 0}
    )
    assert 'The formula in the "Odd" validation rule is invalid' in said
    assert fields == []


def test_a_field_that_a_rule_names_is_gone(org: Org) -> None:
    metadata = {"label": "Size", "type": "Number"}
    body = {"FullName": "Opportunity.Size__c", "Metadata": metadata}
    field = org.call("POST", "/tooling/sobjects/CustomField", body, status=201)["id"]
    give(org, "Small", "Size__c < 3", "Too small.")
    values = {**CLOSING, "StageName": "Prospecting"}
    assert refusals(org, "POST", "/sobjects/Opportunity", {**values, "Size__c": 2})
    org.make("Opportunity", **values, Size__c=3)
    error = org.refused("DELETE", f"/tooling/sobjects/CustomField/{field}")
    assert error["errorCode"] == "DEPENDENCY_EXISTS"
