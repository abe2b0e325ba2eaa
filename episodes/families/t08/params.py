"""The parameter space of T08: where work stands, who approves, what is asked, and how it ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from episodes.tasks.instances import InstanceId

Start = Literal["To Do", "In Progress"]
Approval = Literal["none", "colleague", "lead", "deputy"]
Asked = Literal["fixVersions", "customfield_10026", "duedate"]
End = Literal["Done", "Won't Do"]

STARTS: Final[tuple[Start, ...]] = ("To Do", "In Progress")
APPROVALS: Final[tuple[Approval, ...]] = ("none", "colleague", "lead", "deputy")
ASKED: Final[tuple[Asked, ...]] = ("fixVersions", "customfield_10026", "duedate")
ENDS: Final[tuple[End, ...]] = ("Done", "Won't Do")
NAMES: Final[dict[Asked, str]] = {
    "fixVersions": "Fix versions",
    "customfield_10026": "Story Points",
    "duedate": "Due date",
}
REVIEW: Final = "In Review"
APPROVED: Final = "Approved"


@dataclass(frozen=True, slots=True)
class Params:
    """One structural variant of T08.

    `approval` is who may take work out of review: anybody, a colleague (whoever sent it there may
    not), the lead of the space, or who stands in for a colleague on leave. `asked` is the field
    without which there is no review, `parts` whether there are sub-tasks left.
    """

    start: Start
    approval: Approval
    asked: Asked
    parts: bool
    end: End

    @property
    def path(self) -> list[str]:
        """The statuses from where the work stands to the end."""
        whole = ["To Do", "In Progress", REVIEW, *([APPROVED] if self.approved else []), "Done"]
        return whole[whole.index(self.start) :]

    @property
    def approved(self) -> bool:
        """Whether somebody has to approve it."""
        return self.approval != "none"


def structural_variants() -> list[Params]:
    """Return all 96 variants, in a fixed order."""
    return [
        Params(start, approval, asked, parts, end)
        for start in STARTS
        for approval in APPROVALS
        for asked in ASKED
        for parts in (False, True)
        for end in ENDS
    ]


def params_of(instance: InstanceId) -> Params:
    """Return an instance's variant: neighbouring numbers differ in most of it."""
    variants = structural_variants()
    # 41 and 96 have no common factor, so 96 numbers in a row meet every variant once.
    return variants[(instance.number * 41) % len(variants)]
