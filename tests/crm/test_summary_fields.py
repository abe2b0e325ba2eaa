"""Roll-up summary fields: kept up to date by whatever happens to the children."""

from __future__ import annotations

from typing import Any

import pytest

from tests.crm.conftest import Org
from tests.crm.test_custom import FIELD, define
from tests.crm.test_formula_fields import refuse
from tests.crm.test_queries import rows


def summary(operation: str, field: str | None = None, **more: Any) -> dict[str, Any]:
    """Return the metadata of a field that sums up opportunities."""
    found = {"summaryForeignKey": "Opportunity.AccountId", "summaryOperation": operation, **more}
    return {**found, "summarizedField": f"Opportunity.{field}"} if field else found


WON = [{"field": "Opportunity.StageName", "operation": "equals", "value": "Closed Won"}]


@pytest.fixture
def firms(org: Org) -> Org:
    """An organization whose accounts sum up their opportunities."""
    define(org, "Account.Deals__c", "Summary", **summary("count"))
    define(org, "Account.Won__c", "Summary", **summary("sum", "Amount", summaryFilterItems=WON))
    define(org, "Account.Least__c", "Summary", **summary("min", "Amount"))
    define(org, "Account.Last__c", "Summary", **summary("max", "CloseDate"))
    return org


def deal(org: Org, account: str, amount: float | None, **more: Any) -> str:
    """Make an opportunity of an account."""
    values = {"Name": "Deal", "StageName": "Prospecting", "CloseDate": "2026-03-01", **more}
    return org.make("Opportunity", AccountId=account, Amount=amount, **values)


def sums(org: Org, account: str) -> list[Any]:
    """Return what an account sums up."""
    shown = org.show("Account", account)
    return [shown[name] for name in ("Deals__c", "Won__c", "Least__c", "Last__c")]


def test_sums_follow_their_children(firms: Org) -> None:
    one, other = firms.make("Account", Name="One"), firms.make("Account", Name="Other")
    assert sums(firms, one) == [0, 0, None, None]
    first = deal(firms, one, 100, CloseDate="2026-04-01")
    second = deal(firms, one, 30.5, StageName="Closed Won")
    assert sums(firms, one) == [2, 30.5, 30.5, "2026-04-01"]
    firms.call("PATCH", f"/sobjects/Opportunity/{first}", {"StageName": "Closed Won"}, status=204)
    assert sums(firms, one) == [2, 130.5, 30.5, "2026-04-01"]
    firms.call("PATCH", f"/sobjects/Opportunity/{first}", {"AccountId": other}, status=204)
    assert sums(firms, one) == [1, 30.5, 30.5, "2026-03-01"]
    assert sums(firms, other) == [1, 100, 100, "2026-04-01"]
    firms.call("DELETE", f"/sobjects/Opportunity/{second}", status=204)
    assert sums(firms, one) == [0, 0, None, None]


def test_sums_count_what_comes_back_from_the_bin(firms: Org) -> None:
    from clones.core.journal import act  # noqa: PLC0415 - as below
    from clones.core.tenancy import unit_of_work  # noqa: PLC0415 - as below
    from clones.crm.domain.recycle_bin import (  # noqa: PLC0415 - the app may not be there
        undelete_record,
    )
    from clones.crm.queries.schema import org_schema  # noqa: PLC0415 - as above
    from tests.conftest import bind  # noqa: PLC0415 - as above

    one = firms.make("Account", Name="One")
    gone = deal(firms, one, 7)
    firms.call("DELETE", f"/sobjects/Opportunity/{gone}", status=204)
    assert sums(firms, one)[0] == 0
    with bind(firms.row), unit_of_work("write"), act(actor="test", label="test"):
        of = org_schema().objects["Opportunity"]
        undelete_record(of, gone, actor=next(iter(firms.users.values())))
    assert sums(firms, one) == [1, 0, 7, "2026-03-01"]


def test_a_new_summary_counts_the_children_that_are_there(org: Org) -> None:
    one, two = org.make("Account", Name="One"), org.make("Account", Name="Two")
    deal(org, one, 100)
    deal(org, one, 50)
    define(org, "Account.Sum__c", "Summary", **summary("sum", "Amount"))
    assert [org.show("Account", id)["Sum__c"] for id in (one, two)] == [150, 0]
    assert rows(org, "SELECT Name FROM Account WHERE Sum__c = 0") == [{"Name": "Two"}]


def test_a_parent_s_rules_refuse_the_child(firms: Org) -> None:
    rule = {"active": True, "errorConditionFormula": "Deals__c > 1", "errorMessage": "One only."}
    body = {"FullName": "Account.One", "Metadata": rule}
    firms.call("POST", "/tooling/sobjects/ValidationRule", body, status=201)
    one = firms.make("Account", Name="One")
    deal(firms, one, 1)
    values = {"Name": "x", "StageName": "x", "CloseDate": "2026-03-01", "AccountId": one}
    error = firms.refused("POST", "/sobjects/Opportunity", values)
    assert (error["errorCode"], error["message"]) == (
        "FIELD_CUSTOM_VALIDATION_EXCEPTION",
        "One only.",
    )
    assert sums(firms, one)[0] == 1
    assert rows(firms, "SELECT COUNT(Id) n FROM Opportunity") == [{"n": 1}]


def test_details_of_custom_objects_are_summed_up_two_levels_high(org: Org) -> None:
    from clones.core.journal import act  # noqa: PLC0415 - as below
    from clones.core.tenancy import unit_of_work  # noqa: PLC0415 - as below
    from clones.crm.domain.customizing import (  # noqa: PLC0415 - the app may not be there
        define_object,
    )
    from tests.conftest import bind  # noqa: PLC0415 - as above
    from tests.crm.conftest import ADA  # noqa: PLC0415 - as above

    with bind(org.row), unit_of_work("write"), act(actor="test", label="test"):
        define_object("Bill", "Bill", "Bills", actor=org.users[ADA])
        define_object("Line", "Line", "Lines", actor=org.users[ADA])
    define(org, "Bill__c.Firm__c", "MasterDetail", referenceTo="Account", relationshipName="Bills")
    define(org, "Line__c.Bill__c", "MasterDetail", referenceTo="Bill__c", relationshipName="Lines")
    define(org, "Line__c.Price__c", "Currency", precision=10, scale=2)
    define(org, "Line__c.Net__c", "Currency", precision=10, scale=2, formula="Price__c * 0.5")
    define(
        org,
        "Bill__c.Net__c",
        "Summary",
        summaryForeignKey="Line__c.Bill__c",
        summarizedField="Line__c.Net__c",
        summaryOperation="sum",
    )
    define(
        org,
        "Account.Net__c",
        "Summary",
        summaryForeignKey="Bill__c.Firm__c",
        summarizedField="Bill__c.Net__c",
        summaryOperation="sum",
    )
    firm = org.make("Account", Name="Firm")
    bill = org.make("Bill__c", Name="B-1", Firm__c=firm)
    line = org.make("Line__c", Name="L-1", Bill__c=bill, Price__c=0.5)
    org.make("Line__c", Name="L-2", Bill__c=bill, Price__c=10)
    assert org.show("Bill__c", bill)["Net__c"] == 5.25
    assert org.show("Account", firm)["Net__c"] == 5.25
    org.call("DELETE", f"/sobjects/Line__c/{line}", status=204)
    assert org.show("Account", firm)["Net__c"] == 5
    org.call("DELETE", f"/sobjects/Bill__c/{bill}", status=204)
    assert org.show("Account", firm)["Net__c"] == 0


def test_a_describe_and_refusals(firms: Org) -> None:
    fields = firms.call("GET", "/sobjects/Account/describe")["fields"]
    shown = {one["name"]: one for one in fields}
    assert (shown["Won__c"]["type"], shown["Won__c"]["calculated"]) == ("currency", True)
    assert (shown["Deals__c"]["type"], shown["Last__c"]["type"]) == ("double", "date")
    assert shown["Won__c"]["calculatedFormula"] is None
    error = firms.refused("POST", "/sobjects/Account", {"Name": "x", "Won__c": 1})
    assert error["errorCode"] == "INVALID_FIELD_FOR_INSERT_UPDATE"
    for wrong in (
        {"summaryForeignKey": "Contact.AccountId", "summaryOperation": "count"},
        {"summaryForeignKey": "Nope.AccountId", "summaryOperation": "count"},
        {"summaryForeignKey": ["x"], "summaryOperation": "count"},
        summary("avg", "Amount"),
        summary("sum", "StageName"),
        summary("sum", "Nope"),
        summary("count", summaryFilterItems=[{"field": "Nope", "operation": "equals"}]),
        summary("count", summaryFilterItems=[{"field": "Amount", "operation": "is"}]),
        summary("count", summaryFilterItems="x"),
        summary("count", summaryFilterItems=[{"field": "Amount", "operation": "equals",
                                              "value": "many"}]),
    ):  # fmt: skip
        assert refuse(firms, "Account.Bad__c", "Summary", **wrong)["status"] == 400


@pytest.mark.parametrize(
    ("field", "operation", "value", "count"),
    [
        ("StageName", "equals", "Closed Won,Prospecting", 3),
        ("StageName", "notEqual", "Closed Won", 2),
        ("StageName", "contains", "won", 1),
        ("StageName", "startsWith", "pro", 2),
        ("StageName", "notContain", "o's % _", 3),
        ("Amount", "greaterThan", "10", 2),
        ("Amount", "lessOrEqual", "10", 1),
        ("Amount", "equals", "", 0),
        ("IsWon", "equals", "True", 1),
        ("CloseDate", "lessThan", "2026-04-01", 2),
        ("CloseDate", "greaterOrEqual", "4/1/2026", 1),
    ],
)
def test_filters(org: Org, field: str, operation: str, value: str, count: int) -> None:
    one = org.make("Account", Name="One")
    deal(org, one, 10)
    deal(org, one, 20, CloseDate="2026-04-01")
    deal(org, one, 30, StageName="Closed Won")
    item = {"field": field, "operation": operation, "value": value}
    define(org, "Account.N__c", "Summary", **summary("count", summaryFilterItems=[item]))
    assert org.show("Account", one)["N__c"] == count


def test_what_is_summed_up_stays(firms: Org) -> None:
    made = define(firms, "Opportunity.Bonus__c", "Number", precision=5, scale=0)
    define(firms, "Account.Bonus__c", "Summary", **summary("sum", "Bonus__c"))
    error = firms.refused("DELETE", f"{FIELD}/{made}")
    assert error["message"].endswith("Custom Field - Bonus__c")
