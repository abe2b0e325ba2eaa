"""How long this process takes to answer: no network, no other process, one request at a time.

On a world of twenty thousand tickets, as one agent after the other would ask: other tickets, views
and words each time, so that nothing is warm but what a server at work has warm.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any
from urllib.parse import quote

from clones.config.wsgi import application
from clones.core.accounts import account_cards, session_cookie, start_session
from clones.core.journal import act
from clones.core.models import Account
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from clones.helpdesk.api.handouts import authorization
from clones.helpdesk.models import Ticket, View
from sandlot.cli.measures.figures import Figure, repeat
from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes

WORDS = ("lens", "mirror", "refund", "firmware alignment", '"laser tube"', "invoice april", "smoke")
FILTERS = ("status:open priority:high", "status<solved refund", "type:ticket created>2026-05-01")


class Failed(Exception):
    """Raised when a request of the bench was not answered with success."""


class Asker:
    """Asks this process's own server, as an agent by API or by session."""

    def __init__(self, row: SandboxRow) -> None:
        self.host = f"helpdesk.{row.id}.localhost"
        with server().stores.bind(row.store, row.id), unit_of_work("write"):
            cards = [card for card in account_cards(row) if card.clone == "helpdesk"]
            card = next(card for card in cards if card.role == "admin")
            account = Account.objects.get(clone="helpdesk", subject=card.subject)
            with act(actor="system", label="bench"):
                session = start_session(account)
            self._cookie = f"_helpdesk_session={session_cookie(session, row)}"
        self._authorization = authorization(card)["Authorization"]

    def ask(self, path: str) -> bytes:
        """Return the body of the answer to a GET.

        Raises:
            Failed: it is no 200.
        """
        address, _, query = path.partition("?")
        who = {"HTTP_AUTHORIZATION": self._authorization}
        if not address.startswith("/api/"):
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
            raise Failed(f"GET {path}: {status[0]} {body[:200]!r}")
        return body


def answers(sandboxes: Sandboxes, manifest: Manifest, times: int) -> Iterator[Figure]:
    """Yield how long lists, pages and searches take in a fresh sandbox of a world.

    Raises:
        Failed: an answer was no success.
    """
    row = sandboxes.create(manifest)
    asker = Asker(row)
    with server().stores.bind(row.store, row.id), unit_of_work("read"):
        count = Ticket.objects.count()
        tickets = list(Ticket.objects.order_by("-updated_at", "id").values_list("id", flat=True))
        everyones = View.objects.filter(active=True, restriction__isnull=True).order_by("id")
        views = list(everyones.values_list("id", flat=True))
    full = [key for key in views if asker.ask(f"/agent/filters/{key}").count(b"<tr") > 30]
    pages = range(1, max(min(count, 10_000) // 100, 1) + 1)
    listed = "/api/v2/tickets.json"
    shown = tickets[:: max(count // 200, 1)]
    kinds: tuple[tuple[str, float, list[str]], ...] = (
        ("list of 100 tickets", 12.0, [f"{listed}?per_page=100&page={n}" for n in pages]),
        ("list of 100 tickets by cursor", 12.0, [f"{listed}?page[size]=100"]),
        ("ticket page", 40.0, [f"/agent/tickets/{key}" for key in shown]),
        ("view of 30 rows", 25.0, [f"/agent/filters/{key}" for key in full or views]),
        ("search by API", 40.0, [_search(words) for words in (*WORDS, *FILTERS)]),
        ("search page", 40.0, [f"/agent/search/1?q={quote(words)}" for words in WORDS]),
    )
    for name, budget, paths in kinds:
        figure = Figure(f"{name}, {count} tickets", "ms", budget=budget)
        yield repeat(figure, times, _in_turn(asker, paths))
    sandboxes.delete(row.id)


def _search(words: str) -> str:
    return f"/api/v2/search.json?query={quote(words)}"


def _in_turn(asker: Asker, paths: list[str]) -> Callable[[], object]:
    turn = cycle(paths)
    return lambda: asker.ask(next(turn))
