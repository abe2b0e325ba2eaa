"""Reports: kept, run by rows and groups, and judged by sums over the records themselves."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from tests.crm.conftest import BEN, Org

REPORTS = "/analytics/reports"
DEALS = (
    ("Ash", "Prospecting", 100.0, "2026-01-15", "New Business"),
    ("Birch", "Prospecting", 250.0, "2026-02-03", "New Business"),
    ("Cedar", "Closed Won", 1000.0, "2026-02-20", "Existing Business"),
    ("Dogwood", "Closed Won", None, "2026-05-31", None),
    ("Elm", "Closed Lost", 40.0, "2027-01-01", "New Business"),
)


@pytest.fixture
def deals(org: Org) -> Org:
    """An organization with a few opportunities."""
    account = org.make("Account", Name="Acme")
    for name, stage, amount, day, kind in DEALS:
        values = {"Name": name, "StageName": stage, "CloseDate": day, "AccountId": account}
        org.make("Opportunity", **values, Amount=amount, Type=kind)
    return org


def query(org: Org, **metadata: Any) -> dict[str, Any]:
    """Return what a report finds that is not kept."""
    body = {"reportMetadata": {"reportType": {"type": "Opportunity"}, **metadata}}
    found: dict[str, Any] = org.call("POST", f"{REPORTS}/query?includeDetails=true", body)
    return found


def labels(groupings: dict[str, Any]) -> dict[str, str]:
    """Return the labels of groups by their keys, all levels together."""
    found = {}
    waiting = list(groupings["groupings"])
    while waiting:
        one = waiting.pop(0)
        found[one["key"]] = one["label"]
        waiting += one["groupings"]
    return found


def values(fact: dict[str, Any]) -> list[Any]:
    """Return the values of the aggregates of a fact."""
    return [one["value"] for one in fact["aggregates"]]


def test_a_tabular_report_lists_its_rows(deals: Org) -> None:
    found = query(
        deals,
        detailColumns=["OPPORTUNITY_NAME", "ACCOUNT_NAME", "AMOUNT", "CLOSE_DATE", "STAGE_NAME"],
        aggregates=["s!AMOUNT", "RowCount"],
        sortBy=[{"sortColumn": "AMOUNT", "sortOrder": "Desc"}],
        reportFilters=[{"column": "AMOUNT", "operator": "greaterThan", "value": "50"}],
    )
    total = found["factMap"]["T!T"]
    assert list(found["factMap"]) == ["T!T"]
    assert values(total) == [1350, 3]
    assert [one["label"] for one in total["aggregates"]] == ["$1,350.00", "3"]
    rows = [[cell["label"] for cell in row["dataCells"]] for row in total["rows"]]
    assert rows == [
        ["Cedar", "Acme", "$1,000.00", "2/20/2026", "Closed Won"],
        ["Birch", "Acme", "$250.00", "2/3/2026", "Prospecting"],
        ["Ash", "Acme", "$100.00", "1/15/2026", "Prospecting"],
    ]
    first = total["rows"][0]["dataCells"]
    assert first[0]["value"][:3] == "006"
    assert first[1]["value"][:3] == "001"
    assert first[2]["value"] == {"amount": 1000, "currency": None}
    info = found["reportExtendedMetadata"]
    assert info["detailColumnInfo"]["ACCOUNT_NAME"]["label"] == "Account"
    assert info["aggregateColumnInfo"]["s!AMOUNT"]["label"] == "Sum of Amount"


def test_a_summary_report_sums_every_level(deals: Org) -> None:
    found = query(
        deals,
        reportFormat="SUMMARY",
        detailColumns=["OPPORTUNITY_NAME"],
        groupingsDown=[{"name": "STAGE_NAME"}, {"name": "TYPE"}],
        aggregates=["s!AMOUNT", "a!AMOUNT", "mx!AMOUNT", "m!CLOSE_DATE", "RowCount"],
    )
    names = labels(found["groupingsDown"])
    assert names == {
        "0": "Prospecting",
        "1": "Closed Won",
        "2": "Closed Lost",
        "0_0": "New Business",
        "1_0": "-",
        "1_1": "Existing Business",
        "2_0": "New Business",
    }
    facts = found["factMap"]
    assert set(facts) == {"T!T", *(f"{key}!T" for key in names)}
    assert values(facts["T!T"]) == [1390, 347.5, 1000, "2026-01-15", 5]
    assert values(facts["1!T"]) == [1000, 1000, 1000, "2026-02-20", 2]
    assert values(facts["1_0!T"]) == [0, None, None, "2026-05-31", 1]
    assert facts["0!T"]["rows"] == []
    shown = [row["dataCells"][0]["label"] for row in facts["0_0!T"]["rows"]]
    assert shown == ["Ash", "Birch"]


def test_a_matrix_report_crosses_groups_with_dates(deals: Org) -> None:
    found = query(
        deals,
        reportFormat="MATRIX",
        groupingsDown=[{"name": "STAGE_NAME", "sortOrder": "Desc", "sortAggregate": "s!AMOUNT"}],
        groupingsAcross=[{"name": "CLOSE_DATE", "dateGranularity": "Month"}],
        aggregates=["s!AMOUNT"],
    )
    down, across = labels(found["groupingsDown"]), labels(found["groupingsAcross"])
    assert list(down.values()) == ["Closed Won", "Prospecting", "Closed Lost"]
    assert list(across.values()) == ["January 2026", "February 2026", "May 2026", "January 2027"]
    sums: dict[tuple[str, str], float] = defaultdict(float)
    months = {"01": "January", "02": "February", "05": "May"}
    for _, stage, amount, day, _ in DEALS:
        sums[(stage, f"{months[day[5:7]]} {day[:4]}")] += amount or 0
    for left, stage in down.items():
        for top, month in across.items():
            assert values(found["factMap"][f"{left}!{top}"]) == [sums[(stage, month)]]
    assert values(found["factMap"]["T!1"]) == [1250]
    assert len(found["factMap"]) == 4 * 5


@pytest.mark.parametrize(
    ("granularity", "expected"),
    [
        ("Year", ["2026", "2027"]),
        ("Quarter", ["Q1 CY2026", "Q2 CY2026", "Q1 CY2027"]),
        ("FiscalYear", ["FY 2026", "FY 2027"]),
        ("FiscalQuarter", ["Q1 FY2026", "Q2 FY2026", "Q1 FY2027"]),
        ("MonthInYear", ["January", "February", "May"]),
        ("DayInMonth", ["1", "3", "15", "20", "31"]),
        ("Week", ["1/11/2026", "2/1/2026", "2/15/2026", "5/31/2026", "12/27/2026"]),
        ("Day", ["1/15/2026", "2/3/2026", "2/20/2026", "5/31/2026", "1/1/2027"]),
    ],
)
def test_unverified_dates_are_grouped(deals: Org, granularity: str, expected: list[str]) -> None:
    found = query(
        deals,
        reportFormat="SUMMARY",
        groupingsDown=[{"name": "CLOSE_DATE", "dateGranularity": granularity}],
    )
    names = labels(found["groupingsDown"])
    assert list(names.values()) == expected
    rows = sum(len(fact["rows"]) for fact in found["factMap"].values())
    assert rows == len(DEALS)
    assert values(found["factMap"]["T!T"]) == [len(DEALS)]


def test_buckets_make_several_values_one(deals: Org) -> None:
    bucket = {
        "bucketType": "picklist",
        "devloperName": "BucketField_1",
        "label": "Outcome",
        "otherBucketLabel": "Open",
        "sourceColumnName": "STAGE_NAME",
        "values": [
            {"label": "Done", "sourceDimensionValues": ["Closed Won", "Closed Lost"]},
        ],
    }
    found = query(
        deals,
        reportFormat="SUMMARY",
        buckets=[bucket],
        groupingsDown=[{"name": "BucketField_1"}],
        aggregates=["s!AMOUNT"],
    )
    names = labels(found["groupingsDown"])
    sums = {name: values(found["factMap"][f"{key}!T"])[0] for key, name in names.items()}
    assert sums == {"Done": 1040, "Open": 350}


def test_filters_join_by_logic_and_dates_and_across_objects(deals: Org) -> None:
    filters = [
        {"column": "STAGE_NAME", "operator": "equals", "value": "Closed Won,Closed Lost"},
        {"column": "AMOUNT", "operator": "lessThan", "value": "50"},
        {"column": "OPPORTUNITY_NAME", "operator": "startsWith", "value": "A"},
    ]
    found = query(deals, reportFilters=filters, reportBooleanFilter="(1 AND 2) OR 3")
    assert values(found["factMap"]["T!T"]) == [2]
    dated = {"column": "CLOSE_DATE", "durationValue": "CUSTOM", "startDate": "2026-02-01"}
    found = query(deals, standardDateFilter={**dated, "endDate": "2026-02-28"})
    assert values(found["factMap"]["T!T"]) == [2]
    cross = {
        "relatedEntity": "Opportunity",
        "relatedEntityJoinField": "AccountId",
        "primaryEntityField": "Id",
        "includesObject": True,
        "criteria": [{"column": "AMOUNT", "operator": "greaterThan", "value": "900"}],
    }
    deals.make("Account", Name="Empty")
    type_ = {"type": "AccountList"}
    assert values(query(deals, reportType=type_)["factMap"]["T!T"]) == [2]
    found = query(deals, reportType=type_, crossFilters=[cross])
    assert values(found["factMap"]["T!T"]) == [1]
    found = query(deals, reportType=type_, crossFilters=[{**cross, "includesObject": False}])
    assert values(found["factMap"]["T!T"]) == [1]


def test_a_report_is_of_its_reader_if_it_says_so(deals: Org) -> None:
    body = {"Name": "Ben's", "StageName": "Prospecting", "CloseDate": "2026-01-01"}
    deals.call("POST", "/sobjects/Opportunity", body, status=201, login=BEN)
    assert values(query(deals, scope="user")["factMap"]["T!T"]) == [5]
    assert values(query(deals, scope="organization")["factMap"]["T!T"]) == [6]


def test_a_report_is_kept_changed_copied_and_taken_away(deals: Org) -> None:
    body: dict[str, Any] = {
        "reportMetadata": {
            "name": "Deals by stage",
            "reportFormat": "SUMMARY",
            "reportType": {"type": "Opportunity"},
            "groupingsDown": [{"name": "STAGE_NAME"}],
        }
    }
    made = deals.call("POST", REPORTS, body)["reportMetadata"]
    assert made["developerName"] == "Deals_by_stage"
    path = f"{REPORTS}/{made['id']}"
    described = deals.call("GET", f"{path}/describe")
    assert described["reportMetadata"] == made
    assert "Opportunity.Amount" in described["reportTypeMetadata"]["categories"][0]["columns"]
    row = deals.call("GET", "/query?q=SELECT Id, Format FROM Report WHERE Name='Deals by stage'")
    assert [(one["Id"], one["Format"]) for one in row["records"]] == [(made["id"], "Summary")]
    ran = deals.call("GET", path)
    assert "rows" not in ran["factMap"]["T!T"]
    other = {"reportMetadata": {"aggregates": ["s!AMOUNT"]}}
    assert values(deals.call("POST", path, other)["factMap"]["T!T"]) == [1390]
    assert values(deals.call("GET", path)["factMap"]["T!T"]) == [5]
    deals.call("PATCH", path, {"reportMetadata": {"name": "Stages", "aggregates": ["a!AMOUNT"]}})
    assert values(deals.call("GET", path)["factMap"]["T!T"]) == [347.5]
    copy = {"reportMetadata": {"name": "Copy"}}
    copied = deals.call("POST", f"{REPORTS}?cloneId={made['id']}", copy)["reportMetadata"]
    assert copied["groupingsDown"] == made["groupingsDown"]
    assert [one["name"] for one in deals.call("GET", REPORTS)][:2] == ["Copy", "Stages"]
    deals.call("DELETE", path, status=204)
    assert deals.refused("GET", path)["status"] == 404


def test_a_run_is_kept_and_asked_for_later(deals: Org) -> None:
    body = {"reportMetadata": {"name": "All", "reportType": {"type": "Opportunity"}}}
    report = deals.call("POST", REPORTS, body)["reportMetadata"]["id"]
    path = f"{REPORTS}/{report}/instances"
    run = deals.call("POST", f"{path}?includeDetails=true", {})
    assert run["status"] == "Success"
    shown = deals.call("GET", f"{path}/{run['id']}")
    assert shown["attributes"]["status"] == "Success"
    assert len(shown["factMap"]["T!T"]["rows"]) == len(DEALS)
    assert [one["id"] for one in deals.call("GET", path)] == [run["id"]]
    deals.call("DELETE", f"{path}/{run['id']}", status=204)
    assert deals.refused("GET", f"{path}/{run['id']}")["status"] == 404


def test_private_reports_are_their_makers_alone(deals: Org) -> None:
    body = {"reportMetadata": {"name": "Mine", "reportType": {"type": "Opportunity"}}}
    report = deals.call("POST", REPORTS, body)["reportMetadata"]["id"]
    assert deals.refused("GET", f"{REPORTS}/{report}", login=BEN)["status"] == 404


def test_report_types_are_listed_and_described(org: Org) -> None:
    (group,) = org.call("GET", "/analytics/reportTypes")
    kinds = {one["type"]: one for one in group["reportTypes"]}
    assert kinds["Opportunity"]["label"] == "Opportunities"
    shown = org.call("GET", kinds["AccountList"]["describeUrl"])
    assert shown["reportMetadata"]["detailColumns"][0] == "Account.Name"
    assert org.refused("GET", "/analytics/reportTypes/Nothing")["status"] == 404


@pytest.mark.parametrize(
    "metadata",
    [
        {"reportType": None},
        {"reportType": {"type": "Nothing"}},
        {"reportType": 5},
        {"reportFormat": "MULTI_BLOCK"},
        {"reportFormat": "SUMMARY"},
        {"reportFormat": ["SUMMARY"]},
        {"groupingsDown": [{"name": "STAGE_NAME"}]},
        {"detailColumns": ["NOTHING"]},
        {"detailColumns": "AMOUNT"},
        {"detailColumns": [5]},
        {"aggregates": ["s!STAGE_NAME"]},
        {"aggregates": ["x!AMOUNT"]},
        {"aggregates": ["s!" + "A" * 5000]},
        {"reportFilters": [{"column": "AMOUNT", "operator": "near", "value": "1"}]},
        {"reportFilters": [{"column": "AMOUNT", "operator": "equals", "value": {}}]},
        {"reportFilters": [{"column": "CLOSE_DATE", "operator": "equals", "value": "soon!"}]},
        {"reportFilters": [{"column": "CLOSE_DATE", "operator": "equals", "value": "SOON"}]},
        {"reportFilters": 5},
        {"reportFilters": [{"column": "TYPE", "operator": "equals", "value": "\0"}]},
        {"reportBooleanFilter": "1 AND 2"},
        {"reportBooleanFilter": 5},
        {"standardDateFilter": {"column": "AMOUNT", "durationValue": "THIS_WEEK"}},
        {"standardDateFilter": [1]},
        {"crossFilters": [{"relatedEntity": "Nothing"}]},
        {"crossFilters": [{"relatedEntity": "Case", "relatedEntityJoinField": "AccountId"}]},
        {"buckets": [{"bucketType": "number"}]},
        {"sortBy": [{"sortColumn": "NOTHING"}]},
        {"reportFormat": "SUMMARY", "groupingsDown": [{"name": "STAGE_NAME"}] * 4},
        {
            "reportFormat": "SUMMARY",
            "groupingsDown": [{"name": "CLOSE_DATE", "dateGranularity": "X"}],
        },
        {"reportFormat": "SUMMARY", "groupingsDown": [{"name": ["x"]}]},
    ],
)
def test_reports_that_cannot_be_meant(org: Org, metadata: dict[str, Any]) -> None:
    body = {"reportMetadata": {"name": "X", "reportType": {"type": "Opportunity"}, **metadata}}
    assert org.ask("POST", f"{REPORTS}/query", body).status == 400
    assert org.ask("POST", REPORTS, body).status == 400
    assert org.call("GET", "/query?q=SELECT Id FROM Report")["totalSize"] == 0


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        {},
        {"reportMetadata": []},
        {"reportMetadata": {"reportType": {"type": "Opportunity"}}},
        {"reportMetadata": {"name": "x" * 41, "reportType": {"type": "Opportunity"}}},
        {"reportMetadata": {"name": "\0", "reportType": {"type": "Opportunity"}}},
        {"reportMetadata": {"name": "x", "folderId": 5, "reportType": {"type": "Opportunity"}}},
    ],
)
def test_bodies_that_are_no_reports(org: Org, body: Any) -> None:
    assert org.ask("POST", REPORTS, body).status == 400
    assert org.call("GET", "/query?q=SELECT Id FROM Report")["totalSize"] == 0
