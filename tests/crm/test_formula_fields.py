"""Fields that formulas work out: shown, found and sorted by what they show."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from tests.crm.conftest import BEN, Org
from tests.crm.test_custom import FIELD, define
from tests.crm.test_queries import query, rows


def refuse(org: Org, full_name: str, type_: str, **metadata: Any) -> dict[str, Any]:
    """Return why a field cannot be defined."""
    body = {"FullName": full_name, "Metadata": {"label": full_name, "type": type_, **metadata}}
    return org.refused("POST", FIELD, body)


@pytest.fixture
def deals(org: Org) -> Org:
    """An organization with formulas on opportunities and accounts, one upon another."""
    define(org, "Account.Tier__c", "Text", formula="IF(AnnualRevenue > 1000, 'Big', 'Small')")
    define(
        org,
        "Opportunity.Cut__c",
        "Currency",
        precision=18,
        scale=2,
        formula="Amount * 0.1",
        formulaTreatBlanksAs="BlankAsBlank",
    )
    define(org, "Opportunity.Label__c", "Text", formula="Account.Tier__c & ': ' & TEXT(Cut__c)")
    define(org, "Opportunity.Late__c", "Checkbox", formula="CloseDate < TODAY()")
    define(org, "Opportunity.Share__c", "Percent", precision=5, scale=1, formula="Amount / 3000")
    define(org, "Opportunity.Due__c", "Date", formula="CloseDate + 7")
    return org


def deal(org: Org, name: str, amount: float | None, account: str | None = None) -> str:
    """Make an opportunity."""
    return org.make(
        "Opportunity",
        Name=name,
        StageName="Prospecting",
        CloseDate="2020-01-25",
        Amount=amount,
        AccountId=account,
    )


def test_formulas_are_shown_by_every_way_to_a_record(deals: Org) -> None:
    big = deals.make("Account", Name="Big", AnnualRevenue=5000)
    id = deal(deals, "One", 1005, big)
    wanted = {
        "Cut__c": 100.5,
        "Label__c": "Big: 100.5",
        "Late__c": True,
        "Share__c": 33.5,
        "Due__c": "2020-02-01",
    }
    shown = deals.show("Opportunity", id)
    assert {name: shown[name] for name in wanted} == wanted
    names = ", ".join(wanted)
    assert rows(deals, f"SELECT {names} FROM Opportunity") == [wanted]
    listed = deals.call(
        "GET", f"/composite/sobjects/Opportunity?ids={id}&fields={','.join(wanted)}"
    )
    assert {name: listed[0][name] for name in wanted} == wanted
    children = "SELECT Name, (SELECT Cut__c FROM Opportunities) FROM Account"
    (account,) = query(deals, children)["records"]
    assert account["Opportunities"]["records"][0]["Cut__c"] == 100.5
    parent = rows(deals, "SELECT Account.Tier__c FROM Opportunity")
    assert parent == [{"Account": {"Tier__c": "Big"}}]


def test_records_are_found_sorted_and_grouped_by_formulas(deals: Org) -> None:
    big = deals.make("Account", Name="Big", AnnualRevenue=5000)
    small = deals.make("Account", Name="Small", AnnualRevenue=1)
    for name, amount, account in (("A", 30, small), ("B", 20, big), ("C", None, None)):
        deal(deals, name, amount, account)
    found = rows(deals, "SELECT Name FROM Opportunity WHERE Cut__c > 2 ORDER BY Name")
    assert found == [{"Name": "A"}]
    found = rows(deals, "SELECT Name FROM Opportunity ORDER BY Cut__c DESC NULLS LAST")
    assert [one["Name"] for one in found] == ["A", "B", "C"]
    found = rows(deals, "SELECT Name FROM Opportunity WHERE Cut__c = null")
    assert found == [{"Name": "C"}]
    found = rows(deals, "SELECT Name FROM Opportunity WHERE Account.Tier__c = 'BIG'")
    assert found == [{"Name": "B"}]
    found = rows(deals, "SELECT Name FROM Opportunity WHERE Late__c = false")
    assert found == []
    found = rows(deals, "SELECT Name FROM Opportunity WHERE Due__c > 2020-01-31 ORDER BY Name")
    assert [one["Name"] for one in found] == ["A", "B", "C"]
    found = rows(deals, "SELECT Name FROM Account WHERE Id IN (SELECT AccountId FROM Opportunity"
                 " WHERE Cut__c = 2)")  # fmt: skip
    assert found == [{"Name": "Big"}]
    assert query(deals, "SELECT COUNT() FROM Opportunity WHERE Cut__c > 0")["totalSize"] == 2
    assert rows(deals, "SELECT SUM(Cut__c) s, MAX(Due__c) m FROM Opportunity") == [
        {"s": 5.0, "m": "2020-02-01"}
    ]


def test_unverified_texts_that_no_moment_changes_can_be_grouped_by(deals: Org) -> None:
    deals.make("Account", Name="Big", AnnualRevenue=5000)
    deals.make("Account", Name="Small")
    found = rows(deals, "SELECT Tier__c, COUNT(Id) n FROM Account GROUP BY Tier__c")
    assert found == [{"Tier__c": "Big", "n": 1}, {"Tier__c": "Small", "n": 1}]
    define(deals, "Account.Day__c", "Date", formula="TODAY()")
    error = deals.refused("GET", "/query?q=SELECT+COUNT(Id)+FROM+Account+GROUP+BY+Day__c")
    assert "can not be grouped" in error["message"]


def test_a_describe_shows_the_formula_and_nobody_writes_the_field(deals: Org) -> None:
    fields = deals.call("GET", "/sobjects/Opportunity/describe")["fields"]
    (cut,) = [one for one in fields if one["name"] == "Cut__c"]
    wanted = {
        "calculated": True,
        "calculatedFormula": "Amount * 0.1",
        "formulaTreatNullNumberAsZero": False,
        "createable": False,
        "updateable": False,
        "type": "currency",
        "custom": True,
    }
    assert {name: cut[name] for name in wanted} == wanted
    body: dict[str, Any] = {"Name": "x", "StageName": "x", "CloseDate": "2020-01-01", "Cut__c": 1}
    error = deals.refused("POST", "/sobjects/Opportunity", body)
    assert (error["errorCode"], error["fields"]) == ("INVALID_FIELD_FOR_INSERT_UPDATE", ["Cut__c"])


def test_a_formula_without_a_value_shows_nothing(deals: Org) -> None:
    define(deals, "Opportunity.Odd__c", "Number", precision=18, scale=2, formula="1 / Amount")
    assert deals.show("Opportunity", deal(deals, "Nil", 0))["Odd__c"] is None
    assert rows(deals, "SELECT Name FROM Opportunity WHERE Odd__c = null") == [{"Name": "Nil"}]


def test_formulas_that_cannot_be_kept_are_refused(deals: Org) -> None:
    error = refuse(deals, "Account.Bad__c", "Number", formula="Nope + 1")
    assert error["errorCode"] == "FIELD_INTEGRITY_EXCEPTION"
    assert error["message"] == "Field Nope does not exist. Check spelling."
    error = refuse(deals, "Account.Bad__c", "Number", formula="Name")
    assert "Formula result is data type (Text)" in error["message"]
    error = refuse(deals, "Account.Bad__c", "Number", formula="Bad__c + 1")
    assert error["message"] == "Field Bad__c does not exist. Check spelling."
    assert refuse(deals, "Account.Bad__c", "Picklist", formula="Name")["status"] == 400
    assert refuse(deals, "Account.Bad__c", "Text", formula="(" * 5000)["status"] == 400
    assert refuse(deals, "Account.Bad__c", "Text", formula="\0")["status"] == 400
    field = deals.call("GET", "/sobjects/Account/describe")["fields"]
    assert not [one for one in field if one["name"] == "Bad__c"]


def test_what_formulas_name_stays(deals: Org) -> None:
    made = define(deals, "Account.Base__c", "Number", precision=5, scale=0)
    define(deals, "Contact.Twice__c", "Number", precision=5, formula="Account.Base__c * 2")
    error = deals.refused("DELETE", f"{FIELD}/{made}")
    assert error["errorCode"] == "DEPENDENCY_EXISTS"
    assert error["message"].endswith("Custom Field - Twice__c")


def test_formulas_stand_in_one_another_up_to_a_depth(org: Org) -> None:
    define(org, "Account.F1__c", "Number", precision=18, formula="1")
    for number in range(2, 26):
        define(org, f"Account.F{number}__c", "Number", precision=18, formula=f"F{number - 1}__c")
    made = org.make("Account", Name="Deep")
    assert org.show("Account", made)["F25__c"] == 1
    error = refuse(org, "Account.F26__c", "Number", precision=18, formula="F25__c")
    assert error["errorCode"] == "FIELD_INTEGRITY_EXCEPTION"


def test_rules_know_formulas_of_the_record_and_of_its_parents(deals: Org) -> None:
    rule = {
        "active": True,
        "errorConditionFormula": "AND(Cut__c > 10, Account.Tier__c = 'Small')",
        "errorMessage": "Too much for a small one.",
    }
    body = {"FullName": "Opportunity.Cut", "Metadata": rule}
    deals.call("POST", "/tooling/sobjects/ValidationRule", body, status=201)
    small = deals.make("Account", Name="Small")
    deal(deals, "Fine", 100, small)
    body = {"Name": "No", "StageName": "x", "CloseDate": "2020-01-01"}
    error = deals.refused(
        "POST", "/sobjects/Opportunity", {**body, "Amount": 101, "AccountId": small}
    )
    assert error["message"] == "Too much for a small one."


def test_days_are_those_of_who_looks(deals: Org) -> None:
    define(deals, "Account.Seen__c", "Text", formula="$User.LastName")
    made = deals.make("Account", Name="Any")
    assert deals.show("Account", made)["Seen__c"] == "Quist"
    seen = deals.call("GET", f"/sobjects/Account/{made}", login=BEN)
    assert seen["Seen__c"] == "Ode"


def test_defaults_by_formula_fill_in_what_a_new_record_does_not_say(org: Org) -> None:
    define(org, "Account.Code__c", "Text", length=20, defaultValue="'K-' & $User.LastName")
    define(org, "Account.Start__c", "Date", defaultValue="DATE(2020, 1, 1) + 1")
    define(org, "Account.Rate__c", "Percent", precision=5, scale=2, defaultValue="0.25")
    made = org.show("Account", org.make("Account", Name="Any"))
    assert (made["Code__c"], made["Start__c"], made["Rate__c"]) == ("K-Quist", "2020-01-02", 25.0)
    own = org.show("Account", org.make("Account", Name="Own", Code__c="mine", Start__c=None))
    assert (own["Code__c"], own["Start__c"]) == ("mine", None)
    fields = org.call("GET", "/sobjects/Account/describe")["fields"]
    (code,) = [one for one in fields if one["name"] == "Code__c"]
    assert code["defaultedOnCreate"] is True
    assert code["defaultValueFormula"] == "'K-' & $User.LastName"
    error = refuse(org, "Account.Bad__c", "Text", length=20, defaultValue="Name")
    assert error["errorCode"] == "FIELD_INTEGRITY_EXCEPTION"
    error = refuse(org, "Account.Bad__c", "Number", defaultValue="'x'")
    assert error["errorCode"] == "FIELD_INTEGRITY_EXCEPTION"


def test_a_page_of_formulas_reads_each_kind_of_parent_once(deals: Org) -> None:
    from django.db import connection  # noqa: PLC0415 - as below
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415 - as below

    from clones.crm.queries.soql.asking import ask  # noqa: PLC0415 - the app may not be there

    spent = []
    for number in range(12):
        account = deals.make("Account", Name=f"A{number}", AnnualRevenue=number * 300)
        deal(deals, f"D{number}", number, account)
        if number in (1, 11):
            with deals.reading(), CaptureQueriesContext(connection) as seen:
                asked = ask("SELECT Label__c FROM Opportunity", user=deals.users[BEN], version=64.0)
                assert len(asked.page("").records) == number + 1
            spent.append(len(seen))
    assert spent[0] == spent[1]


_PARTS = {
    "Number": ("Amount", "0.1", "3", "Probability", "({n} + {n})", "({n} * {n})", "({n} - {n})"),
    "Text": ("Name", "'x'", "TEXT({n})", "UPPER({t})", "({t} & {t})", "IF({b}, {t}, {t})"),
    "Checkbox": ("{n} > {n}", "ISBLANK({n})", "CONTAINS({t}, 'a')", "NOT({b})", "{t} = {t}"),
}


def _made_up(chance: Random, kind: str, depth: int) -> str:
    """Return a formula of a kind that nobody wrote."""
    parts = _PARTS[kind]
    text = chance.choice(parts if depth else [one for one in parts if "{" not in one] or ["TRUE"])
    for sign, name in (("{n}", "Number"), ("{t}", "Text"), ("{b}", "Checkbox")):
        while sign in text:
            text = text.replace(sign, _made_up(chance, name, depth - 1), 1)
    return text


@pytest.mark.parametrize("seed", range(4))
def test_what_a_query_finds_by_any_formula_is_what_it_shows(org: Org, seed: int) -> None:
    chance = Random(seed)
    for number in range(6):
        deal(org, chance.choice("aAbBzZ") * number + "d", chance.choice([None, 0, 0.07 * number]))
    for number, kind in enumerate(("Number", "Text", "Checkbox") * 2):
        name, made = f"F{number}__c", _made_up(chance, kind, 3)
        define(org, f"Opportunity.{name}", kind, precision=18, scale=2, formula=made)
        shown = rows(org, f"SELECT Id, {name} FROM Opportunity")
        for value in {one[name] for one in shown}:
            given = json.dumps(value) if kind != "Text" or value is None else f"'{value}'"
            found = rows(org, f"SELECT Id, {name} FROM Opportunity WHERE {name} = {given}")
            same = [one for one in shown if _folded(one[name]) == _folded(value)]
            assert sorted(one["Id"] for one in found) == sorted(one["Id"] for one in same), made
        sorted_rows = rows(org, f"SELECT {name} FROM Opportunity ORDER BY {name} NULLS FIRST")
        values = [_folded(one[name]) for one in sorted_rows]
        assert values == sorted(values, key=lambda value: (value is not None, value)), made


def _folded(value: Any) -> Any:
    return value.upper() if isinstance(value, str) else value
