"""Refund a charge by the public `stripe` client, which retries by itself.

Arguments: the API's address, a secret key, a charge, how often to retry, the patience in seconds.
Prints one JSON line.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import Any

# By name: the client is installed where this runs, never where this project does.
stripe: Any = import_module("stripe")


def main(address: str, key: str, charge: str, retries: str, patience: str) -> None:
    """Ask for a refund and report what came of it."""
    stripe.enable_telemetry = False
    client = stripe.StripeClient(
        key,
        base_addresses={"api": address},
        max_network_retries=int(retries),
        http_client=stripe.RequestsClient(timeout=float(patience)),
    )
    try:
        refund = client.v1.refunds.create({"charge": charge})
    except stripe.StripeError as error:
        print(json.dumps({"error": type(error).__name__, "status": error.http_status}))
        return
    replayed = refund.last_response.headers.get("Idempotent-Replayed")
    print(json.dumps({"refund": refund.id, "replayed": replayed}))


if __name__ == "__main__":
    main(*sys.argv[1:])
