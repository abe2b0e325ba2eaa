"""Episodes of this server: the `EpisodeService` that gateways and the control plane call."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from clones.core.server import server
from episodes.beginning import begin_episode
from episodes.failures import Failures
from episodes.loop import Episode
from episodes.replay import branch, replay
from episodes.spaces.errors import HarnessFailure
from episodes.tasks.catalogue import resolve
from sandlot.service import Act, EpisodeView, Observation, StartEpisode, StepResult
from sandlot.service.errors import Conflict, Invalid, NotFound, Unavailable
from sandlot.trajectory import StepRecord, Trajectory, read_trajectory

if TYPE_CHECKING:
    from episodes.host import Host

LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


def fresh_name() -> str:
    """Return the id of a new episode."""
    return "ep-" + "".join(secrets.choice(LETTERS) for _ in range(10))


class LocalEpisodes:
    """Run episodes in this process; one act at a time in each."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.folder = server().data / "episodes"
        self.failures = Failures()
        self._episodes: dict[str, Episode] = {}
        self._locks: dict[str, threading.Lock] = {}
        self._changing = threading.Lock()

    def start(self, request: StartEpisode) -> EpisodeView:
        """Arrange an instance and begin.

        Raises:
            NotFound: there is no such task or sandbox.
            Invalid: the family does not offer the space.
            Conflict: another episode runs in the sandbox.
            TooManyFailures: the environment failed too often of late.
            Unavailable: it fails now.
        """
        self.failures.check()
        return self.begin(request)

    def begin(self, request: StartEpisode) -> EpisodeView:
        """Do as `start`, however often the environment failed: replays look into failures."""
        family, instance = resolve(request.task, request.seed)
        if request.space not in family.spaces:
            raise Invalid(f"{family.id} has no space {request.space}: use {family.spaces}")
        if request.client == "own" and request.space != "api":
            raise Invalid("an agent with its own client plays in the space `api`")
        if request.sandbox is not None:
            row = self.host.sandboxes.get(request.sandbox)
            if row.episode is not None:
                raise Conflict(f"episode {row.episode} runs in {row.id}: finish or abandon it")
        name = fresh_name()
        try:
            episode = begin_episode(
                self.host, name, family=family, instance=instance, request=request
            )
        except HarnessFailure as failure:
            self.failures.note(name, "harness_error", failure.kind)
            raise Unavailable(f"the episode cannot begin: {failure.kind}: {failure}") from failure
        with self._changing:
            self._locks[name] = threading.Lock()
            self._episodes[name] = episode
        return episode.view()

    def view(self, episode: str) -> EpisodeView:
        """Return the episode as it stands."""
        return self._get(episode).view()

    def tools(self, episode: str) -> list[dict[str, Any]]:
        """Return the space's tools and the three verbs."""
        return self._get(episode).tools()

    def observe(self, episode: str) -> Observation:
        """Return what the agent sees now."""
        with self._locked(episode):
            return self._get(episode).observe()

    def act(self, episode: str, act: Act) -> StepResult:
        """Take one step."""
        with self._locked(episode):
            found = self._get(episode)
            result = found.act(act)
            if result.done:
                self.failures.note(episode, found.status, found.failure)
            return result

    def finish(self, episode: str, arguments: dict[str, Any]) -> StepResult:
        """End the episode as the agent's `finish` does."""
        return self.act(episode, Act(tool="finish", arguments=arguments))

    def abandon(self, episode: str) -> EpisodeView:
        """Stop without a score."""
        with self._locked(episode):
            found = self._get(episode)
            found.abandon()
            return found.view()

    def lose(self, episode: str, detail: str) -> None:
        """End an episode whose sandbox was lost, without a score; one that is not known is over."""
        if episode in self._episodes:
            with self._locked(episode):
                self._get(episode).lose(detail)

    def recorded(self) -> list[dict[str, Any]]:
        """Return the manifests of every recorded episode, oldest first, in short."""
        found = []
        for path in self.folder.glob("ep-*/manifest.json"):
            manifest = json.loads(path.read_text())
            kept = ("id", "task", "instance", "space", "seed", "started", "outcome", "reward")
            found.append({name: manifest[name] for name in kept})
        return sorted(found, key=lambda entry: (entry["started"], entry["id"]))

    def trajectory(self, episode: str) -> dict[str, Any]:
        """Return a recorded episode whole.

        Raises:
            NotFound: none of that id was recorded.
        """
        found = self._recorded(episode)
        return {
            "folder": str(found.folder),
            "manifest": found.manifest.model_dump(),
            "steps": [step.model_dump() for step in found.steps],
        }

    def replay(self, episode: str) -> dict[str, Any]:
        """Play a recorded episode again in another sandbox and say what differed."""
        again, differences = replay(self, self._recorded(episode))
        return {
            "episode": again,
            "replayed": episode,
            "equal": not differences,
            "differences": [asdict(difference) for difference in differences],
        }

    def branch(self, episode: str, step: int) -> EpisodeView:
        """Play a recorded episode up to a step and leave it running there."""
        return branch(self, self._recorded(episode), step)

    def last_step(self, episode: str) -> StepRecord:
        """Return the newest step of an episode in memory."""
        return self._get(episode).last_record()

    def _recorded(self, episode: str) -> Trajectory:
        folder = self.folder / episode
        if not episode.startswith("ep-") or not (folder / "manifest.json").is_file():
            raise NotFound(f"there is no episode {episode}")
        return read_trajectory(folder)

    def close(self) -> None:
        """Abandon what still runs."""
        for name in list(self._episodes):
            with self._locked(name):
                self._episodes[name].abandon()

    def _get(self, episode: str) -> Episode:
        found = self._episodes.get(episode)
        if found is None:
            raise NotFound(f"there is no episode {episode} in this server's memory")
        return found

    @contextmanager
    def _locked(self, episode: str) -> Iterator[None]:
        lock = self._locks.get(episode)
        if lock is None:
            raise NotFound(f"there is no episode {episode} in this server's memory")
        with lock:
            yield
