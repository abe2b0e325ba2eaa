"""The page of operations is what the tool makes of the vendor's client; each has its witnesses."""

from __future__ import annotations

import ast
import json
from pathlib import Path

from clones.billing.api.operations import operations
from clones.billing.api.views.unused import UNUSED
from tests.billing.calls import FOLDER, WITNESSES
from tests.billing.shop import Api
from tools import facts_billing_api
from tools.fidelity.__main__ import chosen
from tools.fidelity.breaks import breaks_of
from tools.fidelity.page import coverage, facts_of, lacking_of, page, plain
from tools.fidelity.subject import SUBJECTS

SUBJECT = SUBJECTS["billing"]
CHOSEN: dict[str, dict[str, str]] = json.loads(WITNESSES.read_text(encoding="utf-8"))


def test_the_page_is_what_the_tool_makes() -> None:
    made = page(SUBJECT, coverage(SUBJECT))
    assert SUBJECT.page.read_text(encoding="utf-8") == made, (
        "run `make coverage-report CLONE=billing`"
    )


def test_the_operations_are_those_that_the_public_client_asks_for() -> None:
    assert facts_of(SUBJECT) == facts_billing_api.facts(), "run `-m tools.facts_billing_api`"


def test_our_operations_have_the_vendors_names() -> None:
    names = {(fact["method"], plain(fact["path"])): fact["id"] for fact in facts_of(SUBJECT)}
    ours = {one.id: names.get((one.method, plain(one.path))) for one in operations.all.values()}
    assert ours == {name: name for name in ours}


CLIENT = """
from stripe.params._refund_create_params import RefundCreateParams

def create(self, params: Optional["RefundCreateParams"] = None):
    return self._request("post", "/v1/refunds", base_address="api", params=params)

async def cancel_async(self, id: str):
    return await self._request_async("post", "/v1/refunds/{refund}/cancel".format(refund=id))

def refresh(cls):
    cls._static_request("get", cast(str, cls.class_url()))
    cls._static_request("post", "/v1/%s" % cls.OBJECT_NAME)
    self._request("get", "/v2/core/events")
"""
PARAMETERS = """
class RefundCreateParams(RequestOptions):
    amount: NotRequired[int]
    reason: NotRequired[Literal["duplicate"]]

class RefundCreateParamsOther(TypedDict):
    nested: str
"""


def test_operations_are_found_however_the_client_writes_them(tmp_path: Path) -> None:
    client = tmp_path / "stripe"
    (client / "params").mkdir(parents=True)
    (client / "params" / "_refund_create_params.py").write_text(PARAMETERS, encoding="utf-8")
    module = client / "_refund_service.py"
    module.write_text(CLIENT, encoding="utf-8")
    found = list(facts_billing_api.operations_of(module, client))
    assert [(one.method, one.path, one.id, has) for one, has in found] == [
        ("POST", "/v1/refunds", "PostRefunds", {"amount", "reason"}),
        ("POST", "/v1/refunds/{refund}/cancel", "PostRefundsRefundCancel", set()),
    ]


def test_parameters_that_are_not_taken_are_told_and_refused(api: Api) -> None:
    facts = {fact["id"]: fact for fact in facts_of(SUBJECT)}
    for row in coverage(SUBJECT).present:
        operation = operations.all[row.name]
        lacking = lacking_of(operation, facts[row.name])
        assert all(f"`{name}`" in row.note for name in lacking), row.name
        for name in lacking:
            error = api.refused(operation.method, operation.path, {name: "x"})
            assert (error["code"], error["param"]) == ("parameter_unknown", name), row.name
    assert lacking_of(operations.all["PostRefunds"], facts["PostRefunds"]) == [
        "customer",
        "instructions_email",
        "origin",
    ]


def test_tests_see_every_operation_succeed_and_refuse() -> None:
    kinds = {name: sorted(tests) for name, tests in CHOSEN.items()}
    assert kinds == {name: SUBJECT.answers(name) for name in operations.all}, (
        "run `make coverage-report CLONE=billing`"
    )


def test_only_what_the_merchant_does_not_use_is_empty_or_refused() -> None:
    unused = {f"/v1/{path}": parameter for path, (_, parameter, _) in UNUSED.items()}
    paths = {one.id: one.path for one in operations.all.values()}
    assert {paths[name] for name in SUBJECT.always_empty} == set(unused)
    shown = {f"{path}/{{{parameter}}}" for path, parameter in unused.items()}
    assert {paths[name] for name in SUBJECT.always_refused} == shown
    for name in SUBJECT.always_empty | SUBJECT.always_refused:
        assert [fault.kind for fault in breaks_of(SUBJECT, operations.all[name])] == ["mute"]


def test_what_tests_vouch_for_can_be_broken_partial_or_not() -> None:
    faults = chosen(SUBJECT, len(operations.all), 7, [])
    assert {fault.operation for fault in faults} == set(operations.all)


def test_the_witnesses_are_there() -> None:
    named = {test for tests in CHOSEN.values() for test in tests.values()}
    functions: dict[str, set[str]] = {}
    for file in {test.partition("::")[0] for test in named}:
        tree = ast.parse((FOLDER / file).read_text(encoding="utf-8"))
        functions[file] = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    gone = [
        test
        for test in named
        if test.partition("[")[0].partition("::")[2] not in functions[test.partition("::")[0]]
    ]
    assert gone == []
    assert not {test.partition("::")[0] for test in named} & set(SUBJECT.ignored)


def test_every_absent_operation_has_a_reason_and_every_reason_an_operation() -> None:
    found = coverage(SUBJECT)
    assert found.unexplained == ()
    assert [group.title for group, rows in found.absent.items() if not rows] == []
