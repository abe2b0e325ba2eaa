"""Who the desk's rules can reach at a time: its staff and its customers, by user."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from seeds.kestrel.projection.desk import DeskIds
from seeds.kestrel.story.model import Agent


class Roster:
    """The desk's people by user id; whoever is not of the staff is a customer."""

    def __init__(self, staff: list[Agent], desk: DeskIds) -> None:
        self._staff = {desk.agents[agent.index]: agent for agent in staff}
        self._groups = {
            user: [desk.groups[key] for key in agent.groups] for user, agent in self._staff.items()
        }

    def is_agent(self, user: int | None) -> bool:
        """Tell whether a user works at the desk, or has worked there."""
        return user in self._staff

    def is_reachable(self, user: int, at: datetime) -> bool:
        """Tell whether a user could be told something, or given a ticket, at a time."""
        agent = self._staff.get(user)
        return agent is None or agent.left_at is None or at < agent.left_at

    def contact(self, user: int) -> tuple[str, str] | None:
        """Return the name and address of one of the staff."""
        agent = self._staff.get(user)
        return (agent.name, agent.email) if agent is not None else None

    def groups_of(self, user: int | None) -> list[int]:
        """Return the groups of an agent, the default one first; none for others."""
        return self._groups.get(user, []) if user is not None else []

    def members(self, group: int, at: datetime) -> list[int]:
        """Return whom a message to a group reached at a time."""
        there = (user for user, groups in self._groups.items() if group in groups)
        return self._reached(there, at)

    def everybody(self, at: datetime) -> list[int]:
        """Return whom a message to all agents reached at a time."""
        return self._reached(self._staff, at)

    def _reached(self, users: Iterable[int], at: datetime) -> list[int]:
        return sorted(user for user in users if self.is_reachable(user, at))
