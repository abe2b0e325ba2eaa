"""Give an instance numbers, codes and times of its own: nobody who remembers another's knows them.

In production numbers have gaps, of records that were deleted for good, and nobody comes at the same
second twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Final

from clones.core import clock, gaps, jobs
from clones.core.vendors import clones

# The world's present is passed by less than so many seconds when an instance begins.
LATER: Final = 600


@contextmanager
def unlike_others(chance: gaps.Chance) -> Iterator[None]:
    """Arrange the block's instance in the bound sandbox, later and further on than others.

    Some time passes first, in which falls due what does; codes and the clones' numbers are passed
    over; and the numbers of back-dated rows are drawn among those that fit their time. `chance`
    returns the generator of a purpose.
    """
    jobs.advance(clock.now() + timedelta(seconds=chance("pass the present").randrange(LATER)))
    gaps.pass_over_codes(chance)
    for clone in clones():
        clone.pass_over(chance)
    with gaps.left_between(chance):
        yield
