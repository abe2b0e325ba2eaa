"""Unmodified clients of the CRM's API at work: jsforce over http, simple-salesforce over TLS."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.clients import client_modules, client_python, install_node, run_client, run_node
from tests.live.apart import Apart, serve_apart, with_world
from tests.live.conftest import account

pytestmark = pytest.mark.slow(shares="ran")

HERE = Path(__file__).parent
FOLDER = HERE / "node"
NO_RECORD = ["ENTITY_IS_DELETED", "entity is deleted"]
EXPECTED: dict[str, dict[str, Any]] = {
    "session": {
        "instance": True,
        "same": [True, True],
        "organization": True,
        "versions": 37,
        "wrong": [
            "Error",
            "INVALID_LOGIN: Invalid username, password, security token; or user locked out.",
        ],
    },
    "oauth": {
        "who": True,
        "refreshes": 1,
        "both": [1, 1],
        "after": ["INVALID_SESSION_ID", "Session expired or invalid"],
    },
    "records": {
        "made": [True, 18],
        "shown": ["Ash & Co", 12, "Account"],
        "changed": [True, "Ash", None],
        "gone": True,
        "deleted": NO_RECORD,
        "missing": ["REQUIRED_FIELD_MISSING", "Required fields are missing: [Name]"],
        "unknown": ["INVALID_FIELD", "No such column 'Nmae' on sobject of type Account"],
    },
    "queries": {
        "children": [3, ["A", "B", "C"]],
        "found": [["C", "Beech"], ["A", "Beech"]],
        "grouped": [3, "AggregateResult"],
        "pages": [200, False, True, True],
        "deleted": [2, 3],
        "wrong": ["INVALID_FIELD", ""],
        "unknown": ["INVALID_TYPE", ""],
    },
    "descriptions": {
        "objects": True,
        "account": ["001", True, True],
        "children": True,
        "none": ["NOT_FOUND", "The requested resource does not exist"],
    },
    "soap": {
        "converted": [True, "Jo Elm", True],
        "again": [False, "CANNOT_UPDATE_CONVERTED_LEAD"],
        "saved": [True, True, False],
        "merged": [True, True],
        "back": [True, False],
        "emptied": [True],
        "who": True,
        "at": True,
    },
}

# Pins as of the day of writing; what it needs is taken as it comes.
SIMPLE_SALESFORCE = ("simple-salesforce==1.12.10",)
EXPECTED_OF_PYTHON: dict[str, dict[str, Any]] = {
    "signing in": {
        "instance": True,
        "wrong": [
            "INVALID_LOGIN",
            "Invalid username, password, security token; or user locked out.",
        ],
        "who": True,
    },
    "records": {
        "made": [True, 18],
        "changed": [204, "Ash", "Energy"],
        "metadata": "Account",
        "deleted": 204,
        "gone": [404, "ENTITY_IS_DELETED"],
        "missing": [400, "REQUIRED_FIELD_MISSING"],
    },
    "queries": {
        "found": [["A", "Beech"], ["B", "Beech"], ["C", "Beech"]],
        "every": [True, True],
        "deleted": [2, 3],
        "wrong": [400, "INVALID_FIELD"],
    },
    "descriptions": {"objects": True, "fields": True},
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with the tiny world in it."""
    found = tmp_path_factory.mktemp("crm_clients")
    with_world(found)
    return found


def opened(server: Apart) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a new sandbox and its administrator's account of the CRM."""
    sandbox = server.control.post("/v1/sandboxes", {"size": "tiny"})
    return sandbox, account(sandbox, "crm", "admin")


@pytest.fixture(scope="module")
def shift(data: Path) -> dict[str, Any]:
    """What came of a shift of jsforce."""
    if not install_node():
        pytest.skip("no Node: install nodejs and npm")
    modules = client_modules("crm_node", FOLDER / "package-lock.json")
    keys = ("username", "password", "client_id", "client_secret")
    with serve_apart(data, "--workers", "1") as server:
        sandbox, admin = opened(server)
        done = run_node(
            modules, FOLDER / "crm_shift.cjs", sandbox["origin"], *(admin[key] for key in keys)
        )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("area", EXPECTED)
def test_what_jsforce_does_is_there_for_it(shift: dict[str, Any], area: str) -> None:
    assert shift[area] == EXPECTED[area]


@pytest.fixture(scope="module")
def shift_of_python(data: Path) -> dict[str, Any]:
    """What came of a shift of simple-salesforce, which speaks https only."""
    python = client_python("simple-salesforce", SIMPLE_SALESFORCE)
    with serve_apart(data, "--tls", "--workers", "1") as server:
        sandbox, admin = opened(server)
        done = run_client(
            python,
            HERE / "simple_salesforce_shift.py",
            sandbox["origin"],
            admin["username"],
            admin["password"],
            REQUESTS_CA_BUNDLE=str(data / "tls" / "ca.pem"),
        )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("area", EXPECTED_OF_PYTHON)
def test_what_simple_salesforce_does_is_there_for_it(
    shift_of_python: dict[str, Any], area: str
) -> None:
    assert shift_of_python[area] == EXPECTED_OF_PYTHON[area]
