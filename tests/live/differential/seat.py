"""What an engine answers to random questions and writes.

Run as `python -m tests.live.differential.seat DATA answers|written SEED COUNT` it asks on SQLite,
in a process of its own, and prints one JSON list of (request, status, hash of the body).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

from tests.live.differential.questions import Asker, stocks
from tests.live.differential.writes import Writer

# Secrets are made of the server's key.
SECRET = re.compile(
    rb'attachments/token/[^/"]+|"(?:secret|full_token|authenticity_token)": ?"[^"]+"'
)
WORLD = ("kestrel", "tiny", 1)
Asked = tuple[str, int, str]
Answered = list[Asked]


@dataclass
class Seat:
    """A sandbox's clones, each by its administrator, seldom by somebody else."""

    row: Any
    cards: Any
    chance: Random

    def ask(self, method: str, clone: Any, path: str, body: Any = None) -> Asked:
        """Ask for a path and return what was asked, the status and a hash of the body."""
        from django.test import Client  # noqa: PLC0415 - needs Django set up

        cards = [card for card in self.cards if card.clone == clone.name]
        admins = [card for card in cards if card.role == "admin"]
        card = self.chance.choice(cards if self.chance.random() < 0.3 else admins or cards)
        host = f"{clone.name}.{self.row.id}.localhost:8800"
        client = Client(raise_request_exception=False, headers={"host": host})
        form = clone.name == "billing"
        content = None if body is None else urlencode(flat(body)) if form else json.dumps(body)
        kind = "application/x-www-form-urlencoded" if form else "application/json"
        answer = client.generic(
            method, path, content or "", content_type=kind, headers=clone.authorization(card)
        )
        text = SECRET.sub(b"secret", answer.content.replace(self.row.id.encode(), b"sandbox"))
        asked = f"{card.role} {method} {path} {(content or '')[:300]}"
        return (asked, answer.status_code, hashlib.sha256(text).hexdigest()[:16])


def flat(body: Any, prefix: str = "") -> list[tuple[str, str]]:
    """Return a body as form fields, nested in brackets."""
    if isinstance(body, dict):
        pairs = [(f"{prefix}[{name}]" if prefix else name, inner) for name, inner in body.items()]
    elif isinstance(body, list):
        pairs = [(f"{prefix}[{place}]", inner) for place, inner in enumerate(body)]
    else:
        text = "" if body is None else str(body).lower() if isinstance(body, bool) else str(body)
        return [(prefix, text.encode(errors="replace").decode())]
    return [field for name, inner in pairs for field in flat(inner, name)]


def seat_of(row: Any, maker: type[Asker], seed: int) -> tuple[Seat, Any]:
    """Return a sandbox's seat, and who makes requests of what there is in it."""
    from clones.core.accounts import account_cards  # noqa: PLC0415 - needs Django set up
    from clones.core.server import server  # noqa: PLC0415 - needs Django set up
    from clones.core.tenancy import unit_of_work  # noqa: PLC0415 - needs Django set up

    with server().stores.bind(row.store, row.id), unit_of_work("read"):
        asker = maker(seed, stocks(seed))
        return Seat(row, account_cards(row), asker.chance), asker


def askable() -> tuple[list[Any], list[int]]:
    """Return the clones with an API, and how much is to be asked of each."""
    from clones.core.vendors import clones  # noqa: PLC0415 - needs Django set up

    sizes = [(clone, len(clone.operations.all)) for clone in clones() if clone.operations]
    return [clone for clone, _ in sizes], [max(size // 100, 1) for _, size in sizes]


def answers(row: Any, seed: int, count: int) -> Answered:
    """Ask a sandbox `count` questions through its clones' APIs, after what world it is."""
    seat, asker = seat_of(row, Asker, seed)
    clones, weights = askable()
    streams = {clone.name: asker.requests(clone) for clone in clones}
    found: Answered = [("world", 0, row.template)]
    for clone in asker.chance.choices(clones, weights, k=count):
        found.append(seat.ask("GET", clone, next(streams[clone.name])))
    return found


def written(row: Any, seed: int, count: int) -> Answered:
    """Write to a sandbox `count` times; then every row that came of it, and the fingerprint."""
    from clones.core.server import server  # noqa: PLC0415 - needs Django set up
    from snapshots.library import Library  # noqa: PLC0415 - needs Django set up
    from snapshots.sandboxes import Sandboxes  # noqa: PLC0415 - needs Django set up

    seat, writer = seat_of(row, Writer, seed)
    found: Answered = []
    for clone in writer.chance.choices(*askable(), k=count):
        method, path, body = writer.request(clone)
        found.append(seat.ask(method, clone, path, body))
    sandboxes = Sandboxes(Library(server().data))
    found += [(json.dumps(change)[:2000], 0, "row") for change in sandboxes.diff(row.id)]
    return [*found, ("fingerprint", 0, sandboxes.fingerprint(row.id))]


def main(data: Path, kind: str, seed: int, count: int) -> None:
    """Ask or write on SQLite and print what was answered."""
    os.environ["SANDLOT_ENGINE"] = "sqlite"
    os.environ["SANDLOT_DATA"] = str(data)
    os.environ["DJANGO_SETTINGS_MODULE"] = "clones.config.settings.embedded"
    import django  # noqa: PLC0415 - after the settings are named

    django.setup()
    from clones.core.server import server  # noqa: PLC0415 - needs Django set up
    from episodes.worlds import WorldKey, world_image  # noqa: PLC0415 - needs Django set up
    from snapshots.library import Library  # noqa: PLC0415 - needs Django set up
    from snapshots.sandboxes import Sandboxes  # noqa: PLC0415 - needs Django set up
    from tests import handlers  # noqa: PLC0415 - needs Django set up

    handlers.share()
    library = Library(server().data)
    row = Sandboxes(library).create(world_image(library, WorldKey(*WORLD)))
    print(json.dumps({"answers": answers, "written": written}[kind](row, seed, count)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
