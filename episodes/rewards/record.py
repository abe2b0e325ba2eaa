"""A scorecard as plain data, for the trajectory. None stays null: it is never 0.0."""

from __future__ import annotations

from typing import Any

from episodes.rewards.charges import PricedCharge
from episodes.rewards.model import Finding, Reading, StrayRow
from episodes.rewards.prices import VERSION
from episodes.rewards.scoring import EpisodeReward, Scorecard, StepReward


def scorecard_json(card: Scorecard) -> dict[str, Any]:
    """Return a scorecard as JSON data: the three views, every part, and its evidence."""
    return {
        "prices_version": VERSION,
        "step_view": list(card.step_view),
        "phase_view": list(card.phase_view),
        "episode_view": list(card.episode_view),
        "steps": [step_json(step) for step in card.steps],
        "episode": episode_json(card.episode),
    }


def step_json(step: StepReward) -> dict[str, Any]:
    """Return one step's reward as JSON data."""
    effective = dict(step.counted)
    return {
        "reward": step.value,
        "phase_reward": step.phase_value,
        "potential": step.potential,
        "collateral": step.collateral,
        "charged": step.charged,
        "phases": {
            name: _reading_json(reading, effective[name]) for name, reading in step.readings
        },
        "collateral_by_clone": dict(step.by_clone),
        "stray": [_stray_json(row) for row in step.stray],
        "charges": [_charge_json(entry) for entry in step.charges],
        "gained": list(step.gained),
        "lost": list(step.lost),
    }


def episode_json(episode: EpisodeReward) -> dict[str, Any]:
    """Return the episode's reward as JSON data."""
    return {
        "outcome": episode.outcome,
        "reward": episode.value,
        "success": episode.success,
        "clean": episode.clean,
        "partial": episode.partial,
        "quality": episode.quality,
        "quality_parts": episode.parts.as_json(),
        "collateral": episode.collateral,
        "charged": episode.charged,
        "failures": [_finding_json(finding) for finding in episode.failures],
        "lucky": episode.lucky,
    }


def _reading_json(reading: Reading, counted: float) -> dict[str, Any]:
    return {
        "value": reading.value,
        "counted": counted,
        "evidence": reading.evidence.as_json(),
    }


def _stray_json(row: StrayRow) -> dict[str, Any]:
    return {
        "clone": row.clone,
        "table": row.table,
        "key": row.key,
        "evidence": row.evidence.as_json(),
    }


def _charge_json(entry: PricedCharge) -> dict[str, Any]:
    charge = entry.charge
    return {
        "kind": charge.kind,
        "price": entry.price,
        "because": charge.because,
        "obligation": charge.obligation,
        "request": charge.request,
        "rows": sorted([table, key] for table, key in charge.rows),
        "evidence": charge.evidence.as_json(),
    }


def _finding_json(finding: Finding) -> dict[str, Any]:
    return {"name": finding.name, "evidence": finding.evidence.as_json()}
