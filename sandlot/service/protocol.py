"""The episode contract, free of Django: gateways and clients are written against it."""

from __future__ import annotations

from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

from sandlot.trajectory.schema import AbandonedBy, CheckResult, Parent, PhaseResult, Surface

Space = Literal["api", "browser"]
Faults = Literal["none", "light", "moderate", "heavy"]
Status = Literal["running", "completed", "truncated", "abandoned", "harness_error"]


# Seconds of the machine's time for which nothing may be heard of who plays an episode: where nobody
# says otherwise, and at most.
IDLE_SECONDS = 15 * 60.0
LONGEST_IDLE = 30 * 86_400.0
# What a column for whole numbers holds.
LARGEST = 2**63 - 1


class Model(BaseModel):
    """A message of the contract: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class StartEpisode(Model):
    """What to start. `task` is a family (`H05`) or an instance id (`H05@1/kestrel-tiny/7/0003`).

    `sandbox` names an existing sandbox to play in; without it a fresh one is made and removed at
    the end. `surface` says which tools an agent has: without it `flat` in the space `api`,
    and the elements of a page's tree in `browser` (with one: the places of a picture, or both).
    `client` says who calls the vendors' APIs: `act` (the episode's own tools) or `own`
    (the agent's client, whose authenticated requests are then the steps). `faults` says how many of
    the agent's requests meet an injected fault: none, 2 % (light), 5 % (moderate) or 10 % (heavy);
    of one instance and `fault_seed` always the same ones. An episode of which nothing is heard for
    `idle_seconds` of the machine's time is abandoned; without it for as long as the server says.
    """

    task: str
    seed: int = Field(default=1, ge=-LARGEST, le=LARGEST)
    space: Space = "api"
    surface: Surface | None = None
    sandbox: str | None = None
    client: Literal["act", "own"] = "act"
    screenshots: bool = False
    max_steps: int | None = Field(default=None, ge=1, le=LARGEST)
    keep_sandbox: bool = False
    faults: Faults = "none"
    fault_seed: int = Field(default=0, ge=-LARGEST, le=LARGEST)
    idle_seconds: float | None = Field(default=None, gt=0, le=LONGEST_IDLE)


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


class ModelStep(Model):
    """One step, for the model: what its act was answered with, and whether the episode is over."""

    step: int
    observation: Observation
    done: bool
    status: Status


class StepResult(Model):
    """One step, for the trainer. `reward` never belongs in what the model reads: see `for_model`.

    `withdrawn` are the steps whose rewards are taken back, since this one ended the episode by a
    failure of the environment.
    """

    step: int
    observation: Observation
    done: bool
    status: Status
    reward: float | None
    step_kind: str | None
    components: dict[str, float | None] = Field(default_factory=dict)
    withdrawn: list[int] = Field(default_factory=list)

    def for_model(self) -> ModelStep:
        """Return what of the step the model may read."""
        return ModelStep(
            step=self.step, observation=self.observation, done=self.done, status=self.status
        )


class ModelView(Model):
    """An episode, for the model: what it is told at the start, and how far it is."""

    id: str
    goal: str
    persona: str
    space: Space
    status: Status
    steps: int
    max_steps: int
    now: str
    apps: dict[str, Any]


class EpisodeView(Model):
    """An episode from outside, for the trainer: see `for_model`.

    Reward fields are None, and `phases` and `checks` empty, until it is scored, and stay so unless
    it is `completed` or `truncated`: then `withdrawn` are the steps whose rewards are taken back,
    and `abandoned_by` says by whom it was abandoned. `parent` is set in a branch. `surface` is
    None in the browser without one. `idle_seconds` is for how long nothing may be heard of who
    plays it, None for ever.
    """

    id: str
    task: str
    goal: str
    persona: str
    space: Space
    surface: Surface | None = None
    sandbox: str
    seed: int
    status: Status
    steps: int
    max_steps: int
    idle_seconds: float | None = None
    faults: Faults = "none"
    now: str
    apps: dict[str, Any]
    reward: float | None = None
    success: bool | None = None
    clean: float | None = None
    components: dict[str, Any] = Field(default_factory=dict)
    phases: list[PhaseResult] = Field(default_factory=list)
    checks: list[CheckResult] = Field(default_factory=list)
    error: dict[str, Any] | None = None
    parent: Parent | None = None
    abandoned_by: AbandonedBy | None = None
    withdrawn: list[int] = Field(default_factory=list)
    folder: str | None = None

    def for_model(self) -> ModelView:
        """Return what of the episode the model may read."""
        kept = {name: getattr(self, name) for name in ModelView.model_fields}
        return ModelView(**kept)


class StepNumbers(Model):
    """One step's rewards and what they stand on, for the trainer alone.

    The names are those of a recorded step (`sandlot.trajectory.StepRecord`).
    """

    step: int
    step_kind: str | None
    reward: float | None
    phase_reward: float | None
    potential: float | None
    collateral: float | None
    phases: dict[str, float | None]
    charges: list[dict[str, Any]]
    evidence: dict[str, Any]
    withdrawn: bool


class EpisodeNumbers(Model):
    """The rewards of an episode as far as it is, for the trainer alone."""

    id: str
    status: Status
    reward: float | None
    success: bool | None
    withdrawn: list[int]
    steps: list[StepNumbers]


class EpisodeService(Protocol):
    """What a gateway needs of a server.

    Every method raises `sandlot.service.errors.ServiceError` subclasses only.
    """

    def tasks(self) -> list[dict[str, Any]]:
        """Return the card of each family that may be played, by id."""

    def start(self, request: StartEpisode) -> EpisodeView:
        """Arrange an instance and begin."""

    def view(self, episode: str) -> EpisodeView:
        """Return the episode as it stands."""

    def tools(self, episode: str) -> list[dict[str, Any]]:
        """Return the space's tools: name, description, input_schema."""

    def observe(self, episode: str) -> Observation:
        """Return what the agent sees now, without a step."""

    def act(self, episode: str, act: Act, *, patience: float | None = None) -> StepResult:
        """Take one step.

        While a request of the sandbox is still under way none can begin. `patience` is for how many
        seconds it may be waited for; without it for as long as a request may take.
        """

    def finish(self, episode: str, arguments: dict[str, Any]) -> StepResult:
        """End the episode as the agent's `finish` does."""

    def abandon(self, episode: str) -> EpisodeView:
        """Stop without a score."""

    def hear(self, episode: str) -> None:
        """Renew the lease of an episode, if it runs: who plays it was heard of."""
