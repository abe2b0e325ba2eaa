"""What somebody finds by a query over HTTP."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from tests.crm.conftest import ADA, Org


def ask(org: Org, query: str, login: str = ADA) -> list[dict[str, Any]]:
    """Return the records that a query finds for somebody."""
    found: list[dict[str, Any]] = org.call("GET", f"/query?q={quote(query)}", login=login)[
        "records"
    ]
    return found


def names(org: Org, of: str, login: str = ADA) -> list[str]:
    """Return the names of the records of an object that somebody sees, in their order."""
    return [one["Name"] for one in ask(org, f"SELECT Name FROM {of} ORDER BY Name", login)]
