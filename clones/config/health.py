"""Ask the servers of this container whether they answer: exit 0 if all do, 1 if not.

    python -m clones.config.health 127.0.0.1 8800-8803
    python -m clones.config.health control-plane 8801 /healthz

Anything below 500 is an answer: the bare host has no pages. Nothing of Django is loaded, since this
runs every few seconds.
"""

from __future__ import annotations

import sys
from http.client import HTTPConnection, HTTPException

from clones.config.web import ports_of

PATIENCE = 4.0


def answers(host: str, port: int, path: str) -> bool:
    """Tell whether a server answers at an address."""
    connection = HTTPConnection(host, port, timeout=PATIENCE)
    try:
        connection.request("GET", path)
        return connection.getresponse().status < 500
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def main(host: str, ports: str, path: str = "/") -> int:
    """Return the exit code."""
    return 0 if all(answers(host, port, path) for port in ports_of(ports)) else 1


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
