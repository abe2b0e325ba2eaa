"""An unmodified `zenpy` configures the desk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.clients import client_python, run_client
from tests.live.conftest import account
from tests.live.test_zenpy import REQUIREMENTS

SCRIPT = Path(__file__).with_name("zenpy_configuration.py")


def test_what_an_admin_configures_is_there_for_the_client(sandbox: dict[str, Any]) -> None:
    admin = account(sandbox, "helpdesk", "admin")
    done = run_client(
        client_python("zenpy", REQUIREMENTS),
        SCRIPT,
        sandbox["origin"].removeprefix("http://"),
        admin["email"],
        admin["api_token"],
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "field": "Pies",
        "options": ["pie_apple", "pie_plum"],
        "on form": True,
        "status": "Baking",
        "ticket": ["pending", True],
        "value": None,
        "form gone": 404,
        "field gone": 404,
        "address": "Pie desk",
        "address gone": 404,
        "job": ["completed", ["Created", None]],
        "members": [True],
        "locales": True,
    }
