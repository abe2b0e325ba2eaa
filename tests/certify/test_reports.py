"""Reports: what makes one valid, and what an uncertified family gets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clones.core.journal import table_versions
from episodes.certify.report import (
    REQUIRED,
    CertificationResult,
    Report,
    report_path,
    why_uncertified,
)
from episodes.grading import CHECKS_VERSION
from episodes.tasks import catalogue
from sandlot.service.errors import NotFound

NEEDED = frozenset({1, 2})
HERE = {"desk": "s", "till": "t", "another": "a"}  # the report was made before the last one


def report(**changes: Any) -> Report:
    fields: dict[str, Any] = {
        "family": "H05",
        "version": 1,
        "checks_version": "1",
        "tables": {"desk": "s", "till": "t"},
        "world": "kestrel-tiny",
        "seeds": (1,),
        "instances": (0,),
        "deep": (0,),
        "checks": (
            CertificationResult(1, "one", "pass"),
            CertificationResult(2, "two", "pass", [0.5]),
        ),
        "rewards": {"oracle": [0.98, 0.99, 0.991]},
        "mutants": {"drop write": {"made": 3, "caught": 3, "kept": 0, "relabelled": 0}},
    }
    return Report(**{**fields, **changes})


def why(folder: Path, **changes: Any) -> str | None:
    asked: dict[str, Any] = {"checks_version": "1", "tables": HERE, "required": NEEDED}
    return why_uncertified("H05", 1, folder=folder, **{**asked, **changes})


def test_a_whole_report_is_valid(tmp_path: Path) -> None:
    assert why(tmp_path) == "there is no report"
    assert report().write(tmp_path) == report_path("H05", 1, tmp_path)
    assert why(tmp_path) is None


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"checks_version": "2"}, "checks_version 1, not 2"),
        ({"tables": {**HERE, "till": "u"}}, "of other tables: till"),
        ({"tables": {"desk": "s"}}, "of other tables: till"),
        ({"required": frozenset({1, 2, 3})}, r"checks \[3\] were not made"),
    ],
)
def test_a_report_of_something_else_is_not_valid(
    tmp_path: Path, changes: dict[str, Any], part: str
) -> None:
    report().write(tmp_path)
    found = why(tmp_path, **changes)
    assert found is not None
    assert re.search(part, found)


def test_a_report_that_names_no_tables_is_not_valid(tmp_path: Path) -> None:
    report(tables={}).write(tmp_path)
    assert why(tmp_path) == "the report is of other tables: it names none"


def test_a_failed_or_skipped_check_makes_it_invalid(tmp_path: Path) -> None:
    report(
        checks=(CertificationResult(1, "one", "pass"), CertificationResult(2, "two", "fail"))
    ).write(tmp_path)
    assert why(tmp_path) == "checks [2] failed"
    report(
        checks=(CertificationResult(1, "one", "pass"), CertificationResult(2, "two", "skip"))
    ).write(tmp_path)
    assert why(tmp_path) == "checks [2] were not made"


def test_a_report_that_was_touched_is_not_valid(tmp_path: Path) -> None:
    path = report(checks=(CertificationResult(1, "one", "fail"),)).write(tmp_path)
    content = json.loads(path.read_text())
    content["checks"][0]["verdict"] = "pass"
    path.write_text(json.dumps(content))
    assert why(tmp_path) == "the report's seal does not fit its content"
    path.write_text("{")
    assert why(tmp_path) == "the report is unreadable"


def test_the_lines_name_the_family_and_what_failed() -> None:
    (line,) = report().lines()
    assert line.startswith("H05@1 certified, 2 of 2 checks hold, 1 instances of kestrel-tiny")
    bad = CertificationResult(2, "two", "fail", evidence=("step 3: no",))
    lines = report(checks=(CertificationResult(1, "one", "pass"), bad)).lines()
    assert lines[0].startswith("H05@1 FAILED, 1 of 2 checks hold")
    assert lines[1:] == ["  2 two", "      step 3: no"]


@pytest.fixture
def strict(monkeypatch: pytest.MonkeyPatch, settings_dev: None) -> Iterator[None]:
    """A build that loads certified families only."""
    catalogue.why_refused.cache_clear()
    yield
    catalogue.why_refused.cache_clear()


@pytest.fixture
def settings_dev(monkeypatch: pytest.MonkeyPatch) -> None:
    """The setting of those who only use tasks."""
    monkeypatch.setattr("django.conf.settings.DEV", False)


@pytest.mark.usefixtures("strict")
def test_certified_families_are_those_with_a_valid_report() -> None:
    """If not: `make certify ARGS=--write`, commit what it writes, and move the family up."""
    refused = {id: why for id in catalogue.known_ids() if (why := catalogue.why_refused(id))}
    assert set(catalogue.known_ids()) - set(refused) == set(catalogue.CERTIFIED), refused


@pytest.mark.usefixtures("strict")
def test_a_family_without_a_report_does_not_load(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "table_versions", lambda: {"core_clock": "another"})
    assert catalogue.families() == {}
    with pytest.raises(NotFound, match="H05 is not certified"):
        catalogue.resolve("H05", 1)
    with pytest.raises(NotFound, match="there is no task Q99"):
        catalogue.resolve("Q99", 1)


@pytest.mark.usefixtures("strict")
def test_those_who_write_tasks_load_them_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "table_versions", lambda: {"core_clock": "another"})
    monkeypatch.setattr("django.conf.settings.DEV", True)
    known = {family.id for family in catalogue.known_families()}
    assert set(catalogue.families()) == known


@pytest.mark.usefixtures("strict")
def test_a_family_with_a_valid_report_loads(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    passed = tuple(CertificationResult(number, "holds", "pass") for number in REQUIRED)
    report(checks_version=CHECKS_VERSION, tables=table_versions(), checks=passed).write(tmp_path)
    monkeypatch.setattr(
        catalogue,
        "why_uncertified",
        lambda *names, **asked: why_uncertified(*names, **asked, folder=tmp_path),
    )
    assert set(catalogue.families()) == {"H05"}
