"""Play a recorded episode again, or up to a step and on from there, and compare.

A replay runs in another sandbox: what is compared is what must not differ by sandbox, process or
day: fingerprints, rewards and API bodies, with addresses and per-request noise masked.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from episodes.rewards.model import SCORED_OUTCOMES
from sandlot.service import Act, EpisodeView, StartEpisode
from sandlot.service.errors import Invalid
from sandlot.trajectory import Parent, StepRecord, Trajectory

if TYPE_CHECKING:
    from episodes.local import LocalEpisodes

# What differs from sandbox to sandbox by design: addresses, and the noise of single requests.
MASKS: Final = (
    (re.compile(r"https?://[a-z0-9.-]+(:\d+)?"), "<origin>"),
    (re.compile(r"sb-[a-z2-7]{10}"), "<sandbox>"),
    (
        re.compile(r'"(x-request-id|x-runtime|date|request-id|etag|authenticity_token)": "[^"]*"'),
        "",
    ),
    (re.compile(r"\b[a-z2-7]{10}[a-zA-Z][0-9A-Za-z]{29}\b"), "<secret>"),
)


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a replay parted from the record: step, what, and both values."""

    step: int
    what: str
    recorded: Any
    replayed: Any


def masked(observation: dict[str, Any]) -> str:
    """Return an observation as text, without what differs by design."""
    kept = {name: value for name, value in observation.items() if name not in ("headers", "notes")}
    if kept.get("kind") == "page":
        kept["tree"] = re.sub(r" ?\[(ref|cursor)=[^\]]*\]", "", kept.get("tree") or "")
        kept.pop("tabs", None)
    text = json.dumps(kept, sort_keys=True, ensure_ascii=False)
    for pattern, name in MASKS:
        text = pattern.sub(name, text)
    return text


def replay(episodes: LocalEpisodes, recorded: Trajectory) -> tuple[str, list[Difference]]:
    """Play a recorded episode again from its beginning.

    Return the new episode's id and every difference found.

    Raises:
        Invalid: the record ended by a failure of ours, so there is nothing to compare.
    """
    if recorded.manifest.outcome == "harness_error":
        raise Invalid("an episode that ended by a harness error has nothing to compare with")
    view = start_again(episodes, recorded)
    differences: list[Difference] = []
    # What was abandoned has no rewards to compare with.
    scored = recorded.manifest.outcome in SCORED_OUTCOMES
    for record in recorded.steps:
        result = episodes.act(view.id, act_of(record))
        again = episodes.last_step(view.id)
        differences += compare(record, again, scored=scored)
        if result.done:
            break
    episodes.abandon(view.id)
    return view.id, differences


def branch(episodes: LocalEpisodes, recorded: Trajectory, step: int) -> EpisodeView:
    """Play a recorded episode up to and with a step, and leave it running there.

    Raises:
        Invalid: the record has no such step, or is over by then.
    """
    if not 0 <= step < len(recorded.steps):
        raise Invalid(f"choose a step from 0 to {len(recorded.steps) - 1}: the last one ended it")
    parent = Parent(episode=recorded.manifest.id, step=step)
    view = start_again(episodes, recorded, parent=parent)
    for record in recorded.steps[:step]:
        episodes.act(view.id, act_of(record))
    return episodes.view(view.id)


def start_again(
    episodes: LocalEpisodes, recorded: Trajectory, *, parent: Parent | None = None
) -> EpisodeView:
    """Start an episode of the recorded instance in a sandbox of its own."""
    manifest = recorded.manifest
    return episodes.begin(
        StartEpisode(
            task=manifest.instance,
            seed=manifest.seed,
            space=manifest.space,
            surface=manifest.surface,
            max_steps=manifest.limits["steps"],
            faults=manifest.faults,
            fault_seed=manifest.fault_seed,
        ),
        parent=parent,
    )


def act_of(record: StepRecord) -> Act:
    """Return the act by which a replay takes a recorded step."""
    return Act.model_validate(record.handle if record.handle is not None else record.act)


def compare(record: StepRecord, again: StepRecord, *, scored: bool = True) -> list[Difference]:
    """Return what differs between a recorded step and the same step taken again."""
    pairs = [
        ("fingerprint", record.fingerprint, again.fingerprint),
        ("reward", record.reward, again.reward if scored else record.reward),
        ("changes", record.changes, again.changes),
        ("observation", masked(record.observation), masked(again.observation)),
    ]
    return [
        Difference(record.step, what, recorded, replayed)
        for what, recorded, replayed in pairs
        if recorded != replayed
    ]
