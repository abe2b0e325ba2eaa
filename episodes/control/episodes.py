"""Routes of tasks and episodes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from episodes.control.dependencies import HostOf
from episodes.traffic import LONGEST
from sandlot.service import (
    Act,
    EpisodeNumbers,
    EpisodeView,
    ModelStep,
    ModelView,
    Observation,
    StartEpisode,
    StepResult,
)
from sandlot.service.errors import Invalid
from sandlot.service.splits import INSTANCES, instances_among
from sandlot.trajectory import TrajectoryView

router = APIRouter(tags=["episodes"])


# Who reads the answer. What the model reads has no reward in it, whatever a loop does with it.
Reader = Literal["model", "trainer"]
ForModel = Annotated[
    Reader,
    Query(
        alias="for",
        description="`model` (no reward in the answer) or `trainer` (the reward beside it).",
    ),
]


class FinishEpisode(BaseModel):
    """The arguments of the verb `finish`."""

    arguments: dict[str, Any] = Field(default_factory=dict)


@router.get("/tasks", summary="List the task families")
def tasks(host: HostOf) -> dict[str, Any]:
    """Return what a trainer may know of each family."""
    return {"tasks": host.episodes.tasks()}


@router.get("/tasks/instances", summary="List the tasks of a split")
def instances(
    host: HostOf,
    split: str,
    family: Annotated[list[str] | None, Query()] = None,
    count: Annotated[int, Query(ge=1, le=INSTANCES)] = INSTANCES,
) -> dict[str, list[str]]:
    """Return ids of instances that are played by API: each family's first, then each second..."""
    try:
        return {"instances": instances_among(host.episodes.tasks(), family, split, count)}
    except ValueError as error:
        raise Invalid(str(error)) from error


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
def show(host: HostOf, episode: str, reader: ForModel = "trainer") -> EpisodeView | ModelView:
    """Return the episode as it stands."""
    view = host.episodes.view(episode)
    return view if reader == "trainer" else view.for_model()


@router.get("/episodes/{episode}/rewards", summary="Tell the trainer what steps were worth")
def rewards(host: HostOf, episode: str, after: Annotated[int, Query(ge=0)] = 0) -> EpisodeNumbers:
    """Return the rewards of the steps after one, with what they stand on, and the episode's."""
    return host.episodes.rewards(episode, after=after)


@router.get("/episodes/{episode}/tools", summary="List the space's tools")
def tools(host: HostOf, episode: str) -> dict[str, Any]:
    """Return name, description and input schema of each tool."""
    return {"tools": host.episodes.tools(episode)}


@router.get("/episodes/{episode}/observation", summary="Look without a step")
def observation(host: HostOf, episode: str) -> Observation:
    """Return what the agent sees now."""
    return host.episodes.observe(episode)


@router.post("/episodes/{episode}/act", summary="Take one step")
def act(
    host: HostOf,
    episode: str,
    body: Act,
    reader: ForModel = "model",
    patience: Annotated[float | None, Query(ge=0, le=LONGEST)] = None,
) -> ModelStep | StepResult:
    """Carry out an act and return what came of it: to a trainer that asks for it, with reward.

    It waits till no request of the sandbox is under way, for `patience` seconds at most; after that
    it is answered 409 `busy`, and nothing was done.
    """
    result = host.episodes.act(episode, body, patience=patience)
    return result if reader == "trainer" else result.for_model()


@router.post("/episodes/{episode}/finish", summary="End the episode as the agent's `finish` does")
def finish(
    host: HostOf,
    episode: str,
    body: FinishEpisode | None = None,
    reader: ForModel = "model",
) -> ModelStep | StepResult:
    """Freeze the graded state, let the aftermath run, and score."""
    result = host.episodes.finish(episode, {} if body is None else body.arguments)
    return result if reader == "trainer" else result.for_model()


@router.post("/episodes/{episode}/abandon", summary="Stop without a score")
def abandon(host: HostOf, episode: str) -> EpisodeView:
    """End the episode; every number of it is None."""
    return host.episodes.abandon(episode)


@router.get("/episodes/{episode}/trajectory", summary="Read a recorded episode")
def trajectory(host: HostOf, episode: str) -> TrajectoryView:
    """Return the manifest and every step."""
    return host.episodes.trajectory(episode)


@router.get("/episodes/{episode}/mcp", summary="Tell where its tools are by MCP")
def mcp(host: HostOf, episode: str) -> dict[str, Any]:
    """Return the address at which an agent acts by Model Context Protocol: it opens the episode."""
    return {"url": host.mcp_url(episode)}


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
