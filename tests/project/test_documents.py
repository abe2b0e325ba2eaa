"""The documents speak of what is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.project.paths import ROOT, documents

ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text()
DECISIONS = sorted((ROOT / "docs" / "adr").glob("[0-9]*.md"))
HEADINGS = ["Context", "Decision", "Rejected", "Consequences", "Guarded by"]


@pytest.mark.parametrize("document", documents(), ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", document.read_text()):
        assert (document.parent / target).exists(), target


@pytest.mark.parametrize("document", documents(), ids=lambda path: path.name)
def test_paths_in_the_text_exist(document: Path) -> None:
    roots = "clones|seeds|snapshots|episodes|sandlot|integrations|tests|tools|docs|changelog.d"
    for path in re.findall(rf"`((?:{roots})/[\w./-]*)`", document.read_text()):
        assert (ROOT / path).exists(), path


def test_the_architecture_names_every_package() -> None:
    for folder in ROOT.glob("*/__init__.py"):
        assert f"{folder.parent.name}" in ARCHITECTURE


def test_the_architecture_names_every_room_of_core() -> None:
    core = ROOT / "clones" / "core"
    rooms = [f"{path.parent.name}/" for path in core.glob("*/__init__.py")]
    rooms += [
        path.name for path in core.glob("*.py") if path.name not in ("__init__.py", "apps.py")
    ]
    section = ARCHITECTURE.partition("### clones/core")[2].partition("###")[0]
    assert [room for room in sorted(rooms) if f"`{room}`" not in section] == []


# What lies beside the modules of a part and is no room of its own.
BESIDE = ("__init__.py", "__pycache__")


@pytest.mark.parametrize(
    ("part", "page"),
    [
        ("clones/helpdesk", "helpdesk"),
        ("clones/tracker", "tracker"),
        ("clones/crm", "crm"),
        ("clones/billing", "billing-and-mail"),
        ("clones/mail", "billing-and-mail"),
        ("clones/config", "sandlot"),
        ("seeds", "seeds"),
        ("seeds/kestrel", "seeds"),
        ("seeds/people", "seeds"),
        ("snapshots", "snapshots"),
        ("episodes", "episodes"),
        ("episodes/certify", "episodes"),
        ("sandlot", "sandlot"),
        ("sandlot/cli", "sandlot"),
        ("tools", "tools"),
    ],
)
def test_the_page_of_a_part_names_its_rooms(part: str, page: str) -> None:
    text = (ROOT / "docs" / "architecture" / f"{page}.md").read_text()
    rooms = [
        path.name
        for path in (ROOT / part).iterdir()
        if path.name not in BESIDE and (path.is_dir() or path.suffix == ".py")
    ]
    named = {name for path in re.findall(r"`([\w./-]+)`", text) for name in path.split("/")}
    assert sorted(set(rooms) - named) == []


def test_the_page_of_episodes_names_every_family() -> None:
    text = (ROOT / "docs" / "architecture" / "episodes.md").read_text()
    listed = re.findall(r"^\| ([A-Z]\d\d) ", text, re.MULTILINE)
    folders = [path.name for path in (ROOT / "episodes" / "families").glob("[a-z]??")]
    assert [id.lower() for id in listed] == sorted(folders)


@pytest.mark.parametrize("page", DECISIONS, ids=lambda path: path.stem)
def test_decisions_have_their_form_and_their_guards(page: Path) -> None:
    text = page.read_text()
    assert text.startswith(f"# {page.name[:4]}: ")
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == HEADINGS
    guards = re.findall(r"`(tests/[\w/.]+)::(\w+)`", text.partition("## Guarded by")[2])
    assert guards
    for file, name in guards:
        tree = ast.parse((ROOT / file).read_text())
        assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_decision_is_listed_by_its_title() -> None:
    text = (ROOT / "docs" / "adr" / "README.md").read_text()
    listed = re.findall(r"^- \[(\d{4})\]\(([\w.-]+)\): (.+)$", text, re.MULTILINE)
    titles = [(page, page.read_text().partition("\n")[0]) for page in DECISIONS]
    assert sorted(listed) == [
        (page.name[:4], page.name, title.partition(": ")[2]) for page, title in titles
    ]


def test_decisions_are_numbered_without_gaps() -> None:
    assert [int(page.name[:4]) for page in DECISIONS] == list(range(1, len(DECISIONS) + 1))


def test_names_of_others_are_disclaimed() -> None:
    text = " ".join((ROOT / "README.md").read_text().split())
    assert (
        "Not affiliated with or endorsed by Zendesk, Salesforce, Atlassian or Stripe;"
        " names state compatibility only."
    ) in text
    licence = (ROOT / "LICENSE").read_text()
    assert "Apache License" in licence
    assert "END OF TERMS AND CONDITIONS" in licence
