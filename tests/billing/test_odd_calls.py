"""Every operation, called as nobody would: it refuses in the vendor's shape, and it never breaks.

What is said in queries and forms is drawn from the operation's own parameters and some of nobody's,
flat and in brackets, with values that no column holds. That seldom gets past the first check, so a
good call with one part of it replaced, left out or doubled is made too. `SANDLOT_ODD` says how many
calls of each kind there are (`tests.odd_calls`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from clones.billing.api.operations import operations
from clones.core.operations import Operation
from snapshots.sandboxes import Sandboxes
from tests import odd_calls, tiers
from tests.billing.shop import Api, add_charge, add_customer, add_price, add_subscription, writing
from tests.billing.test_query_lists import path_of

PARTS: Final = 4
Pairs = list[tuple[str, str]]
# How a name may be written: as it is, as a list, as a part of an object, and as no name at all.
WRITTEN: Final = ("{}", "{}[]", "{}[0]", "{}[gte]", "{}[a][b]", "{}[0][price]", "{}[", "[{}]")
NAMES: Final = ["limit", "expand", "created", "metadata", "starting_after", "colour", ""]
VALUES: Final = [*odd_calls.ODD_TEXTS, "usd", "cus_none", "data.customer", "1" * 30, "0.5", "null"]
IDS: Final = ["0", "x", "a\0b", "é", "a" * 400, "search", "%", " ", "..", "cus_none"]
PERSON: Final = {
    "name": "Ana Lima",
    "email": "ana@lima.example",
    "balance": "-500",
    "address[line1]": "1 Harbour Way",
    "address[country]": "US",
    "shipping[name]": "Ana Lima",
    "shipping[address][city]": "Lisbon",
    "preferred_locales[0]": "en",
    "tax_exempt": "none",
    "metadata[order]": "7",
    "expand[0]": "tax",
}
PRICE: Final = {"nickname": "Monthly", "active": "true", "metadata[7]": "7"}
PRODUCT: Final = {"name": "Studio", "active": "true", "unit_label": "seat", "metadata[a]": "b"}
# What the account accepts, by operation; `{name}` is the id of one of its objects.
GOOD: Final[dict[str, dict[str, str]]] = {
    "PostChargesCharge": {
        "description": "Studio",
        "metadata[a]": "b",
        "receipt_email": "a@b.example",
    },
    "PostCustomers": PERSON,
    "PostCustomersCustomer": PERSON,
    "PostInvoicesCreatePreview": {"customer": "{customer}", "subscription": "{subscription}"},
    "PostPrices": PRICE
    | {
        "currency": "usd",
        "product": "{product}",
        "unit_amount": "900",
        "recurring[interval]": "month",
        "recurring[interval_count]": "3",
    },
    "PostPricesPrice": PRICE | {"lookup_key": "monthly"},
    "PostProducts": PRODUCT,
    "PostProductsId": PRODUCT | {"default_price": "{price}"},
    "PostRefunds": {
        "charge": "{charge}",
        "amount": "100",
        "reason": "duplicate",
        "metadata[a]": "b",
    },
    "PostSubscriptionsSubscriptionExposedId": {
        "cancel_at_period_end": "true",
        "cancellation_details[comment]": "Too dear",
        "cancellation_details[feedback]": "too_expensive",
        "metadata[a]": "b",
    },
    "DeleteSubscriptionsSubscriptionExposedId": {"cancellation_details[comment]": "Too dear"},
    "GetChargesSearch": {"query": "amount>1000 AND -metadata['order']:'7' AND status:\"paid\""},
    "GetCustomersSearch": {"query": "metadata['order']:'7' OR email~'lima' OR phone:null"},
    "GetInvoicesSearch": {"query": "total>=1 AND number:'X-1' AND subscription:'{subscription}'"},
    "GetPaymentIntentsSearch": {"query": "amount:1200 AND customer:'{customer}'", "limit": "1"},
    "GetPricesSearch": {"query": "active:'true' AND type:'recurring' AND -lookup_key:null"},
    "GetProductsSearch": {"query": "description~'software' shippable:'false'", "limit": "2"},
    "GetSubscriptionsSearch": {"query": "created>1000 AND canceled_at:null", "limit": "1"},
    "GetCharges": {"created[gte]": "0", "customer": "{customer}", "expand[]": "data.customer"},
    "GetInvoices": {"created[lt]": "9999999999", "status": "paid", "expand[]": "data.customer"},
    "GetEvents": {"type": "customer.*", "created[gt]": "0", "limit": "3"},
    "GetSubscriptions": {"status": "all", "current_period_end[gt]": "1", "price": "{price}"},
}


@pytest.fixture
def shop(api: Api) -> Api:
    """An account with one object of most kinds."""
    with writing(api.row):
        customer = add_customer()
        add_charge(customer)
        add_subscription(customer, add_price())
    return api


def problems_of(status: int, kind: str, raw: bytes) -> Iterator[str]:
    """Yield what is wrong with an answer, whatever was asked."""
    if status >= 500 or status == 401:
        yield "breaks" if status >= 500 else "does not know the key"
        return
    if not kind.startswith("application/json"):
        yield f"is {kind or 'of no type'}"
        return
    body = json.loads(raw)
    if status < 300:
        if not isinstance(body, dict) or "object" not in body:
            yield "is no object of the vendor's"
    elif status >= 400:
        error = body.get("error") if isinstance(body, dict) else None
        if set(body) != {"error"} or not isinstance(error, dict):
            yield f"refuses in a way of its own: {body}"
        elif not error.get("message") or error.get("type") not in {
            "invalid_request_error",
            "card_error",
            "idempotency_error",
        }:
            yield f"refuses in a way of its own: {error}"
    else:
        yield f"answers {status}"


def odd_pairs(operation: Operation) -> st.SearchStrategy[Pairs]:
    """Return parameters to send: the operation's own most of the time, oddly written and filled."""
    models = [one for one in (operation.query, operation.body) if one is not None]
    own = sorted(
        {field.alias or name for one in models for name, field in one.model_fields.items()}
    )
    names = st.sampled_from(own * 3 + NAMES)
    written = st.tuples(st.sampled_from((WRITTEN[0],) * 4 + WRITTEN), names)
    name = written.map(lambda pick: pick[0].format(pick[1]))
    return st.lists(st.tuples(name, st.sampled_from(VALUES)), min_size=1, max_size=3)


def good_pairs(api: Api, operation: Operation) -> Pairs:
    """Return the parameters of a call that the account accepts."""
    kinds = ("customer", "charge", "price", "product", "subscription")
    ids = {kind: api.get(f"/v1/{kind}s", {"limit": "1"})["data"][0]["id"] for kind in kinds}
    return [
        (
            name,
            ids[text[1:-1]] if text[1:-1] in ids else text.replace("{customer}", ids["customer"]),
        )
        for name, text in GOOD[operation.id].items()
    ]


def gone_wrong(good: Pairs) -> st.SearchStrategy[Pairs]:
    """Return the parameters of a good call with a part of one replaced, left out or doubled."""

    def wrong(pick: tuple[int, str, str, int]) -> Pairs:
        place, what, odd, number = pick
        name, text = good[place]
        found = [*good]
        words = [*odd_calls.WORD.finditer(text if what == "word" else name)]
        if what == "missing":
            del found[place]
        elif what == "twice":
            found.append((name, odd))
        elif what == "value" or not words:
            found[place] = (name, odd)
        else:
            word = words[number % len(words)]
            whole = word.string[: word.start()] + odd + word.string[word.end() :]
            found[place] = (name, whole) if what == "word" else (whole, text)
        return found

    whats = st.sampled_from(("missing", "twice", "value", "value", "word", "word", "name"))
    odd = st.sampled_from(VALUES)
    return st.tuples(st.integers(0, len(good) - 1), whats, odd, st.integers(0, 20)).map(wrong)


def called(api: Api, operation: Operation, path: str, pairs: Pairs) -> list[str]:
    """Call an operation with parameters, and return what is wrong with the answer."""
    said: dict[str, list[str]] = {}
    for name, value in pairs:
        said.setdefault(name, []).append(value)
    answer = api.call(operation.method, path, said)
    kind = answer.headers.get("Content-Type", "")
    told = f"{operation.id} {answer.status_code}: {path[:120]} {said!r:.300}"
    return [f"{told}: {one}" for one in problems_of(answer.status_code, kind, answer.content)]


def call_oddly(api: Api, operation: Operation, counts: Counter[str]) -> list[str]:
    """Call an operation in odd ways; return what is wrong with its answers."""
    found, path = list[str](), path_of(api, operation)

    def about(call: tuple[str, Pairs]) -> None:
        counts[operation.id] += 1
        found.extend(called(api, operation, *call))

    kinds: list[st.SearchStrategy[Any]] = [st.tuples(st.just(path), odd_pairs(operation))]
    if operation.parameters:
        last = [place for place, one in enumerate(operation.segments) if one.startswith("{")][-1]
        parts = path.strip("/").split("/")
        others = st.sampled_from(IDS).map(
            lambda id: "/" + "/".join([*parts[:last], quote(id, safe=""), *parts[last + 1 :]])
        )
        kinds.append(st.tuples(others, odd_pairs(operation) | st.just([])))
    if operation.id in GOOD:
        kinds.append(st.tuples(st.just(path), gone_wrong(good_pairs(api, operation))))
    for calls in kinds:
        settings(
            max_examples=odd_calls.CALLS * 4,
            database=None,
            deadline=None,
            derandomize=odd_calls.ALIKE,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )(given(calls)(about))()
    return found


@pytest.mark.parametrize(
    "part", [pytest.param(part, marks=tiers.IN_TURN_ON_POSTGRES) for part in range(PARTS)]
)
def test_operations_refuse_and_never_break(shop: Api, sandboxes: Sandboxes, part: int) -> None:
    sandboxes.mark(shop.row.id, "set")
    wrong, counts = list[str](), Counter[str]()
    chosen = list(operations.all.values())[part::PARTS]
    for operation in chosen:
        wrong.extend(call_oddly(shop, operation, counts))
        if operation.method != "GET":
            sandboxes.rewind(shop.row.id, "set")
    assert wrong == [], "\n".join(wrong)
    assert set(counts) == {operation.id for operation in chosen}


@pytest.mark.parametrize("name", GOOD)
def test_the_good_calls_are_good(shop: Api, name: str) -> None:
    operation = operations.all[name]
    path, pairs = path_of(shop, operation), good_pairs(shop, operation)
    assert shop.call(operation.method, path, dict(pairs)).status_code == 200


def test_all_that_takes_more_than_an_id_is_called_well() -> None:
    missing = {
        one.id
        for one in operations.all.values()
        if (one.method != "GET" or one.segments[-1] == "search") and one.id not in GOOD
    }
    assert missing == {
        "DeleteCustomersCustomer",
        "PostRefundsRefund",  # there is none of these until one is made
        "PostRefundsRefundCancel",
    }


def test_what_breaks_or_refuses_otherwise_is_told(shop: Api) -> None:
    [*broken] = problems_of(500, "application/json", b"")
    assert broken == ["breaks"]
    for raw in (b'{"oops": 1}', b'{"error": {}}', b'{"error": {"type": "other", "message": "m"}}'):
        [told] = problems_of(400, "application/json", raw)
        assert told.startswith("refuses in a way of its own")
    assert list(problems_of(200, "application/json", b"[]")) == ["is no object of the vendor's"]
    assert list(problems_of(200, "text/html", b"<p>")) == ["is text/html"]
    assert called(shop, operations.all["GetCharges"], "/v1/charges", [("limit", "1")]) == []
