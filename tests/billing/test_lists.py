"""Every list and search is read in pages, and each object is shown as it is listed."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from clones.billing.api.operations import operations
from clones.billing.api.search_fields import FIELDS
from clones.billing.domain.catalogue import attach_card
from clones.billing.domain.invoices import DraftLine, create_invoice
from clones.billing.domain.refunds import create_refund
from clones.billing.domain.subscriptions import create_subscription
from clones.billing.models import Charge
from tests.billing.shop import (
    ACTOR,
    VISA,
    Api,
    add_charge,
    add_customer,
    add_price,
    add_subscription,
    writing,
)
from tools.fidelity.subject import SUBJECTS

SUBJECT = SUBJECTS["billing"]


class Place(NamedTuple):
    """Where objects of a kind are, as `str.format` fills it, and what refusals call one."""

    path: str
    kind: str
    param: str = "id"


# By operation: where a list is, and what it says of a cursor that is none of its objects.
LISTS = {
    "GetBalanceTransactions": Place("/v1/balance_transactions", "balance_transaction"),
    "GetCharges": Place("/v1/charges", "charge"),
    "GetChargesChargeRefunds": Place("/v1/charges/{charge}/refunds", "refund"),
    "GetCustomers": Place("/v1/customers", "customer"),
    "GetCustomersCustomerPaymentMethods": Place(
        "/v1/customers/{customer}/payment_methods", "payment_method"
    ),
    "GetDisputes": Place("/v1/disputes", "dispute"),
    "GetEvents": Place("/v1/events", "event"),
    "GetInvoicePayments": Place("/v1/invoice_payments", "invoice_payment"),
    "GetInvoices": Place("/v1/invoices", "invoice"),
    "GetInvoicesInvoiceLines": Place("/v1/invoices/{invoice}/lines", "line_item"),
    "GetPaymentIntents": Place("/v1/payment_intents", "payment_intent"),
    "GetPrices": Place("/v1/prices", "price"),
    "GetProducts": Place("/v1/products", "product"),
    "GetRefunds": Place("/v1/refunds", "refund"),
    "GetSubscriptionItems": Place("/v1/subscription_items", "subscription_item"),
    "GetSubscriptions": Place("/v1/subscriptions", "subscription"),
}
# By operation: the address before the object's id, and what is said where there is none.
SHOWN = {
    "GetBalanceTransactionsId": Place("/v1/balance_transactions", "balance_transaction"),
    "GetChargesCharge": Place("/v1/charges", "charge"),
    "GetChargesChargeRefundsRefund": Place("/v1/charges/{charge}/refunds", "refund", "refund"),
    "GetCustomersCustomer": Place("/v1/customers", "customer"),
    "GetCustomersCustomerPaymentMethodsPaymentMethod": Place(
        "/v1/customers/{customer}/payment_methods", "PaymentMethod", "payment_method"
    ),
    "GetDisputesDispute": Place("/v1/disputes", "dispute", "dispute"),
    "GetEventsId": Place("/v1/events", "event"),
    "GetInvoicePaymentsInvoicePayment": Place(
        "/v1/invoice_payments", "invoice_payment", "invoice_payment"
    ),
    "GetInvoicesInvoice": Place("/v1/invoices", "invoice", "invoice"),
    "GetPaymentIntentsIntent": Place("/v1/payment_intents", "payment_intent", "intent"),
    "GetPaymentMethodsPaymentMethod": Place(
        "/v1/payment_methods", "PaymentMethod", "payment_method"
    ),
    "GetPricesPrice": Place("/v1/prices", "price", "price"),
    "GetProductsId": Place("/v1/products", "product"),
    "GetRefundsRefund": Place("/v1/refunds", "refund", "refund"),
    "GetSubscriptionsSubscriptionExposedId": Place("/v1/subscriptions", "subscription"),
}
SEARCHED = {
    f"Get{''.join(word.capitalize() for word in kind.split('_'))}sSearch": f"/v1/{kind}s/search"
    for kind in FIELDS
}


class Shop(NamedTuple):
    """An account with three objects of each kind, or more."""

    api: Api
    ids: dict[str, str]

    def at(self, place: str) -> str:
        """Return a path with the ids of what it lies under."""
        return place.format_map(self.ids)

    def page(self, path: str, **asked: Any) -> Any:
        """Return a page of a list."""
        if path == "/v1/subscription_items":
            asked["subscription"] = self.ids["subscription"]
        return self.api.get(path, asked)


@pytest.fixture
def shop(api: Api) -> Shop:
    """An account with three objects of each kind, or more."""
    with writing(api.row):
        customer = add_customer()
        for last4 in ("4444", "1881"):
            attach_card(customer, actor=ACTOR, card={**VISA, "last4": last4})
        prices = [add_price(f"Studio {number}") for number in range(3)]
        for price in prices:
            add_subscription(add_customer(f"By {price.product.name}"), price)
        whole = create_subscription(customer, [(price, 1) for price in prices], actor=ACTOR)
        lines = [DraftLine(number, f"Part {number}") for number in (100, 200, 300)]
        invoice = create_invoice(customer, lines, actor=ACTOR, currency="usd")
        charge = add_charge(customer)
        for amount in (100, 200, 300):
            create_refund(charge, actor=ACTOR, amount=amount)
        Charge.objects.update(disputed=True)
    return Shop(
        api,
        {
            "charge": charge.id,
            "customer": customer.id,
            "invoice": invoice.id,
            "subscription": whole.id,
        },
    )


def pages_of(names: frozenset[str]) -> set[str]:
    """Return the operations that know such parameters and have something to list."""
    known = operations.all.values()
    return {one.id for one in known if names <= one.arguments} - SUBJECT.always_empty


def test_every_list_and_search_is_here_and_everything_that_is_shown() -> None:
    cursors, searches = map(frozenset, SUBJECT.pages)
    assert set(LISTS) == pages_of(cursors)
    assert set(SEARCHED) == pages_of(searches)
    shown = {
        one.id
        for one in operations.all.values()
        if one.method == "GET" and one.segments[-1].startswith("{")
    }
    assert set(SHOWN) == shown - SUBJECT.always_refused


@pytest.mark.parametrize("name", sorted(LISTS))
def test_a_list_is_read_in_pages(shop: Shop, name: str) -> None:
    place = LISTS[name]
    path = shop.at(place.path)
    whole = shop.page(path, limit=100)
    every = whole["data"]
    ids = [row["id"] for row in every]
    assert (whole["object"], whole["url"], whole["has_more"]) == ("list", path, False)
    assert len(set(ids)) == len(ids) >= 3
    first = shop.page(path, limit=1)
    assert (first["data"], first["has_more"]) == (every[:1], True)
    second = shop.page(path, limit=1, starting_after=ids[0])
    assert (second["data"], second["has_more"]) == (every[1:2], True)
    rest = shop.page(path, limit=100, starting_after=ids[0])
    assert (rest["data"], rest["has_more"]) == (every[1:], False)
    assert shop.page(path, limit=100, starting_after=ids[-1])["data"] == []
    back = shop.page(path, limit=1, ending_before=ids[2])
    assert (back["data"], back["has_more"]) == (every[1:2], True)
    front = shop.page(path, limit=100, ending_before=ids[2])
    assert (front["data"], front["has_more"]) == (every[:2], False)


@pytest.mark.parametrize("name", sorted(LISTS))
def test_a_cursor_of_nothing_is_refused_and_so_are_two(shop: Shop, name: str) -> None:
    place = LISTS[name]
    path = shop.at(place.path)
    needed = {"subscription": shop.ids["subscription"]} if name == "GetSubscriptionItems" else {}
    for param in ("starting_after", "ending_before"):
        none = f"{place.kind[:2]}_none"
        error = shop.api.refused("GET", path, {**needed, param: none})
        assert error["message"] == f"No such {place.kind}: '{none}'"
        assert (error["code"], error["param"]) == ("resource_missing", param)
    one, two = (row["id"] for row in shop.page(path, limit=2)["data"])
    both = {**needed, "starting_after": one, "ending_before": two}
    error = shop.api.refused("GET", path, both)
    assert error["message"] == (
        "You may only specify one of these parameters: ending_before, starting_after."
    )


@pytest.mark.parametrize("name", sorted(SHOWN))
def test_an_object_is_shown_as_it_is_listed(shop: Shop, name: str) -> None:
    path = shop.at(SHOWN[name].path)
    # Cards are listed by customer alone.
    listed = path.replace(
        "/v1/payment_methods", shop.at("/v1/customers/{customer}/payment_methods")
    )
    for row in shop.page(listed, limit=100)["data"]:
        assert shop.api.get(f"{path}/{row['id']}") == row


@pytest.mark.parametrize("name", sorted(SHOWN))
def test_an_object_that_is_not_there_is_refused(shop: Shop, name: str) -> None:
    place = SHOWN[name]
    error = shop.api.refused("GET", f"{shop.at(place.path)}/none", status=404)
    assert error["message"] == f"No such {place.kind}: 'none'"
    assert (error["code"], error["param"]) == ("resource_missing", place.param)


@pytest.mark.parametrize("name", sorted(SEARCHED))
def test_a_search_is_read_in_pages(shop: Shop, name: str) -> None:
    path = SEARCHED[name]
    asked = {"query": "created>0"}
    whole = shop.page(path, **asked, limit=100)
    assert (whole["object"], whole["has_more"]) == ("search_result", False)
    every = whole["data"]
    assert len({row["id"] for row in every}) == len(every) >= 3
    first = shop.page(path, **asked, limit=2)
    assert (first["data"], first["has_more"]) == (every[:2], True)
    second = shop.page(path, **asked, limit=100, page=first["next_page"])
    assert (second["data"], second["has_more"], second["next_page"]) == (every[2:], False, None)
    error = shop.api.refused("GET", path, {**asked, "page": "zzz"})
    assert (error["message"], error["param"]) == ("zzz is an invalid page.", "page")
