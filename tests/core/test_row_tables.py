"""Rows inside of a form: what is sent of them, what their buttons do, and what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast
from urllib.parse import urlencode

import pytest
from django.http import HttpResponse, QueryDict

from clones.core.tenancy import SandboxRow
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.attempts import Attempts, FormErrors
from clones.core.web.form_pages import FormFlow, FormPage
from clones.core.web.inputs import Input, PageForm, chosen
from clones.core.web.lists import linked_row
from clones.core.web.row_tables import MOST, Row, RowTable, TableRow
from tests.core.test_asking import Asked, RefusedError

COLOURS = {"1": "Red", "2": "Blue"}


def line(place: int, row: Row) -> TableRow:
    return TableRow((Input("name", f"Name {place}", value=row["name"]),), hidden={"id": row["id"]})


def others(rows: Sequence[Row]) -> Input | None:
    there = {row["id"] for row in rows}
    left = [(key, name) for key, name in COLOURS.items() if key not in there]
    return Input("colour", "Colour to add", "select", choices=chosen(left, [])) if left else None


TABLE = RowTable(
    "tone",
    "Tones",
    ("Name",),
    ("id", "name"),
    line,
    [{"id": "7", "name": "Old"}],
    blank={"name": "New"},
    ordered=True,
)
PICKED = replace(TABLE, choice=others)


def sent(table: RowTable, *names: str, do: str = "", **more: str) -> RowTable:
    """Return a table as a form sends it whose rows have these names."""
    pairs = {f"tone-{place}-name": name for place, name in enumerate(names)}
    pairs |= {f"tone-{place}-id": str(place + 1) for place in range(len(names))}
    return table.sent(QueryDict(urlencode({"tone-count": len(names), "do": do, **pairs, **more})))


def names_of(table: RowTable) -> list[str]:
    return [row["name"] for row in table.rows]


def test_inputs_are_called_by_their_place_and_hold_what_the_row_does() -> None:
    first, second = sent(TABLE, "A", "B").lines
    assert [(one.name, one.alone.value()) for one in first.inputs] == [("tone-0-name", "A")]
    assert [(one.name, one.label) for one in second.inputs] == [("tone-1-name", "Name 2")]
    assert second.hidden == {"id": "2"}


def test_rows_are_as_they_were_sent() -> None:
    assert sent(TABLE, " A ", "").rows == [{"id": "1", "name": "A"}, {"id": "2", "name": ""}]
    assert sent(TABLE).rows == [], "none is left of those that there were"
    several = TABLE.sent(QueryDict("tone-count=1&tone-0-name=a&tone-0-name=b&tone-1-name=c"))
    assert names_of(several) == ["a b"]
    assert TABLE.sent(QueryDict("")).rows == []


@pytest.mark.parametrize(
    ("do", "left"),
    [
        ("tone:up:1", ["B", "A", "C"]),
        ("tone:up:0", ["A", "B", "C"]),
        ("tone:down:1", ["A", "C", "B"]),
        ("tone:down:2", ["A", "B", "C"]),
        ("tone:remove:0", ["B", "C"]),
        ("tone:add", ["A", "B", "C", "New"]),
        ("other:remove:0", ["A", "B", "C"]),
        ("tone:remove:3", ["A", "B", "C"]),
        ("tone:remove:", ["A", "B", "C"]),
        ("tone:remove:-1", ["A", "B", "C"]),
        ("tone:burn:0", ["A", "B", "C"]),
        ("tone", ["A", "B", "C"]),
    ],
)
def test_a_button_moves_removes_or_adds_a_row_of_its_own_table(do: str, left: list[str]) -> None:
    assert names_of(sent(TABLE, "A", "B", "C", do=do)) == left


def test_what_can_be_chosen_is_added_once() -> None:
    one = sent(PICKED, do="tone:add", colour="2")
    assert one.rows == [{"id": "2", "name": "New"}]
    assert one.chooser is not None
    assert [choice.value for choice in one.chooser.choices] == ["1"]
    assert sent(PICKED, do="tone:add").rows == [], "nothing was chosen"
    full = sent(PICKED, "A", "B", do="tone:add", colour="1")
    assert (names_of(full), full.chooser) == (["A", "B"], None)


def test_there_are_no_more_rows_than_a_page_can_have() -> None:
    assert len(TABLE.sent(QueryDict("tone-count=99999&do=tone:add")).rows) == MOST
    assert TABLE.sent(QueryDict("tone-count=9999999999")).rows == []


def flow() -> FormFlow[str]:
    def show(request: SandboxRequest, who: str, sheet: FormPage, status: int) -> HttpResponse:
        table = sheet.form.tables["tone"]
        texts = [*names_of(table), table.error, *sheet.form.sentences]
        return HttpResponse("|".join([*texts, str(sheet.form["title"].value())]), status=status)

    attempts = Attempts(RefusedError, lambda error: FormErrors(error.messages, error.fields))
    return FormFlow(attempts, show, lambda _request, _to, said: HttpResponse(said, status=302))


def test_a_form_with_rows_is_shown_edited_refused_and_written(writing: SandboxRow) -> None:
    written: list[list[str]] = []

    def write(form: PageForm) -> str:
        names = [row["name"] for row in form.rows("tone")]
        if "" in names:
            raise RefusedError(tones="Names are needed.")
        written.append(names)
        return form.text("title")

    def ask(sends: dict[str, str] | None = None) -> tuple[int, str]:
        method, text = ("GET", "") if sends is None else ("POST", urlencode(sends))
        request = cast(SandboxRequest, Asked(method, QueryDict(text)))
        sheet = FormPage("Add", "/add", "/list", [Input("title", "Title")], tables=[TABLE])
        found = flow().ask(request, "somebody", sheet, write, names={"tones": "tone"})
        return found.status_code, found.content.decode()

    rows = {"title": "T", "tone-count": "2", "tone-0-name": "A", "tone-1-name": "B"}
    assert ask() == (200, "Old||")
    assert ask({**rows, "do": "tone:remove:0"}) == (200, "B||T")
    assert written == [], "a button of rows writes nothing"
    refused = ask({**rows, "tone-1-name": ""})
    assert refused == (422, "A||Names are needed.|Names are needed.|T")
    assert ask(rows) == (302, "T")
    assert written == [["A", "B"]]


def test_a_form_without_tables_may_have_an_input_of_the_buttons_name() -> None:
    assert not PageForm([Input("do", "Do")], QueryDict("do=it")).asks_for_rows


def test_the_first_text_of_a_line_leads_to_its_address() -> None:
    row = linked_row("/one", "One", 2, None)
    assert [(cell.text, cell.address) for cell in row.cells] == [
        ("One", "/one"),
        ("2", ""),
        ("", ""),
    ]
