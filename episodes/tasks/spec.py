"""What a task is: frozen, typed, versioned; everything a family brings, in one object."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any, Final, Literal

from episodes.checks import AnswerType, BadCheck, Check, Phase, ladder_of
from episodes.rewards import Charge, ChargeKind, Ladder, QualityParts
from episodes.tasks.acting import Acts, Cheat, Mutant, Script
from episodes.tasks.footprint import Allow, RowWrite
from episodes.tasks.instances import InstanceId
from sandlot.service import Space

Facts = Mapping[str, Any]


class NotProbed(LookupError):
    """Raised when probes are asked about that have not run."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One record that a response showed: `kind` is list, detail or aggregate.

    `seq` is where in the journal it was noted.
    """

    seq: int
    sighting: int
    request: str
    table: str
    key: str
    kind: str


@dataclass(frozen=True, slots=True)
class Scene:
    """What checks and guards look at. The sandbox is bound, so the ORM shows the present.

    `writes` are all row changes since the arranged state, `fresh` those of the step at hand;
    `finish` holds the arguments of the verb once it was said, `probed` what the family's probes
    observed once the episode is over.
    """

    facts: Facts
    writes: tuple[RowWrite, ...]
    fresh: tuple[RowWrite, ...]
    seen: tuple[Seen, ...]
    step_from: int = 0
    finish: Mapping[str, Any] | None = None
    probed: Mapping[str, Any] | None = None

    @property
    def shown_by_probes(self) -> Mapping[str, Any]:
        """What the probes observed, for checks of phases that are read from them.

        Raises:
            NotProbed: the episode is not over yet, or its family has no probe.
        """
        if self.probed is None:
            raise NotProbed("no probe has run")
        return self.probed


@dataclass(frozen=True, slots=True)
class Persona:
    """Who the agent is: which account it uses in which clone (by role and login).

    The first clone named is where the work starts.
    """

    title: str
    logins: Mapping[str, str]

    @property
    def home(self) -> str:
        """The clone in which the work starts, and on whose pages the start path lies."""
        return next(iter(self.logins))


@dataclass(frozen=True, slots=True)
class Arranged:
    """What arranging an instance gave: the goal's words, who asks, and the graders' facts.

    `oracle_steps` counts the oracle's steps of this instance by space, `finish` included.
    """

    goal: str
    persona: Persona
    facts: Facts
    allows: tuple[Allow, ...]
    start_path: str
    oracle_steps: Mapping[Space, int]

    def answer(self, text: str) -> str:
        """Return what whoever gave the goal says to `text`: they know no more than the goal."""
        return self.facts["giver_reply"] if text.strip() else ""


@dataclass(frozen=True, slots=True)
class Stage:
    """What `arrange` works with: the instance and its random streams; the sandbox is bound."""

    instance: InstanceId

    def chance(self, purpose: str) -> Random:
        """Return the generator of one purpose."""
        return self.instance.chance(purpose)


@dataclass(frozen=True)
class Family:
    """A family of tasks.

    `arrange` makes an instance in the bound sandbox; `phases` are read after each step; `guard`
    gives a step's charges, of the kinds in `prices`; `care` are sentences about how the work was
    done; `unmet` names the obligations still owed. `probe` runs once an episode is over, in a copy
    of its sandbox that is bound for writing: it draws records from the stage's chance, makes them
    by the clones' `domain/` functions and returns what became of them, as plain JSON; phases with
    `probes` are read from that, and are not scored before. `grounded` makes it a question: it tells
    whether what the answer rests on was shown, None where the instance asks for work and not for
    an answer. `answer` is the type of what `finish` is to answer, which agents are told.

    For certification only: `derive` makes facts again, by other code, from the bound sandbox and
    the goal's text; `mutants` change the oracle's acts; `relabel` returns a mutant of the common
    ones as it stands in this family (with another label and the reason, or the same), None where
    it says nothing here.
    """

    id: str
    version: int
    title: str
    tier: int
    persona: str
    spaces: tuple[Space, ...]
    phases: tuple[Phase[Scene], ...]
    arrange: Callable[[Stage], Arranged]
    guard: Callable[[Scene], tuple[Charge, ...]]
    care: tuple[Check[Scene], ...]
    unmet: Callable[[Facts], frozenset[str]]
    solve: Mapping[Space, Script]
    sla: Callable[[Facts], float | None] | None = None
    probe: Callable[[Facts, Stage], Mapping[str, Any]] | None = None
    grounded: Callable[[Scene], bool | None] | None = None
    answer: Callable[[Facts], AnswerType | None] | None = None
    cheats: Sequence[Cheat] = field(default_factory=tuple)
    prices: tuple[ChargeKind, ...] = ()
    derive: Callable[[str], Facts] | None = None
    mutants: Callable[[Acts, Facts], Sequence[Mutant]] | None = None
    relabel: Callable[[Mutant, Facts], Mutant | None] | None = None
    world: str = "kestrel"
    sizes: tuple[str, ...] = ("tiny", "small")

    def __post_init__(self) -> None:
        if any(phase.probes for phase in self.phases) is not (self.probe is not None):
            raise BadCheck(f"{self.id}: a probe and phases that are read from it go together")

    @property
    def home(self) -> Space:
        """The space in which it is certified: the first it names."""
        return self.spaces[0]

    @cached_property
    def ladder(self) -> Ladder:
        """The ladder that rewards are computed on."""
        return ladder_of(self.phases)

    def card(self) -> dict[str, Any]:
        """Return what a trainer may know of the family."""
        return {
            "id": self.id,
            "version": self.version,
            "title": self.title,
            "tier": self.tier,
            "persona": self.persona,
            "spaces": list(self.spaces),
            "phases": [
                {"name": phase.name, "weight": phase.weight, "kind": phase.kind}
                for phase in self.ladder.phases
            ],
            "world": self.world,
            "sizes": list(self.sizes),
        }


def acts_for_one(surface: str | None) -> int:
    """Return how many acts of a surface do what one act of its space does."""
    return ACTS_AT_PLACES if surface == "computer" else 1


def step_limit(oracle_steps: int, space: Space) -> int:
    """Return how many steps an episode may take: 3n + 10 by API, 3n + 20 in a browser."""
    return 3 * oracle_steps + {"api": 10, "browser": 20}[space]


STEP_SECONDS: dict[Space, int] = {"api": 30, "browser": 10}
# Acts on the surface `computer` for one by an element: a click into the field, all of it selected,
# the text typed.
ACTS_AT_PLACES: Final = 3
Verb = Literal["wait", "say", "finish"]


@dataclass(frozen=True, slots=True)
class Aftermath:
    """What followed in a copy after `finish`: per person, their satisfaction and reopenings."""

    people: tuple[dict[str, Any], ...]
    parts: QualityParts
