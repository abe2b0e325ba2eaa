"""The ground of an episode: the sandbox it runs in and the instance that was arranged there."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from clones.core import clock
from clones.core.server import server
from clones.core.tenancy import SandboxRow
from episodes.binding import bound_unit
from episodes.checks import AnswerType
from episodes.tasks.instances import InstanceId
from episodes.tasks.spec import STEP_SECONDS, Arranged, Family, acts_for_one
from sandlot.service import StartEpisode
from sandlot.trajectory import Parent

if TYPE_CHECKING:
    from episodes.control_plane import ControlPlane

ARRANGED = "arranged"


@dataclass(frozen=True, slots=True)
class EpisodeContext:
    """What stays the same from an episode's first step to its last.

    `id` is the episode's; `sandbox` is the registry's row as the episode began, so that a reset
    under it shows. `since` is the machine's time from which on the sandbox's requests are the
    episode's, `lost` what `RequestLog.lost` said then. `parent` is what a branch went on from,
    `idle_seconds` for how long nothing may be heard of who plays it.
    """

    host: ControlPlane
    id: str
    family: Family
    instance: InstanceId
    request: StartEpisode
    sandbox: SandboxRow
    arranged: Arranged
    max_steps: int
    since: float = field(default_factory=time.time)
    lost: int = 0
    parent: Parent | None = None
    idle_seconds: float | None = None

    @property
    def answer_type(self) -> AnswerType | None:
        """The type of the answer that the instance asks for, None where it asks for none."""
        declared = self.family.answer
        return None if declared is None else declared(self.arranged.facts)

    @property
    def reference_steps(self) -> int:
        """How many acts of the episode's surface the oracle takes."""
        request = self.request
        return self.arranged.oracle_steps[request.space] * acts_for_one(request.surface)

    @property
    def step_seconds(self) -> float:
        """For how many seconds of the sandbox's clock an act stands."""
        request = self.request
        return STEP_SECONDS[request.space] / acts_for_one(request.surface)

    def bound(self, kind: Literal["read", "write"]) -> AbstractContextManager[None]:
        """Bind the sandbox for one transaction."""
        return bound_unit(self.sandbox, kind)

    def undone(self) -> AbstractContextManager[None]:
        """Bind the sandbox for writes that are taken back at the block's end."""
        return bound_unit(self.sandbox, "write", undone=True)

    def now(self) -> str:
        """Return the sandbox's time."""
        with self.bound("read"):
            return clock.now().strftime("%Y-%m-%dT%H:%M:%SZ")

    def end_credentials(self) -> None:
        """End the agent's credentials: what is graded from here on is what remains."""
        registry = server().registry
        if registry.find(self.sandbox.id) is None:
            return  # a sandbox that was lost has no credentials to end
        registry.rotate_credentials(self.sandbox.id)
        registry.set_episode(self.sandbox.id, None)

    def leave(self) -> None:
        """Delete a sandbox that was made for the episode; in another, end the credentials."""
        if self.request.sandbox is not None or self.request.keep_sandbox:
            self.end_credentials()
        elif server().registry.find(self.sandbox.id) is not None:
            self.host.sandboxes.delete(self.sandbox.id)
