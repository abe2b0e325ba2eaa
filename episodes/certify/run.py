"""Certify a family: play its instances in every way that matters and write the report."""

from __future__ import annotations

import logging
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from clones.core.journal import table_versions
from episodes.certify import arranging, attacks, faults, leaks, scoring
from episodes.certify.findings import Certification, Found
from episodes.certify.inputs import sources_of
from episodes.certify.keeping import kept_in
from episodes.certify.report import CertificationResult, Report, Verdict
from episodes.certify.runs import Trial
from episodes.control_plane import ControlPlane
from episodes.grading import CHECKS_VERSION
from episodes.tasks.instances import InstanceId
from episodes.tasks.spec import Family

CHECKS: Final = (
    Certification(
        1,
        "arranged twice, rows, ids, goal and facts are the same bytes",
        "identical",
        "every",
        arranging.arranged_twice,
    ),
    Certification(
        2,
        "at the start goals are false, guards true and the potential 0",
        0,
        "every",
        arranging.nothing_holds_at_the_start,
    ),
    Certification(
        3,
        "doing nothing, for a moment or for 72 hours, is worth exactly 0",
        0.0,
        "every",
        scoring.idle_is_worth_nothing,
    ),
    Certification(
        4,
        "random walks earn next to nothing and never succeed",
        scoring.WALK_AT_MOST,
        "every",
        scoring.random_walks_are_not_paid,
    ),
    Certification(
        5,
        "the oracle succeeds in its home space without a stray row or an unexpected refusal",
        scoring.ORACLE_AT_LEAST,
        "every",
        scoring.oracle_is_paid_in_full,
    ),
    Certification(
        6,
        "the oracle in the browser succeeds and leaves behind what it leaves in its home space",
        scoring.BROWSER_AT_LEAST,
        "deep",
        scoring.oracle_is_paid_in_browser,
    ),
    Certification(
        7,
        "replayed from its record the oracle gives the same fingerprints and rewards",
        "identical",
        "every",
        scoring.replays_the_same,
    ),
    Certification(
        8,
        "no cheat succeeds or earns more than the honest part of it",
        0.3,
        "every",
        attacks.cheats_do_not_pay,
    ),
    Certification(
        9,
        "the rewards of steps and of phases sum to R",
        scoring.CLOSE,
        "every",
        scoring.views_sum_alike,
    ),
    Certification(
        10,
        "the facts by query and by plain loop are equal",
        "equal",
        "every",
        arranging.facts_by_two_ways,
    ),
    Certification(
        11,
        "no response of the data plane tells what only graders know",
        leaks.REQUESTS_AT_LEAST,
        "deep",
        leaks.nothing_leaks,
    ),
    Certification(
        13,
        "graded twice, and from the journal alone, a run scores the same bytes",
        "identical",
        "every",
        scoring.grading_is_pure,
    ),
    Certification(
        14,
        "a failure of ours ends the episode without a number",
        "every number None",
        "deep",
        faults.our_failures_are_not_scored,
    ),
    Certification(
        15,
        "among light faults of every sort a careful oracle succeeds, as briefly as can be",
        1.0,
        "deep",
        faults.care_survives_light_faults,
    ),
    Certification(
        16,
        "a reset after the oracle and after each cheat brings the arranged state back",
        "identical",
        "every",
        attacks.reset_brings_it_back,
    ),
    Certification(
        17,
        "the people agree with the score once the aftermath is over",
        "all",
        "every",
        scoring.people_agree,
    ),
    Certification(
        19,
        "every harmful mutant of the oracle is caught",
        1.0,
        "all",
        look_at_all=attacks.harmful_mutants_are_caught,
    ),
    Certification(
        20,
        "every equivalent mutant of the oracle succeeds",
        1.0,
        "all",
        look_at_all=attacks.equivalent_mutants_are_kept,
    ),
    Certification(
        26,
        "every check fails in a mutant and every guard trips in a cheat",
        "no dead ones",
        "all",
        look_at_all=attacks.no_check_is_dead,
    ),
)
QUICK: Final = (1, 2, 3, 4, 5, 8, 9, 10, 13)
# Sums over all runs, and what people made of them, are looked at when all have been played.
LAST: Final = (9, 17)

EVIDENCE_AT_MOST: Final = 12
FOUND: Final = "found"

Progress = Callable[[str], None]
Subject = TypeVar("Subject")

logger = logging.getLogger(__name__)


def certify(
    family: Family,
    *,
    host: ControlPlane,
    numbers: Sequence[int],
    deep: Sequence[int] = (),
    browser_host: ControlPlane | None = None,
    checks: Sequence[int] | None = None,
    at_once: int = 1,
    keep: Path | None = None,
    size: str = "tiny",
    seed: int = 1,
    common: bool = True,
    cheats_at_most: int | None = None,
    progress: Progress = lambda line: None,
) -> Report:
    """Certify a family on instances of one world; `deep` ones get mutants, faults and browser.

    How runs are played is told of `Trial`; with fewer cheats (`common`, `cheats_at_most`) no family
    is loaded by the report. What raises is a failure of its check, with that as evidence.
    What is played and found is kept in `keep`: who asks the same of the same sources goes on.
    """
    wanted = [entry for entry in CHECKS if checks is None or entry.number in checks]
    trial_of = partial(
        Trial,
        family,
        host=host,
        browser_host=browser_host,
        common=common,
        cheats_at_most=cheats_at_most,
        restores=any(entry.number == 16 for entry in wanted),
        forks=True,
        at_once=at_once,
    )
    asked = (common, cheats_at_most, browser_host is not None, [entry.number for entry in wanted])
    identity = partial(InstanceId, family.id, family.version, family.world, size, seed)
    trials = [
        trial_of(each, kept=kept_in(keep, str(each), asked, is_deep=each.number in deep))
        for each in map(identity, numbers)
    ]
    deeper = [trial for trial in trials if trial.instance.number in deep]
    with ExitStack() as closing:
        for trial in trials:
            closing.callback(trial.close)
        found = _found(wanted, trials, deeper, progress)
        mutants = attacks.mutants_by_operator(deeper) if 19 in found else {}
    return Report(
        family=family.id,
        version=family.version,
        checks_version=CHECKS_VERSION,
        tables=table_versions(),
        world=f"{family.world}-{size}",
        seeds=(seed,),
        instances=tuple(numbers),
        deep=tuple(deep),
        checks=tuple(_result(entry, found[entry.number]) for entry in wanted),
        mutants=mutants,
        rewards=_rewards(trials),
        sources=sources_of(family.id),
    )


def _found(
    wanted: Sequence[Certification],
    trials: Sequence[Trial],
    deeper: Sequence[Trial],
    progress: Progress,
) -> dict[int, list[Found]]:
    """Look at each instance for each check, and return what was found by their numbers."""
    found: dict[int, list[Found]] = {entry.number: [] for entry in wanted}
    for trial in trials:
        began = time.perf_counter()
        scopes = ("every", "deep") if trial in deeper else ("every",)
        looks = {
            entry.number: entry.look
            for entry in wanted
            if entry.look is not None and entry.scope in scopes and entry.number not in LAST
        }
        for number, each in _looked_at(trial, looks).items():
            found[number].append(each)
        seconds = time.perf_counter() - began
        progress(f"{trial.instance}: {len(trial.runs)} runs, {seconds:.1f} s")
        if trial not in deeper:
            trial.close()
    for entry in wanted:
        if entry.look_at_all is not None:
            found[entry.number].append(_asked(entry.look_at_all, deeper))
            progress(f"check {entry.number} done")
    for entry in wanted:
        if entry.number in LAST and entry.look is not None:
            found[entry.number] = [_asked(entry.look, trial) for trial in trials]
    return found


def _looked_at(trial: Trial, looks: Mapping[int, Callable[[Trial], Found]]) -> dict[int, Found]:
    """Return what is found on an instance by the numbers of checks; if all is well, it is kept."""
    found: dict[int, Found]
    kept = trial.kept.get(FOUND)
    if kept is not None:
        found, runs = kept
        trial.take_up(runs)
        return found
    found = {number: _asked(look, trial) for number, look in looks.items()}
    if not any(each.wrong for each in found.values()):
        trial.kept.put(FOUND, (found, trial.runs))
    return found


def _asked(look: Callable[[Subject], Found], subject: Subject) -> Found:
    try:
        return look(subject)
    except Exception as error:  # the boundary of a check: what it raises is what it found
        logger.exception("%s could not be looked at", look.__name__)
        return Found(None, (f"{look.__name__} raised {type(error).__name__}: {error}",))


def _result(entry: Certification, found: Sequence[Found]) -> CertificationResult:
    wrong = [line for each in found for line in each.wrong]
    skipped = sorted({each.skipped for each in found if each.skipped is not None})
    looked = [each for each in found if each.skipped is None]
    verdict: Verdict = "fail" if wrong else "pass"
    if not looked:
        verdict, wrong = "skip", skipped or ["no instance was looked into for it"]
    return CertificationResult(
        number=entry.number,
        sentence=entry.sentence,
        verdict=verdict,
        measured=[each.measured for each in looked],
        threshold=entry.threshold,
        evidence=tuple(dict.fromkeys(wrong))[:EVIDENCE_AT_MOST],
    )


def _rewards(trials: Sequence[Trial]) -> dict[str, list[float]]:
    """Return R by kind of run: smallest, median, largest."""
    by_name: dict[str, list[float]] = {}
    for trial in trials:
        for run in trial.runs:
            name = run.name.rstrip(" 0123456789") if run.name.startswith("random") else run.name
            if run.reward is not None and not name.startswith("mutant"):
                by_name.setdefault(name, []).append(run.reward)
    return {
        name: [min(values), statistics.median(values), max(values)]
        for name, values in sorted(by_name.items())
    }
