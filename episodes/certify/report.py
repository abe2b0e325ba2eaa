"""What certification found, as a sealed report that is kept and believed only while it fits."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

Verdict = Literal["pass", "fail", "skip"]

# The checks without which no report is valid.
REQUIRED = frozenset({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17, 19, 20, 26})
FOLDER = Path(__file__).resolve().parents[1] / "reports"


@dataclass(frozen=True, slots=True)
class CertificationResult:
    """One certification check: its number, its sentence, the verdict and what was measured.

    `evidence` holds a line for each thing that does not hold, or why the check was skipped.
    """

    number: int
    sentence: str
    verdict: Verdict
    measured: Any = None
    threshold: Any = None
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """The checks of one family version in one world, on tables of the shapes in `tables`.

    `sources` names the family's own files that were certified (`inputs.sources_of`).
    """

    family: str
    version: int
    checks_version: str
    tables: dict[str, str]
    world: str
    seeds: tuple[int, ...]
    instances: tuple[int, ...]
    deep: tuple[int, ...]
    checks: tuple[CertificationResult, ...]
    mutants: dict[str, dict[str, int]] = field(default_factory=dict)
    rewards: dict[str, list[float]] = field(default_factory=dict)
    sources: str = ""

    @cached_property
    def passed(self) -> bool:
        """Whether no check failed."""
        return all(check.verdict != "fail" for check in self.checks)

    def to_json(self) -> str:
        """Return the report as text, sealed by a hash over its content."""
        content = json.loads(json.dumps(asdict(self)))
        return json.dumps({**content, "sha256": _seal(content)}, indent=1, sort_keys=True) + "\n"

    def lines(self) -> list[str]:
        """Return the report in one line, and below it what failed with its evidence."""
        verdicts = [check.verdict for check in self.checks]
        skipped = [str(check.number) for check in self.checks if check.verdict == "skip"]
        made = sum(counts["made"] for counts in self.mutants.values())
        oracle = self.rewards.get("oracle")
        parts = [
            f"{self.family}@{self.version} {'certified' if self.passed else 'FAILED'}",
            f"{verdicts.count('pass')} of {len(verdicts)} checks hold",
            f"{len(self.instances)} instances of {self.world}",
            f"{made} mutants",
            f"oracle's R from {oracle[0]:.4f} to {oracle[2]:.4f}" if oracle else "no oracle",
        ]
        if skipped:
            parts.append(f"skipped {', '.join(skipped)}")
        found = [", ".join(parts)]
        for check in self.checks:
            if check.verdict == "fail":
                found.append(f"  {check.number} {check.sentence}")
                found += [f"      {line}" for line in check.evidence]
        return found

    def write(self, folder: Path = FOLDER) -> Path:
        """Keep the report under its family and version, and return where."""
        folder.mkdir(parents=True, exist_ok=True)
        path = report_path(self.family, self.version, folder)
        path.write_text(self.to_json(), encoding="utf-8")
        return path


def keep_for(path: Path, sources: str) -> None:
    """Make a report one of files that are called otherwise, and seal it anew."""
    content = json.loads(path.read_text(encoding="utf-8"))
    content.pop("sha256")
    content["sources"] = sources
    sealed = {**content, "sha256": _seal(content)}
    path.write_text(json.dumps(sealed, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def report_path(family: str, version: int, folder: Path = FOLDER) -> Path:
    """Return where the report of a family version is kept."""
    return folder / f"{family}@{version}.json"


def why_uncertified(
    family: str,
    version: int,
    *,
    checks_version: str,
    tables: Mapping[str, str],
    required: frozenset[int],
    folder: Path = FOLDER,
) -> str | None:
    """Return why a family has no valid report, None if it has one.

    A report is valid for one family version and checks version, while each table it was made on has
    the shape it had (see decision 0021), when its seal fits its content, nothing in it failed and
    each of the `required` checks was made.
    """
    try:
        content = json.loads(report_path(family, version, folder).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return "there is no report"
    except ValueError:
        return "the report is unreadable"
    if not isinstance(content, dict) or content.pop("sha256", None) != _seal(content):
        return "the report's seal does not fit its content"
    expected = {
        "family": family,
        "version": version,
        "checks_version": checks_version,
    }
    for name, value in expected.items():
        if content.get(name) != value:
            return f"the report is of {name} {content.get(name)}, not {value}"
    changed = sorted(
        name for name, shape in content.get("tables", {}).items() if tables.get(name) != shape
    )
    if changed or not content.get("tables"):
        return f"the report is of other tables: {', '.join(changed[:3]) or 'it names none'}"
    return _why_not_passed(content["checks"], required)


def is_as_certified(family: str, version: int, *, sources: str, folder: Path = FOLDER) -> bool:
    """Tell whether the report of a family version is of these sources.

    It may be valid though it is not: then the family's files changed since, and nothing says that
    what they pay may still be believed but what is played of them (see decision 0037).
    """
    try:
        content = json.loads(report_path(family, version, folder).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return False
    return isinstance(content, dict) and content.get("sources") == sources


def _why_not_passed(checks: list[dict[str, Any]], required: frozenset[int]) -> str | None:
    verdicts = {check["number"]: check["verdict"] for check in checks}
    failed = sorted(number for number, verdict in verdicts.items() if verdict == "fail")
    if failed:
        return f"checks {failed} failed"
    missing = sorted(number for number in required if verdicts.get(number) != "pass")
    return f"checks {missing} were not made" if missing else None


def _seal(content: Mapping[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
