"""The hosts that webhooks may reach: those that the operator listed, and no other."""

from __future__ import annotations

import re
from dataclasses import dataclass

HOSTS_FILE = "webhook-hosts"
PORTS = {"http": 80, "https": 443}
_ENTRY = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(?P<port>\d{1,5}))?")


class InvalidHosts(ValueError):
    """Raised when a list of hosts cannot be read."""


@dataclass(frozen=True, slots=True)
class Host:
    """A listed host; without a port, those of http and https are meant."""

    name: str
    port: int | None


def read_hosts(text: str) -> tuple[Host, ...]:
    """Return the hosts of a list `HOST[:PORT],...`; a list without any is empty.

    Raises:
        InvalidHosts: an entry is none.
    """
    found = []
    for item in text.split(","):
        entry = item.strip()
        if not entry:
            continue
        parts = _ENTRY.fullmatch(entry)
        port = int(parts["port"]) if parts is not None and parts["port"] else None
        if parts is None or (port is not None and not 0 < port < 65536):
            raise InvalidHosts(f"{entry!r} is no host: give HOST or HOST:PORT")
        found.append(Host(_plain(parts["host"].strip("[]")), port))
    return tuple(found)


def is_listed(scheme: str, name: str, port: int | None, hosts: tuple[Host, ...]) -> bool:
    """Tell whether the host of an address is listed: its scheme, name, and port if it names one."""
    usual = PORTS.get(scheme)
    if usual is None:
        return False
    plain, at = _plain(name.strip("[]")), port or usual
    return any(host.name == plain and (host.port or usual) == at for host in hosts)


def _plain(name: str) -> str:
    return name.lower().rstrip(".")
