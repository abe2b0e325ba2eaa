"""Scores of a group: what each candidate did is done again, in a fork of the session's episode.

Texts are not scored. A fork is an episode of its own that begins as the session's did.
"""

from __future__ import annotations

import asyncio
import json
from statistics import fmean
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from sandlot.gateways.sessions import EpisodeSession, EpisodeSessions, SessionStep
from sandlot.service import Act
from sandlot.service.errors import Conflict, Invalid
from sandlot.service.protocol import Model

# Forks of one group that are played at a time, and candidates that a group may have.
AT_ONCE: Final = 4
LARGEST_GROUP: Final = 64
# What a score tells of a fork.
TOLD: Final = ("episode", "status", "success", "clean", "truncated", "components")


class CandidateBlock(BaseModel):
    """A part of a turn; of those that are no calls of tools nothing is looked at but the type."""

    model_config = ConfigDict(extra="allow")

    type: str = "text"
    name: str = ""
    input: dict[str, Any] = Field(default_factory=dict)


class CandidateTurn(Model):
    """A turn of a candidate's conversation."""

    role: str
    blocks: list[CandidateBlock]
    detail: dict[str, Any] | None = None


class GroupCandidate(Model):
    """What one attempt at the task was."""

    messages: list[CandidateTurn]
    metadata: dict[str, Any] | None = None

    def acts(self) -> list[Act]:
        """Return the tools that it called, in their order."""
        return [
            Act(tool=block.name, arguments=block.input)
            for turn in self.messages
            for block in turn.blocks
            if turn.role == "assistant" and block.type == "tool_call"
        ]


class CandidateGroup(Model):
    """Attempts to be scored side by side; `task_id` attaches to a scoring that was asked for."""

    candidates: list[GroupCandidate] = Field(min_length=1, max_length=LARGEST_GROUP)
    task_id: str | None = None

    def check(self) -> None:
        """Refuse what has nothing in it that could be scored.

        Raises:
            Invalid: a candidate called no tool.
        """
        for place, candidate in enumerate(self.candidates):
            if not candidate.acts():
                raise Invalid(
                    f"candidate {place} has no tool_call block: what was done is scored, not what"
                    " is said of it, so send the whole conversation"
                )


async def score_group(
    sessions: EpisodeSessions, session: EpisodeSession, group: CandidateGroup
) -> str:
    """Return a score for each candidate, as JSON: its R less the mean of the group.

    Raises:
        ServiceError: a fork failed by a failure of ours, or could not begin: there is no score.
    """
    turns = asyncio.Semaphore(AT_ONCE)

    async def played(candidate: GroupCandidate) -> SessionStep:
        async with turns:
            return await _play(sessions, session, candidate.acts())

    session.waiting += 1
    try:
        async with asyncio.TaskGroup() as playing:
            ends = [playing.create_task(played(each)) for each in group.candidates]
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from failed
    finally:
        session.waiting -= 1
        session.touch()
    return _scores([end.result() for end in ends])


async def _play(sessions: EpisodeSessions, session: EpisodeSession, acts: list[Act]) -> SessionStep:
    """Do again what a candidate did, and end it as it stands if the candidate did not."""
    if session.request is None:
        raise Conflict("this session has no episode: create one first")
    fork = sessions.open()
    try:
        sessions.begin(fork, session.request)
        for act in acts:
            step = await sessions.act(fork, act.tool, act.arguments)
            if step.done:
                return step
        return await sessions.act(fork, "finish", {})
    finally:
        await sessions.close(fork)


def _scores(ends: list[SessionStep]) -> str:
    rewards = [end.reward for end in ends if end.reward is not None]
    mean = fmean(rewards)
    scores = list[dict[str, Any]]()
    for reward, end in zip(rewards, ends, strict=True):
        told = {name: end.metadata[name] for name in TOLD if name in end.metadata}
        scores.append({"reward": reward - mean, "metadata": {"reward": reward, **told}})
    return json.dumps({"scores": scores}, separators=(",", ":"))
