"""Pages that ask: values, errors and choices of their forms, and what becomes of an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import pytest
from django.http import HttpResponse, QueryDict

from clones.core.tenancy import SandboxRow
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.attempts import Attempts, FormErrors
from clones.core.web.form_pages import FormFlow, FormPage
from clones.core.web.inputs import Input, PageForm, chosen

COLOURS = (("red", "Red"), ("blue", "Blue"))


class RefusedError(Exception):
    """What a domain raises; `fields` say where."""

    def __init__(self, *messages: str, **fields: str) -> None:
        super().__init__(*messages)
        self.messages, self.fields = messages, fields


class Hidden(RefusedError):
    """What is no refusal of a form."""


@dataclass
class Asked:
    """A request as these pages look at it."""

    method: str
    POST: QueryDict


def inputs() -> list[Input]:
    return [
        Input("name", "Name", value="Old", required=True, hint="As people read it."),
        Input("colour", "Colour", "select", choices=chosen(COLOURS, ["red"]), none="None"),
        Input("marks", "Marks", "checks", choices=chosen(COLOURS, ["blue"])),
        Input("on", "On", "check", "on"),
    ]


def sent(text: str) -> PageForm:
    return PageForm(inputs(), QueryDict(text))


def test_a_form_begins_with_the_values_of_its_inputs() -> None:
    form = PageForm(inputs())
    assert [one.value() for one in form] == ["Old", "red", ["blue"], "on"]
    assert [one.value for one in form["colour"].choices if one.chosen] == ["red"]
    assert form["name"].described == "name-hint"


def test_a_form_says_what_was_sent_and_refuses_none_of_it() -> None:
    form = sent("name=+New+&colour=mauve&marks=red&marks=blue&other=1")
    assert form.text("name") == "New"
    assert form.text("colour") == "mauve"  # no choice: the domain says so, in its words
    assert form.several("marks") == ["red", "blue"]
    assert not form.ticked("on")
    assert form.text("other") == "", "what is no input of the form is not read"
    assert form.text("marks") == ""
    assert form.several("other") == []


def test_an_input_of_one_value_can_be_sent_several_times() -> None:
    assert sent("colour=red&colour=blue").several("colour") == ["red", "blue"]


def test_a_form_without_values_has_none() -> None:
    form = sent("")
    assert (form.text("name"), form.several("marks"), form.ticked("on")) == ("", [], False)
    assert [one.value() for one in form] == ["", "", [], False]


def test_a_refusal_stands_at_its_input_with_what_was_typed() -> None:
    form = sent("name=+New+&colour=blue&on=on")
    form.refuse(
        FormErrors(["No.", "No."], {"title": "Too long.", "size": "Too big."}), {"title": "name"}
    )
    name = form["name"]
    assert (name.value(), name.error, name.described) == (
        " New ",
        "Too long.",
        "name-error name-hint",
    )
    assert form.problems == ["No.", "Too big."]
    assert form.sentences == ["No.", "Too big.", "Too long."]
    assert [one.value for one in form["colour"].choices if one.chosen] == ["blue"]


def test_a_form_that_was_not_sent_says_what_was_refused_all_the_same() -> None:
    form = PageForm(inputs())
    form.refuse(FormErrors(["No."], {"name": "Too long."}))
    assert (form.problems, form["name"].error) == (["No."], "Too long.")


class Page:
    """A clone whose pages are lines of text."""

    def __init__(self) -> None:
        attempts = Attempts(
            RefusedError,
            lambda error: (
                None if isinstance(error, Hidden) else FormErrors(error.messages, error.fields)
            ),
        )
        self.asking: FormFlow[str] = FormFlow(attempts, self.show, self.lead)

    def show(self, request: SandboxRequest, who: str, sheet: FormPage, status: int) -> HttpResponse:
        texts = [sheet.heading, str(sheet.only_errors), *sheet.form.sentences]
        return HttpResponse("|".join([*texts, str(sheet.form["name"].value())]), status=status)

    def lead(self, request: SandboxRequest, address: str, said: str) -> HttpResponse:
        return HttpResponse(f"{address} {said}", status=302)

    def ask(self, write: Any, sends: str | None = None) -> tuple[int, str]:
        method = "GET" if sends is None else "POST"
        request = cast(SandboxRequest, Asked(method, QueryDict(sends or "")))
        sheet = FormPage("Add", "/add", "/list", inputs())
        found = self.asking.ask(request, "somebody", sheet, write, names={"title": "name"})
        return found.status_code, found.content.decode()


def test_a_page_asks_refuses_and_leads_on(writing: SandboxRow) -> None:
    page = Page()

    def write(form: PageForm) -> str:
        if form.text("name") == "bad":
            raise RefusedError(title="Not that.")
        return f"{form.text('name')} added"

    assert page.ask(write) == (200, "Add|False|Old")
    assert page.ask(write, "name=bad") == (422, "Add|False|Not that.|bad")
    assert page.ask(write, "name=good") == (302, "/list good added")
    assert page.ask(lambda form: ("done", "/made"), "name=x") == (302, "/made done")


def test_what_is_no_refusal_of_a_form_is_raised(writing: SandboxRow) -> None:
    def write(form: PageForm) -> str:
        raise Hidden("Not yours.")

    with pytest.raises(Hidden):
        Page().ask(write, "name=x")


def test_a_button_says_on_a_page_what_was_refused(writing: SandboxRow) -> None:
    def write() -> str:
        raise RefusedError("In use.")

    page, request = Page(), cast(SandboxRequest, Asked("POST", QueryDict("")))
    sheet = FormPage("Could not be done", "/list", "/list", inputs())
    refused = page.asking.act(request, "somebody", write, sheet=sheet)
    done = page.asking.act(request, "somebody", lambda: "Moved", sheet=sheet)
    assert (refused.status_code, refused.content) == (422, b"Could not be done|True|In use.|Old")
    assert (done.status_code, done.content) == (302, b"/list Moved")
