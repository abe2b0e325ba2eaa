"""Lists: newest first, from a cursor either way, and never a row twice or missed."""

from __future__ import annotations

import operator

import pytest

from tests.billing.shop import Api, add_charge, add_customer, writing


@pytest.fixture
def charges(api: Api) -> list[str]:
    """Twelve charges of one customer, newest first, three of them in the same moment."""
    found = []
    for amount in range(1, 10):
        with writing(api.row):
            customer = add_customer(f"Customer {amount}")
            found.append(add_charge(customer, amount * 100))
    with writing(api.row):
        found += [add_charge(customer, 5000 + extra) for extra in range(3)]
    found.sort(key=lambda charge: (charge.created, charge.id), reverse=True)
    return [charge.id for charge in found]


def test_ten_come_without_a_limit(api: Api, charges: list[str]) -> None:
    page = api.get("/v1/charges")
    assert (page["object"], page["url"], page["has_more"]) == ("list", "/v1/charges", True)
    assert [row["id"] for row in page["data"]] == charges[:10]
    rest = api.get("/v1/charges", {"starting_after": page["data"][-1]["id"]})
    assert [row["id"] for row in rest["data"]] == charges[10:]
    assert rest["has_more"] is False


@pytest.mark.parametrize("limit", [1, 2, 5, 12, 100])
def test_paging_forward_meets_every_row_once(api: Api, charges: list[str], limit: int) -> None:
    seen: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = api.get("/v1/charges", {"limit": limit, **cursor})
        seen += [row["id"] for row in page["data"]]
        if not page["has_more"]:
            break
        cursor = {"starting_after": seen[-1]}
    assert seen == charges


def test_paging_back_meets_every_row_once(api: Api, charges: list[str]) -> None:
    seen: list[str] = []
    cursor = charges[-1]
    while True:
        page = api.get("/v1/charges", {"limit": 4, "ending_before": cursor})
        seen = [row["id"] for row in page["data"]] + seen
        if not page["has_more"]:
            break
        cursor = seen[0]
    assert seen == charges[:-1]


def test_a_row_made_meanwhile_moves_no_page(api: Api, charges: list[str]) -> None:
    first = api.get("/v1/charges", {"limit": 5})
    with writing(api.row):
        add_charge(add_customer("Late"), 1)
    second = api.get("/v1/charges", {"limit": 5, "starting_after": first["data"][-1]["id"]})
    assert [row["id"] for row in second["data"]] == charges[5:10]


@pytest.mark.parametrize("param", ["starting_after", "ending_before"])
def test_an_unknown_cursor_is_refused(api: Api, charges: list[str], param: str) -> None:
    error = api.refused("GET", "/v1/charges", {param: "ch_none"})
    assert error == {
        "code": "resource_missing",
        "doc_url": "https://stripe.com/docs/error-codes/resource-missing",
        "message": "No such charge: 'ch_none'",
        "param": param,
        "type": "invalid_request_error",
    }


def test_two_cursors_are_refused(api: Api, charges: list[str]) -> None:
    both = {"starting_after": charges[0], "ending_before": charges[1]}
    error = api.refused("GET", "/v1/charges", both)
    assert error["message"] == (
        "You may only specify one of these parameters: ending_before, starting_after."
    )


def test_bounds_count_whole_seconds(api: Api, charges: list[str]) -> None:
    shown = {row["id"]: row["created"] for row in api.get("/v1/charges", {"limit": 100})["data"]}
    middle = shown[charges[6]]
    bounds = {"gt": operator.gt, "gte": operator.ge, "lt": operator.lt, "lte": operator.le}
    for bound, keep in bounds.items():
        page = api.get("/v1/charges", {"limit": 100, f"created[{bound}]": middle})
        expected = [id for id in charges if keep(shown[id], middle)]
        assert [row["id"] for row in page["data"]] == expected, bound
    page = api.get("/v1/charges", {"created": middle})
    assert [row["id"] for row in page["data"]] == [id for id in charges if shown[id] == middle]
