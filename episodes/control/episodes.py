"""Routes of tasks and episodes."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from episodes.control.dependencies import HostOf
from episodes.tasks.catalogue import families
from sandlot.service import Act, EpisodeView, Observation, StartEpisode, StepResult

router = APIRouter(tags=["episodes"])


class FinishEpisode(BaseModel):
    """The arguments of the verb `finish`."""

    arguments: dict[str, Any] = Field(default_factory=dict)


@router.get("/tasks", summary="List the task families")
def tasks() -> dict[str, Any]:
    """Return what a trainer may know of each family."""
    return {"tasks": [family.card() for family in families().values()]}


@router.post("/episodes", status_code=201, summary="Start an episode")
def start(host: HostOf, body: StartEpisode) -> EpisodeView:
    """Arrange an instance and begin."""
    return host.episodes.start(body)


@router.get("/episodes", summary="List the episodes of this server")
def list_all(host: HostOf) -> dict[str, Any]:
    """Return every recorded episode, oldest first."""
    return {"episodes": host.episodes.recorded()}


@router.get("/failures", summary="Tell how often the environment failed of late")
def failures(host: HostOf) -> dict[str, Any]:
    """Return failures by cause among the last episodes, and whether they stop new ones."""
    return host.episodes.failures.view()


@router.post("/failures/acknowledge", summary="Go on after the environment failed too often")
def acknowledge(host: HostOf) -> dict[str, Any]:
    """Begin to count anew and return the numbers as they were."""
    found = host.episodes.failures.view()
    host.episodes.failures.go_on()
    return found


@router.get("/episodes/{episode}", summary="Show an episode")
def show(host: HostOf, episode: str) -> EpisodeView:
    """Return the episode as it stands."""
    return host.episodes.view(episode)


@router.get("/episodes/{episode}/tools", summary="List the space's tools")
def tools(host: HostOf, episode: str) -> dict[str, Any]:
    """Return name, description and input schema of each tool."""
    return {"tools": host.episodes.tools(episode)}


@router.get("/episodes/{episode}/observation", summary="Look without a step")
def observation(host: HostOf, episode: str) -> Observation:
    """Return what the agent sees now."""
    return host.episodes.observe(episode)


@router.post("/episodes/{episode}/act", summary="Take one step")
def act(host: HostOf, episode: str, body: Act) -> StepResult:
    """Carry out an act and return what came of it."""
    return host.episodes.act(episode, body)


@router.post("/episodes/{episode}/finish", summary="End the episode as the agent's `finish` does")
def finish(host: HostOf, episode: str, body: FinishEpisode) -> StepResult:
    """Freeze the graded state, let the aftermath run in a copy, and score."""
    return host.episodes.finish(episode, body.arguments)


@router.post("/episodes/{episode}/abandon", summary="Stop without a score")
def abandon(host: HostOf, episode: str) -> EpisodeView:
    """End the episode; every number of it is None."""
    return host.episodes.abandon(episode)


@router.get("/episodes/{episode}/trajectory", summary="Read a recorded episode")
def trajectory(host: HostOf, episode: str) -> dict[str, Any]:
    """Return the manifest and every step."""
    return host.episodes.trajectory(episode)


@router.post("/episodes/{episode}/replay", summary="Play a recorded episode again and compare")
def replay(host: HostOf, episode: str) -> dict[str, Any]:
    """Return the new episode and what differed from the record."""
    return host.episodes.replay(episode)


class BranchEpisode(BaseModel):
    """After which step to go on."""

    step: int = Field(ge=0)


@router.post("/episodes/{episode}/branch", status_code=201, summary="Go on from a recorded step")
def branch(host: HostOf, episode: str, body: BranchEpisode) -> EpisodeView:
    """Return a running episode that stands where the recorded one stood after the step."""
    return host.episodes.branch(episode, body.step)
