"""Products of opportunities, quotes, orders and service contracts: prices, sums, statuses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from clones.core.journal import act
from clones.core.tenancy import unit_of_work
from clones.crm.models import rows_of
from tests.conftest import bind
from tests.crm.conftest import ADA, BEN, Org


@dataclass(frozen=True, slots=True)
class Shop:
    """An organization with a product at 100, one at 40, and an opportunity of an account."""

    org: Org
    book: str
    wheel: str
    bolt: str
    account: str
    opportunity: str

    def line(self, of: str, parent: str, **values: Any) -> str:
        """Make a product of a parent; a wheel unless another entry is said."""
        field = {"OrderItem": "OrderId", "QuoteLineItem": "QuoteId"}.get(of, "OpportunityId")
        said = {"PricebookEntryId": self.wheel, "Quantity": 2, field: parent}
        return self.org.make(of, **{**said, **values})

    def quote(self, **values: Any) -> str:
        return self.org.make("Quote", Name="Offer", OpportunityId=self.opportunity, **values)

    def shown(self) -> dict[str, Any]:
        return self.org.show("Opportunity", self.opportunity)

    def set(self, of: str, id: str, **values: Any) -> None:
        self.org.call("PATCH", f"/sobjects/{of}/{id}", values, status=204)

    def remove(self, of: str, id: str) -> None:
        self.org.call("DELETE", f"/sobjects/{of}/{id}", status=204)

    def rows(self, soql: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.org.call("GET", f"/query?q={soql}")["records"]
        return found


@pytest.fixture
def shop(org: Org) -> Shop:
    (standard,) = org.call("GET", "/query?q=SELECT Id FROM Pricebook2")["records"]
    book = standard["Id"]
    entries = []
    for name, price in (("Wheel", 100), ("Bolt", 40)):
        product = org.make("Product2", Name=name, ProductCode=name.upper(), IsActive=True)
        said = {"Pricebook2Id": book, "Product2Id": product, "UnitPrice": price}
        entries.append(org.make("PricebookEntry", **said, IsActive=True))
    account = org.make("Account", Name="Acme")
    said = {"Name": "Deal", "StageName": "Prospecting", "CloseDate": "2026-09-01"}
    opportunity = org.make("Opportunity", **said, AccountId=account)
    return Shop(org, book, entries[0], entries[1], account, opportunity)


def switch_on_splits(shop: Shop) -> str:
    (kind,) = shop.rows("SELECT Id FROM OpportunitySplitType WHERE DeveloperName='Revenue'")
    shop.set("OpportunitySplitType", kind["Id"], IsActive=True)
    return str(kind["Id"])


def test_a_product_takes_price_and_name_from_the_price_book(shop: Shop) -> None:
    line = shop.org.show("OpportunityLineItem", shop.line("OpportunityLineItem", shop.opportunity))
    assert (line["UnitPrice"], line["ListPrice"], line["TotalPrice"]) == (100.0, 100.0, 200.0)
    assert (line["Name"], line["ProductCode"]) == ("Deal Wheel", "WHEEL")
    found = shop.shown()
    assert found["Pricebook2Id"] == shop.book
    assert (found["Amount"], found["HasOpportunityLineItem"]) == (200.0, True)
    assert found["TotalOpportunityQuantity"] == 2.0
    assert found["ExpectedRevenue"] == 20.0


@pytest.mark.parametrize(
    ("said", "price", "total"),
    [
        ({"UnitPrice": 90}, 90.0, 180.0),
        ({"TotalPrice": 150}, 75.0, 150.0),
        ({"UnitPrice": 90, "Discount": 50}, 90.0, 90.0),
        ({"TotalPrice": 90, "Discount": 50}, 90.0, 90.0),
        ({"Discount": 100}, 100.0, 0.0),
        ({"Quantity": 0}, 100.0, 0.0),
        ({"Quantity": 0, "TotalPrice": 5}, None, None),
    ],
)
def test_totals_follow_from_prices_and_prices_from_totals(
    shop: Shop, said: dict[str, Any], price: float | None, total: float | None
) -> None:
    id = shop.line("OpportunityLineItem", shop.opportunity, **said)
    line = shop.org.show("OpportunityLineItem", id)
    assert line["UnitPrice"] == price
    if total is not None:
        assert line["TotalPrice"] == total


def test_the_sum_of_an_opportunity_is_that_of_its_products(shop: Shop) -> None:
    first = shop.line("OpportunityLineItem", shop.opportunity)
    second = shop.line("OpportunityLineItem", shop.opportunity, PricebookEntryId=shop.bolt)
    assert shop.shown()["Amount"] == 280.0
    shop.set("OpportunityLineItem", first, Quantity=1)
    assert shop.shown()["Amount"] == 180.0
    shop.set("Opportunity", shop.opportunity, Amount=5, Description="cheap")
    found = shop.shown()
    assert (found["Amount"], found["Description"]) == (180.0, "cheap")
    shop.remove("OpportunityLineItem", second)
    assert shop.shown()["Amount"] == 100.0


def test_unverified_an_opportunity_without_products_is_worth_nothing_again(shop: Shop) -> None:
    line = shop.line("OpportunityLineItem", shop.opportunity)
    shop.remove("OpportunityLineItem", line)
    found = shop.shown()
    assert (found["Amount"], found["HasOpportunityLineItem"]) == (0.0, False)
    shop.set("Opportunity", shop.opportunity, Amount=7)
    assert shop.shown()["Amount"] == 7.0


def test_a_product_is_of_the_price_book_of_its_opportunity(shop: Shop) -> None:
    shop.line("OpportunityLineItem", shop.opportunity)
    other = shop.org.make("Pricebook2", Name="Other", IsActive=True)
    (entry,) = shop.rows(f"SELECT Product2Id FROM PricebookEntry WHERE Id='{shop.wheel}'")
    said = {"Pricebook2Id": other, "Product2Id": entry["Product2Id"], "UnitPrice": 1}
    foreign = shop.org.make("PricebookEntry", **said, IsActive=True)
    body = {"OpportunityId": shop.opportunity, "PricebookEntryId": foreign, "Quantity": 1}
    error = shop.org.refused("POST", "/sobjects/OpportunityLineItem", body)
    assert error["errorCode"] == "FIELD_INTEGRITY_EXCEPTION"
    assert error["message"] == (
        "field integrity exception: PricebookEntryId (pricebook entry is in a different pricebook"
        " than the one assigned to the opportunity)"
    )
    assert shop.shown()["Amount"] == 200.0


def test_unverified_what_a_price_book_no_longer_sells_is_no_product(shop: Shop) -> None:
    shop.set("PricebookEntry", shop.wheel, IsActive=False)
    body = {"OpportunityId": shop.opportunity, "PricebookEntryId": shop.wheel, "Quantity": 1}
    error = shop.org.refused("POST", "/sobjects/OpportunityLineItem", body)
    assert error["errorCode"] == "FIELD_INTEGRITY_EXCEPTION"


def test_unverified_a_price_book_stays_while_there_are_products(shop: Shop) -> None:
    shop.line("OpportunityLineItem", shop.opportunity)
    other = shop.org.make("Pricebook2", Name="Other", IsActive=True)
    path = f"/sobjects/Opportunity/{shop.opportunity}"
    error = shop.org.refused("PATCH", path, {"Pricebook2Id": other})
    assert error["errorCode"] == "FIELD_INTEGRITY_EXCEPTION"


def test_a_quote_sums_up_its_lines_and_what_comes_on_top(shop: Shop) -> None:
    quote = shop.quote(Tax=10, ShippingHandling=5.5)
    shop.line("QuoteLineItem", quote, UnitPrice=100, Discount=10)
    shop.line("QuoteLineItem", quote, PricebookEntryId=shop.bolt, UnitPrice=40, Quantity=1)
    found = shop.org.show("Quote", quote)
    assert (found["Subtotal"], found["TotalPrice"], found["LineItemCount"]) == (240.0, 220.0, 2)
    assert (found["Discount"], found["GrandTotal"]) == (8.33, 235.5)
    assert (found["AccountId"], found["QuoteNumber"]) == (shop.account, "00000001")
    assert found["Pricebook2Id"] == shop.book
    assert found["BillingName"] == "Acme"
    shop.set("Quote", quote, Tax=0)
    assert shop.org.show("Quote", quote)["GrandTotal"] == 225.5
    assert shop.shown()["Amount"] is None


def test_a_quote_line_says_its_price(shop: Shop) -> None:
    body = {"QuoteId": shop.quote(), "PricebookEntryId": shop.wheel, "Quantity": 1}
    error = shop.org.refused("POST", "/sobjects/QuoteLineItem", body)
    assert (error["errorCode"], error["fields"]) == ("REQUIRED_FIELD_MISSING", ["UnitPrice"])


def test_an_opportunity_follows_the_quote_it_is_synced_with(shop: Shop) -> None:
    shop.line("OpportunityLineItem", shop.opportunity, Quantity=9)
    quote = shop.quote()
    line = shop.line("QuoteLineItem", quote, UnitPrice=80, ServiceDate="2026-10-01")
    shop.set("Opportunity", shop.opportunity, SyncedQuoteId=quote)
    assert shop.org.show("Quote", quote)["IsSyncing"] is True
    assert shop.shown()["Amount"] == 160.0
    (own,) = shop.rows("SELECT Id,UnitPrice,ServiceDate FROM OpportunityLineItem")
    assert (own["UnitPrice"], own["ServiceDate"]) == (80.0, "2026-10-01")
    assert shop.org.show("QuoteLineItem", line)["OpportunityLineItemId"] == own["Id"]

    shop.set("QuoteLineItem", line, Quantity=3)
    assert shop.shown()["Amount"] == 240.0
    shop.set("OpportunityLineItem", own["Id"], UnitPrice=50)
    assert shop.org.show("QuoteLineItem", line)["UnitPrice"] == 50.0
    assert shop.org.show("Quote", quote)["GrandTotal"] == 150.0

    more = shop.line("OpportunityLineItem", shop.opportunity, PricebookEntryId=shop.bolt)
    assert shop.org.show("Quote", quote)["LineItemCount"] == 2
    shop.remove("OpportunityLineItem", more)
    assert shop.org.show("Quote", quote)["LineItemCount"] == 1
    shop.remove("QuoteLineItem", line)
    assert shop.shown()["Amount"] == 0.0
    assert shop.rows("SELECT Id FROM OpportunityLineItem") == []


def test_an_opportunity_leaves_a_quote_for_another(shop: Shop) -> None:
    first, second = shop.quote(), shop.quote()
    shop.line("QuoteLineItem", first, UnitPrice=80)
    shop.line("QuoteLineItem", second, UnitPrice=70)
    shop.set("Opportunity", shop.opportunity, SyncedQuoteId=first)
    shop.set("Opportunity", shop.opportunity, SyncedQuoteId=second)
    assert shop.org.show("Quote", first)["IsSyncing"] is False
    assert shop.org.show("Quote", first)["LineItemCount"] == 1
    assert shop.shown()["Amount"] == 140.0
    shop.set("Opportunity", shop.opportunity, SyncedQuoteId=None)
    assert shop.org.show("Quote", second)["IsSyncing"] is False
    assert shop.shown()["Amount"] == 140.0
    said = {"Name": "Other", "StageName": "Prospecting", "CloseDate": "2026-09-01"}
    other = shop.org.make("Opportunity", **said)
    path = f"/sobjects/Opportunity/{other}"
    error = shop.org.refused("PATCH", path, {"SyncedQuoteId": first})
    assert error["errorCode"] == "FIELD_INTEGRITY_EXCEPTION"


def ordered(shop: Shop, **more: Any) -> str:
    said = {"AccountId": shop.account, "EffectiveDate": "2026-07-01", "Status": "Draft"}
    return shop.org.make("Order", **{**said, **more})


def test_an_order_is_activated_with_products_and_then_locked(shop: Shop) -> None:
    order = ordered(shop)
    error = shop.org.refused("PATCH", f"/sobjects/Order/{order}", {"Status": "Activated"})
    assert (error["errorCode"], error["message"]) == (
        "FAILED_ACTIVATION",
        "An order must have at least one product.",
    )
    item = shop.line("OrderItem", order, UnitPrice=99)
    found = shop.org.show("Order", order)
    assert (found["TotalAmount"], found["StatusCode"]) == (198.0, "Draft")
    assert shop.org.show("OrderItem", item)["OrderItemNumber"] == "0000000001"
    shop.set("Order", order, Status="Activated")
    found = shop.org.show("Order", order)
    assert (found["StatusCode"], found["ActivatedById"]) == ("Activated", shop.org.users[ADA])
    assert found["ActivatedDate"] is not None
    body = {"OrderId": order, "PricebookEntryId": shop.bolt, "Quantity": 1, "UnitPrice": 1}
    locked = (
        "Unable to modify activated or superseded Order:  cannot delete Order, or add or remove"
        " Order Products"
    )
    for error in (
        shop.org.refused("POST", "/sobjects/OrderItem", body),
        shop.org.refused("DELETE", f"/sobjects/OrderItem/{item}"),
        shop.org.refused("DELETE", f"/sobjects/Order/{order}"),
    ):
        assert (error["errorCode"], error["message"]) == ("ENTITY_IS_LOCKED", locked)
    assert shop.org.show("OrderItem", item)["Id"] == item
    shop.set("Order", order, Status="Draft")
    shop.remove("OrderItem", item)
    assert shop.org.show("Order", order)["TotalAmount"] == 0.0


def test_unverified_orders_and_contracts_begin_as_drafts(shop: Shop) -> None:
    said = {"AccountId": shop.account, "EffectiveDate": "2026-07-01", "Status": "Activated"}
    error = shop.org.refused("POST", "/sobjects/Order", said)
    assert error["errorCode"] == "FAILED_ACTIVATION"
    contract = shop.org.make("Contract", AccountId=shop.account)
    shop.set("Contract", contract, Status="In Approval Process")
    shop.set("Contract", contract, Status="Activated")
    found = shop.org.show("Contract", contract)
    assert (found["StatusCode"], found["ActivatedById"]) == ("Activated", shop.org.users[ADA])
    error = shop.org.refused("PATCH", f"/sobjects/Contract/{contract}", {"Status": "Draft"})
    assert error["errorCode"] == "FAILED_ACTIVATION"


@pytest.mark.parametrize(
    ("start", "months", "end"),
    [
        ("2026-01-01", 12, "2026-12-31"),
        ("2026-01-31", 1, "2026-02-27"),
        ("2028-01-31", 1, "2028-02-28"),
        ("2026-03-15", 36, "2029-03-14"),
    ],
)
def test_a_contract_ends_after_its_term(shop: Shop, start: str, months: int, end: str) -> None:
    said = {"AccountId": shop.account, "StartDate": start, "ContractTerm": months}
    contract = shop.org.make("Contract", **said)
    assert shop.org.show("Contract", contract)["EndDate"] == end
    shop.set("Contract", contract, StartDate=None)
    assert shop.org.show("Contract", contract)["EndDate"] is None


def test_terms_without_an_end_are_no_failure(shop: Shop) -> None:
    said = {"AccountId": shop.account, "StartDate": "4000-01-01", "ContractTerm": 2**31 - 1}
    contract = shop.org.make("Contract", **said)
    assert shop.org.show("Contract", contract)["EndDate"] is None


def test_a_service_contract_sums_up_and_is_in_effect_for_its_term(shop: Shop) -> None:
    said = {"Name": "Care", "StartDate": "2020-01-01", "Term": 12, "Tax": 1}
    contract = shop.org.make("ServiceContract", **said)
    found = shop.org.show("ServiceContract", contract)
    assert (found["EndDate"], found["Status"]) == ("2020-12-31", "Expired")
    line = {"ServiceContractId": contract, "PricebookEntryId": shop.wheel, "UnitPrice": 100}
    shop.org.make("ContractLineItem", **line, Quantity=3)
    found = shop.org.show("ServiceContract", contract)
    assert (found["GrandTotal"], found["LineItemCount"]) == (301.0, 1)


def splits_of(shop: Shop, opportunity: str) -> dict[str, tuple[float, float | None]]:
    found = shop.rows(
        "SELECT SplitOwnerId,SplitPercentage,SplitAmount FROM OpportunitySplit"
        f" WHERE OpportunityId='{opportunity}'"
    )
    return {one["SplitOwnerId"]: (one["SplitPercentage"], one["SplitAmount"]) for one in found}


def test_splits_are_off_until_a_kind_is_switched_on(shop: Shop) -> None:
    assert splits_of(shop, shop.opportunity) == {}
    said = {"OpportunityId": shop.opportunity, "SplitOwnerId": shop.org.users[BEN]}
    body = {**said, "SplitPercentage": 50}
    error = shop.org.refused("POST", "/sobjects/OpportunitySplit", body)
    assert error["errorCode"] == "FIELD_INTEGRITY_EXCEPTION"


def test_unverified_shares_of_an_opportunity_add_up_by_what_its_owner_has(shop: Shop) -> None:
    switch_on_splits(shop)
    ada, ben = shop.org.users[ADA], shop.org.users[BEN]
    said = {"Name": "Big", "StageName": "Prospecting", "CloseDate": "2026-09-01", "Amount": 1000}
    deal = shop.org.make("Opportunity", **said)
    assert splits_of(shop, deal) == {ada: (100.0, 1000.0)}
    share = shop.org.make(
        "OpportunitySplit", OpportunityId=deal, SplitOwnerId=ben, SplitPercentage=30
    )
    assert splits_of(shop, deal) == {ada: (70.0, 700.0), ben: (30.0, 300.0)}
    team = shop.rows(f"SELECT UserId,Name FROM OpportunityTeamMember WHERE OpportunityId='{deal}'")
    assert {(one["UserId"], one["Name"]) for one in team} == {(ada, "Ada Quist"), (ben, "Ben Ode")}
    shop.set("Opportunity", deal, Amount=500)
    assert splits_of(shop, deal)[ben] == (30.0, 150.0)
    body = {"OpportunityId": deal, "SplitOwnerId": ben, "SplitPercentage": 80}
    error = shop.org.refused("POST", "/sobjects/OpportunitySplit", body)
    assert error["message"] == "Split percentages must total 100%."
    shop.remove("OpportunitySplit", share)
    assert splits_of(shop, deal) == {ada: (100.0, 500.0)}
    shop.set("Opportunity", deal, OwnerId=ben)
    assert splits_of(shop, deal) == {ben: (100.0, 500.0)}


@pytest.mark.parametrize("share", [-1, 100.5, 1e9])
def test_a_share_is_a_part_of_the_whole(shop: Shop, share: float) -> None:
    switch_on_splits(shop)
    said = {"OpportunityId": shop.opportunity, "SplitOwnerId": shop.org.users[BEN]}
    body = {**said, "SplitPercentage": share}
    error = shop.org.refused("POST", "/sobjects/OpportunitySplit", body)
    assert error["status"] == 400


def test_a_user_is_in_a_team_once(shop: Shop) -> None:
    said = {"OpportunityId": shop.opportunity, "UserId": shop.org.users[BEN]}
    member = shop.org.make("OpportunityTeamMember", **said, OpportunityAccessLevel="Edit")
    assert shop.org.show("OpportunityTeamMember", member)["Name"] == "Ben Ode"
    error = shop.org.refused("POST", "/sobjects/OpportunityTeamMember", said)
    assert error["errorCode"] == "DUPLICATE_VALUE"


@pytest.mark.parametrize(
    ("start", "by_start", "day", "fiscal"),
    [
        (1, False, "2026-02-10", "2026 1"),
        (2, False, "2026-02-10", "2027 1"),
        (2, False, "2026-01-10", "2026 4"),
        (2, True, "2026-02-10", "2026 1"),
        (7, False, "2026-12-31", "2027 2"),
        (7, True, "2026-06-30", "2025 4"),
    ],
)
def test_fiscal_years_are_the_organizations(
    shop: Shop, start: int, by_start: bool, day: str, fiscal: str
) -> None:
    with bind(shop.org.row), unit_of_work("write"), act(actor="test", label="test"):
        rows_of("Organization").update(
            FiscalYearStartMonth=start, UsesStartDateAsFiscalYearName=by_start
        )
    shop.set("Opportunity", shop.opportunity, CloseDate=day)
    found = shop.shown()
    assert found["Fiscal"] == fiscal
    assert f"{found['FiscalYear']} {found['FiscalQuarter']}" == fiscal
