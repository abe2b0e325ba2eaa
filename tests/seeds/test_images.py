"""A world's image is built once, and found by whoever comes later, whatever is being built."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from episodes import worlds
from episodes.worlds import WorldKey, world_image
from snapshots.library import Library


def test_a_world_that_there_is_waits_for_no_other(library: Library) -> None:
    built = world_image(library, WorldKey())
    with ThreadPoolExecutor(1) as pool, worlds._building:  # as while another world is built
        found = pool.submit(world_image, library, WorldKey()).result(timeout=120)
    assert found == built
