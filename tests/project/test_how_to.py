"""What the pages of docs/how-to show works, in a copy of the house."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.project.how_to import DIFF, FILE, FOLDER, Copy
from tests.project.paths import ROOT
from tools.new_clone.naming import Names

PAGES = sorted(path.name for path in FOLDER.glob("*.md") if path.name != "README.md")
CODE = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PATH = re.compile(r"`((?:clones|episodes|tests)/[\w/]+\.py)`")
COLUMN = re.compile(r"`((?:impact|batch) = models\.[^`]*)`")
FIELDS = ("tests/helpdesk/test_system_fields.py", "tests/helpdesk/web/test_system_fields.py")
QUIET = ("-p", "no:cacheprovider", "-n", "0", "-q")


def indented(text: str) -> str:
    """Return lines as they stand within a tuple."""
    return "".join(f"    {line}\n" for line in text.splitlines())


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path / "house")


@pytest.mark.slow
def test_the_family_of_the_page_is_certified_by_the_pages_command(copy: Copy) -> None:
    text = (FOLDER / "task-family.md").read_text("utf-8")
    command = re.search(r"^\.venv/bin/sandlot (task certify .*--checks .*)$", text, re.MULTILINE)
    assert command is not None
    copy.take("task-family.md")
    done = copy.run("-m", "sandlot.cli", *shlex.split(command[1]), SANDLOT_DEV="1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Z01@1 certified, 6 of 6 checks hold" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "tests"),
    [
        ("world.md", "tests/seeds/test_sparrow.py"),
        ("dashboard-gadget.md", "tests/tracker/web/test_age_gadget.py"),
    ],
)
def test_the_test_of_the_page_passes(copy: Copy, page: str, tests: str) -> None:
    copy.take(page)
    done = copy.run("-m", "pytest", *QUIET, tests)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^\d passed", done.stdout, re.MULTILINE)


@pytest.mark.slow
def test_a_field_of_the_page_is_wherever_fields_are(copy: Copy) -> None:
    """Each of the page's two is declared as it says, and found by all that read the catalogue."""
    text = (FOLDER / "add-a-ticket-field.md").read_text("utf-8")
    declared = [block for block in CODE.findall(text) if block.startswith("SystemField(")]
    columns = [line.replace("\n", " ") for line in COLUMN.findall(text)]
    assert len(declared) == len(columns) == 2
    fields = indented("".join(f"{block.rstrip()},\n" for block in declared))
    copy.insert("clones/helpdesk/rules/system_fields.py", "SYSTEM_FIELDS = (\n", fields)
    columns_of = "".join(f"    {line}\n" for line in columns)
    subject = '    subject = models.TextField(default="")\n'
    copy.insert("clones/helpdesk/models/tickets.py", subject, columns_of)
    (lines,) = re.findall(r"^```json\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    copy.insert("clones/helpdesk/defaults.json", '"fields": [\n', lines)
    done = copy.run("-m", "pytest", *QUIET, *FIELDS, "-k", "impact or batch or column")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^\d\d passed", done.stdout, re.MULTILINE), done.stdout


@pytest.mark.slow
def test_a_new_clone_is_served_and_its_tests_pass(copy: Copy) -> None:
    copy.add_clone(Names("pinboard", "note", "notes"))
    # A server of its own would run in the house, not in the copy: a copy of files is walked through
    # by `test_the_house_holds_with_a_new_clone_in_it`.
    unwalked = ("--ignore", "tests/pinboard/test_browser.py")
    done = copy.run("-m", "pytest", *QUIET, *unwalked, "tests/pinboard")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^\d\d passed", done.stdout, re.MULTILINE)


@pytest.mark.parametrize("page", PAGES)
def test_examples_are_new_files_and_are_listed(page: str) -> None:
    text = (FOLDER / page).read_text("utf-8")
    assert [path for path, _ in FILE.findall(text) if (ROOT / path).exists()] == []
    assert text.count("\n```diff\n") == len(DIFF.findall(text))
    assert f"({page})" in (FOLDER / "README.md").read_text("utf-8")


@pytest.mark.parametrize("page", ["check.md", "operation.md", "page.md"])
def test_examples_that_are_there_are_as_they_stand(page: str) -> None:
    """These pages show what the house has: each part of it in a file that they name."""
    text = (FOLDER / page).read_text("utf-8")
    named = [ROOT / path for path in PATH.findall(text) if (ROOT / path).exists()]
    house = [path.read_text("utf-8") for path in named]
    parts = [part.strip("\n") for block in CODE.findall(text) for part in block.split("\n\n\n")]
    assert len(parts) >= 2
    assert [part for part in parts if not any(part in file for file in house)] == []


def test_a_copy_leaves_the_house_alone(copy: Copy) -> None:
    before = (ROOT / "seeds" / "worlds.py").read_bytes()
    copy.take("world.md")
    assert (ROOT / "seeds" / "worlds.py").read_bytes() == before
    assert not (ROOT / "seeds" / "sparrow").exists()
    assert (copy.folder / "seeds" / "worlds.py").read_bytes() != before
