"""Run a client's own command where all names in a vendor's domain lead to a server of ours.

Arguments: the domain, the server's port, the command as `module:function`, and then what is for the
command. Clients that make their addresses of a subdomain cannot be told a port: what is changed is
what their names resolve to, as a file of hosts would, and which authorities their Python knows
(`SSL_CERT_FILE`, as a bundle of the machine's would), and nothing of theirs.
"""

from __future__ import annotations

import os
import socket
import sys
from importlib import import_module
from typing import Any


def resolve_here(domain: str, port: int) -> None:
    """Let names in a domain resolve to a port of this machine."""
    elsewhere = socket.getaddrinfo

    def getaddrinfo(host: Any, service: Any, *arguments: Any, **named: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        if isinstance(name, str) and name.endswith(f".{domain}"):
            host, service = "127.0.0.1", port
        return elsewhere(host, service, *arguments, **named)

    setattr(socket, "getaddrinfo", getaddrinfo)  # noqa: B010 - a name of the module, not of a type


def trust_bundle() -> None:
    """Let the bundle that Python packages bring be the one of `SSL_CERT_FILE`.

    Some clients leave `REQUESTS_CA_BUNDLE` aside.
    """
    certifi: Any = import_module("certifi")
    certifi.where = lambda: os.environ["SSL_CERT_FILE"]


def main(domain: str, port: str, command: str, *arguments: str) -> None:
    """Run the command."""
    resolve_here(domain, int(port))
    trust_bundle()
    module, _, function = command.partition(":")
    sys.argv = [module, *arguments]
    getattr(import_module(module), function)()


if __name__ == "__main__":
    main(*sys.argv[1:])
