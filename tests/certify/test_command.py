"""`sandlot task certify`, from outside."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import click
import pytest

from episodes.tasks.catalogue import known_families
from sandlot.cli.output import EXIT_FAILED, EXIT_USAGE
from sandlot.cli.tasks import numbers_of, without_pages

KNOWN = ", ".join(family.id for family in known_families())
ROOT = Path(__file__).resolve().parents[2]


def certify(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sandlot.cli", "task", "certify", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("", ()), ("3", (3,)), ("0,3-5", (0, 3, 4, 5)), ("2,1-3,2", (2, 1, 3))],
)
def test_numbers_are_written_singly_or_as_ranges(text: str, numbers: tuple[int, ...]) -> None:
    assert numbers_of(text) == numbers


@pytest.mark.parametrize("text", ["a", "1-b", "-"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter, match="write 0,3-5"):
        numbers_of(text)


def test_an_unknown_family_is_one_line_and_exit_2() -> None:
    found = certify("Q99")
    assert found.returncode == 2
    assert found.stdout == ""
    known = ", ".join(family.id for family in known_families())
    assert found.stderr.splitlines() == [f"sandlot: there is no task Q99: choose of {known}"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where these keep their work: the world is built once."""
    return str(tmp_path_factory.mktemp("certify"))


@pytest.mark.in_turn
@pytest.mark.slow
def test_a_report_is_printed_as_data(folder: str) -> None:
    asked = ("--instances", "13", "--deep", "", "--checks", "2,3", "--data", folder)
    found = certify("H05", *asked, "--no-browser", "--json")
    assert found.returncode == 0, found.stderr
    (report,) = json.loads(found.stdout)
    assert (report["family"], report["instances"]) == ("H05", [13])
    assert {check["number"]: check["verdict"] for check in report["checks"]} == {
        2: "pass",
        3: "pass",
    }


@pytest.mark.in_turn
@pytest.mark.slow
def test_the_line_of_a_family_says_whether_it_is_certified(folder: str) -> None:
    asked = ("--instances", "13", "--deep", "", "--checks", "3", "--data", folder)
    some = [family for family in known_families() if family.home == "api"][::8]
    found = certify(*(family.id for family in some), *asked, "--no-browser")
    assert found.returncode == 0, found.stderr
    assert len(some) > 1
    for family in some:
        line = f"{family.id}@{family.version} certified, 1 of 1 checks hold, 1 instances of"
        assert line in found.stdout


@pytest.mark.in_turn
@pytest.mark.slow
def test_families_certified_at_a_time_are_told_of_as_those_in_turn(folder: str) -> None:
    asked = ("--instances", "13", "--deep", "", "--checks", "3", "--data", folder, "--no-browser")
    some = [family.id for family in known_families() if family.home == "api"][:2]
    in_turn = certify(*some, *asked)
    at_a_time = certify(*some, *asked, "--processes", "2")
    assert (in_turn.returncode, at_a_time.returncode) == (0, 0), at_a_time.stderr
    assert in_turn.stdout == at_a_time.stdout
    assert len(in_turn.stdout.splitlines()) == 2


SPOILING = """
import sys
from pathlib import Path

from sandlot.cli.main import main
from sandlot.cli.serving import setup_django

setup_django(Path(sys.argv[sys.argv.index("--data") + 1]))
from dataclasses import replace
from episodes.tasks import catalogue

first, second = (catalogue.known_family(name) for name in catalogue.known_ids()[:2])
limping = replace(first, solve={**first.solve, first.home: lambda space: space.act("finish")})
families = {first.id: limping, second.id: second}
catalogue.known_ids = lambda: tuple(families)
catalogue.known_family = families.__getitem__
main()
"""


@pytest.mark.in_turn
@pytest.mark.slow
def test_if_one_family_fails_the_others_are_certified_and_the_command_fails(folder: str) -> None:
    asked = ("--instances", "13", "--deep", "", "--checks", "5", "--data", folder, "--no-browser")
    found = subprocess.run(
        [sys.executable, "-c", SPOILING, "task", "certify", *asked],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == EXIT_FAILED, found.stderr
    first, second = known_families()[:2]
    lines = [line for line in found.stdout.splitlines() if not line.startswith(" ")]
    assert [line.partition(",")[0] for line in lines] == [
        f"{first.id}@{first.version} FAILED",
        f"{second.id}@{second.version} certified",
    ]


def test_what_is_worked_in_a_browser_alone_is_not_certified_without(
    capsys: pytest.CaptureFixture[str],
) -> None:
    by_api = known_families()[0]
    assert by_api.home == "api"
    in_pages = replace(by_api, id="P01", spaces=("browser",))
    assert without_pages([in_pages, by_api], named=False) == [by_api]
    assert capsys.readouterr().err == "left out, worked in a browser alone: P01\n"
    with pytest.raises(SystemExit) as ended:
        without_pages([by_api, in_pages], named=True)
    assert ended.value.code == EXIT_USAGE
    wanted = "sandlot: worked in a browser alone, and there is none: P01\n"
    assert capsys.readouterr().err == wanted
