"""A desk with a record of every kind, and a call of every operation that such a desk must accept.

`examples.json` has three parts. `records` are calls made in order (what for, method, path, body,
names for parts of the answer, by whom; by the admin unless told). `parameters` says which record
a path's parameter names (`=` in front: the value itself), and `calls` what an operation needs
besides: `before` are calls that have to be made first. `{name}` stands for what has that name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from clones.core.accounts import session_cookie, start_session
from clones.core.accounts.sessions import csrf_token
from clones.core.models import Account
from clones.core.operations import Operation
from clones.core.post import File
from clones.helpdesk.domain.inbound import receive_message
from clones.helpdesk.domain.values import Mail
from tests.helpdesk.conftest import Answer, Desk
from tests.odd_calls import Example

FILE = Path(__file__).with_suffix(".json")
DATA: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
ADMIN = "olga"
NAMED = re.compile(r"\{(\w+)\}")
SPAM = Mail(
    sender="eve@else.example",
    name="Eve Moor",
    subject="Cheap lenses",
    text="Buy lenses.",
    headers={"X-Spam-Flag": "YES"},
    files=(File("lens.txt", "text/plain", b"a lens"),),
)


def form_headers(body: Any) -> dict[str, str]:
    """Return the header that a form with files needs, none for other bodies."""
    is_form = isinstance(body, bytes) and body.startswith(b"--part\r\n")
    return {"Content-Type": "multipart/form-data; boundary=part"} if is_form else {}


class Scene:
    """A desk with a record of every kind."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        desk.client.raise_request_exception = False
        self.named: dict[str, Any] = dict(desk.ids)
        self.named["password"] = desk.cards["rosa"].secrets["password"]
        for entry in DATA["records"]:
            self._record(*entry)
        desk.drain()
        with desk.writing():
            self.named["suspended"] = receive_message(SPAM).id
            account = Account.objects.get(clone="helpdesk", subject=str(desk.ids["ana"]))
            session = start_session(account)
            cookie, token = session_cookie(session, desk.row), csrf_token(session, desk.row)
        self.named["session"] = session.id
        self._session = {"Cookie": f"_helpdesk_session={cookie}", "X-CSRF-Token": token}
        rules = desk.get("triggers.json", by=ADMIN)["triggers"]
        *first, last, latest = [rule["id"] for rule in rules]
        self.named["every_trigger"] = [*first, latest, last]

    def _record(
        self, what: str, method: str, path: str, body: Any, names: dict[str, str], by: str = ADMIN
    ) -> None:
        sent = self._fill(body)
        data = sent.encode() if isinstance(sent, str) else sent
        answer = self.desk.call(method, self._fill(path), data, by=by, **form_headers(data))
        assert answer.status < 300, (what, answer.body)
        for name, place in names.items():
            found = answer.body
            for part in place.split("."):
                found = found[int(part) if part.isdigit() else part]
            self.named[name] = found

    def _fill(self, value: Any) -> Any:
        """Return a value with the names in it replaced by what they name."""
        if isinstance(value, dict):
            return {name: self._fill(item) for name, item in value.items()}
        if isinstance(value, list):
            return [self._fill(item) for item in value]
        if not isinstance(value, str):
            return value
        alone = NAMED.fullmatch(value)
        if alone is not None:
            return self.named[alone[1]]
        return NAMED.sub(lambda found: str(self.named[found[1]]), value)

    def prepare(self, operation: Operation) -> None:
        """Make the calls without which the desk refuses an operation's example."""
        for method, path in DATA["calls"].get(operation.id, {}).get("before", ()):
            answer = self.desk.call(method, self._fill(path), None, by=ADMIN)
            assert answer.status < 300, (operation.id, path, answer.body)

    def example(self, operation: Operation) -> Example:
        """Return a call that the desk must accept."""
        given = DATA["calls"].get(operation.id, {})
        path = {
            name: self._named(operation, name, given.get("path", {}))
            for name in operation.parameters
        }
        query, body = self._fill(given.get("query", "")), self._fill(given.get("body"))
        return Example(path, query, body, given.get("by", ADMIN))

    def _named(self, operation: Operation, name: str, given: dict[str, str]) -> Any:
        kinds: dict[str, str] = DATA["parameters"]
        known = next(
            (kinds[f"{part}/{name}"] for part in operation.segments if f"{part}/{name}" in kinds),
            kinds.get(name, ""),
        )
        record = given.get(name, known)
        return record[1:] if record.startswith("=") else self.named[record]

    def call(
        self,
        operation: Operation,
        path: dict[str, Any],
        query: str,
        body: bytes,
        *,
        by: str | None,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> Answer:
        """Call an operation; `session` calls with the cookie of a signed-in agent."""
        address = re.sub(r"\{(\w+)(:int)?\}", lambda found: str(path[found[1]]), operation.path)
        if by == "session":
            by, headers = None, self._session
        address = f"{address}?{query}" if query else address
        headers = {**form_headers(body), **headers}
        return self.desk.call(operation.method, address, body, by=by, **headers)
