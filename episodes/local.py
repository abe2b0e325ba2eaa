"""Episodes of this server: the `EpisodeService` that gateways and the control plane call."""

from __future__ import annotations

import json
import logging
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from clones.core.server import server
from episodes.arranged_instances import ArrangedInstances
from episodes.failures import Failures
from episodes.leases import Lease
from episodes.loop import Episode
from episodes.over import ended_view, numbers_of, read_ended, read_record, told_of
from episodes.replay import branch, replay
from episodes.spaces.errors import HarnessFailure
from episodes.start import begin_episode
from episodes.tasks.catalogue import families, resolve
from sandlot.service import (
    Act,
    EpisodeNumbers,
    EpisodeView,
    Observation,
    Space,
    StartEpisode,
    StepResult,
    Surface,
)
from sandlot.service.errors import Conflict, Invalid, NotFound, Unavailable
from sandlot.trajectory import AbandonedBy, Parent, StepRecord, TrajectoryView
from sandlot.trajectory.schema import ON_SCREEN

if TYPE_CHECKING:
    from episodes.control_plane import ControlPlane

logger = logging.getLogger(__name__)

LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


def fresh_name() -> str:
    """Return the id of a new episode."""
    return "ep-" + "".join(secrets.choice(LETTERS) for _ in range(10))


def _check_surface(surface: Surface, space: Space, *, by_tools: bool) -> None:
    """Raise `Invalid` unless an episode can have the surface."""
    if surface in ON_SCREEN:
        if space != "browser":
            raise Invalid(f"the surface {surface} has the pages of the space `browser`")
    elif not by_tools:
        raise Invalid(f"the surface {surface} has the tools of the space `api`: here are none")


@dataclass(frozen=True, slots=True)
class HeldEpisode:
    """An episode that runs, its lease, and the lock of whoever acts in it."""

    episode: Episode
    lease: Lease
    lock: threading.Lock = field(default_factory=threading.Lock)


class LocalEpisodes:
    """Run episodes in this process; one act at a time in each.

    Only those that run are kept in memory. What became of the others is read from their records.
    """

    def __init__(self, host: ControlPlane) -> None:
        self.host = host
        self.folder = server().data / "episodes"
        self.failures = Failures()
        self.arranged = ArrangedInstances(host.sandboxes)
        self._running: dict[str, HeldEpisode] = {}

    def tasks(self) -> list[dict[str, Any]]:
        """Return what a trainer may know of each family that may be played."""
        return [family.card() for family in families().values()]

    def start(self, request: StartEpisode) -> EpisodeView:
        """Arrange an instance and begin.

        Raises:
            NotFound: there is no such task or sandbox.
            Invalid: the family does not offer the space.
            Conflict: another episode runs in the sandbox.
            TooManyFailures: the environment failed too often of late.
            Unavailable: it fails now.
        """
        family, _ = resolve(request.task, request.seed)
        self.failures.check(family.id)
        return self.begin(request, kept=self.arranged)

    def begin(
        self,
        request: StartEpisode,
        *,
        kept: ArrangedInstances | None = None,
        parent: Parent | None = None,
    ) -> EpisodeView:
        """Do as `start`, however often the environment failed: replays look into failures.

        The instance is arranged anew unless it is among those that are `kept`. A branch names its
        `parent`.
        """
        family, instance = resolve(request.task, request.seed)
        if request.space not in family.spaces:
            raise Invalid(f"{family.id} has no space {request.space}: use {family.spaces}")
        if request.client == "own" and request.space != "api":
            raise Invalid("an agent with its own client plays in the space `api`")
        by_tools = request.space == "api" and request.client == "act"
        if request.surface is not None:
            _check_surface(request.surface, request.space, by_tools=by_tools)
        if by_tools and request.surface is None:
            request = request.model_copy(update={"surface": "flat"})
        if request.sandbox is not None:
            row = self.host.sandboxes.get(request.sandbox)
            if row.episode is not None:
                raise Conflict(f"episode {row.episode} runs in {row.id}: finish or abandon it")
        name = fresh_name()
        try:
            episode = begin_episode(
                self.host,
                name,
                family=family,
                instance=instance,
                request=request,
                kept=kept,
                parent=parent,
            )
        except HarnessFailure as failure:
            self.failures.note(
                name, "harness_error", failure.kind, task=family.id, request=failure.request
            )
            raise Unavailable(f"the episode cannot begin: {failure.kind}: {failure}") from failure
        self._running[name] = HeldEpisode(episode, Lease(episode.ground.idle_seconds))
        return episode.view()

    def view(self, episode: str) -> EpisodeView:
        """Return the episode as it stands; once it is over, as it was recorded."""
        held = self._running.get(episode)
        return ended_view(read_ended(self.folder, episode)) if held is None else held.episode.view()

    def tools(self, episode: str) -> list[dict[str, Any]]:
        """Return the space's tools and the three verbs."""
        held = self._running.get(episode)
        if held is None:
            raise self._over(episode)
        return held.episode.tools()

    def observe(self, episode: str) -> Observation:
        """Return what the agent sees now."""
        with self._acting(episode) as found:
            return found.observe()

    def act(self, episode: str, act: Act, *, patience: float | None = None) -> StepResult:
        """Take one step."""
        with self._acting(episode) as found:
            result = found.act(act, patience=patience)
            if result.done:
                self._note(found)
            return result

    def _note(self, ended: Episode) -> None:
        self.failures.note(
            ended.ground.id,
            ended.status,
            ended.failure,
            task=ended.ground.family.id,
            request=ended.failed_request,
        )

    def finish(self, episode: str, arguments: dict[str, Any]) -> StepResult:
        """End the episode as the agent's `finish` does."""
        return self.act(episode, Act(tool="finish", arguments=arguments))

    def abandon(self, episode: str) -> EpisodeView:
        """Stop without a score; a finished episode stays as it is."""
        self._abandon(episode, "caller")
        return self.view(episode)

    def _abandon(self, episode: str, by: AbandonedBy) -> None:
        with suppress(Conflict), self._acting(episode) as found:
            found.abandon(by)

    def hear(self, episode: str | None = None, sandbox: str | None = None) -> None:
        """Renew the lease of an episode that somebody asked for, by its id or its sandbox's."""
        named = self._running.get(episode or "")
        if named is not None:
            named.lease.renew()
        for held in list(self._running.values()) if sandbox is not None else ():
            if held.episode.ground.sandbox.id == sandbox:
                held.lease.renew()

    def end_idle(self) -> None:
        """Abandon the episodes of which nothing was heard for longer than their lease."""
        for name, held in list(self._running.items()):
            if not held.lease.is_over or held.lock.locked():  # who acts is heard of when it is done
                continue
            held.lease.hear(held.episode.ground.sandbox.id, held.episode.ground.request.space)
            with suppress(Conflict), self._acting(name) as found:
                if held.lease.is_over:  # nobody came while this waited
                    logger.warning("episode %s: nothing heard for %.0f s", name, held.lease.alone())
                    found.abandon("lease")

    def lose(self, episode: str, detail: str) -> None:
        """End an episode whose sandbox was lost, without a score; one that is not known is over."""
        with suppress(Conflict, NotFound), self._acting(episode) as found:
            found.lose(detail)
            self._note(found)

    def recorded(self) -> list[dict[str, Any]]:
        """Return the manifests of every recorded episode, oldest first, in short."""
        found, registry = [], server().registry
        for path in self.folder.glob("ep-*/manifest.json"):
            manifest = json.loads(path.read_text())
            kept = ("id", "task", "instance", "space", "seed", "started", "outcome", "reward")
            entry = {name: manifest[name] for name in kept}
            # Of the others it is no matter: most sandboxes go with their episodes.
            if manifest["outcome"] == "running" and registry.find(manifest["sandbox"]) is None:
                entry["outcome"] = "running, and its sandbox is deleted: abandon it"
            found.append(entry)
        return sorted(found, key=lambda entry: (entry["started"], entry["id"]))

    def trajectory(self, episode: str) -> TrajectoryView:
        """Return a recorded episode whole.

        Raises:
            NotFound: none of that id was recorded.
        """
        found = read_record(self.folder, episode)
        return TrajectoryView(folder=str(found.folder), manifest=found.manifest, steps=found.steps)

    def rewards(self, episode: str, *, after: int = 0) -> EpisodeNumbers:
        """Return what the steps after one were worth, and the episode, as far as it is.

        Raises:
            NotFound: none of that id was recorded.
        """
        held = self._running.get(episode)
        with nullcontext() if held is None else held.lock:  # a step that is written is read whole
            return numbers_of(read_record(self.folder, episode), after=after)

    def replay(self, episode: str) -> dict[str, Any]:
        """Play a recorded episode again in another sandbox and say what differed."""
        again, differences = replay(self, read_record(self.folder, episode))
        return {
            "episode": again,
            "replayed": episode,
            "equal": not differences,
            "differences": [asdict(difference) for difference in differences],
        }

    def branch(self, episode: str, step: int) -> EpisodeView:
        """Play a recorded episode up to a step and leave it running there."""
        return branch(self, read_record(self.folder, episode), step)

    def last_step(self, episode: str) -> StepRecord:
        """Return the newest step of an episode as it was recorded.

        Raises:
            NotFound: there is no such episode.
            Conflict: it has no step.
        """
        held = self._running.get(episode)
        if held is not None:
            return held.episode.last_record()
        steps = read_record(self.folder, episode).steps
        if not steps:
            raise Conflict(f"episode {episode} has no step")
        return steps[-1]

    def close(self) -> None:
        """Abandon what still runs."""
        for name in list(self._running):
            self._abandon(name, "server")

    @contextmanager
    def _acting(self, episode: str) -> Iterator[Episode]:
        """Give an episode that runs to one caller at a time, and forget it once it is over.

        Raises:
            NotFound: there is no such episode.
            Conflict: it is over.
        """
        held = self._running.get(episode)
        if held is not None:
            with held.lock:
                if episode in self._running:  # nobody has ended it while this caller waited
                    try:
                        yield held.episode
                    finally:
                        held.lease.renew()
                        if held.episode.is_recorded:
                            del self._running[episode]
                    return
        raise self._over(episode)

    def _over(self, episode: str) -> Conflict:
        """Return what to say to who wants to go on with an episode that does not run.

        Raises:
            NotFound: there is no such episode.
        """
        return Conflict(f"episode {episode} is over: {told_of(read_ended(self.folder, episode))}")
