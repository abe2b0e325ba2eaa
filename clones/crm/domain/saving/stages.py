"""The stages of a save, in the vendor's order, and what is done in each.

Whoever has something to do in a stage registers it, and names the module in `MODULES`:

    @step(Stage.ASSIGNMENT)
    def assign_owner(change: Change) -> None: ...

A step of a stage before the row is written refuses by a `RecordError`, or sets values
(`change.set`). One after it may do the same: what it set is written when its stage is over, and a
refusal undoes the whole save. Steps of one stage run in the order of `MODULES`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import cache
from importlib import import_module
from typing import Final

from clones.crm.domain.saving.change import Change
from clones.crm.models import SObjectRow

Step = Callable[[Change], None]
AfterRecycling = Callable[[Sequence[SObjectRow], str], None]
BeforeDeleting = Callable[[SObjectRow, str], None]

# What registers steps, in the order in which those of one stage run.
MODULES: Final = (
    "clones.crm.domain.saving.derived",
    "clones.crm.domain.saving.files",
    "clones.crm.domain.saving.lines",
    "clones.crm.domain.saving.offers",
    "clones.crm.domain.saving.syncing",
    "clones.crm.domain.saving.splits",
    "clones.crm.domain.saving.campaigns",
    "clones.crm.domain.saving.account_contacts",
    "clones.crm.domain.saving.knowledge",
    "clones.crm.domain.saving.activities",
    "clones.crm.domain.saving.users",
    "clones.crm.domain.saving.granting",
    "clones.crm.domain.saving.required",
    "clones.crm.domain.saving.validation",
    "clones.crm.domain.duplicates.checking",
    "clones.crm.domain.saving.uniqueness",
    "clones.crm.domain.saving.followups",
    "clones.crm.domain.saving.histories",
    "clones.crm.domain.approvals.reassigning",
    "clones.crm.domain.saving.workflow",
    "clones.crm.domain.saving.flows",
    "clones.crm.domain.service.owners",
    "clones.crm.domain.service.cases",
    "clones.crm.domain.service.teams",
    "clones.crm.domain.service.assignment",
    "clones.crm.domain.service.entitlements",
    "clones.crm.domain.service.milestones",
    "clones.crm.domain.saving.rollups",
)


class Stage(Enum):
    """A part of a save. Those up to `DUPLICATES` come before the row is written."""

    BEFORE_FLOWS = "flows before the save"
    FILLING_IN = "what an object fills in by itself"
    REQUIRED = "required fields"
    VALIDATION = "the organization's validation rules"
    DUPLICATES = "duplicate rules"
    FOLLOW_UPS = "histories"
    ASSIGNMENT = "assignment rules"
    AUTO_RESPONSE = "auto-response rules"
    WORKFLOW = "workflow rules"
    ESCALATION = "escalation rules"
    AFTER_FLOWS = "flows after the save"
    ENTITLEMENTS = "entitlements and milestones"
    ROLL_UPS = "sums that parents keep of their children"
    SHARING = "shares by criteria"


BEFORE_WRITING: Final = (
    Stage.BEFORE_FLOWS,
    Stage.FILLING_IN,
    Stage.REQUIRED,
    Stage.VALIDATION,
    Stage.DUPLICATES,
)
AFTER_WRITING: Final = tuple(stage for stage in Stage if stage not in BEFORE_WRITING)
# What a save within a save, as that of a workflow rule's field update, leaves out: the rules of the
# organization, and what the save that it stands in does afterwards.
NOT_AGAIN: Final = frozenset(
    {
        Stage.BEFORE_FLOWS,
        Stage.VALIDATION,
        Stage.DUPLICATES,
        Stage.ASSIGNMENT,
        Stage.AUTO_RESPONSE,
        Stage.WORKFLOW,
        Stage.ESCALATION,
        Stage.AFTER_FLOWS,
        Stage.ENTITLEMENTS,
        Stage.ROLL_UPS,
        Stage.SHARING,
    }
)

_after_recycling: list[AfterRecycling] = []
_before_deleting: list[BeforeDeleting] = []
_registered: dict[Stage, list[Step]] = {stage: [] for stage in Stage}


def step(stage: Stage) -> Callable[[Step], Step]:
    """Register what is done with every record that is saved, in one stage."""

    def register(run: Step) -> Step:
        _registered[stage].append(run)
        return run

    return register


def before_deleting(run: BeforeDeleting) -> BeforeDeleting:
    """Register what is done before somebody deletes a record; it may refuse that."""
    _before_deleting.append(run)
    return run


def tell_deleting(row: SObjectRow, *, actor: str) -> None:
    """Do what is to be done before a user (by id) deletes a record.

    Raises:
        RecordError: something refuses it.
    """
    load_steps()
    for run in _before_deleting:
        run(row, actor)


def after_recycling(run: AfterRecycling) -> AfterRecycling:
    """Register what is done when records went to the recycle bin or came back from it."""
    _after_recycling.append(run)
    return run


def tell_recycled(rows: Sequence[SObjectRow], *, actor: str) -> None:
    """Do what is to be done when records went to the recycle bin, came back, or were moved.

    `actor` is the id of the user who did it.
    """
    load_steps()
    for run in _after_recycling:
        run(rows, actor)


@cache
def steps_of(stage: Stage) -> tuple[Step, ...]:
    """Return what is done in a stage, in its order."""
    load_steps()

    def place(run: Step) -> int:
        return MODULES.index(run.__module__)

    return tuple(sorted(_registered[stage], key=place))


@cache
def load_steps() -> None:
    """Import what registers steps, and with it the jobs that these set."""
    for name in MODULES:
        import_module(name)
