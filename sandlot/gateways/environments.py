"""What gateways offer to play: environments, their splits, and the tasks of each, by index.

All of it is a pure function of the build's families: nothing is arranged or asked for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, get_args

from pydantic import ValidationError

from sandlot.gateways.bodies import first_problem
from sandlot.service import EpisodeService, Space, StartEpisode
from sandlot.service.errors import Invalid, NotFound
from sandlot.service.splits import INSTANCES, WORLDS, instance_of
from sandlot.trajectory.schema import ON_SCREEN, Surface

# The environment that has every family, which clients get that name none.
WHOLE: Final = "sandlot"
USUAL_SPACE: Final[Space] = "api"
SURFACES: Final[dict[str, Surface]] = {name: name for name in get_args(Surface)}
# Keys of a task that say how it is to be played; all are those of `StartEpisode`.
KEYS: Final = frozenset(
    {
        "task",
        "seed",
        "space",
        "surface",
        "max_steps",
        "faults",
        "fault_seed",
        "idle_seconds",
        "screenshots",
    }
)


class NoSplit(Invalid):
    """Raised when an environment has no split of that name."""


class NoTask(Invalid):
    """Raised when a split has no task of that index, or a task names what cannot be played."""


@dataclass(frozen=True, slots=True)
class TaskEnvironment:
    """Tasks of some families in one space, and on a surface of it; clients ask for the `name`."""

    name: str
    families: tuple[dict[str, Any], ...]
    space: Space
    surface: Surface | None = None

    def splits(self) -> list[str]:
        """Return the names of its splits, which are their types as well."""
        return list(WORLDS)

    def count(self, split: str) -> int:
        """Return how many tasks a split has.

        Raises:
            NoSplit: there is no such split.
        """
        _check_split(split)
        return INSTANCES * len(self.families)

    def task(self, split: str, index: int) -> dict[str, Any]:
        """Return the task at an index: each family once, then each again.

        Raises:
            NoSplit, NoTask: there is no such split, or none of that index.
        """
        if not 0 <= index < self.count(split):
            raise NoTask(f"split {split} has tasks 0 to {self.count(split) - 1}, none {index}")
        number, place = divmod(index, len(self.families))
        family = self.families[place]
        return {"task": instance_of(family, split, number), **self.played()}

    def played(self) -> dict[str, Any]:
        """Return how its tasks are played, as keys of a task."""
        surface = {} if self.surface is None else {"surface": self.surface}
        return {"space": self.space, **surface}

    def tasks(
        self, split: str, start: int | None = None, stop: int | None = None
    ) -> list[dict[str, Any]]:
        """Return the tasks of a range of indices, which may count from the end as in Python.

        Raises:
            NoSplit: there is no such split.
        """
        return [self.task(split, index) for index in range(self.count(split))[start:stop]]


class Environments:
    """The environments of a build: all families, and each of them, in each space that it has.

    `sandlot` and `h05` are played by API, `sandlot-browser` and `h05-browser` in that space, and
    `h05-search_call` or `h05-computer` by the tools of that surface. Names are compared without
    regard to case.
    """

    def __init__(self, service: EpisodeService) -> None:
        self._service = service

    @cached_property
    def _families(self) -> dict[str, dict[str, Any]]:
        return {card["id"].lower(): card for card in self._service.tasks()}

    @cached_property
    def _all(self) -> dict[str, TaskEnvironment]:
        found: dict[str, TaskEnvironment] = {}
        groups: dict[str, Sequence[dict[str, Any]]] = {WHOLE: list(self._families.values())}
        groups |= {name: [card] for name, card in self._families.items()}
        for group, cards in groups.items():
            for space in get_args(Space):
                offering = tuple(card for card in cards if space in card["spaces"])
                name = group if space == USUAL_SPACE else f"{group}-{space}"
                if offering:
                    found[name] = TaskEnvironment(name, offering, space)
        return found

    def names(self) -> list[str]:
        """Return the environments' names, the usual one first."""
        return list(self._all)

    def get(self, name: str | None = None) -> TaskEnvironment:
        """Return an environment by its name, without one that of every family.

        Raises:
            NotFound: there is none of that name.
        """
        wanted = (name or WHOLE).lower()
        found = self._all.get(wanted)
        group, _, surface = wanted.partition("-")
        played = self._all.get(f"{group}-browser" if surface in ON_SCREEN else group)
        if found is None and surface in SURFACES and played is not None:
            found = replace(played, name=wanted, surface=SURFACES[surface])
        if found is None:
            raise NotFound(f"there is no environment {name!r}: choose one of {self.names()}")
        return found

    def has(self, name: str) -> bool:
        """Tell whether there is an environment of that name."""
        try:
            self.get(name)
        except NotFound:
            return False
        return True

    def request(self, environment: TaskEnvironment, task: dict[str, Any]) -> StartEpisode:
        """Return how to start a task: one of a list, or any that names a family or an instance.

        Raises:
            NoTask: it names what cannot be played, or has other keys than those of `KEYS`.
        """
        unknown = sorted(set(task) - KEYS)
        if unknown:
            raise NoTask(f"a task has no {unknown[0]!r}: it may have {', '.join(sorted(KEYS))}")
        try:
            request = StartEpisode(**{**environment.played(), **task})
        except ValidationError as error:
            raise NoTask(first_problem(error)) from error
        family = self._families.get(request.task.partition("@")[0].lower())
        if family is None:
            raise NoTask(f"there is no task {request.task}: see `sandlot task list`")
        if request.space not in family["spaces"]:
            raise NoTask(f"{family['id']} has no space {request.space}: use {family['spaces']}")
        return request


def _check_split(split: str) -> None:
    if split not in WORLDS:
        raise NoSplit(f"there is no split {split!r}: choose one of {list(WORLDS)}")
