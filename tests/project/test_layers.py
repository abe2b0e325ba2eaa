"""The import contracts cover every package, and break when a layer is crossed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.project.paths import ROOT, SHIPPED, pyproject

ROOMS = {"config", "core"}


def contract(name: str) -> dict[str, Any]:
    found = {row["id"]: row for row in pyproject()["tool"]["importlinter"]["contracts"]}
    return dict(found[name])


def layer_modules() -> set[str]:
    text = " ".join(contract("layers")["layers"])
    return set(text.translate(str.maketrans("|:()", "    ")).split())


def packages(folder: str) -> set[str]:
    return {path.parent.name for path in (ROOT / folder).glob("*/__init__.py")}


def test_every_top_level_package_is_checked() -> None:
    found = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert set(pyproject()["tool"]["importlinter"]["root_packages"]) == found
    assert set(pyproject()["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]) == set(
        SHIPPED
    )
    assert found - set(SHIPPED) == {"tests", "tools"}


def test_every_clone_and_every_room_of_the_front_door_has_a_layer() -> None:
    layered = layer_modules()
    assert {f"clones.{name}" for name in packages("clones")} <= layered
    assert {f"sandlot.{name}" for name in packages("sandlot")} <= layered
    assert {"seeds", "snapshots", "episodes"} <= layered


def test_the_django_free_rooms_are_those_below_the_clones() -> None:
    lowest = set(contract("layers")["layers"][-1].split(" : "))
    assert set(contract("front-door-django-free")["source_modules"]) == lowest


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The same packages with nothing in them, under the same contracts."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    rooms = [
        *(f"clones/{name}" for name in packages("clones")), "clones/helpdesk/domain",
        "clones/helpdesk/api", "clones/helpdesk/queries", "clones/tracker/rules/jql",
        "clones/crm/rules/soql",
        "clones/crm/rules/formulas",
        "clones/core/models", "seeds/people", "snapshots", "episodes/families/h05", "tests",
        "tools", *(f"sandlot/{name}" for name in packages("sandlot")),
    ]  # fmt: skip
    for room in rooms:
        (tmp_path / room).mkdir(parents=True, exist_ok=True)
    for folder in [path for path in tmp_path.rglob("*") if path.is_dir()]:
        (folder / "__init__.py").touch()
    for name in ("arrange", "checks", "solve", "cheats"):
        (tmp_path / "episodes/families/h05" / f"{name}.py").touch()
    for name in ("rows", "prepared", "shapes", "models/records"):
        (tmp_path / "clones/core" / f"{name}.py").touch()
    (tmp_path / "tests" / "lengths.py").touch()
    (tmp_path / "seeds/people/queries.py").touch()
    return tmp_path


def lint(tree: Path) -> tuple[int, str]:
    command = [str(ROOT / ".venv/bin/lint-imports"), "--no-cache"]
    if not Path(command[0]).exists():
        command[0] = "lint-imports"
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_the_contracts_hold_of_packages_with_nothing_in_them(tree: Path) -> None:
    code, output = lint(tree)
    assert code == 0, output


@pytest.mark.parametrize(
    ("file", "line", "broken"),
    [
        ("clones/helpdesk/x.py", "import clones.billing", "layers"),
        ("clones/core/x.py", "import clones.helpdesk", "layers"),
        ("clones/tracker/x.py", "import clones.helpdesk", "layers"),
        ("clones/tracker/rules/jql/x.py", "import django.db", "jql-is-pure"),
        ("clones/tracker/rules/jql/x.py", "import clones.core", "jql-is-pure"),
        ("clones/crm/rules/soql/x.py", "import django.db", "soql-is-pure"),
        ("clones/crm/rules/soql/x.py", "import clones.core", "soql-is-pure"),
        ("clones/crm/rules/formulas/x.py", "import django.db", "formulas-are-pure"),
        ("clones/helpdesk/x.py", "import clones.config", "layers"),
        ("snapshots/x.py", "import seeds", "layers"),
        ("snapshots/x.py", "import episodes", "layers"),
        ("episodes/x.py", "import sandlot.cli", "layers"),
        ("clones/helpdesk/domain/x.py", "import sandlot.service", "clones-know-nothing"),
        ("clones/core/x.py", "import snapshots", "clones-know-nothing"),
        ("sandlot/client/x.py", "import django.db", "front-door-django-free"),
        ("sandlot/gateways/x.py", "import clones.core", "front-door-django-free"),
        ("tests/x.py", "import stripe", "vendor-clients"),
        ("episodes/x.py", "from zenpy import Zenpy", "vendor-clients"),
        ("episodes/families/h05/solve.py", "import clones.core", "oracles-act-as-agents"),
        ("episodes/families/h05/solve.py", "import django", "oracles-act-as-agents"),
        (
            "episodes/families/h05/cheats.py",
            "import episodes.families.h05.checks",
            "oracles-act-as-agents",
        ),
        (
            "episodes/families/h05/solve.py",
            "from episodes.families.h05 import arrange",
            "oracles-act-as-agents",
        ),
        ("clones/core/x.py", "import tools", "development-only"),
        ("clones/helpdesk/domain/x.py", "import clones.core.rows", "records-write-rows"),
        ("clones/core/x.py", "import clones.core.rows", "records-write-rows"),
        ("clones/helpdesk/domain/x.py", "import clones.core.prepared", "hot-reads-in-queries"),
        ("clones/billing/x.py", "import clones.core.shapes", "hot-reads-in-queries"),
        ("seeds/people/x.py", "import clones.core.prepared", "hot-reads-in-queries"),
        ("clones/helpdesk/api/paging.py", "import clones.core.shapes", "hot-reads-in-queries"),
    ],
)
def test_crossing_a_layer_breaks_its_contract(
    tree: Path, file: str, line: str, broken: str
) -> None:
    (tree / file).write_text(line + "\n")
    code, output = lint(tree)
    assert code == 1, output
    assert f"{contract(broken)['name']} BROKEN" in output


@pytest.mark.parametrize("role", ["solve", "cheats"])
def test_oracles_and_cheats_load_without_django(role: str) -> None:
    modules = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in (ROOT / "episodes" / "families").glob(f"*/{role}.py")
    ]
    assert modules
    code = f"import sys, {', '.join(modules)}\nsys.exit('django' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
