"""Unmodified clients of the bulk APIs at work: Python's over TLS, jsforce over http."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.clients import client_modules, client_python, install_node, run_client, run_node
from tests.crm.test_clients import opened
from tests.live.apart import serve_apart, with_world

pytestmark = pytest.mark.slow(shares="ran")

HERE = Path(__file__).parent
NODE = HERE / "node"
PYTHON = ("simple-salesforce==1.12.10", "salesforce-bulk==2.2.0")
NO_COLUMN = "InvalidBatch : Field name not found : Nothing"
MISSING = "REQUIRED_FIELD_MISSING"
OF_PYTHON: dict[str, dict[str, Any]] = {
    "simple-salesforce bulk": {
        "made": [450, True],
        "refused": [False, True],
        "why": MISSING,
        "changed": [True, ["Asher", "Ash 1"]],
        "upserted": [True, True],
        "found": 450,
        "lazy": 450,
        "deleted": [True, True],
        "detailed": ["Cedar", None],
        "wrong": True,
        "unknown": "InvalidJob",
    },
    "simple-salesforce bulk2": {
        "made": {
            "numberRecordsFailed": 1,
            "numberRecordsProcessed": 2,
            "numberRecordsTotal": 2,
        },
        "saved": ["Elm"],
        "failed": [f"{MISSING}:Required fields are missing: [Name]:Name --"],
        "several": [100, 100, 100],
        "changed": ["Elmer"],
        "pages": [3, 300, 300],
        "every": 300,
        "wrong": f"Job failure. Response content: {NO_COLUMN}",
    },
    "salesforce-bulk": {
        "results": [["true", "true"], ["true", "true"], ["false", "false"]],
        "error": MISSING,
        "closed": "Closed",
        "parts": ["NotProcessed", True],
        "found": ["Ivy", "Juniper"],
        "json": ["Ivy"],
        "failed": True,
        "aborted": "Aborted",
    },
}
OF_NODE: dict[str, dict[str, Any]] = {
    "bulk": {
        "made": [[True, []], [True, []], [False, [MISSING]]],
        "changed": [True, "Asher"],
        "upserted": True,
        "found": ["Asher", "Birch"],
        "deleted": ["1", True],
        "wrong": ["InvalidJob", "Unable to find object: Nothing"],
        "missing": ["Error", NO_COLUMN],
    },
    "bulk2": {
        "saved": [["true", "Cedar"], ["true", "Elm"]],
        "failed": [MISSING],
        "unprocessed": [],
        "found": [["Cedar", True], ["Elm", True]],
        "deleted": ["JobComplete", 2],
        "gone": ["NOT_FOUND", "The requested resource does not exist"],
        "all": 2,
        "aborted": "Aborted",
        "wrong": ["INVALID_FIELD", ""],
        "missing": ["Error", f"Ingest job failed to complete due to: {NO_COLUMN}"],
    },
    "session": {"made": True, "refreshes": 1},
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with the tiny world in it."""
    found = tmp_path_factory.mktemp("crm_bulk_clients")
    with_world(found)
    return found


@pytest.fixture(scope="module")
def shift_of_python(data: Path) -> dict[str, Any]:
    """What came of a shift of Python's clients, which speak https only."""
    python = client_python("salesforce-bulk", PYTHON)
    with serve_apart(data, "--tls", "--workers", "1") as server:
        sandbox, admin = opened(server)
        done = run_client(
            python,
            HERE / "bulk_shift.py",
            sandbox["origin"],
            admin["access_token"],
            REQUESTS_CA_BUNDLE=str(data / "tls" / "ca.pem"),
        )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def shift_of_node(data: Path) -> dict[str, Any]:
    """What came of a shift of jsforce."""
    if not install_node():
        pytest.skip("no Node: install nodejs and npm")
    modules = client_modules("crm_node", NODE / "package-lock.json")
    with serve_apart(data, "--workers", "1") as server:
        sandbox, admin = opened(server)
        done = run_node(modules, NODE / "bulk_shift.cjs", sandbox["origin"], admin["access_token"])
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("area", OF_PYTHON)
def test_what_python_clients_do_in_bulk_is_there_for_them(
    shift_of_python: dict[str, Any], area: str
) -> None:
    assert shift_of_python[area] == OF_PYTHON[area]


@pytest.mark.parametrize("area", OF_NODE)
def test_what_jsforce_does_in_bulk_is_there_for_it(
    shift_of_node: dict[str, Any], area: str
) -> None:
    assert shift_of_node[area] == OF_NODE[area]
