"""Why a customer may be dissatisfied: the reasons that every account has."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason under the vendor's code; its id is the code, one up (the first code is 0)."""

    code: int
    text: str

    @property
    def id(self) -> int:
        """The number under which the API shows the reason."""
        return self.code + 1


REASONS = (
    Reason(0, "No reason provided"),
    Reason(5, "The issue took too long to resolve"),
    Reason(6, "The issue was not resolved"),
    Reason(7, "The agent's knowledge is unsatisfactory"),
    Reason(8, "The agent's attitude is unsatisfactory"),
    Reason(1000, "Some other reason"),
)
BY_ID = {reason.id: reason for reason in REASONS}
BY_CODE = {reason.code: reason for reason in REASONS}
