"""Which operations a test calls and how they are answered, and the tests that vouch for each.

The file `witnesses.json` of a clone's tests names, for each operation, a test that sees it succeed
(2xx) and one that sees it refuse (4xx). Each of these tests is held to it whenever it runs.
`make coverage-report` writes the file.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from django.test import Client


class Seen(NamedTuple):
    """An operation and the class of its answer: `2xx` or `4xx`."""

    operation: str
    answer: str


class Calls:
    """The answers that the test at hand got, and what `witnesses.json` says it gets."""

    def __init__(self, witnesses: dict[str, dict[str, str]]) -> None:
        self.seen: set[Seen] = set()
        self.promised: dict[str, set[Seen]] = {}
        for operation, tests in witnesses.items():
            for answer, test in tests.items():
                self.promised.setdefault(test, set()).add(Seen(operation, answer))

    @classmethod
    def of(cls, folder: Path) -> Calls:
        """Return the calls of the tests in a folder."""
        file = folder / "witnesses.json"
        return cls(json.loads(file.read_text(encoding="utf-8")) if file.exists() else {})

    def note(self, operation: str | None, status: int) -> None:
        """Take in an answer. `303 See Other` is a success whose result lies elsewhere."""
        if operation is not None:
            kind = 2 if status == 303 else status // 100
            self.seen.add(Seen(operation, f"{kind}xx"))

    def broken_promises(self, test: str) -> list[Seen]:
        """Return what a test was to see and did not."""
        return sorted(self.promised.get(test, set()) - self.seen)


class WatchedClient(Client):
    """A client that notes which operation answered, and how."""

    def __init__(self, calls: Calls, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._calls = calls

    def request(self, **request: Any) -> Any:
        """Send a request."""
        response: Any = super().request(**request)
        self._calls.note(response.wsgi_request.operation_id, response.status_code)
        return response
