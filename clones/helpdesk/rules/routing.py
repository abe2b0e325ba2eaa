"""Who gets which waiting ticket: plain values in, a choice out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from clones.helpdesk.rules.system_fields import RANKS

Method = Literal["highest_spare_capacity", "longest_idle"]

OFFLINE, ONLINE, AWAY, TRANSFERS_ONLY = 2, 3, 4, 5
STATUSES = {
    OFFLINE: ("Offline", "Can't receive work"),
    ONLINE: ("Online", "Can receive work"),
    AWAY: ("Away", "Can only receive email tickets"),
    TRANSFERS_ONLY: ("Transfers only", "Can only receive work from other agents"),
}
# Every ticket here is one of e-mail, web or API, which the vendor calls e-mail tickets.
RECEIVING = (ONLINE, AWAY)
NEVER = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A ticket that waits for an agent since a moment, and the groups that may take it.

    `place` is its queue's priority, None where no queue of the account's own has it.
    """

    id: int
    place: int | None
    priority: str | None
    since: datetime
    group: int | None
    primary: Sequence[int]
    secondary: Sequence[int] = ()
    needs: frozenset[str] = frozenset()


@dataclass(slots=True)
class Candidate:
    """An agent at work: their groups and skills, how many tickets they can take, and since when."""

    id: int
    groups: frozenset[int]
    spare: int
    skills: frozenset[str] = frozenset()
    assigned_at: datetime | None = field(default=None)


@dataclass(frozen=True, slots=True)
class Choice:
    """The agent who gets a ticket, and the group in which they work on it."""

    agent: Candidate
    group: int


def in_line(waiting: Iterable[Waiting]) -> list[Waiting]:
    """Return tickets in the order in which they are given out.

    By queue, the account's own ones first; then by priority, urgent first; then who waits longest.
    """
    return sorted(
        waiting,
        key=lambda item: (
            item.place is None,
            item.place or 0,
            -RANKS["priority"].get(item.priority or "", -1),
            item.since,
            item.id,
        ),
    )


def choose(item: Waiting, candidates: Iterable[Candidate], method: Method) -> Choice | None:
    """Return who gets a ticket: somebody of the primary groups, else of the secondary ones.

    They have a place to spare and every skill that it needs. Of several the one with the most to
    spare is chosen, or the one who got a ticket longest ago; each decides where the other ties.
    """
    able = [agent for agent in candidates if agent.spare > 0 and item.needs <= agent.skills]
    for groups in (item.primary, item.secondary):
        found = [agent for agent in able if agent.groups.intersection(groups)]
        if found:
            agent = min(found, key=lambda one: _rank(one, method))
            own = [group for group in groups if group in agent.groups]
            return Choice(agent, item.group if item.group in own else own[0])
    return None


def _rank(agent: Candidate, method: Method) -> tuple[datetime | int, datetime | int, int]:
    idle = agent.assigned_at or NEVER
    if method == "longest_idle":
        return idle, -agent.spare, agent.id
    return -agent.spare, idle, agent.id
