"""Every operation, called as nobody would: it refuses in the vendor's shape, and it never breaks.

What is said in queries and forms is drawn from the operation's own parameters and some of nobody's,
flat and in brackets, with values that no column holds. `SANDLOT_ODD` says how many calls of each
kind there are (`tests.odd_calls`).
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


def test_what_breaks_or_refuses_otherwise_is_told(shop: Api) -> None:
    [*broken] = problems_of(500, "application/json", b"")
    assert broken == ["breaks"]
    for raw in (b'{"oops": 1}', b'{"error": {}}', b'{"error": {"type": "other", "message": "m"}}'):
        [told] = problems_of(400, "application/json", raw)
        assert told.startswith("refuses in a way of its own")
    assert list(problems_of(200, "application/json", b"[]")) == ["is no object of the vendor's"]
    assert list(problems_of(200, "text/html", b"<p>")) == ["is text/html"]
    assert called(shop, operations.all["GetCharges"], "/v1/charges", [("limit", "1")]) == []
