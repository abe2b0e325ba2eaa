"""What certification found, as a report that can be signed and kept."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One certification check: its number, its sentence, the verdict and what was measured."""

    number: int
    sentence: str
    verdict: Literal["pass", "fail", "skip"]
    measured: Any = None
    threshold: Any = None
    evidence: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The checks of one family version in one world and schema."""

    family: str
    version: int
    checks_version: str
    schema: str
    world: str
    seeds: tuple[int, ...]
    checks: tuple[CheckResult, ...]
    mutants: dict[str, dict[str, int]] = field(default_factory=dict)
    rewards: dict[str, list[float | None]] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        """Whether no check failed."""
        return all(check.verdict != "fail" for check in self.checks)

    def to_json(self) -> str:
        """Return the report as text, sealed by a hash over its content."""
        content = asdict(self)
        text = json.dumps(content, sort_keys=True)
        content["sha256"] = hashlib.sha256(text.encode()).hexdigest()
        return json.dumps(content, indent=1, sort_keys=True) + "\n"
