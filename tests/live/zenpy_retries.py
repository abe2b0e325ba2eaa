"""Read a ticket by the public `zenpy` client, which waits as it is told to.

Arguments: host and port of the data plane, e-mail, API token. Prints one JSON line.
"""

from __future__ import annotations

import json
import os
import sys
import time
from importlib import import_module


def main(netloc: str, email: str, token: str) -> None:
    """Read a ticket twice and report what came of it, and how long it took."""
    os.environ["ZENPY_FORCE_NETLOC"] = netloc
    os.environ["ZENPY_FORCE_SCHEME"] = "http"
    zenpy = import_module("zenpy")
    client = zenpy.Zenpy(subdomain="kestrel", email=email, token=token, timeout=2.0)
    began = time.monotonic()
    try:
        found: dict[str, object] = {"ticket": client.tickets(id=1).id}
    except Exception as error:  # noqa: BLE001 - whatever the client makes of it is the finding
        found = {"error": type(error).__name__}
    print(json.dumps({**found, "seconds": time.monotonic() - began}))


if __name__ == "__main__":
    main(*sys.argv[1:])
