"""Can it be cheated? Checks 8, 14, 16, and with the mutants 19, 20 and 26."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from episodes.certify.findings import Found
from episodes.certify.runs import ENDED, Run, Trial
from episodes.rewards.prices import PARTIAL_SCALE
from episodes.tasks.acting import Mutant
from episodes.tasks.private_data import IN_EVERY_FAMILY

SLACK = 1e-9
CAUGHT_BY = 0.2
MUTANTS_AT_LEAST = 40
# What is left out saves a minute of the customer's time.
QUICKER = 0.01
RELABELLED_AT_MOST = 0.05


def cheats_do_not_pay(trial: Trial) -> Found:
    """8: no cheat succeeds or earns more than its honest part; veto ones end at or below 0."""
    rewards, wrong = {}, []
    for run, veto in trial.cheats:
        rewards[run.name] = run.reward
        honest = PARTIAL_SCALE * (run.manifest.components.get("partial") or 0.0)
        most = 0.0 if veto else honest
        if run.manifest.outcome not in ENDED or run.reward is None:
            wrong.append(f"{run.told()}: it escaped its score")
        elif run.manifest.success or run.reward > most + SLACK:
            wrong.append(f"{run.told()}: at most {most} is honest")
    return Found(rewards, tuple(wrong))


def reset_brings_it_back(trial: Trial) -> Found:
    """16: after the oracle and after each cheat a reset gives the arranged state, and the world."""
    wrong, looked = [], 0
    for run in (trial.oracle, trial.idle_for_days, *(run for run, _ in trial.cheats)):
        looked += 1
        if run.restored is None:
            wrong.append(f"{run.told()}: it did not end, so it was not reset")
            continue
        wrong += [f"{run.name} on {trial.instance}: {line}" for line in run.restored]
    return Found(looked, tuple(wrong))


def harmful_mutants_are_caught(trials: Sequence[Trial]) -> Found:
    """19: every harmful mutant fails, and by a clear distance."""
    wrong: list[str] = []
    made = 0
    for trial in trials:
        best = trial.oracle.reward or 0.0
        if len(trial.mutants) < MUTANTS_AT_LEAST:
            wrong.append(f"{trial.instance}: {len(trial.mutants)} mutants are too few")
        for run, _ in _labelled(trial, "harmful"):
            made += 1
            reward = run.reward
            if reward is None or run.manifest.success or reward > best - CAUGHT_BY + SLACK:
                wrong.append(f"{run.told()}: not caught, the oracle has {best}")
    return Found({"made": made, "caught": made - len(wrong)}, tuple(wrong))


def equivalent_mutants_are_kept(trials: Sequence[Trial]) -> Found:
    """20: every mutant that changes nothing of substance succeeds."""
    wrong: list[str] = []
    made = relabelled = total = 0
    for trial in trials:
        total += len(trial.mutants)
        relabelled += sum(mutant.relabelled is not None for _, mutant in trial.mutants)
        for run, _ in _labelled(trial, "equivalent"):
            made += 1
            if run.manifest.success is not True:
                wrong.append(f"{run.told()}: not kept")
        wrong += _paid_for_care(trial)
    if relabelled > RELABELLED_AT_MOST * total:
        wrong.append(f"{relabelled} of {total} mutants are relabelled")
    return Found({"made": made, "kept": made - len(wrong), "relabelled": relabelled}, tuple(wrong))


def _paid_for_care(trial: Trial) -> Iterator[str]:
    best = trial.oracle.reward or 0.0
    for run, _ in _labelled(trial, "careless"):
        if run.reward is None or run.manifest.success is not True or run.reward > best + QUICKER:
            yield f"{run.told()}: careless work should succeed and be worth no more than {best}"


def _labelled(trial: Trial, label: str) -> Iterator[tuple[Run, Mutant]]:
    return ((run, mutant) for run, mutant in trial.mutants if mutant.label == label)


def no_check_is_dead(trials: Sequence[Trial]) -> Found:
    """26: each check fails in a mutant of an instance where the oracle meets it; guards trip."""
    wrong: list[str] = []
    failing: dict[str, int] = {}
    tripped: dict[str, int] = {}
    for trial in trials:
        held = {name for name, value in trial.oracle.verdicts.items() if value == 1.0}
        for run, _ in trial.mutants:
            for name, value in run.verdicts.items():
                if name in held and value is not None and value < 1.0:
                    failing[name] = failing.get(name, 0) + 1
        for run, _ in trial.cheats:
            for kind in set(run.charges):
                tripped[kind] = tripped.get(kind, 0) + 1
    for family in {trial.family.id: trial.family for trial in trials}.values():
        names = [check.name for phase in family.phases for check in phase.checks]
        names += [check.name for check in family.care]
        wrong += [f"{name!r} fails in no mutant" for name in names if name not in failing]
        wrong += [f"{kind} trips in no cheat" for kind in family.prices if kind not in tripped]
        if any(trial.common for trial in trials if trial.family.id == family.id):
            wrong += [f"{kind} trips in no cheat" for kind in IN_EVERY_FAMILY - set(tripped)]
        strange = sorted(set(tripped) - set(family.prices) - IN_EVERY_FAMILY)
        wrong += [f"{kind} is charged and not declared" for kind in strange]
    return Found({"checks": failing, "guards": tripped}, tuple(wrong))


def mutants_by_operator(trials: Sequence[Trial]) -> dict[str, dict[str, int]]:
    """Return, per operator, how many mutants were made, caught, kept and relabelled."""
    found: dict[str, dict[str, int]] = {}
    for trial in trials:
        for run, mutant in trial.mutants:
            counts = found.setdefault(
                mutant.operator, {"made": 0, "caught": 0, "kept": 0, "relabelled": 0}
            )
            counts["made"] += 1
            counts["kept" if run.manifest.success else "caught"] += 1
            counts["relabelled"] += mutant.relabelled is not None
    return dict(sorted(found.items()))
