"""Every operation of billing is called by an unmodified `stripe`; lists are read to their ends."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from clones.billing.api.operations import operations
from sandlot.client import ControlClient
from tests.billing.public_client import REQUIREMENTS
from tests.clients import client_modules, client_python, install_node, run_client, run_node
from tests.live.conftest import account

pytestmark = pytest.mark.slow(shares="done")

SCRIPT = Path(__file__).with_name("stripe_resources.py")
NODE_SCRIPT = Path(__file__).with_name("node") / "stripe_resources.cjs"
LOCK = Path(__file__).parents[1] / "billing" / "node" / "package-lock.json"
NONE = [0, False, [404, "resource_missing"]]


@pytest.fixture(scope="module")
def done(control: ControlClient) -> dict[str, Any]:
    """What the client read and wrote in the tiny world, and the requests that it sent."""
    sandbox = control.post("/v1/sandboxes", {"size": "tiny"})
    key = account(sandbox, "billing", "admin")["secret_key"]
    ran = run_client(client_python("stripe", REQUIREMENTS), SCRIPT, sandbox["origin"], key)
    assert ran.returncode == 0, ran.stderr
    control.delete(f"/v1/sandboxes/{sandbox['id']}")
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def test_lists_reach_their_end_in_small_pages_as_in_large_ones(done: dict[str, Any]) -> None:
    for name, (rows, distinct, same, shown) in done["read"].items():
        assert (rows, same) == (distinct, True), name
        assert shown == [True, True] or (name, rows) == ("events", 0), name
    assert done["read"]["charges"][0] > 400


def test_searches_reach_their_end_in_small_pages_as_in_large_ones(done: dict[str, Any]) -> None:
    for name, (rows, distinct, large) in done["searched"].items():
        assert rows == distinct == large > 0, name
    assert done["searched"]["customers"][0] == done["read"]["customers"][0]


def test_what_the_account_has_none_of_is_listed_as_nothing(done: dict[str, Any]) -> None:
    assert done["none"] == dict.fromkeys(done["none"], NONE)


def test_parts_are_read_and_what_can_be_written_is(done: dict[str, Any]) -> None:
    assert done["parts"] == {
        "refunds": [True, [200, 200]],
        "lines": True,
        "items": 1,
        "cards": [True, True],
        "balance": ["eur", "gbp", "usd"],
    }
    assert done["written"] == {
        "customer": {"vip": "yes"},
        "deleted": True,
        "charge": "Looked at",
        "refund": [100, "17"],
        "kept": [400, None],
        "product": "Brass",
        "price": "List price",
        "preview": "draft",
        "ended": ["canceled", True],
    }


def test_every_operation_is_called(done: dict[str, Any]) -> None:
    """By the addresses that were sent: of two that fit, the one that says more is meant."""
    known = sorted(operations.all.values(), key=lambda each: each.path.count("{"))
    patterns = [
        (each.method, re.compile(re.sub(r"\{[^}]+\}", "[^/]+", each.path)), name)
        for each in known
        for name in [f"{each.method} {each.path}"]
    ]
    called = set()
    for method, path, _ in done["sent"]:
        called.add(
            next(name for sent, match, name in patterns if sent == method and match.fullmatch(path))
        )
    assert {name for _, _, name in patterns} - called == set()


def test_the_client_for_node_reads_and_searches_as_much(
    control: ControlClient, done: dict[str, Any]
) -> None:
    if not install_node():
        pytest.skip("no Node: install nodejs and npm")
    sandbox = control.post("/v1/sandboxes", {"size": "tiny"})
    key = account(sandbox, "billing", "admin")["secret_key"]
    modules = client_modules("node", LOCK)
    ran = run_node(modules, NODE_SCRIPT, sandbox["origin"], key)
    assert ran.returncode == 0, ran.stderr
    control.delete(f"/v1/sandboxes/{sandbox['id']}")
    found = json.loads(ran.stdout)
    assert found["read"] == {name: answer[0] for name, answer in done["read"].items()}
    assert found["searched"] == {name: answer[0] for name, answer in done["searched"].items()}
    assert found["none"] == {name: [0, 404] for name in done["none"]}
