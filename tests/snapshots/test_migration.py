"""A snapshot of an older build is brought to this one by its migrations, or refused and kept."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.project.paths import ROOT

pytestmark = pytest.mark.slow(shares="made")

PACKAGE = "tests.snapshots.museum"
VISIT = f"import sys, django; django.setup(); from {PACKAGE}.visit import main; main(*sys.argv[1:])"


def visit(build: str, data: Path, *what: str) -> dict[str, Any]:
    """Work in a data directory with one build of the museum, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", VISIT, *what],
        env={
            **os.environ,
            "SANDLOT_DATA": str(data),
            "DJANGO_SETTINGS_MODULE": f"{PACKAGE}.settings_{build}",
        },
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A data directory with a snapshot of the older build, and the snapshot's facts."""
    data = tmp_path_factory.mktemp("older")
    return data, visit("older", data, "make")


def files(data: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(data)): path.read_bytes()
        for folder in ("images", "names")
        for path in (data / folder).rglob("*")
        if path.is_file()
    }


def test_an_older_snapshot_is_refused_with_a_word_about_migrating(
    made: tuple[Path, dict[str, Any]],
) -> None:
    data, _ = made
    refused = visit("newer", data, "look")["refused"]
    assert refused.startswith("SchemaMismatch: snapshot kept was made by schema")
    assert "sandlot snapshot migrate kept NEW" in refused


def test_one_that_this_builds_migrations_explain_is_migrated(
    made: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    data, old = made
    if os.environ.get("SANDLOT_ENGINE") != "postgres":
        shutil.copytree(data, tmp_path, dirs_exist_ok=True)
        data = tmp_path
    before = files(data)
    found = visit("newer", data, "migrate", "moved")
    assert "refused" not in found, found
    manifest = found["manifest"]
    assert manifest["parent"] == old["digest"] != manifest["digest"]
    assert manifest["schema"] != old["schema"]
    facts = ("world", "size", "seed", "clock", "engine")
    assert [manifest[fact] for fact in facts] == [old[fact] for fact in facts]
    assert found["pieces"] == [[1, "Plane", "Cellar"], [2, "Saw", "Cellar"]]
    # What led to the rows is kept; where in the old journal it stood is not.
    assert "person:ana" in found["acts"]
    assert found["observed"] == 0
    assert found["missing"] == []
    assert found["changes"] == [["museum_piece", "update"], ["museum_room", "insert"]]
    assert found["intact"]
    assert found["left"] == []
    assert found["names"] == ["kept", "moved"]
    # The old one lies there as it did.
    assert before.items() <= files(data).items()
    again = visit("newer", data, "migrate", "moved")
    assert "moved" in again["refused"]
    assert visit("older", data, "look")["digest"] == old["digest"]


def test_one_whose_migrations_were_rewritten_since_is_refused(
    made: tuple[Path, dict[str, Any]],
) -> None:
    """The name of the migration is the same and so is what is recorded: only the tables tell."""
    data, old = made
    before = files(data)
    found = visit("rewritten", data, "migrate", "saved")
    assert "its tables are not those that this build's migrations made" in found["refused"]
    assert found["left"] == []
    assert files(data) == before
    assert visit("older", data, "look")["digest"] == old["digest"]


def test_one_of_this_builds_schema_is_not_migrated(made: tuple[Path, dict[str, Any]]) -> None:
    data, _ = made
    assert "there is nothing to migrate" in visit("older", data, "migrate", "twin")["refused"]
