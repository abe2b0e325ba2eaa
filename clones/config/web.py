"""The data-plane workers of one container: one process per port, started and ended together.

Run `python -m clones.config.web --host 0.0.0.0 --ports 8800-8803`.
"""

from __future__ import annotations

import argparse


def ports_of(text: str) -> list[int]:
    """Return the ports that `8800` or `8800-8803` names.

    Raises:
        ValueError: it is neither.
    """
    first, dash, last = text.partition("-")
    found = list(range(int(first), int(last if dash else first) + 1))
    if not found or not all(0 < port < 65536 for port in found):
        raise ValueError(f"{text!r} names no ports: use 8800 or 8800-8803")
    return found


def main() -> int:
    """Serve until told to stop (0), or until a worker ends by itself (1).

    A container that serves by half is better started anew.
    """
    parser = argparse.ArgumentParser(description="Serve the data plane, one process per port.")
    parser.add_argument("--host", required=True)
    parser.add_argument("--ports", required=True, type=ports_of)
    options = parser.parse_args()
    from clones.config.serve import serve  # noqa: PLC0415 - others read ports only

    return serve(options.host, options.ports)


if __name__ == "__main__":
    raise SystemExit(main())
