"""What a worker loaded is out of the way of the collector of garbage."""

from __future__ import annotations

import subprocess
import sys

LOADED = """
import gc
import clones.config.wsgi
print(gc.get_freeze_count(), sum(len(gc.get_objects(generation)) for generation in range(3)))
"""


def test_what_a_worker_loaded_is_not_gone_over_again() -> None:
    told = subprocess.run(
        [sys.executable, "-c", LOADED], check=True, capture_output=True, text=True
    )
    settled, left = map(int, told.stdout.split())
    assert settled > 100 * left
