"""Pages that every subject of Admin Center has: a list, a record's form, a question before the end.

A subject's module says what stands on them and calls `domain/`; how they look and what a refusal
does is here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.forms import BoundField
from django.http import HttpResponse, QueryDict

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.form_pages import FormFlow, FormPage, Write, WriteResult
from clones.core.web.inputs import Input, PageForm
from clones.core.web.lists import (
    Action,
    ListPage,
    ListRow,
    Panel,
    SearchForm,
    note_shown,
)
from clones.core.web.paging import Page, page_of, page_of_items
from clones.core.web.row_tables import RowTable
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import frame
from clones.helpdesk.web.admin.inputs import Filter
from clones.helpdesk.web.form_errors import RECORD_ATTEMPTS

Row = TypeVar("Row", bound=Model)
# One of `inputs`, which gets its value from the form, or as a form has it.
AnyField = Input | BoundField


@dataclass(frozen=True, slots=True)
class FormSection:
    """Fields under one heading, and a table of rows that belong to the record.

    What is refused of the attribute `about` stands where the note does.
    """

    legend: str
    fields: tuple[AnyField, ...] = ()
    table: RowTable | None = None
    note: str = ""
    about: str = ""

    def bound(self, held: PageForm) -> FormSection:
        """Return the section with the values of a form, and with what was refused of it."""
        return replace(
            self,
            fields=tuple(held[one.name] if isinstance(one, Input) else one for one in self.fields),
            table=None if self.table is None else held.tables[self.table.prefix],
            note=held.refused.get(self.about, self.note),
        )


@dataclass(frozen=True, slots=True)
class Form:
    """A record's form. `links` stand below it: what else can be done with the record.

    `below` is a list of what belongs to the record.
    """

    active: str
    title: str
    back: str
    parts: tuple[FormSection, ...]
    delete_url: str | None = None
    submit_label: str = "Save"
    links: Sequence[Action] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    template: str = "helpdesk/admin/record.html"
    below: Panel | None = None

    @property
    def inputs(self) -> list[Input]:
        """Those of its fields that get their values from what was sent."""
        return [one for part in self.parts for one in part.fields if isinstance(one, Input)]

    @property
    def tables(self) -> list[RowTable]:
        """The tables of its sections."""
        return [part.table for part in self.parts if part.table is not None]


@dataclass(frozen=True, slots=True)
class ConfirmPage:
    """What is asked before something is done that cannot be undone, and where it leads."""

    active: str
    title: str
    consequence: str
    back: str
    done: str
    about: str
    label: str = "Delete"
    notice: str = "removed"


def search_text(request: SandboxRequest) -> str:
    """Return the text that a list is searched for."""
    return request.GET.get("q", "").strip()


def searched(request: SandboxRequest, rows: QuerySet[Row], field: str) -> QuerySet[Row]:
    """Return the records of a list in whose field the text is that it is searched for."""
    text = search_text(request)
    return rows.filter(**{f"{field}__icontains": text}) if text else rows


def search(request: SandboxRequest, *filters: Filter) -> SearchForm:
    """Return the form above a list that is searched for a text, and narrowed down."""
    return SearchForm("Search", search_text(request), filters)


def creating(label: str, address: str) -> Action:
    """Return the way from a list to the form of a new record."""
    return Action(label, address, primary=True, test_id="admin-create")


def show_list(
    request: SandboxRequest,
    agent: Agent,
    listing: ListPage,
    rows: QuerySet[Row],
    line: Callable[[Row], ListRow],
) -> HttpResponse:
    """Return the page of a list that is asked for: its panel with a line for each record."""
    found = page_of(request, rows)
    lines = [ListRow(line(row).cells, record=row) for row in found.rows]
    return _show(request, agent, listing, lines, found)


def show_all(
    request: SandboxRequest, agent: Agent, listing: ListPage, lines: Sequence[ListRow]
) -> HttpResponse:
    """Return the page asked for of lines that are no records of their own."""
    found = page_of_items(request, lines)
    return _show(request, agent, listing, found.rows, found)


def _show(
    request: SandboxRequest,
    agent: Agent,
    listing: ListPage,
    lines: Sequence[ListRow],
    found: Page[Any],
) -> HttpResponse:
    """Return a list's page; where it is narrowed down, rows are not moved."""
    form, panel = listing.search, replace(listing.panels[0], rows=lines)
    filters = form.inputs if form is not None else ()
    if search_text(request) or any(item.initial for item in filters):
        panel = replace(panel, order="")
    shown = ListPage(
        listing.title,
        listing.here,
        [panel],
        listing.said,
        listing.acts,
        search=form and replace(form, text=search_text(request)),
        pages=found,
    )
    note_shown(shown)
    return frame.page(
        request,
        agent,
        "helpdesk/admin/list.html",
        {"shown": shown, "page": found, "panel": panel},
        title=shown.title,
        active=shown.here,
    )


def ask(
    request: SandboxRequest,
    agent: Agent,
    form: Form,
    write: Write,
    *,
    record: Model | None = None,
    names: Mapping[str, str] | None = None,
) -> HttpResponse:
    """Show a record's form; or write what it sends, and lead on with a notice.

    Args:
        request: the request at hand.
        agent: the admin.
        form: as it is before anything is typed; its fields are of `inputs`.
        write: carries it out, and returns what the notice names and the page to go on to.
        record: what the form shows, which counts as seen.
        names: which input an attribute of the domain is, where it is called otherwise.
    """

    def show(_request: SandboxRequest, _agent: Agent, sheet: FormPage, status: int) -> HttpResponse:
        if record is not None:
            sightings.note(record, "detail")
        return _form_page(request, agent, form, sheet.form, status=status)

    sheet = FormPage(form.title, "", form.back, form.inputs, form.submit_label, tables=form.tables)
    return FormFlow(RECORD_ATTEMPTS, show, _lead_with("saved")).ask(
        request, agent, sheet, write, names=names
    )


def _lead_with(notice: str) -> Callable[[SandboxRequest, str, str], HttpResponse]:
    """Return what leads on to a page with a notice about something."""
    return lambda _request, address, about: shell.go(address, notice, about)


def show_form(request: SandboxRequest, agent: Agent, form: Form) -> HttpResponse:
    """Return the page of a form as it begins."""
    return _form_page(request, agent, form, PageForm(form.inputs, None, form.tables), status=200)


def _form_page(
    request: SandboxRequest, agent: Agent, form: Form, held: PageForm, *, status: int
) -> HttpResponse:
    if form.below is not None:
        note_shown(ListPage(form.title, form.active, [form.below]))
    context = {
        "form": form,
        "parts": [part.bound(held) for part in form.parts],
        "problems": held.sentences,
        "back": form.back,
        "delete_url": form.delete_url,
        "submit_label": form.submit_label,
        **form.extra,
    }
    return frame.page(
        request,
        agent,
        form.template,
        context,
        title=form.title,
        active=form.active,
        status=status,
    )


def ask_first(
    request: SandboxRequest, agent: Agent, question: ConfirmPage, act: Callable[[], object]
) -> HttpResponse:
    """Ask a question, or do what was asked once it is answered."""

    def show(_request: SandboxRequest, _agent: Agent, sheet: FormPage, status: int) -> HttpResponse:
        context = {
            "said": "; ".join(sheet.form.sentences),
            "consequence": question.consequence,
            "back": question.back,
            "confirm_label": question.label,
        }
        return frame.page(
            request,
            agent,
            "helpdesk/admin/confirm.html",
            context,
            title=question.title,
            active=question.active,
            status=status,
        )

    def write(_sent: PageForm) -> WriteResult:
        act()
        return question.about

    sheet = FormPage(question.title, "", question.done, button=question.label)
    return FormFlow(RECORD_ATTEMPTS, show, _lead_with(question.notice)).ask(
        request, agent, sheet, write
    )


def move(
    request: SandboxRequest,
    rows: QuerySet[Any],
    write: Callable[[Sequence[Any]], object],
    address: str,
) -> HttpResponse:
    """Write rows in their new order where a list's form names one as `up` or `down`; go back."""
    if request.method == "POST":
        write(_moved(list(rows.values_list("pk", flat=True)), request.POST))
    return shell.go(address)


def _moved(keys: list[Any], post: QueryDict) -> list[Any]:
    """Return the keys with the one that the form names a place further up or down."""
    for way, step in (("up", -1), ("down", 1)):
        key = next((key for key in keys if str(key) == post.get(way)), None)
        if key is not None:
            at = keys.index(key)
            to = min(max(at + step, 0), len(keys) - 1)
            keys.insert(to, keys.pop(at))
    return keys
