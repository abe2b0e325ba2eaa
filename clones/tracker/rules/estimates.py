"""What logging work does to an issue's remaining estimate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Way = Literal["auto", "leave", "new", "manual"]


@dataclass(frozen=True, slots=True)
class Adjustment:
    """How a remaining estimate is adjusted: `seconds` is the new one, or the amount by hand."""

    way: Way = "auto"
    seconds: int = 0


AUTO: Final = Adjustment()
LEAVE: Final = Adjustment("leave")


def remaining(
    before: int | None, adjustment: Adjustment, *, spent: int, sign: Literal[-1, 1] = -1
) -> int | None:
    """Return the remaining estimate, in seconds.

    `spent` is how much more was spent than before (less than nothing where less was). `sign` is
    what an amount by hand does: it reduces the estimate when work is logged and adds to it when a
    log is deleted. No estimate falls below nothing; none at all counts as nothing once work is
    logged, as it does with the vendor.
    """
    match adjustment.way:
        case "leave":
            return before
        case "new":
            return adjustment.seconds
        case "manual":
            return max(0, (before or 0) + sign * adjustment.seconds)
        case "auto":
            return max(0, (before or 0) - spent)
