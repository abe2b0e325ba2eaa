"""From a request's address to a clone and a sandbox: by host, by credential, by origin."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest

from clones.core.server import server
from clones.core.tenancy.registry import SandboxRow
from clones.core.vendors import Clone, clone_named, clone_of_path

PORT = re.compile(r":\d{1,5}$")
# What a client leaves out of the Host header.
DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Address:
    """The clone and the sandbox that a request is addressed to.

    `clone` is None when the address belongs to no clone; `row` is None when no live sandbox is
    meant; `by_credential` says that only the credential named the sandbox (the bare host).
    """

    clone: Clone | None
    row: SandboxRow | None
    by_credential: bool


def resolve(request: HttpRequest) -> Address:
    """Return the address of a request."""
    host = request.headers.get("Host", "").lower()
    name, _, port = host.rpartition(":") if PORT.search(host) else (host, "", "")
    domain = re.escape(settings.DOMAIN)
    by_host = re.fullmatch(rf"([a-z]+)\.(sb-[a-z2-7]{{10}})\.{domain}", name)
    if by_host is not None:
        clone = clone_named(by_host.group(1))
        return Address(clone, _live(by_host.group(2)) if clone else None, by_credential=False)
    published = server().registry.origin(int(port or DEFAULT_PORTS[str(request.scheme)]))
    if published is not None:
        sandbox, clone_name = published
        return Address(clone_named(clone_name), _live(sandbox), by_credential=False)
    clone = clone_of_path(request.path)
    if clone is None:
        return Address(None, None, by_credential=True)
    presented = clone.presented(request)
    claim = presented.claim if presented is not None else None
    return Address(clone, _live(claim.sandbox) if claim else None, by_credential=True)


def _live(sandbox: str) -> SandboxRow | None:
    row = server().registry.find(sandbox)
    return row if row is not None and row.state == "live" else None
