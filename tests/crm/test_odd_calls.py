"""Every operation, called as nobody would: it refuses in the vendor's shape, and it never breaks.

A good call of each (`tests.crm.odd_examples`) has one value of its body, its query or its address
replaced by an odd one; bodies are also no JSON, deeply nested, or of another type altogether.
`SANDLOT_ODD` says how many calls of each kind there are (`tests.odd_calls`).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from clones.core.operations import Operation
from snapshots.sandboxes import Sandboxes
from tests import odd_calls, tiers
from tests.crm.conftest import Org
from tests.crm.odd_examples import Scene
from tests.odd_calls import Call, Example

PARTS: Final = 8
PARAMETERS: Final = ["fields", "q", "limit", "pageSize", "page", "sortBy", "ids", "_HttpMethod", ""]
DEEP: Final = 3000
# Bodies of no form: what no operation can read, and what some read otherwise than as JSON.
RAW: Final = [
    b"\0",
    b"\xff\xfe{",
    b"{",
    b'{"a": 1, "a": 2}',
    b'{"Name": 1e999}',
    b'{"Name": ' + b"9" * 5000 + b"}",
    b"[" * DEEP + b"]" * DEEP,
    b'{"a":' * DEEP + b"1" + b"}" * DEEP,
    b'{"Name": "a\\u0000b"}',
    b'{"\\u0000": "\\ud800"}',
    b"<a>" * DEEP,
    b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
    b'Name\n"',
    b"Name,Name\n1\n1,2,3\n",
    b"grant_type=password&username=%00&password=%ff",
    b"token=%00&oid=%00",
    b'--part\r\nContent-Disposition: form-data; name="entity"\r\n\r\n{\r\n--part--',
]
JSON: Final = "application/json"
TYPES: Final = [
    *[JSON] * 4,
    "application/xml",
    "text/xml",
    "text/csv",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=part",
    "x",
]


@pytest.fixture
def scene(org: Org) -> Scene:
    """An organization with a record of most kinds."""
    return Scene(org)


def every_operation() -> list[Operation]:
    """Return the operations."""
    from clones.crm.api.operations import operations  # noqa: PLC0415 - the app may not be there

    return list(operations.all.values())


def called(scene: Scene, operation: Operation, call: Call, kind: str) -> tuple[int, str, bytes]:
    """Return status, type and body of the answer to a call."""
    path, query, body = call
    address = operation.template.format(**odd_calls.in_path(path))
    if operation.path.startswith(("/services/id/", "/services/servlet/")):
        address = address.removeprefix("/services")
    token = scene.org.token()
    headers = {"Authorization": f"Bearer {token}", "X-SFDC-Session": token}
    answer = scene.org.client().generic(
        operation.method,
        f"{address}?{query}" if query else address,
        odd_calls.sent(body),
        kind,
        headers=headers,
    )
    return answer.status_code, answer.headers.get("Content-Type", ""), answer.content


def problems_of(status: int, kind: str, raw: bytes) -> Iterator[str]:
    """Yield what is wrong with an answer, whatever was asked."""
    if status >= 500:
        # A fault of the vendor's XML has this status by the protocol.
        if status != 500 or b"Fault" not in raw or b"UNKNOWN_EXCEPTION" in raw:
            yield "breaks"
        return
    if not kind.startswith("application/json") or not raw:
        return
    body = json.loads(raw)
    if status >= 400 and isinstance(body, list):
        for one in body:
            if not isinstance(one, dict) or not ({"message", "errorCode"} & set(one) or one):
                yield f"refuses in a way of its own: {body}"


def call_oddly(scene: Scene, operation: Operation, counts: Counter[str]) -> list[str]:
    """Call an operation in odd ways; return what is wrong with its answers."""
    found, example = list[str](), scene.example(operation)

    def about(call: Call, kind: str) -> None:
        counts[operation.id] += 1
        try:
            wrong = list(problems_of(*called(scene, operation, call, kind)))
        except Exception as error:  # noqa: BLE001 - what breaks is told with what was asked
            wrong = [f"breaks: {type(error).__name__}: {error}"[:300]]
        told = f"{operation.id} {call[0]} {call[1]!r:.200} {call[2]!r:.300}"
        found.extend(f"{told}: {one}" for one in wrong)

    for kinds in kinds_of(operation, example):
        draw(kinds, lambda call: about(call, JSON))
    for kinds in raw_kinds(operation, scene.raw(operation)):
        draw(kinds, lambda one: about((example.path, example.query, one[0]), one[1]))
    return found


def draw(kinds: st.SearchStrategy[Any], about: Callable[[Any], None]) -> None:
    """Call something with what is drawn."""
    settings(
        max_examples=odd_calls.CALLS * 4,
        database=None,
        deadline=None,
        derandomize=odd_calls.ALIKE,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )(given(kinds)(about))()


def raw_kinds(
    operation: Operation, good: list[tuple[str, str]]
) -> Iterator[st.SearchStrategy[tuple[bytes, str]]]:
    """Yield bodies that are nothing or no JSON, each with a type."""
    if operation.method != "GET":
        yield st.tuples(st.sampled_from(RAW), st.sampled_from(TYPES))
    for kind, text in good:
        yield with_an_odd_word(kind, text)


def with_an_odd_word(kind: str, text: str) -> st.SearchStrategy[tuple[bytes, str]]:
    """Return a body with one word replaced by an odd one."""
    odd = st.sampled_from([*odd_calls.ODD_TEXTS, "9" * 30, "<a/>", "</", "&", "%00", "%ff"])

    def wrong(pick: tuple[re.Match[str], str]) -> tuple[bytes, str]:
        word, said = pick
        return (text[: word.start()] + said + text[word.end() :]).encode(), kind

    return st.tuples(st.sampled_from([*odd_calls.WORD.finditer(text)]), odd).map(wrong)


def kinds_of(operation: Operation, example: Example) -> Iterator[st.SearchStrategy[Call]]:
    """Yield the ways in which an operation is called oddly with what it can read."""
    yield odd_calls.asked_oddly(operation, example, PARAMETERS)
    if operation.parameters:
        yield odd_calls.about_another(operation, example)
    if example.query:
        yield odd_calls.with_odd_words(example)
    if example.body is not None:
        yield odd_calls.gone_wrong(example)


@pytest.mark.parametrize(
    "part", [pytest.param(part, marks=tiers.IN_TURN_ON_POSTGRES) for part in range(PARTS)]
)
def test_operations_refuse_and_never_break(scene: Scene, sandboxes: Sandboxes, part: int) -> None:
    sandboxes.mark(scene.org.row.id, "set")
    wrong, counts = list[str](), Counter[str]()
    chosen = [one for one in every_operation()[part::PARTS] if odd_calls.are_asked(one.id)]
    for operation in chosen:
        wrong.extend(call_oddly(scene, operation, counts))
        if operation.method != "GET":
            sandboxes.rewind(scene.org.row.id, "set")
    assert wrong == [], "\n".join(wrong)
    assert set(counts) == {operation.id for operation in chosen}
