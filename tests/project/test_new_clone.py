"""`make new-clone` writes a clone that runs at once, and refuses names that will not do."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path, PurePosixPath
from string import Template

import pytest

from tests.project.paths import ROOT, clone_names
from tools.new_clone.__main__ import main
from tools.new_clone.naming import Names
from tools.new_clone.registration import PLACES
from tools.new_clone.skeleton import TEMPLATES, files, templates

NAMES = Names("payroll", "company", "companies")
PLACEHOLDER = re.compile(r"\$|NAME|RECORD")
# What is made by running, and what a copy of the tree does without.
LEFT = shutil.ignore_patterns(".git", ".venv", ".venvs", ".sandlot", "__pycache__", ".*_cache")
MADE = ["data", "dist", "build", "reports"]


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A tree of the places that name the clones, and nothing else."""
    for place in PLACES:
        path = tmp_path / place.file
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / place.file, path)
    return tmp_path


def texts(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): path.read_text("utf-8")
        for path in root.rglob("*")
        if path.is_file() and ".ruff_cache" not in path.parts
    }


def without_what_is_made(folder: str, names: list[str]) -> set[str]:
    return LEFT(folder, names) | ({*MADE} if Path(folder) == ROOT else set())


def test_every_template_becomes_a_file_that_can_be_read() -> None:
    made = dict(files(NAMES))
    assert len(made) == len(templates())
    assert {path for path in TEMPLATES.rglob("*") if path.is_file()} == set(templates())
    for place, text in made.items():
        assert not PLACEHOLDER.search(place.as_posix())
        assert "$" not in text, place
        if place.suffix == ".py":
            ast.parse(text, str(place))
        elif place.suffix == ".toml":
            tomllib.loads(text)
    modules = [text for place, text in made.items() if place.suffix == ".py"]
    for place in made:
        assert is_used(place, [*modules, *(made[one] for one in made if one.suffix == ".html")])


def is_used(place: PurePosixPath, texts: list[str]) -> bool:
    """Tell whether anything names a file: pages and what they load by path, modules by import."""
    if place.parts[0] != "clones" or place.stem in ("__init__", "apps", "clone", "0001_initial"):
        return True
    within = "/".join(place.parts[-2:])
    dotted = ".".join(place.with_suffix("").parts)
    parent, _, module = dotted.rpartition(".")
    wanted = (f'"{dotted}"', f'"{dotted}.', f"from {dotted} import", f'"{within}"', f"'{within}'")
    siblings = re.compile(rf"from {re.escape(parent)} import [\w, ]*\b{module}\b")
    return any(siblings.search(text) or any(one in text for one in wanted) for text in texts)


def test_every_word_of_a_name_is_used() -> None:
    found = {name for path in templates() for name in Template(path.read_text()).get_identifiers()}
    assert found == set(NAMES.words)


def test_a_clone_is_written_and_named_where_clones_are_named(bare: Path) -> None:
    before = texts(bare)
    assert main(["--root", str(bare), "payroll", "company", "companies"]) == 0
    after = texts(bare)
    assert {name for name in before if after[name] != before[name]} == {
        place.file for place in PLACES
    }
    assert set(after) - set(before) == {place.as_posix() for place, _ in files(NAMES)}
    assert re.search(r'^CLONES = \[.*, "payroll"\]$', after[PLACES[0].file], re.MULTILINE)
    layers = tomllib.loads(after["pyproject.toml"])["tool"]["importlinter"]["contracts"][0]
    assert layers["layers"][4].endswith(" | clones.payroll")
    assert "\ntests/payroll/* | " in after["tests/engine_tests.txt"]


def test_a_clone_that_has_a_place_among_the_layers_keeps_it(bare: Path) -> None:
    path = bare / "pyproject.toml"
    path.write_text(
        path.read_text().replace("clones.helpdesk |", "clones.helpdesk | (clones.payroll) |")
    )
    assert main(["--root", str(bare), "payroll"]) == 0
    assert "clones.helpdesk | clones.payroll |" in path.read_text()
    assert path.read_text().count("clones.payroll") == 1


@pytest.mark.parametrize(
    "words",
    [
        [""],
        ["Ledger"],
        ["a"],
        ["a" * 17],
        ["two_words"],
        ["../up"],
        ["import"],
        ["static"],
        ["payroll", "name"],  # a constant of the skeleton
        ["payroll", "account"],  # a model of the ground floor
        ["payroll", "payroll"],
        ["payroll", "class", "classes"],
        ["payroll", "list"],
        ["payroll", "urls", "urlses"],
        ["payroll", "Company"],
        ["payroll", "sheep", "sheep"],
    ],
)
def test_a_name_that_will_not_do_is_refused_in_one_line(
    bare: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = texts(bare)
    assert main(["--root", str(bare), *words]) == 2
    assert texts(bare) == before
    said = capsys.readouterr()
    assert said.out == ""
    assert re.fullmatch(r"new-clone: .+\n", said.err)


@pytest.mark.parametrize("name", [*clone_names(), "core", "config", "people", "live", "password"])
def test_a_name_that_is_taken_is_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name]) == 2
    assert re.fullmatch(r"new-clone: .+\n", capsys.readouterr().err)


def test_nothing_is_written_where_a_file_is_in_the_way_or_a_place_has_no_room(
    bare: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = bare / "docs" / "fidelity" / "payroll.md"
    page.parent.mkdir(parents=True)
    page.write_text("mine")
    before = texts(bare)
    assert main(["--root", str(bare), "payroll"]) == 2
    assert "docs/fidelity/payroll.md is there already" in capsys.readouterr().err
    page.unlink()
    settings = bare / PLACES[0].file
    settings.write_text("CLONES = named_elsewhere()\n")
    before = texts(bare)
    assert main(["--root", str(bare), "payroll"]) == 2
    assert PLACES[0].file in capsys.readouterr().err
    assert texts(bare) == before


@pytest.mark.everything
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("words", [["orchard", "company", "companies"], ["zoo"]], ids=" ".join)
def test_the_house_holds_with_a_new_clone_in_it(words: list[str], tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    shutil.copytree(ROOT, tree, ignore=without_what_is_made, symlinks=True)
    scripts = str(Path(sys.executable).parent)
    environment = {
        **{name: text for name, text in os.environ.items() if not name.startswith("SANDLOT_")},
        "PATH": f"{scripts}{os.pathsep}{os.environ.get('PATH', '')}",
    }
    environment.pop("PYTEST_XDIST_WORKER", None)

    def run(*command: str) -> None:
        done = subprocess.run(
            command, cwd=tree, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (
            f"{' '.join(command)}\n{done.stdout[-8000:]}{done.stderr[-4000:]}"
        )

    python = sys.executable
    run(python, "-m", "tools.new_clone", *words)
    run("ruff", "check")
    run("ruff", "format", "--check")
    run("lint-imports")
    run(python, "manage.py", "check")
    run(python, "manage.py", "makemigrations", "--check", "--dry-run")
    run(python, "-m", "mypy", f"clones/{words[0]}", f"tests/{words[0]}")
    options = ("-n", "0", "-p", "no:cacheprovider", "-q", "--timeout", "600")
    run(python, "-m", "pytest", *options, f"tests/{words[0]}", "tests/project")
