"""Requests to this process's own server: no network, no other process, one at a time."""

from __future__ import annotations

import io
from collections.abc import Callable
from itertools import cycle
from typing import Any

from clones.config.wsgi import application
from clones.core.accounts import account_cards, session_cookie, start_session
from clones.core.journal import act
from clones.core.models import Account
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from clones.core.vendors import clones


class RequestFailed(Exception):
    """Raised when a request of the bench was not answered with success."""


class Asker:
    """Asks this process's own server as a clone's admin, by API or by session."""

    def __init__(self, row: SandboxRow, clone: str) -> None:
        self.clone = next(known for known in clones() if known.name == clone)
        self.host = f"{clone}.{row.id}.localhost"
        with server().stores.bind(row.store, row.id), unit_of_work("write"):
            cards = [card for card in account_cards(row) if card.clone == clone]
            card = next(card for card in cards if card.role == "admin")
            account = Account.objects.get(clone=clone, subject=card.subject)
            with act(actor="system", label="bench"):
                session = start_session(account)
            self._cookie = f"{self.clone.session_cookie}={session_cookie(session, row)}"
            self._authorization = self.clone.authorization(card)["Authorization"]

    def ask(self, path: str) -> bytes:
        """Return the body of the answer to a GET.

        Raises:
            RequestFailed: it is no 200.
        """
        address, _, query = path.partition("?")
        who = {"HTTP_AUTHORIZATION": self._authorization}
        if not self.clone.is_api(address):
            who = {"HTTP_COOKIE": self._cookie}
        status = list[str]()
        environ: dict[str, Any] = {
            "REQUEST_METHOD": "GET",
            "PATH_INFO": address,
            "QUERY_STRING": query,
            "SERVER_NAME": self.host,
            "SERVER_PORT": "8800",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": f"{self.host}:8800",
            "REMOTE_ADDR": "127.0.0.1",
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(),
            **who,
        }
        answer = application(environ, lambda code, headers: status.append(code))
        body = b"".join(answer)
        answer.close()
        if not status[0].startswith("200"):
            raise RequestFailed(f"GET {path}: {status[0]} {body[:200]!r}")
        return body

    def in_turn(self, paths: list[str]) -> Callable[[], object]:
        """Return what asks for the next of the paths each time it is called."""
        turn = cycle(paths)
        return lambda: self.ask(next(turn))
