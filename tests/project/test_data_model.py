"""The diagrams of the data model are those that the tool makes of the models."""

from __future__ import annotations

import re
from pathlib import Path

from django.apps import apps

from clones.core.vendors import clones
from tests.project.paths import ROOT
from tools.data_model import FOLDER, pages, write


def test_the_pages_are_what_the_tool_makes() -> None:
    written = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.md")}
    assert written == pages(), "run `make data-model`"


def test_every_app_with_tables_has_its_page_and_every_table_its_box() -> None:
    found = pages()
    labels = {model._meta.app_label for model in apps.get_models()}
    assert {f"{label}.md" for label in labels} == set(found)
    assert {clone.name for clone in clones()} <= labels
    for model in apps.get_models():
        text = found[f"{model._meta.app_label}.md"]
        assert re.search(rf"^    {model.__name__} \{{$", text, re.MULTILINE), model


def test_relations_say_whether_they_may_be_empty_and_are_one_or_many() -> None:
    text = pages()["helpdesk.md"]
    assert "    User ||--o{ Ticket : requester\n" in text
    assert "    User |o--o{ Ticket : assignee\n" in text
    assert "    core_Blob ||--o{ Attachment : blob\n" in text
    assert "    Ticket ||--o| TicketMetric : ticket\n" in text


def test_every_page_is_named_in_the_document() -> None:
    text = (ROOT / "docs" / "data-model.md").read_text("utf-8")
    assert {name for name in pages() if f"(data-model/{name})" not in text} == set()


def test_pages_of_apps_that_are_no_more_are_removed(tmp_path: Path) -> None:
    (tmp_path / "gone.md").write_text("x")
    write({"here.md": "y"}, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["here.md"]
