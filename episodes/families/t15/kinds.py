"""What queues of T15 are made of: what requests lack, who approves and how, which clock counts."""

from __future__ import annotations

from typing import Final, Literal

Need = Literal["asset tag", "floor", "version", "owner", "cost centre"]
Approver = Literal["named", "deputy"]
Decision = Literal["approved", "declined"]
SlaName = Literal["Time to resolution", "Time to first response"]

NEEDS: Final[tuple[Need, ...]] = ("asset tag", "floor", "version", "owner", "cost centre")
APPROVERS: Final[tuple[Approver, ...]] = ("named", "deputy")
DECISIONS: Final[tuple[Decision, ...]] = ("approved", "declined")
SLAS: Final[tuple[SlaName, ...]] = ("Time to resolution", "Time to first response")
READY: Final = (2, 3)
