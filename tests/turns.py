"""A pytest plugin: what is made in turn before a merge (`tests.tiers`): certification and crawls.

Each family of tasks is played quickly, always. What takes long is done of the families whose files
are not those that their report certified, and of the others in turn: a fifth at each commit, by the
commit's hash. A test says so by a mark:

- `certifies("H05", "every slow check")`: it is of that family, and left out where that is not
  chosen; with `always=True` it is not left out, and asks `why_chosen` how much to do; with
  `apart=True` the family's tests do not share its turn, each has one of its own;
- `in_turn`: it is of no family, and one run in five makes it; with `by="client"` those tests of a
  module share a turn that have the same parameter `client`, and clients are dealt out evenly; with
  `at=3` all that are marked so have that turn, such as the tests of a module that share a start;
- `crawls("tracker", 3, of=5)`: it is one of so many walks through a clone's pages. All are made
  where those are made of other files than were crawled whole (`tests.crawled`), else one or two;
- `sweeps`: it looks at all pages of its parameter `clone`. It is made where those are made of other
  files than were crawled whole, else by one run in five.

`SANDLOT_TURN=N` repeats the choice of a run, `SANDLOT_TURN=all` chooses everything. At its end a
run says which family was certified how far, and keeps that in `reports/certified.txt`.
"""

from __future__ import annotations

import os
import subprocess
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from tests import crawled
from tests.tiers import EVERYTHING, ON_POSTGRES

ROOT: Final = Path(__file__).resolve().parents[1]
KEPT: Final = Path("reports") / ("certified-postgres.txt" if ON_POSTGRES else "certified.txt")
TURNS: Final = 5
NUMBERS: Final = 1000  # what a commit's hash becomes; a number says more than the turn it is
ALL: Final = "all"
CERTIFIED: Final = "certified"  # the property of a report that says what its test certifies
CRAWLED: Final = "crawled"  # the one that says of which clone a walk is, and of how many

HAS_CHANGED = "its files are not those of its report"
IS_ITS_TURN = "its turn"
IS_EVERYTHING = "everything"


def number_of(asked: str | None, commit: str) -> int | None:
    """Return the number that a run chooses by, None where it chooses everything.

    Without a commit it is always the same.

    Raises:
        pytest.UsageError: what is asked is no number.
    """
    if EVERYTHING or asked == ALL:
        return None
    if asked is None:
        return int(commit or "0", 16) % NUMBERS
    if not asked.isdecimal():
        raise pytest.UsageError(f"SANDLOT_TURN={asked}: give a number, or {ALL}")
    return int(asked)


def _commit() -> str:
    """Return the hash of the commit that is checked out, nothing where there is none."""
    try:
        found = subprocess.run(
            ["git", "rev-parse", "--verify", "HEAD"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        return ""
    return found.stdout.strip() if found.returncode == 0 else ""


NUMBER: Final = number_of(os.environ.get("SANDLOT_TURN"), _commit())
# The processes that this one starts choose the same.
os.environ["SANDLOT_TURN"] = ALL if NUMBER is None else str(NUMBER)


def chosen(
    families: Iterable[str], as_certified: Collection[str], number: int | None
) -> dict[str, str]:
    """Return the ids of the families of which everything is done, with the reason."""
    found = {}
    for place, family in enumerate(sorted(families)):
        if number is None:
            found[family] = IS_EVERYTHING
        elif family not in as_certified:
            found[family] = HAS_CHANGED
        elif place % TURNS == number % TURNS:
            found[family] = IS_ITS_TURN
    return found


def is_in_turn(name: str, number: int | None, place: int = 0) -> bool:
    """Tell whether a test that is of no family is made, by its name and its place."""
    return number is None or (zlib.crc32(name.encode()) + place) % TURNS == number % TURNS


def is_in_turn_here(name: str) -> bool:
    """Tell whether this run makes what is dealt to the turns by this name."""
    return is_in_turn(name, NUMBER)


def why_made_apart(name: str, why: str | None, number: int | None) -> str | None:
    """Return why a test is made whose turn is its own, by its name and why its family is chosen."""
    if why not in (None, IS_ITS_TURN):
        return why
    return IS_ITS_TURN if is_in_turn(name, number) else None


def is_walked(place: int, number: int | None, *, as_crawled: bool) -> bool:
    """Tell whether a walk through a clone's pages is made, by its place among its clone's."""
    return number is None or not as_crawled or place % TURNS == number % TURNS


def is_swept(name: str, number: int | None, *, as_crawled: bool) -> bool:
    """Tell whether a test of all pages of a clone is made, by its name."""
    return not as_crawled or is_in_turn(name, number)


@cache
def _is_as_crawled(clone: str) -> bool:
    return crawled.is_as_crawled(clone)


@cache
def _chosen_here() -> dict[str, str]:
    from episodes.certify.inputs import sources_of  # noqa: PLC0415 - Django is not set up at first
    from episodes.certify.report import is_as_certified  # noqa: PLC0415 - the same
    from episodes.tasks.catalogue import known_families  # noqa: PLC0415 - the same

    families = known_families()
    as_certified = [
        family.id
        for family in families
        if is_as_certified(family.id, family.version, sources=sources_of(family.id))
    ]
    return chosen([family.id for family in families], as_certified, NUMBER)


def why_chosen(family: str) -> str | None:
    """Return why everything is done of a family here, None if it is not."""
    return _chosen_here().get(family)


def one_of(many: Sequence[Any]) -> tuple[Any, ...]:
    """Return the same in another order: what comes first is another one from turn to turn."""
    first = (NUMBER or 0) // TURNS % max(len(many), 1)
    return (*many[first:], *many[:first])


def pytest_report_header() -> str:
    """Say whose turn it is and how that is repeated."""
    if NUMBER is None:
        return "certification: every family, in full"
    return (
        f"certification: turn {NUMBER % TURNS} of {TURNS}, SANDLOT_TURN={NUMBER};"
        f" SANDLOT_TURN={ALL} does every family in full"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is of families that are not chosen; note in the others what they certify."""
    left = []
    for item in items:
        in_turn = item.get_closest_marker("in_turn")
        if in_turn is not None and not is_in_turn(*_dealt_by(item, **in_turn.kwargs)):
            left.append(item)
        if item.get_closest_marker("sweeps") is not None:
            assert isinstance(item, pytest.Function)
            as_crawled = _is_as_crawled(item.callspec.params["clone"])
            if not is_swept(item.nodeid, NUMBER, as_crawled=as_crawled):
                left.append(item)
        walk = item.get_closest_marker("crawls")
        if walk is not None:
            clone, place = walk.args
            if not is_walked(place, NUMBER, as_crawled=_is_as_crawled(clone)):
                left.append(item)
            item.user_properties.append((CRAWLED, (clone, walk.kwargs["of"])))
        mark = item.get_closest_marker("certifies")
        if mark is None:
            continue
        family, part = mark.args
        why = why_chosen(family)
        if mark.kwargs.get("apart"):
            why = why_made_apart(item.nodeid, why, NUMBER)
        if why is None and not mark.kwargs.get("always"):
            left.append(item)
        else:
            item.user_properties.append((CERTIFIED, (family, part, why)))
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in set(left)]


def _dealt_by(
    item: pytest.Item, by: str | None = None, at: int | None = None
) -> tuple[str, int | None, int]:
    """Return what `is_in_turn` is asked of a test: its name, the run's number, its place."""
    if at is not None:
        return "", NUMBER, at
    if by is None:
        return item.nodeid, NUMBER, 0
    assert isinstance(item, pytest.Function)
    return item.nodeid.partition("::")[0], NUMBER, item.callspec.indices[by]


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say which families were certified how far, and why, and keep it."""
    reports = [
        report
        for outcome in ("passed", "failed", "error")
        for report in terminalreporter.stats.get(outcome, ())
        if isinstance(report, pytest.TestReport) and (report.when == "call" or not report.passed)
    ]
    if os.environ.get("SANDLOT_CRAWLED") == "keep":
        for clone in crawled_whole(_crawled_by(reports)):
            crawled.keep(clone)
    lines = summary_lines(
        (family, part, why, report.passed)
        for report in reports
        for family, part, why in _certified_by(report)
    )
    if not lines:
        return
    terminalreporter.section("families certified")
    for line in lines:
        terminalreporter.write_line(line)
    path = config.rootpath / KEPT
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join((pytest_report_header(), *lines)) + "\n", encoding="utf-8")


def crawled_whole(walks: Iterable[tuple[str, int, bool]]) -> list[str]:
    """Return the clones all of whose walks were made and passed.

    A walk is told by its clone, how many that has, and whether it passed.
    """
    found: dict[str, list[bool]] = {}
    wanted: dict[str, int] = {}
    for clone, number, passed in walks:
        found.setdefault(clone, []).append(passed)
        wanted[clone] = number
    return [clone for clone in sorted(found) if found[clone] == [True] * wanted[clone]]


def _crawled_by(reports: Iterable[pytest.TestReport]) -> Iterator[tuple[str, int, bool]]:
    for report in reports:
        properties: list[tuple[str, Any]] = report.user_properties
        for name, value in properties:
            if name == CRAWLED:
                yield value[0], value[1], report.passed


def _certified_by(report: pytest.TestReport) -> list[tuple[str, str, str | None]]:
    properties: list[tuple[str, Any]] = report.user_properties
    return [tuple(value) for name, value in properties if name == CERTIFIED]


def summary_lines(certified: Iterable[tuple[str, str, str | None, bool]]) -> list[str]:
    """Return, for families that were certified alike, one line: how far, why, and which."""
    parts: dict[str, dict[str, bool]] = {}
    reasons: dict[str, str | None] = {}
    for family, part, why, passed in certified:
        held = parts.setdefault(family, {})
        held[part] = held.get(part, True) and passed
        reasons[family] = why
    alike: dict[str, list[str]] = {}
    for family in sorted(parts):
        done = ", ".join(
            name if passed else f"{name} (FAILED)" for name, passed in sorted(parts[family].items())
        )
        why = reasons[family]
        alike.setdefault(f"{done}: {why}" if why else done, []).append(family)
    return [f"{' '.join(families)}: {how}" for how, families in alike.items()]
