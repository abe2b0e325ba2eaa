"""One played run, with everything certification asks of it, and the trial that keeps them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any, TypeVar

from clones.core.journal import canonical_changes, journal, store_digest
from clones.core.vendors import clones
from episodes.certify import restoring
from episodes.certify.keeping import Kept
from episodes.certify.playing import LocalSpace, play_out, started
from episodes.certify.retaking import acts_script, made_in
from episodes.checks import start_faults
from episodes.control_plane import ControlPlane
from episodes.probing import probed
from episodes.replay import act_of
from episodes.start import Prepared, prepare
from episodes.tasks.acting import ActingSpace, Acts, Cheat, Mutant, NotHere, RecordedAct, Script
from episodes.tasks.common_cheats import common_cheats, random_acts
from episodes.tasks.desk_tickets import changeable_tickets
from episodes.tasks.instances import InstanceId
from episodes.tasks.page_cheats import page_cheats
from episodes.tasks.spec import Arranged, Facts, Family, Scene
from sandlot.service.protocol import Faults, Space
from sandlot.trajectory import EpisodeManifest, StepRecord, read_trajectory

ENDED = ("completed", "truncated")

Of = TypeVar("Of")
Played = TypeVar("Played")


@dataclass(frozen=True, slots=True)
class Start:
    """The arranged state: what an instance is, to the byte, and what is wrong with it.

    `digest` is of every row of the store, empty where nobody asked for it.
    """

    digest: str
    arranged: dict[str, Any]
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """A run that was played to its end.

    `verdicts` are the checks' values at the end, `changes` the net row changes, `tickets` the
    numbers of the helpdesk's tickets that can still be changed; `regraded` lists where grading
    again from the journal differed, `restored` what a reset did not bring back (both None where
    that was not looked into).
    """

    name: str
    manifest: EpisodeManifest
    steps: tuple[StepRecord, ...]
    start: Start
    facts: Facts
    arranged: Arranged
    verdicts: Mapping[str, float | None] = field(default_factory=dict)
    changes: tuple[dict[str, Any], ...] = ()
    tickets: tuple[int, ...] = ()
    unmet: frozenset[str] = frozenset()
    regraded: tuple[str, ...] | None = None
    restored: tuple[str, ...] | None = None

    @property
    def reward(self) -> float | None:
        """R."""
        return self.manifest.reward

    @property
    def acts(self) -> Acts:
        """The acts as they can be taken again: those on pages by handles, which outlive refs."""
        return [RecordedAct(act.tool, act.arguments) for act in map(act_of, self.steps)]

    @property
    def charges(self) -> tuple[str, ...]:
        """The kinds of what was charged, in order."""
        return tuple(charge["kind"] for step in self.steps for charge in step.charges)

    def told(self) -> str:
        """Return the run in one line, as evidence."""
        manifest = self.manifest
        failures = ", ".join(manifest.components.get("failures") or ()) or "none"
        error = f", error {manifest.error}" if manifest.error else ""
        return (
            f"{self.name} on {manifest.instance}: outcome {manifest.outcome}, success"
            f" {manifest.success}, R {manifest.reward}, failures {failures}{error}"
        )


@dataclass
class Trial:
    """The runs of one instance, each played once, when first asked for.

    Runs are played in the family's home space unless they say otherwise. `host` plays API runs;
    `browser_host` is one with real ports, None where there is no browser. `restores` says whether
    what a reset brings back is looked into, `common` whether the cheats that every family has are
    played beside its own, `cheats_at_most` how many of them all (None: each). With `forks` the
    instance is arranged once for all runs but those that show that it is arranged the same each
    time; `close` it then. Of runs in a browser that do not hang together, `at_once` are played at a
    time, each in a sandbox and a browser context of its own. What is `kept` of the instance is not
    played again.
    """

    family: Family
    instance: InstanceId
    host: ControlPlane
    browser_host: ControlPlane | None = None
    restores: bool = True
    common: bool = True
    cheats_at_most: int | None = None
    forks: bool = False
    at_once: int = 1
    kept: Kept = field(default_factory=Kept)
    _prepared: Prepared | None = None
    _runs: dict[str, Run] = field(default_factory=dict)

    @property
    def runs(self) -> tuple[Run, ...]:
        """Everything played so far."""
        return tuple(self._runs.values())

    def host_of(self, space: Space) -> ControlPlane:
        """Return what plays a space.

        Raises:
            LookupError: it takes ports and a browser, and there are none.
        """
        host = self.browser_host if space == "browser" else self.host
        if host is None:
            raise LookupError("no server with ports was given for the browser")
        return host

    def prepared(self) -> Prepared | None:
        """Return the instance as arranged for all runs, None where each is arranged anew."""
        if self.forks and self._prepared is None:
            self._prepared = prepare(self.host, self.family, self.instance)
        return self._prepared

    def close(self) -> None:
        """Remove what was arranged for all runs."""
        prepared, self._prepared = self._prepared, None
        if prepared is not None:
            self.host.sandboxes.delete(prepared.sandbox)

    def started(
        self, *, faults: Faults = "none", fault_seed: int = 0, anew: bool = False
    ) -> AbstractContextManager[LocalSpace]:
        """Start an episode of the instance in the home space, to be played by hand.

        It is arranged `anew` if asked for.
        """
        return started(
            self.host_of(self.family.home),
            self.family,
            self.instance,
            space=self.family.home,
            faults=faults,
            fault_seed=fault_seed,
            prepared=None if anew else self.prepared(),
        )

    def arranged(self) -> AbstractContextManager[LocalSpace]:
        """Start an episode of the instance to look at its records alone: no browser is opened."""
        return started(self.host, self.family, self.instance, max_steps=1, prepared=self.prepared())

    def run(
        self,
        name: str,
        script: Script,
        *,
        space: Space | None = None,
        regrade: bool = False,
        restore: bool = False,
    ) -> Run:
        """Return the run of that name, playing it if it was not played yet."""
        if name not in self._runs:
            run = self.kept.get(f"run {name}")
            if run is None:
                run = self._play(
                    name, script, space=space or self.family.home, regrade=regrade, restore=restore
                )
                if run.manifest.outcome in ENDED:
                    self.kept.put(f"run {name}", run)
            self._runs[name] = run
        return self._runs[name]

    def take_up(self, runs: Iterable[Run]) -> None:
        """Have runs that were played before."""
        self._runs.update((run.name, run) for run in runs)

    def _each(self, play: Callable[[Of], Played], many: Iterable[Of]) -> list[Played]:
        """Return what `play` makes of each, in order; in a browser `at_once` at a time."""
        if self.at_once == 1 or self.family.home != "browser":
            return [play(each) for each in many]
        self.prepared()  # once, not by each thread
        with ThreadPoolExecutor(self.at_once) as threads:
            return list(threads.map(play, many))

    @cached_property
    def oracle(self) -> Run:
        """The oracle in the home space."""
        script = self.family.solve[self.family.home]
        return self.run("oracle", script, regrade=True, restore=True)

    @cached_property
    def oracle_in_browser(self) -> Run:
        """The oracle by the pages."""
        if self.family.home == "browser":
            return self.oracle
        return self.run("oracle in browser", self.family.solve["browser"], space="browser")

    @cached_property
    def idle(self) -> Run:
        """Finishing at once."""
        return self.run("no-op", _finish, regrade=True)

    @cached_property
    def idle_for_days(self) -> Run:
        """Finishing after 72 hours in which nothing was done."""
        return self.run("no-op for 72 h", _wait_and_finish, restore=True)

    @cached_property
    def walks(self) -> tuple[Run, ...]:
        """Five random walks."""

        def walk(seed: int) -> Run:
            acts = random_acts(self.instance.chance(f"walk {seed}"))
            return self.run(f"random walk {seed}", acts)

        return tuple(self._each(walk, range(5)))

    @cached_property
    def cheats(self) -> tuple[tuple[Run, bool], ...]:
        """Each cheat that this instance gives occasion for, and whether it is a veto one."""
        chance = self.instance.chance("cheats")
        goal, persona = self.oracle.arranged.goal, self.oracle.arranged.persona
        if not self.common:
            common: tuple[Cheat, ...] = ()
        elif self.family.home == "browser":
            common = page_cheats(chance)
        else:
            home = next(clone for clone in clones() if clone.name == persona.home)
            forms = next(clone for clone in clones() if clone.takes_forms)
            common = common_cheats(self.oracle.acts, chance, home, forms)
        asked = [
            cheat
            for cheat in (*common, *self.family.cheats)
            if cheat.asked is None or cheat.asked(goal)
        ]

        def attempt(cheat: Cheat) -> tuple[Run, bool] | None:
            try:
                return self.run(f"cheat: {cheat.name}", cheat.script, restore=True), cheat.veto
            except NotHere:
                return None

        if self.cheats_at_most is None:
            return tuple(found for found in self._each(attempt, asked) if found is not None)
        played = (found for found in map(attempt, asked) if found is not None)
        return tuple(islice(played, self.cheats_at_most))

    @cached_property
    def mutants(self) -> tuple[tuple[Run, Mutant], ...]:
        """Every mutant of the oracle, played."""
        from episodes.certify.mutants import mutants_of  # noqa: PLC0415 - it needs `Run`

        made = made_in(self.oracle.steps)

        def play(mutant: Mutant) -> tuple[Run, Mutant]:
            return self.run(f"mutant: {mutant.name}", acts_script(mutant.acts, made)), mutant

        return tuple(self._each(play, mutants_of(self.family, self.oracle)))

    def _play(
        self, name: str, script: Script, *, space: Space, regrade: bool, restore: bool
    ) -> Run:
        restore, anew = restore and self.restores, script in ARRANGED_TWICE
        prepared = None if anew else self.prepared()
        # What a reset is to bring back is what arranging anew gives, not what the fork began as.
        known = self.idle.start.digest if restore and prepared is not None else ""
        with started(
            self.host_of(space), self.family, self.instance, space=space, prepared=prepared
        ) as held:
            start = _start_of(
                held, digest=anew or (restore and not known), probes=script is _finish
            )
            if known:
                start = replace(start, digest=known)
            play_out(held, script)
            return _looked_into(name, held, start, regrade=regrade, restore=restore)


def _finish(space: ActingSpace) -> None:
    space.act("finish")


def _wait_and_finish(space: ActingSpace) -> None:
    space.act("wait", minutes=72 * 60, until_reply=False)
    space.act("finish")


ARRANGED_TWICE = (_finish, _wait_and_finish)


def _start_of(held: LocalSpace, *, digest: bool, probes: bool) -> Start:
    """Return the arranged state; `probes` are let loose on a copy of it once per instance."""
    arranged, family, grader = held.ground.arranged, held.ground.family, held.episode.grader
    shown = probed(held.ground) if probes else None
    with held.ground.bound("read"):
        scene = grader.scene(grader.start, probed=shown)
        asked = [phase for phase in family.phases if shown is not None or not phase.probes]
        faults = [*start_faults(asked, (), scene)]
        faults += [f"charged at the start: {charge.because}" for charge in family.guard(scene)]
        met = {entry["id"] for entry in arranged.facts.get("obligations", ())}
        met -= grader.unmet()
        faults += [f"obligation met at the start: {name}" for name in sorted(met)]
        found = store_digest() if digest else ""
    if digest and family.home == "browser":
        found = restoring.arranged_digest(held)
    plain = {
        "goal": arranged.goal,
        "persona": asdict(arranged.persona),
        "facts": dict(arranged.facts),
        "allows": sorted(repr(_allow(allow)) for allow in arranged.allows),
        "oracle_steps": dict(arranged.oracle_steps),
        "start_path": arranged.start_path,
    }
    return Start(found, plain, tuple(faults))


def _allow(allow: Any) -> dict[str, Any]:
    return {
        name: sorted(map(str, value)) if isinstance(value, frozenset) else value
        for name, value in asdict(allow).items()
    }


def _looked_into(name: str, held: LocalSpace, start: Start, *, regrade: bool, restore: bool) -> Run:
    ground, grader = held.ground, held.episode.grader
    found = read_trajectory(ground.host.episodes.folder / ground.id)
    ended = found.manifest.outcome in ENDED
    verdicts: dict[str, float | None] = {}
    changes: list[dict[str, Any]] = []
    tickets: tuple[int, ...] = ()
    unmet: frozenset[str] = frozenset()
    regraded: tuple[str, ...] | None = None
    restored: tuple[str, ...] | None = None
    if ended:
        with ground.bound("read"):
            scene = grader.scene(held.positions[-1], found.manifest.finish, held.episode.probed)
            verdicts = _verdicts(ground.family, scene)
            changes = canonical_changes(journal().changes(grader.start))
            tickets = changeable_tickets()
            unmet = grader.unmet()
        if regrade:
            regraded = tuple(restoring.regrade(held, found))
        if restore:
            restored = tuple(restoring.restore(held, start.digest))
    return Run(
        name=name,
        manifest=found.manifest,
        steps=tuple(found.steps) if regrade else tuple(_bare(step) for step in found.steps),
        start=start,
        facts=dict(ground.arranged.facts),
        arranged=ground.arranged,
        verdicts=verdicts,
        changes=tuple(changes),
        tickets=tickets,
        unmet=unmet,
        regraded=regraded,
        restored=restored,
    )


def _bare(step: StepRecord) -> StepRecord:
    """Return a step without what the agent saw, which nobody asks of most runs."""
    return step.model_copy(update={"observation": {}, "changes": [], "evidence": {}})


def _verdicts(family: Family, scene: Scene) -> dict[str, float | None]:
    checks = [check for phase in family.phases for check in phase.checks]
    return {check.name: check.fn(scene).value for check in (*checks, *family.care)}
