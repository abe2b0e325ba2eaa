"""How many records the helpdesk's own API says that there are, beside what extractors took."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

from sandlot.client import http_client
from tests.live.conftest import account


class Counted:
    """Reads an account's lists to their last page, as an admin."""

    def __init__(self, sandbox: dict[str, Any], authority: Path) -> None:
        admin = account(sandbox, "helpdesk", "admin")
        self.root = f"{sandbox['origin']}/api/v2"
        self.http: httpx.Client = http_client(
            authority=authority, auth=(f"{admin['email']}/token", admin["api_token"])
        )

    def close(self) -> None:
        """Let go of the connection."""
        self.http.close()

    def get(self, path: str, **query: Any) -> dict[str, Any]:
        """Return one answer."""
        answer = self.http.get(f"{self.root}/{path}", params=query or None)
        assert answer.status_code == 200, (path, answer.text)
        found: dict[str, Any] = answer.json()
        return found

    def count(self, path: str) -> int:
        """Return what a list says that it has."""
        counted = self.get(f"{path}/count")["count"]
        return int(counted["value"])

    def rows(self, path: str, key: str, **query: Any) -> Iterator[dict[str, Any]]:
        """Yield the records of a list, page by page of a hundred, by number."""
        number = 1
        while True:
            page = self.get(path, page=number, per_page=100, **query)
            yield from page[key]
            if not page.get("next_page"):
                return
            number += 1

    def ids(self, path: str, key: str, **query: Any) -> set[Any]:
        """Return the ids of a list's records; their names where they have no ids."""
        return {row.get("id", row.get("name")) for row in self.rows(path, key, **query)}
