"""The episode contract, free of Django: gateways and clients are written against it."""

from __future__ import annotations

from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

Space = Literal["api", "browser"]
Faults = Literal["none", "light", "moderate", "heavy"]
Status = Literal["running", "completed", "truncated", "abandoned", "harness_error"]


class Model(BaseModel):
    """A message of the contract: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid")


class StartEpisode(Model):
    """What to start. `task` is a family (`H05`) or an instance id (`H05@1/kestrel-tiny/7/0003`).

    `sandbox` names an existing sandbox to play in; without it a fresh one is made and removed at
    the end. `client` says who calls the vendors' APIs: `act` (the episode's own tools) or `own`
    (the agent's client, whose authenticated requests are then the steps). `faults` says how many of
    the agent's requests meet an injected fault: none, 2 % (light), 5 % (moderate) or 10 % (heavy);
    of one instance and `fault_seed` always the same ones.
    """

    task: str
    seed: int = 1
    space: Space = "api"
    sandbox: str | None = None
    client: Literal["act", "own"] = "act"
    screenshots: bool = False
    max_steps: int | None = Field(default=None, ge=1)
    keep_sandbox: bool = False
    faults: Faults = "none"
    fault_seed: int = 0


class Act(Model):
    """One act: a tool of the space or one of the verbs `wait`, `say`, `finish`."""

    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class Observation(Model):
    """What the agent sees. `kind` says which fields are filled.

    `message`: `text` (goals, replies of `say`); `http`: `status`, `headers`, `body`;
    `page`: `url`, `title`, `tree`, `tabs` and, when asked for, `screenshot` (base64 PNG).
    """

    kind: Literal["message", "http", "page", "error"]
    now: str
    text: str | None = None
    status: int | None = None
    headers: dict[str, str] | None = None
    body: Any = None
    url: str | None = None
    title: str | None = None
    tree: str | None = None
    tabs: list[str] | None = None
    screenshot: str | None = None
    notes: list[str] = Field(default_factory=list)


class StepResult(Model):
    """One step, for the trainer. `reward` never belongs in what the model reads."""

    step: int
    observation: Observation
    done: bool
    status: Status
    reward: float | None
    step_kind: str | None
    components: dict[str, float | None] = Field(default_factory=dict)


class EpisodeView(Model):
    """An episode from outside.

    Reward fields are None until it is scored, and stay None unless it is `completed` or
    `truncated`.
    """

    id: str
    task: str
    goal: str
    persona: str
    space: Space
    sandbox: str
    seed: int
    status: Status
    steps: int
    max_steps: int
    faults: Faults = "none"
    now: str
    apps: dict[str, Any]
    reward: float | None = None
    success: bool | None = None
    clean: float | None = None
    components: dict[str, Any] = Field(default_factory=dict)
    error: dict[str, Any] | None = None
    folder: str | None = None


class EpisodeService(Protocol):
    """What a gateway needs of a server.

    Every method raises `sandlot.service.errors.ServiceError` subclasses only.
    """

    def start(self, request: StartEpisode) -> EpisodeView:
        """Arrange an instance and begin."""

    def view(self, episode: str) -> EpisodeView:
        """Return the episode as it stands."""

    def tools(self, episode: str) -> list[dict[str, Any]]:
        """Return the space's tools: name, description, input_schema."""

    def observe(self, episode: str) -> Observation:
        """Return what the agent sees now, without a step."""

    def act(self, episode: str, act: Act) -> StepResult:
        """Take one step."""

    def finish(self, episode: str, arguments: dict[str, Any]) -> StepResult:
        """End the episode as the agent's `finish` does."""

    def abandon(self, episode: str) -> EpisodeView:
        """Stop without a score."""
