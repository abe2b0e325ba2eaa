"""Make's targets, the continuous check and the documents name the same commands."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import click
import pytest

from sandlot.cli.main import cli
from tests.project.paths import ROOT, documents

MAKEFILE = (ROOT / "Makefile").read_text()
README = (ROOT / "README.md").read_text()
TARGETS = re.findall(r"^([a-z][a-z-]*):(?!=)", MAKEFILE, re.MULTILINE)
PROMISED = {"setup", "lint", "type", "test", "check", "clean", "demo", "serve", "bench"}


def blocks(text: str) -> list[str]:
    """Return the lines of a document's code blocks."""
    return [line for block in re.findall(r"```\n(.*?)```", text, re.DOTALL) for line in
            block.splitlines()]  # fmt: skip


def make(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )


def test_help_lists_every_target() -> None:
    listed = re.findall(r"^make ([a-z-]+) +\S", make("help").stdout, re.MULTILINE)
    assert listed == TARGETS
    assert set(TARGETS) >= PROMISED


def test_every_target_is_phony() -> None:
    phony = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert phony is not None
    assert sorted(phony[1].split()) == sorted(TARGETS)


@pytest.mark.parametrize("target", sorted(set(TARGETS) - {"help", "clean", "setup", "check"}))
def test_every_target_sets_itself_up(target: str) -> None:
    assert re.search(rf"^{target}:.*\bsetup\b", MAKEFILE, re.MULTILINE)


def test_the_readme_names_the_test_command() -> None:
    assert "make test" in blocks(README)


SUITES = ("test", "test-stack", "soak", "test-containers")
TARGETS_OF_THE_CHECK = ("images", "lint", "type", *SUITES)
ONLY_OF_EVERYTHING = ("certify", "realism")


def test_the_continuous_check_runs_lint_types_and_the_readmes_test_command() -> None:
    text = (ROOT / ".ci" / "run").read_text()
    named = re.findall(
        r"^ *(?:make --no-print-directory|target|suite) ([a-z-]+)", text, re.MULTILINE
    )
    assert sorted(named) == sorted((*TARGETS_OF_THE_CHECK, *ONLY_OF_EVERYTHING))
    assert (ROOT / ".ci" / "run").stat().st_mode & stat.S_IXUSR


@pytest.mark.parametrize(
    ("everything", "failing", "code"),
    [
        *((False, None, 0), (False, "images", 0), (False, "lint", 1), (False, "type", 1)),
        *((False, suite, 1) for suite in SUITES),
        *((True, None, 0), (True, "certify", 1), (True, "realism", 1), (True, "test", 1)),
    ],
)
def test_the_continuous_check_ends_with_the_summary_of_all_suites(
    tmp_path: Path, failing: str | None, code: int, *, everything: bool
) -> None:
    make_checked(tmp_path)
    done = run_check(tmp_path, failing, everything=everything)
    assert done.returncode == code, done.stderr
    assert {name for name in ONLY_OF_EVERYTHING if f"{name} ran" in done.stdout} == (
        set(ONLY_OF_EVERYTHING) if everything else set()
    )
    assert done.stdout.splitlines()[-1].strip("= ") == "12 passed in 4.00s (0:00:04)"
    for name in ("lint", "type", *SUITES):
        assert f"{name} ran" in done.stdout
    assert (tmp_path / "reports" / "ci" / "images.txt").read_text().startswith("images ran")
    # What the soak measures is measured with nothing beside it.
    assert done.stdout.index("test-containers ran") < done.stdout.index("soak ran")


def test_everything_goes_on_after_what_held_of_the_same_commit(tmp_path: Path) -> None:
    make_checked(tmp_path)
    (tmp_path / ".gitignore").write_text("/reports/\n/.venv/\n__pycache__/\n")
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    everything = {"type", *SUITES, *ONLY_OF_EVERYTHING}
    first = run_check(tmp_path, "test-stack", everything=True)
    assert (first.returncode, ran(first)) == (1, everything | {"lint"})
    second = run_check(tmp_path, None, everything=True)
    assert (second.returncode, ran(second)) == (0, {"lint", "test-stack"})
    assert second.stdout.splitlines()[-1].strip("= ") == "12 passed in 4.00s (0:00:04)"
    # A merge's check runs all; so does everything of another commit, or of files that are none's.
    assert ran(run_check(tmp_path, None, everything=False)) == {"lint", "type", *SUITES}
    (tmp_path / "more").touch()
    assert ran(run_check(tmp_path, None, everything=True)) == everything | {"lint"}
    commit(tmp_path)
    assert ran(run_check(tmp_path, None, everything=True)) == everything | {"lint"}


def make_checked(folder: Path) -> None:
    """Make a folder that `.ci/run` checks, whose targets tell that they ran and fail if asked."""
    (folder / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", folder / ".ci")
    (folder / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "summary.py", folder / "tools")
    (folder / "tools" / "engine.py").write_text(
        "import subprocess, sys\nsys.exit(subprocess.run(sys.argv[2:], check=False).returncode)\n"
    )
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / ".venv" / "bin" / "python").symlink_to(sys.executable)
    report = '<testsuite errors="0" failures="0" skipped="0" tests="3" time="1"/>'
    names = (*TARGETS_OF_THE_CHECK, *ONLY_OF_EVERYTHING)
    rules = [
        f"{name}:\n\t@echo {name} ran\n"
        + (f"\t@echo '{report}' > $(patsubst --junitxml=%,%,$(ARGS))\n" if name in SUITES else "")
        + f"\t@test '$(FAILING)' != {name}\n"
        for name in names
    ]
    (folder / "Makefile").write_text(f".PHONY: {' '.join(names)}\n" + "".join(rules))


def run_check(
    folder: Path, failing: str | None, *, everything: bool
) -> subprocess.CompletedProcess[str]:
    """Run a folder's `.ci/run`, one of whose targets may fail."""
    asked = {"SANDLOT_EVERYTHING": "1" if everything else "", "FAILING": failing or ""}
    return subprocess.run(
        [folder / ".ci" / "run"],
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
    )


def ran(done: subprocess.CompletedProcess[str]) -> set[str]:
    """Return the targets that told that they ran."""
    return set(re.findall(r"^([a-z-]+) ran$", done.stdout, re.MULTILINE)) - {"images"}


def git(folder: Path, *arguments: str) -> None:
    named = ("-c", "user.name=A", "-c", "user.email=a@example.com")
    subprocess.run(["git", *named, *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder: Path) -> None:
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "one")


@pytest.mark.parametrize("document", documents(), ids=lambda path: path.name)
def test_documents_name_targets_that_exist(document: Path) -> None:
    text = document.read_text()
    named = set(re.findall(r"(?:`|^)make ([a-z-]+)", text, re.MULTILINE))
    assert named <= set(TARGETS)


def find_command(words: list[str]) -> click.Command:
    """Follow words down the command line as far as they are commands."""
    found: click.Command = cli
    for word in words:
        if not isinstance(found, click.Group):
            break
        assert word in found.commands, f"sandlot {' '.join(words)}: no command {word}"
        found = found.commands[word]
    return found


@pytest.mark.parametrize(
    "line",
    sorted({line for text in (README, MAKEFILE) for line in re.findall(r"/sandlot (.*)", text)}),
)
def test_documented_command_lines_exist(line: str) -> None:
    words = line.split(">", maxsplit=1)[0].split()
    command = find_command([word for word in words if not word.startswith(("-", "$"))])
    assert not isinstance(command, click.Group)
    known = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= known


def test_modules_that_targets_run_exist() -> None:
    modules = set(re.findall(r"python -m ([\w.]+)", MAKEFILE))
    assert {name for name in modules if importlib.util.find_spec(name) is None} == set()


def test_clean_keeps_the_data(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in (".venv", ".sandlot", ".mypy_cache", "data", "clones/__pycache__"):
        (tmp_path / name).mkdir(parents=True)
    assert make("clean", cwd=tmp_path).returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["Makefile", "clones", "data"]
    assert list((tmp_path / "clones").iterdir()) == []


def test_setup_needs_a_python_that_is_new_enough(tmp_path: Path) -> None:
    for name in ("sh", "test", "echo"):
        (tmp_path / name).symlink_to(shutil.which(name) or name)
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    done = subprocess.run(
        [shutil.which("make") or "make", "setup"],
        cwd=ROOT,
        env={**os.environ, "PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "setup: Python 3.11 or newer is needed" in done.stderr
