"""An unmodified `zenpy` works in every area of the desk that it knows and a shift leaves out.

Left out are calls that cannot reach the vendor's own either: `organizations.external` puts a second
question mark into its address, `views.count_many` names no ids, and `custom_agent_roles` cannot
write what it is given.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sandlot.client import ControlClient
from tests.clients import client_python, run_client
from tests.live.conftest import account
from tests.live.test_zenpy import REQUIREMENTS

SCRIPT = Path(__file__).with_name("zenpy_areas.py")
EXPECTED: dict[str, dict[str, Any]] = {
    "people": {
        "primary": "ada@home.example",
        "addresses": ["ada@home.example"],
        "tags": ["vip"],
        "by external id": [True],
        "updated": [True, "Ada L. Loren"],
        "job": ["completed", "Kind"],
        "merged": True,
        "requested": [True],
        "related": 1,
        "deleted": True,
        "erased": True,
        "groups": True,
        "assigned": True,
    },
    "firms": {
        "same": [True, "Loren Works Ltd"],
        "tags": ["partner"],
        "members": [True],
        "places": [True],
        "left": None,
        "field": "first",
        "plan": "free",
        "no plan": False,
        "gone": 404,
    },
    "tickets": {
        "redacted": ["My PIN is ▇▇▇▇."],
        "merged": ["completed", "closed", "Same."],
        "incidents": [True],
        "skips": [["Later"], True],
        "metric": True,
        "audits": True,
        "all audits": 150,
        "recent": True,
        "deleted": True,
        "restored": "My laser",
        "erased": ["completed", False],
        "imported": "2020-05-01",
        "many": ["completed", ["high", "high"]],
        "held mail": True,
        "metrics": 120,
        "activities": True,
    },
    "requests": {
        "open": True,
        "said": ["My parcel.", "On its way."],
        "solved": True,
        "rated": [["good", "Quick!"]],
        "not theirs": 403,
    },
    "rules": {
        "trigger": "urgent",
        "silent": None,
        "no trigger": 404,
        "automation": "Wake up",
        "macro": "solved",
        "policy": "Steel",
        "no policy": 404,
    },
    "views": {
        "run": True,
        "tickets": [True],
        "count": 1,
        "active": True,
        "compact": True,
        "found": [True],
        "renamed": "Looked at",
        "gone": 404,
    },
    "desk": {
        "text": "Good day",
        "webhook": ["Bells", True, "https://hooks.example.com/bell", True, 0, 404],
        "default group": True,
        "group": [True],
        "assignable": True,
        "no group": True,
        "language": "en-US",
    },
}


@pytest.fixture(scope="module")
def done(control: ControlClient) -> dict[str, Any]:
    """What came of each step, by area."""
    sandbox = control.post("/v1/sandboxes", {"size": "tiny"})
    admin, customer = (account(sandbox, "helpdesk", role) for role in ("admin", "end-user"))
    ran = run_client(
        client_python("zenpy", REQUIREMENTS),
        SCRIPT,
        sandbox["origin"].removeprefix("http://"),
        admin["email"],
        admin["api_token"],
        customer["email"],
        customer["api_token"],
    )
    assert ran.returncode == 0, ran.stderr
    control.delete(f"/v1/sandboxes/{sandbox['id']}")
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


@pytest.mark.parametrize("area", EXPECTED)
def test_what_is_done_in_an_area_is_there_for_the_client(done: dict[str, Any], area: str) -> None:
    assert done[area] == EXPECTED[area]


def test_exports_are_followed_to_their_ends(done: dict[str, Any]) -> None:
    exports = done["exports"]
    assert exports["same"]
    assert exports["tickets"] >= 200
    assert exports["users"] > 150
    assert exports["organizations"] > 5
    assert exports["events"]
    assert exports["metric events"]
    assert exports["search"] > 200
