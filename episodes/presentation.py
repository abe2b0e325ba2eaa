"""Sandboxes as the control plane shows them: addresses, accounts, clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clones.core import clock
from clones.core.accounts import account_cards
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from clones.core.vendors import clones


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the data plane listens: one port per worker; the first serves the bare host.

    `routes` says by port where this process reaches a worker, as `host:port`, if it is elsewhere
    than callers are told. `authority` is the certificate of the private authority of `--tls`.
    """

    host: str
    domain: str
    ports: tuple[int, ...]
    scheme: str = "http"
    routes: Mapping[int, str] = field(default_factory=dict)
    authority: Path | None = None

    @property
    def origin(self) -> str:
        """The bare host, where a credential names the sandbox."""
        return self.on_port(self.ports[0])

    def on_port(self, port: int) -> str:
        """Return the bare host's origin on a port."""
        return f"{self.scheme}://{self.host}:{port}"

    def clone_url(self, row: SandboxRow, clone: str) -> str:
        """Return a clone's address on the worker that owns the sandbox."""
        port = self.ports[self.worker_of(row)]
        return f"{self.scheme}://{clone}.{row.id}.{self.domain}:{port}"

    def worker_of(self, row: SandboxRow) -> int:
        """Return the number of the worker that owns a sandbox."""
        return row.worker % len(self.ports)

    def sandbox_origins(self, row: SandboxRow) -> list[str]:
        """Return the origins of every clone of a sandbox."""
        return [self.clone_url(row, clone.name) for clone in clones()]


def sandbox_view(
    row: SandboxRow, addresses: Addresses, *, logins: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return a sandbox in the form of the contract, with its accounts' secrets.

    With `logins` (clone to login) only those accounts are shown, in those clones: a persona's.
    """
    with server().stores.bind(row.store, row.id), unit_of_work("read"):
        now = clock.now()
        cards = account_cards(row)
        accounts = {
            clone.name: [
                clone.account_view(card)
                for card in cards
                if card.clone == clone.name
                and (logins is None or card.login == logins.get(clone.name))
            ]
            for clone in clones()
        }
    return {
        "id": row.id,
        "world": row.world,
        "size": row.size,
        "seed": row.seed,
        "generation": row.generation,
        "now": now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "origin": addresses.origin,
        "apps": {
            clone.name: {
                "url": addresses.clone_url(row, clone.name),
                "accounts": accounts[clone.name],
            }
            for clone in clones()
        },
    }
