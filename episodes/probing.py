"""What an agent's configuration does: records it has not seen meet it, in a copy, at the end.

The graded sandbox is never touched. A family's probe writes its records into a fork by the clones'
`domain/` functions, lets the clock run there if it must, and says what became of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from episodes.binding import bound_unit
from episodes.context import EpisodeContext
from episodes.tasks.spec import Stage


def probed(ground: EpisodeContext, sandbox: str | None = None) -> Mapping[str, Any] | None:
    """Return what the family's probe observes in a copy of the sandbox as it stands.

    None if the family has no probe. `sandbox` is another one to copy, for grading again. What was
    observed is the same each time: probes are drawn from the instance's own chance.

    Raises:
        HarnessFailure: the sandbox is gone, or its store failed.
        TypeError: what the probe returned is no plain JSON.
    """
    probe = ground.family.probe
    if probe is None:
        return None
    sandboxes = ground.host.sandboxes
    with ground.bound("read"):
        pass  # one that is gone is told as lost, and not as a copy that failed
    fork = sandboxes.fork(sandbox or ground.sandbox.id)
    try:
        with bound_unit(fork, "write"):
            found = probe(ground.arranged.facts, Stage(ground.instance))
    finally:
        sandboxes.delete(fork.id)
    plain: dict[str, Any] = json.loads(json.dumps(found, allow_nan=False))
    return plain
