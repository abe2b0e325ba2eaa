"""Every operation, called by its schema: it succeeds, it refuses, and it never breaks.

The document is what `python -m tools.openapi` writes. `pytest -s` shows how often each operation
answered how.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import jsonschema_rs
import pytest
from django.http import HttpResponse
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from clones.core.accounts.authentication import basic_header
from clones.core.operations import Operation
from clones.core.operations.registry import Dialect
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk.api.description import description
from clones.helpdesk.api.entry import operations
from clones.helpdesk.api.operations import OPERATIONS
from snapshots.sandboxes import Sandboxes
from tests import odd_calls, tiers
from tests.helpdesk.conftest import Answer, Desk
from tests.helpdesk.examples import Scene

DOCUMENT = description()
DESCRIBED = odd_calls.document_of(DOCUMENT)
PARTS = 8
WRONG_TOKEN = basic_header("olga@desk.example/token", "guess")
PARAMETERS = ["page", "per_page", "page[size]", "page[after]", "page[before]", "sort", "sort_by"]
PARAMETERS += ["sort_order", "include", "filter[status]", "start_time", "cursor", "ids", "role[]"]
REFUSAL = jsonschema_rs.validator_for(
    {
        "oneOf": DOCUMENT["paths"]["/api/v2/tickets"]["get"]["responses"]["default"]["content"][
            "application/json"
        ]["schema"]["oneOf"],
        "components": {"schemas": DOCUMENT["components"]["schemas"]},
    }
)


def test_the_document_describes_every_operation() -> None:
    assert set(DESCRIBED) == set(operations().all)
    ticket = DOCUMENT["paths"]["/api/v2/tickets/{ticket_id}"]["put"]
    assert ticket["operationId"] == "UpdateTicket"
    body = ticket["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    known = DOCUMENT["components"]["schemas"]
    assert known[body.rpartition("/")[2]]["properties"]["ticket"]["$ref"].endswith("/TicketWrite")
    assert "201" in DOCUMENT["paths"]["/api/v2/tickets"]["post"]["responses"]


def problems_of(answer: Answer) -> Iterator[str]:
    """Yield what is wrong with an answer, whatever was asked."""
    kind = answer.headers.get("Content-Type", "")
    if answer.status >= 500:
        yield "breaks"
    elif answer.status in (204, 304):
        if answer.raw:
            yield "says that it has no body, and has one"
    elif answer.status == 200 and "attachment" in answer.headers.get("Content-Disposition", ""):
        return
    elif kind != "application/json; charset=utf-8":
        yield f"is {kind or 'of no type'}"
    elif answer.status == 202 and isinstance(answer.body, str):
        return  # the vendor's word for what is under way
    elif answer.status < 400 and answer.raw and not isinstance(answer.body, dict):
        yield "is no object"
    elif answer.status >= 400 and not REFUSAL.is_valid(answer.body):
        yield f"refuses in a way of its own: {answer.body}"


def odd_calls_of(operation: Operation, scene: Scene) -> Iterator[st.SearchStrategy[odd_calls.Call]]:
    example, described = scene.example(operation), DESCRIBED[operation.id]
    if operation.parameters:
        yield odd_calls.about_another(operation, example)
    if operation.body is not None or operation.query is not None:
        yield odd_calls.by_the_schema(described, example, valid=True)
        yield odd_calls.by_the_schema(described, example, valid=False)
    if operation.body is not None:
        yield odd_calls.gone_wrong(example)
    if example.query:
        yield odd_calls.with_odd_words(example)
    if operation.method == "GET" or operation.query is not None:
        yield odd_calls.asked_oddly(operation, example, PARAMETERS)


def call_oddly(scene: Scene, operation: Operation, counts: Counter[str]) -> list[str]:
    """Call an operation in odd ways; return what is wrong with its answers."""
    example, found = scene.example(operation), list[str]()

    def look(call: odd_calls.Call) -> None:
        path, query, body = call
        answer = scene.call(
            operation, odd_calls.in_path(path), query, odd_calls.sent(body), by=example.by
        )
        counts[f"{answer.status // 100}xx"] += 1
        told = f"{operation.method} {operation.path} {path} ?{query} {body!r:.300}"
        found.extend(
            f"{operation.id}: {answer.status} {problem}: {told}" for problem in problems_of(answer)
        )

    for calls in odd_calls_of(operation, scene):
        settings(
            max_examples=odd_calls.CALLS,
            database=None,
            deadline=None,
            derandomize=odd_calls.ALIKE,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )(given(calls)(look))()
    return found


def test_what_breaks_or_refuses_otherwise_is_told(desk: Desk) -> None:
    scene, operation = Scene(desk), operations().all["CountTickets"]
    intact = OPERATIONS.dispatch
    assert call_oddly(scene, operation, Counter()) == []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(OPERATIONS, "dispatch", lambda *given, **more: 1 / 0)
        assert "CountTickets: 500 breaks" in call_oddly(scene, operation, Counter())[0]

        def otherwise(request: SandboxRequest, dialect: Dialect, **more: str) -> HttpResponse:
            kind = intact(request, dialect)["Content-Type"]
            return HttpResponse(b'{"oops": 1}', status=400, content_type=kind)

        patch.setattr(OPERATIONS, "dispatch", otherwise)
        found = call_oddly(scene, operation, Counter())
        assert "CountTickets: 400 refuses in a way of its own" in found[0]


@pytest.mark.parametrize(
    "part", [pytest.param(part, marks=tiers.IN_TURN_ON_POSTGRES) for part in range(PARTS)]
)
def test_operations_succeed_refuse_and_never_break(
    desk: Desk, sandboxes: Sandboxes, part: int
) -> None:
    scene = Scene(desk)
    sandboxes.mark(desk.row.id, "set")
    wrong, table = list[str](), dict[str, Counter[str]]()
    for operation in list(operations().all.values())[part::PARTS]:
        counts = table[operation.id] = Counter[str]()
        example = scene.example(operation)
        body = odd_calls.sent(example.body)
        scene.prepare(operation)
        good = scene.call(operation, example.path, example.query, body, by=example.by)
        sandboxes.rewind(desk.row.id, "set")
        bad = scene.call(operation, example.path, example.query, body, by=None, headers=WRONG_TOKEN)
        counts.update(f"{answer.status // 100}xx" for answer in (good, bad))
        if good.status >= 300:
            wrong.append(f"{operation.id} does not succeed: {good.status} {good.body}")
        if bad.status != 401:
            wrong.append(f"{operation.id} lets a wrong token in: {bad.status}")
        for answer in (good, bad):
            wrong.extend(f"{operation.id}: {problem}" for problem in problems_of(answer))
        if tiers.ON_POSTGRES or odd_calls.are_asked(operation.id):
            wrong.extend(call_oddly(scene, operation, counts))
        sandboxes.rewind(desk.row.id, "set")
    for name, counts in table.items():
        print(f"{name:52}", " ".join(f"{kind} {counts[kind]:3}" for kind in ("2xx", "4xx", "5xx")))
    assert wrong == []
    assert [name for name, counts in table.items() if not (counts["2xx"] and counts["4xx"])] == []


def test_numbers_too_large_for_a_row_are_refused(desk: Desk, sandboxes: Sandboxes) -> None:
    scene = Scene(desk)
    sandboxes.mark(desk.row.id, "set")
    wrong, sent = list[str](), 0
    for operation in operations().all.values():
        if not odd_calls.are_asked(operation.id):
            continue
        example = scene.example(operation)
        if operation.body is None or not isinstance(example.body, dict):
            continue
        for body in odd_calls.too_large(
            DOCUMENT["components"]["schemas"], DESCRIBED[operation.id], example
        ):
            answer = scene.call(
                operation, example.path, example.query, odd_calls.sent(body), by=example.by
            )
            sent += 1
            wrong.extend(f"{operation.id} {one}: {body!r:.300}" for one in problems_of(answer))
        sandboxes.rewind(desk.row.id, "set")
    assert sent > 200
    assert wrong == []
