"""The vendors' descriptions beside the checkout, for tests that judge by them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SPECS = Path(os.environ.get("SANDLOT_SPECS", ROOT.parent / "shared" / "specs")) / "crm"


def read_spec(name: str) -> Any:
    """Return what a JSON file of the descriptions holds; skip the test where there are none."""
    if not SPECS.is_dir():
        pytest.skip("no vendors' descriptions beside the checkout")
    return json.loads((SPECS / name).read_text(encoding="utf-8"))
