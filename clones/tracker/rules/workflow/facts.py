"""What rules of workflows ask about an issue and about who would move it on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class FactValue:
    """One value of a field. `id` is an option's, a user's account id or a group's uuid."""

    text: str
    id: str = ""
    number: float | None = None
    moment: datetime | date | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """That an issue once went from a status to another; `account` moved it."""

    source: str
    target: str
    account: str | None


class Facts(Protocol):
    """An issue and somebody who would move it on; ids are texts, as the API has them."""

    @property
    def account(self) -> str | None:
        """The account id of who would move it, None of somebody anonymous."""

    @property
    def groups(self) -> frozenset[str]:
        """The uuids of their groups."""

    @property
    def roles(self) -> frozenset[str]:
        """The ids of the roles that they fill in the issue's space."""

    @property
    def remote(self) -> bool:
        """Whether the API or another rule asks, not a page that people see."""

    @property
    def assignee(self) -> str | None:
        """The assignee's account id."""

    @property
    def reporter(self) -> str | None:
        """The reporter's account id."""

    @property
    def status(self) -> str:
        """The id of the status that the issue is in."""

    @property
    def is_subtask(self) -> bool:
        """Whether the issue is part of another."""

    @property
    def passages(self) -> Sequence[Passage]:
        """Where the issue went so far, oldest first."""

    @property
    def parent_status(self) -> str | None:
        """The id of its parent's status, None without a parent."""

    @property
    def child_statuses(self) -> Sequence[str]:
        """The ids of the statuses of its sub-tasks."""

    @property
    def approval(self) -> str | None:
        """The state of its latest approval: pending, approved or declined; None without one."""

    def may(self, permission: str) -> bool:
        """Tell whether they have a permission on the issue."""

    def values(self, field: str) -> Sequence[FactValue]:
        """Return the values of a field, none if it is empty."""

    def changed(self, field: str) -> bool:
        """Tell whether this very transition changes a field."""

    def has_field(self, field: str) -> bool:
        """Tell whether a field counts for the issue's space and type."""

    def name_of(self, field: str) -> str:
        """Return what people call a field."""

    def name_of_status(self, status: str) -> str:
        """Return what people call a status."""
