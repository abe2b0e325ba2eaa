"""Free ports, from where the system does not take them for connections that go out.

A port that the system names as free (`bind` to 0) is one of those it gives to the next connection
that leaves: by the time a server wants to listen there, it may be the near end of a client.
"""

from __future__ import annotations

import itertools
import os
import socket

# Linux gives out 32,768 and above, others 49,152 and above. A server's workers take the ports after
# its own: ports are given in blocks, the first of each.
FIRST, BLOCKS, SIZE = 10_240, 2_503, 8
_turns = itertools.count()


def free_port(host: str) -> int:
    """Return a port that nothing listens on just now, and that this process was not given before.

    Raises:
        OSError: none is left.
    """
    begin = os.getpid() * 1009  # processes that begin together are far apart
    for turn in itertools.islice(_turns, BLOCKS):
        port = FIRST + (begin + turn) % BLOCKS * SIZE
        with socket.socket() as probe:
            try:
                probe.bind((host, port))
            except OSError:
                continue
        return port
    raise OSError(f"no port of {FIRST} to {FIRST + BLOCKS * SIZE - 1} is free at {host}")
