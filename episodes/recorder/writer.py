"""One folder per episode: manifest, steps as JSON lines, papers the agent must not see, pictures.

Each line is flushed as it is written: a crash loses at most the step under way.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from sandlot.trajectory import FORMAT, EpisodeManifest, StepRecord
from snapshots.files import write_whole

NO_NUMBERS: Final[dict[str, Any]] = {
    "reward": None,
    "phase_reward": None,
    "potential": None,
    "collateral": None,
    "phases": {},
}


class Recorder:
    """The folder of one episode; `last` is the newest step as recorded.

    `withdrawn` are the steps that had a reward when the numbers were taken out.
    """

    def __init__(self, folder: Path, manifest: EpisodeManifest) -> None:
        self.folder = folder
        self.manifest = manifest
        folder.mkdir(parents=True)
        self._save_manifest()
        self._steps = (folder / "steps.jsonl").open("w", encoding="utf-8")
        self.last: StepRecord | None = None
        self.withdrawn: list[int] = []

    def paper(self, name: str, content: Any) -> None:
        """Keep something that belongs to the graders: facts, and what probes observed."""
        write_whole(self.folder / f"{name}.json", json.dumps(content, indent=1, sort_keys=True))

    def step(self, record: StepRecord) -> None:
        """Append one step; its observation's screenshot (base64 PNG) becomes a file of its own."""
        screenshot = record.observation.pop("screenshot", None)
        if screenshot is not None:
            pictures = self.folder / "screenshots"
            pictures.mkdir(exist_ok=True)
            name = f"{record.step:04d}.png"
            (pictures / name).write_bytes(base64.b64decode(screenshot))
            record = record.model_copy(update={"screenshot": f"screenshots/{name}"})
        self._steps.write(record.model_dump_json() + "\n")
        self._steps.flush()
        self.last = record

    def unscore(self) -> None:
        """Take the numbers out of every step written: an episode without a score has none."""
        self._steps.close()
        self.withdrawn = withdrawn_of(_without_numbers(self.folder))

    def close(self, **outcome: Any) -> EpisodeManifest:
        """Write what became of the episode and return the final manifest."""
        self._steps.close()
        told = {**outcome, "withdrawn": self.withdrawn}
        self.manifest = self.manifest.model_copy(update=told)
        self._save_manifest()
        return self.manifest

    def _save_manifest(self) -> None:
        write_whole(self.folder / "manifest.json", self.manifest.model_dump_json(indent=1) + "\n")


def end_unfinished(folder: Path, detail: str) -> EpisodeManifest | None:
    """End a recorded episode that nobody runs any more, without numbers, as lost by the harness.

    Return its final manifest; None where the episode had ended. A step that was being written when
    the process died is dropped.

    Raises:
        ValueError: what is there is no episode of this build's format; it is left as it is.
    """
    path = folder / "manifest.json"
    text = path.read_text(encoding="utf-8")
    if json.loads(text).get("outcome") != "running":
        return None
    manifest = EpisodeManifest.model_validate_json(text)
    steps = _without_numbers(folder)
    told = {
        "format": FORMAT,
        "outcome": "harness_error",
        "error": {"type": "harness_lost", "detail": detail, "step": len(steps)},
        "withdrawn": withdrawn_of(steps),
    }
    manifest = manifest.model_copy(update=told)
    write_whole(path, manifest.model_dump_json(indent=1) + "\n")
    return manifest


def withdrawn_of(steps: Iterable[StepRecord]) -> list[int]:
    """Return the numbers of the steps whose reward was taken back."""
    return [step.step for step in steps if step.withdrawn]


def _without_numbers(folder: Path) -> list[StepRecord]:
    """Take the numbers out of every whole line of an episode's steps, and return these."""
    path = folder / "steps.jsonl"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    steps = map(StepRecord.model_validate_json, text[: text.rfind("\n") + 1].splitlines())
    bare = [
        step.model_copy(update={**NO_NUMBERS, "withdrawn": step.reward is not None})
        for step in steps
    ]
    write_whole(path, "".join(step.model_dump_json() + "\n" for step in bare))
    return bare
