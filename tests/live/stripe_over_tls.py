"""List charges by the public `stripe` client, over https. Arguments: address, authority, key."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import Any

# By name: the client is installed where this runs, never where this project does.
stripe: Any = import_module("stripe")


def main(address: str, authority: str, key: str) -> None:
    """Print the charges, and what is said where the authority is not trusted."""
    stripe.enable_telemetry = False
    found: dict[str, Any] = {}
    try:
        client = stripe.StripeClient(key, base_addresses={"api": address}, max_network_retries=0)
        client.v1.charges.list({"limit": 2})
    except stripe.APIConnectionError as error:
        found["distrusted"] = "CERTIFICATE_VERIFY_FAILED" in str(error)
    stripe.ca_bundle_path = authority
    client = stripe.StripeClient(key, base_addresses={"api": address}, max_network_retries=0)
    found["charges"] = [charge.id for charge in client.v1.charges.list({"limit": 2}).data]
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
