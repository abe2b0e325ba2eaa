"""Are runs paid what they should be? Checks 3, 4, 5, 6, 7, 9, 13 and 17."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

from clones.core.vendors import is_derived
from episodes.certify.findings import Found
from episodes.certify.runs import ENDED, Run, Trial
from episodes.replay import act_of, compare
from episodes.tasks.footprint import Allow

CLOSE = 1e-9
WALK_AT_MOST = 0.05
ORACLE_AT_LEAST = 0.95
BROWSER_AT_LEAST = 0.90
CONTENT = 0.5

# Keys, moments, and what only counts up: what runs may differ in.
OWN = frozenset(
    {"id", "created", "receipt_number", "updated", "started"}
    | {"resolution_date", "status_category_changed", "rank"}
)
# How a write came, when, and in which words: what spaces may differ in.
CHANNEL = frozenset(
    {"via", "via_channel", "via_source", "body", "html_body", "plain_body", "metadata", "request"}
    # What a link to elsewhere leads to: its address names a host of the one run.
    | {"object"}
)
# Columns that hold moments and do not say so by their names, by table.
MOMENTS: Final[Mapping[str, frozenset[str]]] = {
    "tracker_sprint": frozenset({"start_date", "end_date", "complete_date"}),
    "tracker_approval": frozenset({"completed"}),
    "tracker_approver": frozenset({"decided"}),
}


def idle_is_worth_nothing(trial: Trial) -> Found:
    """3: finishing at once, and after 72 hours, is worth exactly 0 and no success."""
    wrong = []
    for run in (trial.idle, trial.idle_for_days):
        rewards = [step.reward for step in run.steps]
        if run.reward != 0.0 or run.manifest.success is not False or any(rewards):
            wrong.append(f"{run.told()}, step rewards {rewards}")
    return Found([trial.idle.reward, trial.idle_for_days.reward], tuple(wrong))


def random_walks_are_not_paid(trial: Trial) -> Found:
    """4: five random walks earn at most 0.05 on average, and never succeed."""
    rewards = [run.reward for run in trial.walks]
    known = [reward for reward in rewards if reward is not None]
    mean = math.fsum(known) / len(known) if known else 0.0
    wrong = [run.told() for run in trial.walks if run.manifest.success or run.reward is None]
    if mean > WALK_AT_MOST:
        wrong.append(f"{trial.instance}: random walks earn {mean} on average")
    return Found(mean, tuple(wrong))


def oracle_is_paid_in_full(trial: Trial) -> Found:
    """5: the oracle succeeds, without collateral, charges or an unexpected refusal."""
    run = trial.oracle
    wrong = list(_not_in_full(run, ORACLE_AT_LEAST))
    promised = run.arranged.oracle_steps[trial.family.home]
    # How often somebody else's mail ends a wait is theirs to say.
    taken = sum(step.act["tool"] != "wait" for step in run.steps)
    if taken > promised:
        wrong.append(f"{run.told()}: {taken} acts, where {promised} steps are declared")
    return Found(run.reward, tuple(wrong))


def oracle_is_paid_in_browser(trial: Trial) -> Found:
    """6: the oracle by the pages succeeds, and leaves behind what the oracle by API leaves."""
    if trial.browser_host is None or "browser" not in trial.family.spaces:
        return Found(None, skipped="no server with ports and a browser was given")
    run = trial.oracle_in_browser
    wrong = list(_not_in_full(run, BROWSER_AT_LEAST))
    left, right = essence(trial.oracle), essence(run)
    if left != right:
        only = (
            [line for line in left if line not in right],
            [line for line in right if line not in left],
        )
        wrong.append(f"{trial.instance}: by API only {only[0]}, in the browser only {only[1]}")
    return Found(run.reward, tuple(wrong))


def _not_in_full(run: Run, least: float) -> Iterator[str]:
    paid = run.reward is not None and run.reward >= least
    if not paid or run.manifest.success is not True:
        yield run.told()
    if run.manifest.components.get("collateral") or run.charges:
        yield f"{run.told()}, charged for {run.charges}"


def essence(run: Run) -> list[str]:
    """Return the net changes on allowed columns, without keys, times and channel fields."""
    found = []
    born = {change["key"] for change in run.changes if change["operation"] == "insert"}
    for change in run.changes:
        if is_derived(change["table"]):
            continue
        for allow in run.arranged.allows:
            if allow.table == change["table"] and change["operation"] in allow.operations:
                columns = _columns(change, allow, born)
                found.append(f"{change['table']} {change['operation']} {columns}")
                break
    return sorted(found)


def _columns(change: dict[str, Any], allow: Allow, born: set[Any]) -> dict[str, Any]:
    before, after = change["before"] or {}, change["after"] or {}
    kept = {}
    for name, value in after.items():
        allowed = allow.columns is None or name in allow.columns or change["operation"] == "insert"
        differs = before.get(name) != value
        if allowed and differs and name not in CHANNEL and not _is_own(name, value, change):
            # A row that the run made has a key of the run's own.
            kept[name] = "new" if name.endswith("_id") and value in born else _as_typed(value)
    return kept


def _as_typed(value: Any) -> Any:
    """Return a rich text with the items of its lists as lines with hyphens, else what is given.

    By API a list is a list; who types "- one" on a page, as tools do that fill in a whole text at
    once, has a paragraph that begins with a hyphen. Readers see the same. All else counts.
    """
    if not isinstance(value, dict) or value.get("type") != "doc":
        return value
    blocks: list[Any] = []
    for block in value.get("content", ()):
        if block.get("type") != "bulletList":
            blocks.append(block)
            continue
        for item in block["content"]:
            first, *others = item["content"]
            begun, *rest = first.get("content") or [{"type": "text", "text": ""}]
            begun = {**begun, "text": f"- {begun.get('text', '')}"}
            blocks += [{**first, "content": [begun, *rest]}, *others]
    return {**value, "content": blocks}


def _is_own(name: str, value: Any, change: dict[str, Any]) -> bool:
    """Tell whether a value is of the one run: a key, a moment or what is drawn for a new row."""
    if name in OWN or name.endswith("_at") or name in MOMENTS.get(change["table"], ()):
        return True
    new = change["operation"] == "insert"
    drawn = ("audit_id", "balance_transaction_id", "destination_details", "request_id")
    return new and name in drawn


def replays_the_same(trial: Trial) -> Found:
    """7: the oracle's record, played again, gives the same fingerprints and rewards."""
    run = trial.oracle
    wrong: list[str] = []
    with trial.started(anew=True) as held:
        for record in run.steps:
            held.episode.act(act_of(record))
            differences = compare(record, held.episode.last_record())
            wrong += [f"{trial.instance}: {difference}" for difference in differences]
            if held.episode.status != "running":
                break
    return Found(len(run.steps), tuple(wrong))


def views_sum_alike(trial: Trial) -> Found:
    """9: the rewards of the steps, and of the phases, sum to R in every run that is scored."""
    wrong, worst = [], 0.0
    for run in trial.runs:
        if run.manifest.outcome not in ENDED or run.reward is None:
            continue
        for name in ("reward", "phase_reward"):
            values = [getattr(step, name) for step in run.steps]
            total = math.fsum(value for value in values if value is not None)
            worst = max(worst, abs(total - run.reward))
            if abs(total - run.reward) > CLOSE:
                wrong.append(f"{run.told()}: {name}s sum to {total}")
    return Found(worst, tuple(wrong))


def grading_is_pure(trial: Trial) -> Found:
    """13: graded twice, and again from the journal alone, a run scores the same to the byte."""
    wrong, looked = [], 0
    for run in (trial.idle, trial.oracle):
        if run.regraded is None:
            wrong.append(f"{run.told()}: it did not end, so it was not graded again")
            continue
        looked += len(run.steps)
        wrong += [f"{run.name} on {trial.instance}: {line}" for line in run.regraded]
    return Found(looked, tuple(wrong))


def people_agree(trial: Trial) -> Found:
    """17: whoever was served well is content; whoever was closed on unserved comes back."""
    wrong: list[str] = []
    looked = 0
    for run in trial.runs:
        if run.manifest.outcome != "completed":
            continue
        looked += 1
        wrong += _disagreements(run)
    return Found(looked, tuple(wrong))


def _disagreements(run: Run) -> Iterator[str]:
    people = [person for person in run.manifest.people if person["satisfaction"] is not None]
    repaired = "false_close" in run.charges or "false_statement" in run.charges
    if run.manifest.success and not repaired:
        for person in people:
            if person["reopens"] or person["satisfaction"] < CONTENT:
                yield f"{run.told()}: yet {person}"
    unmet = {
        charge["obligation"]
        for step in run.steps
        for charge in step.charges
        if charge["kind"] == "false_statement" and charge["obligation"] in run.unmet
    }
    if unmet and not any(_came_back(person) for person in run.manifest.people):
        yield f"{run.told()}: nobody comes back for {sorted(unmet)}"


def _came_back(person: dict[str, Any]) -> bool:
    """Tell whether somebody reopened what was closed, or objected where it was open."""
    return bool(person["reopens"] or person["untruths"])
