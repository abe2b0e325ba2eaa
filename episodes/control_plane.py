"""The control process: one object that owns images, sandboxes, clocks and episodes."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict
from datetime import timedelta
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx

from clones.core import clock, execution, jobs, ratelimit
from clones.core.journal import ActRow, journal
from clones.core.journal.canonical import canonical_row
from clones.core.models import Job
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from episodes.browser import find_browser
from episodes.caretaker import Caretaker
from episodes.local import LocalEpisodes
from episodes.meters import Meters
from episodes.presentation import Addresses, sandbox_view
from episodes.publishing import Publisher
from episodes.traffic import UNHEARD
from episodes.worker_loss import alone, lose_unfinished
from episodes.worlds import WorldKey, world_image
from sandlot.client import http_client
from sandlot.gateways.mcp.tokens import EpisodeTokens
from sandlot.service.errors import Refused
from sandlot.service.protocol import IDLE_SECONDS
from snapshots.library import Library
from snapshots.sandboxes import Sandboxes

if TYPE_CHECKING:
    from episodes.browser import BrowserPool


class ControlPlane:
    """What the control plane's routes call.

    `token` guards the control plane; `addresses` says where the data plane listens; `http` makes
    the clients by which acts reach it, those of `sandlot.client` unless others are given. Episodes
    of which nothing is heard for `idle_seconds` (0: for ever) are abandoned, unless they ask for
    something else. A request that got no answer in time is lost when there is no sign of it for
    `unheard` seconds.
    """

    def __init__(
        self,
        addresses: Addresses,
        token: str,
        *,
        browser: Path | None = None,
        http: Callable[[], httpx.Client] | None = None,
        idle_seconds: float = IDLE_SECONDS,
        unheard: float = UNHEARD,
    ) -> None:
        self.addresses = addresses
        self.token = token
        self.idle_seconds = idle_seconds or None
        self.unheard = unheard
        self.http = http or partial(http_client, addresses.routes, authority=addresses.authority)
        self.library = Library(server().data)
        self.meters = Meters()
        self.sandboxes = Sandboxes(self.library, on_rewind=self.meters.note_rewind)
        self.browser = browser or find_browser()
        self.publisher = Publisher()
        self.mcp_origin: str | None = None  # of this server's gateways, if it has them
        self.episodes = LocalEpisodes(self)
        self.caretaker = Caretaker(self.sandboxes, also=self.episodes.end_idle)
        self._workers = itertools.count()
        self._claim = ExitStack()

    @cached_property
    def browsers(self) -> BrowserPool:
        """The browser that episodes share; nothing of it is loaded before one asks for it."""
        from episodes.browser import BrowserPool  # noqa: PLC0415 - see above

        made = BrowserPool(
            self.browser,
            domain=self.addresses.domain,
            routes=self.addresses.routes,
            authority=self.addresses.authority,
        )
        # Of two episodes that ask at once, both get the same.
        found: BrowserPool = vars(self).setdefault("browsers", made)
        return found

    def open(self) -> None:
        """Put right what an earlier crash left, then begin upkeep: once, before serving."""
        self.sandboxes.recover()
        self.episodes.arranged.clear()
        if self._claim.enter_context(alone(server().data)):
            lose_unfinished(self)
        self.caretaker.start()

    def close(self) -> None:
        """Stop upkeep, running episodes and the browser."""
        self.caretaker.close()
        self.episodes.close()
        self.episodes.arranged.clear()
        if "browsers" in vars(self):
            self.browsers.close()
        self._claim.close()

    def mcp_url(self, episode: str) -> str:
        """Return where agents find an episode's tools by Model Context Protocol.

        Raises:
            NotFound: there is no such episode.
            Refused: this server has no gateways.
        """
        view = self.episodes.view(episode)
        if self.mcp_origin is None:
            raise Refused("this server has no gateways: start it with --gateway-port")
        return f"{self.mcp_origin}/mcp/{EpisodeTokens(self.token).of(view.id)}"

    def next_worker(self) -> int:
        """Return the worker that will own the next sandbox."""
        return next(self._workers) % len(self.addresses.ports)

    def create_sandbox(
        self, world: str, size: str, seed: int, *, snapshot: str | None = None
    ) -> SandboxRow:
        """Make a sandbox of a world, or of a snapshot.

        Raises:
            UnknownWorld, UnknownSnapshot, SchemaMismatch, CorruptSnapshot, NoSpace.
        """
        if snapshot is not None:
            manifest = self.library.get(snapshot)
        else:
            manifest = world_image(self.library, WorldKey(world, size, seed))
        return self.sandboxes.create(manifest, worker=self.next_worker())

    def view(self, row: SandboxRow) -> dict[str, Any]:
        """Return a sandbox in the form of the contract, with its marks."""
        marks = server().registry.marks(row.id)
        return {
            **sandbox_view(row, self.addresses),
            "marks": list(marks),
            "state": row.state,
            "published": self.published(row.id),
        }

    def published(self, sandbox: str) -> dict[str, str]:
        """Return the origins that are one clone of a sandbox each, by clone."""
        ports = server().registry.origins(sandbox)
        return {clone: self.addresses.on_port(port) for clone, port in ports.items()}

    def summary(self, row: SandboxRow) -> dict[str, Any]:
        """Return a sandbox in one line, without secrets."""
        return {
            "id": row.id,
            "world": row.world,
            "size": row.size,
            "seed": row.seed,
            "generation": row.generation,
            "state": row.state,
            "episode": row.episode,
        }

    def now(self, sandbox: str) -> str:
        """Return a sandbox's time."""
        row = self.sandboxes.get(sandbox)
        with server().stores.bind(row.store, row.id), unit_of_work("read"):
            return clock.now().isoformat().replace("+00:00", "Z")

    def advance(self, sandbox: str, seconds: float) -> list[jobs.JobRun]:
        """Move a sandbox's clock and run what falls due.

        Raises:
            ValueError: `seconds` is negative.
        """
        if seconds < 0:
            raise ValueError("a clock only moves forward: give a duration of zero or more")
        row = self.sandboxes.get(sandbox)
        with server().stores.bind(row.store, row.id), unit_of_work("write"):
            try:
                until = clock.now() + timedelta(seconds=seconds)
            except (OverflowError, ValueError) as error:
                raise ValueError(
                    "no clock goes beyond the year 9999: advance it by less"
                ) from error
            return jobs.advance(until)

    def configure_clock(self, sandbox: str, mode: str, speed: float) -> None:
        """Say how a sandbox's clock moves.

        Raises:
            ValueError: the speed is not above 0.
        """
        if speed <= 0:
            raise ValueError("a clock's speed is above 0")
        row = self.sandboxes.get(sandbox)
        with server().stores.bind(row.store, row.id), unit_of_work("write"):
            clock.configure(mode=mode, speed=speed)
            execution.note_due(row)

    def set_rate_limit(self, sandbox: str, limit: int | None) -> None:
        """Switch a sandbox's rate limit on or off.

        Raises:
            ValueError: the limit is below 1.
        """
        row = self.sandboxes.get(sandbox)
        with server().stores.bind(row.store, row.id), unit_of_work("write"):
            ratelimit.set_limit(limit)

    def journal(self, sandbox: str, *, after: int, limit: int) -> dict[str, Any]:
        """Return journal rows after a position, with their acts."""
        row = self.sandboxes.get(sandbox)
        with server().stores.bind(row.store, row.id), unit_of_work("read"):
            found = list(itertools.islice(journal().rows(after), limit))
            acts = _with_causes(journal().acts(after, found[-1].seq)) if found else {}
        rows = [
            {
                "seq": entry.seq,
                "table": entry.table.name,
                "operation": entry.operation,
                "key": entry.key,
                "before": canonical_row(entry.table, entry.before),
                "act": entry.act,
            }
            for entry in found
        ]
        return {"rows": rows, "acts": [asdict(acts[number]) for number in sorted(acts)]}

    def requests(self, sandbox: str) -> list[dict[str, Any]]:
        """Return the requests that a sandbox answered."""
        self.sandboxes.get(sandbox)
        return [asdict(entry) for entry in server().requests.read(sandbox)]

    def jobs(self, sandbox: str, state: str) -> list[dict[str, Any]]:
        """Return a sandbox's timers in a state, in the order they run."""
        row = self.sandboxes.get(sandbox)
        with server().stores.bind(row.store, row.id), unit_of_work("read"):
            found = Job.objects.filter(state=state).order_by("due", "id")
            columns = ("id", "kind", "due", "payload", "attempts", "last_error", "cause")
            return [dict(job) for job in found.values(*columns)]


def _with_causes(acts: dict[int, ActRow]) -> dict[int, ActRow]:
    """Add the acts that led to these, which may have written no row themselves."""
    found = dict(acts)
    waiting = [act.cause for act in acts.values() if act.cause is not None]
    while waiting:
        number = waiting.pop()
        if number in found:
            continue
        act = journal().act(number)
        if act is not None:
            found[number] = act
            if act.cause is not None:
                waiting.append(act.cause)
    return found
