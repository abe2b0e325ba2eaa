"""What the README promises of a fresh clone, on a machine with Python and Make and nothing else."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bare.machine import USER, Done, Machine, bare_machine

# Each installs a whole system and all the packages of the project.
pytestmark = [pytest.mark.everything, pytest.mark.slow, pytest.mark.timeout(5400)]
PATIENCE = 2400.0
SCORED = "outcome completed, success True, reward "
SMALL_TEST = "ARGS=tests/core/test_clock.py"


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A folder that is removed, but for the case that something is still mounted in it."""
    found = Path(tempfile.mkdtemp(prefix="sandlot-bare-"))
    yield found
    assert str(found) not in Path("/proc/mounts").read_text()
    shutil.rmtree(found)


@pytest.fixture(scope="module")
def base(folder: Path) -> Iterator[Machine]:
    """A bare machine that stays as it is."""
    with bare_machine(folder) as found:
        yield found


def make(machine: Machine, place: str, *words: str, user: str) -> Done:
    done = machine.run("make", *words, user=user, seconds=PATIENCE, cwd=place)
    assert "Traceback" not in done.said, done.said
    assert done.code == 0, done.said
    return done


def test_root_sees_both_episodes_with_their_rewards(base: Machine, folder: Path) -> None:
    machine = base.copy(folder / "roots")
    place = machine.clone("root")
    said = make(machine, place, "demo", user="root")
    assert len(said.lines(SCORED)) == 2, said.said
    assert said.lines("screenshot of the last page: "), said.said
    assert make(machine, place, "setup", user="root").said == ""
    assert " passed" in make(machine, place, "test", SMALL_TEST, user="root").said


def test_who_may_install_nothing_is_told_in_one_line(base: Machine, folder: Path) -> None:
    machine = base.copy(folder / "users")
    place = machine.clone(USER)
    said = make(machine, place, "demo", user=USER)
    assert len(said.lines(SCORED)) == 1, said.said
    (told,) = said.lines("setup: browser: Playwright's driver lacks ")
    assert "apt-get install libatomic1)" in told
    assert told.endswith("then run `make setup` again; the browser part is skipped until then")
    (skipped,) = said.lines("episode in a browser: skipped: ")
    assert skipped.endswith(told.removeprefix("setup: browser: "))
    assert " passed" in make(machine, place, "test", SMALL_TEST, user=USER).said
