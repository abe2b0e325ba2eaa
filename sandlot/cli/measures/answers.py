"""How long this process takes to answer: no network, no other process, one request at a time.

On a world of twenty thousand tickets, as one agent after the other would ask: other tickets, views
and words each time, so that nothing is warm but what a server at work has warm.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from clones.core.server import server
from clones.core.tenancy import unit_of_work
from clones.helpdesk.models import Ticket, View
from sandlot.cli.measures.asking import Asker
from sandlot.cli.measures.figures import Figure, repeat
from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes

WORDS = ("lens", "mirror", "refund", "firmware alignment", '"laser tube"', "invoice april", "smoke")
FILTERS = ("status:open priority:high", "status<solved refund", "type:ticket created>2026-05-01")


def answers(sandboxes: Sandboxes, manifest: Manifest, times: int) -> Iterator[Figure]:
    """Yield how long lists, pages and searches take in a fresh sandbox of a world.

    Raises:
        Failed: an answer was no success.
    """
    row = sandboxes.create(manifest)
    asker = Asker(row, "helpdesk")
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
        yield repeat(figure, times, asker.in_turn(paths))
    sandboxes.delete(row.id)


def _search(words: str) -> str:
    return f"/api/v2/search.json?query={quote(words)}"
