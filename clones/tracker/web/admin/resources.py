"""How the administration keeps resources: a list, forms to add and to edit, a question, an order.

    class CategoryPages(AdminPages[ProjectCategory]):
        resource, here, title, noun = PROJECT_CATEGORY, "categories", "Space categories", "category"
        ...

    PAGES: Final = CategoryPages()

Which pages there are follows from the writes that the resource declares. Each is a method, so that
a page that differs has one of its own; `urls.py` puts other functions in place of the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from django.db.models import QuerySet
from django.http import HttpResponse

from clones.core.resources.declaration import Row
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.form_pages import FormPage, WriteResult
from clones.core.web.inputs import Input, PageForm
from clones.core.web.lists import (
    Action,
    Cell,
    ListPage,
    ListRow,
    Panel,
    SearchForm,
    order_acts,
)
from clones.core.web.paging import page_from
from clones.core.web.posted import posted_text
from clones.core.web.resource_pages import ResourcePages
from clones.tracker.domain.scheme_parts import one_of
from clones.tracker.models import Task
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import act, admin_form, admin_page, ask
from clones.tracker.web.admin.heirs import HeirInput
from clones.tracker.web.admin.lists import admin_view, moving
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.vocabulary import say

Views = dict[str, Callable[..., HttpResponse]]
_DONE: Final = {"Add": "added", "Create": "created"}


class AdminPages(ResourcePages[Row]):
    """A resource's pages in the administration: the list, its forms, the question, the order.

    Attributes:
        here: the key of its entry in the navigation.
        title: the heading of the list.
        noun: what pages call a record.
        heading: what the headings of forms call one, where that is more than the noun.
        gone: what is said of a record that does not exist; `{id}` is what was asked for.
        verb: what the making of one is called, "Add" or "Create".
        said: what stands above the list.
        empty: what stands in a list of none.
        columns: the headings of the list.
        search: what the list's search is called; it has none, and no pages, unless said.
        has_details: whether a record has a page of its own, to which those that change it lead
            back; `urls.py` says which.
        opens: what the act of the list is called that leads to that page; none unless said.
        copies: whether the list offers to copy one; `urls.py` says how.
        leaves: what is said before one is deleted, where that is the same of all.
        heir: what takes the place of one that goes.
        names: which input a field of the domain's refusals is, where it is called otherwise.
    """

    here: str
    title: str
    noun: str
    heading = ""
    gone: str
    verb = "Add"
    said = ""
    empty = "There is nothing here yet."
    columns: Sequence[str] = ("Name",)
    search = ""
    has_details = False
    opens = ""
    copies = False
    leaves = ""
    heir: HeirInput | None = None
    names: Mapping[str, str] = {}

    @property
    def at(self) -> str:
        """The address of the list."""
        return address_of(self.here)

    def address(self, record: Row) -> str:
        """Return the address of a record's page, or of its form where it has none."""
        return f"{self.at}/{record.pk}"

    def find(self, key: int | str) -> Row:
        """Return the record of an id.

        Raises:
            NotFound: there is none.
        """
        return one_of(self.records(), key, self.gone.format(id=key))

    def views(self) -> Views:
        """Return the pages that there are, by what their addresses have behind the list's."""
        kept = self.resource
        pages: Views = {"": admin_page(self.listing)}
        if kept.create is not None:
            pages["/add"] = admin_page(self.add)
        if kept.set_default is not None:
            pages["/default"] = admin_form(self.set_default)
        if kept.update is not None:
            form = "/<int:key>/edit" if self.has_details else "/<int:key>"
            pages[form] = admin_page(self.edit)
        if kept.move is not None:
            pages["/<int:key>/move"] = admin_form(self.move)
        if kept.delete is not None:
            pages["/<int:key>/delete"] = admin_page(self.delete)
        return pages

    # What its list shows.

    def cells(self, found: Sequence[Row]) -> Sequence[Sequence[Cell]]:
        """Return the cells of each record of the list."""
        return [[self.name_cell(row)] for row in found]

    def name_cell(self, record: Row, tags: Sequence[str] = ()) -> Cell:
        """Return the cell of a record's name and description; the name leads to its page."""
        about: str = getattr(record, "description", "")
        address = self.address(record) if self.has_details else ""
        return Cell(self.name(record), address, about, tags=tags)

    def acts(self, record: Row, among: Sequence[Row], *, goes: bool = True) -> list[Action]:
        """Return what can be done with a record of the list; `goes` says whether it can go."""
        at, name, kept = self.address(record), self.name(record), self.resource
        acts: list[Action] = [Action(self.opens, at, name, whole=True)] if self.opens else []
        if kept.move is not None:
            first, last = record == among[0], record == among[-1]
            acts += order_acts(f"{at}/move", name, first=first, last=last)
        if kept.update is not None:
            acts.append(Action("Edit", f"{at}/edit" if self.has_details else at, name))
        if kept.set_default is not None:
            acts.append(self._default_act(record))
        if self.copies:
            acts.append(Action("Copy", f"{at}/copy", name))
        if kept.delete is not None and goes:
            acts.append(Action("Delete", f"{at}/delete", name))
        return acts

    def can_go(self, record: Row, among: Sequence[Row]) -> bool:
        """Tell whether the list offers to delete a record."""
        return True

    def list_rows(self, found: Sequence[Row]) -> list[ListRow]:
        """Return the lines of the list."""
        return [
            ListRow(cells, self.acts(row, found, goes=self.can_go(row, found)), row)
            for row, cells in zip(found, self.cells(found), strict=True)
        ]

    def list_page(self, request: SandboxRequest) -> ListPage:
        """Return what the list's page shows."""
        rows, text = self.rows(), request.GET.get("query", "").strip()
        if self.search and text:
            rows = rows.filter(**{f"{self.named_by}__icontains": text})
        pages = page_from(request, rows) if self.search else None
        found = list(rows) if pages is None else pages.rows
        return ListPage(
            self.title,
            self.here,
            [Panel(self.columns, self.list_rows(found), empty=self.empty)],
            say(self.said) if self.said else "",
            [Action(f"{self.verb} {self.noun}", f"{self.at}/add", primary=True)],
            search=SearchForm(self.search, text) if self.search else None,
            pages=pages,
        )

    # What its forms write.

    def create(self, values: dict[str, Any], who: Visitor) -> Row:
        """Make a record of what a form sent."""
        made: Row = self.resource.writer("create")(**values, actor=who.rights)
        return made

    def update(self, record: Row, values: dict[str, Any], who: Visitor) -> None:
        """Change a record to what a form sent."""
        self.resource.writer("update")(record, **values, actor=who.rights)

    def consequence(self, record: Row) -> str:
        """Return what is said before a record is deleted."""
        return say(self.leaves)

    def heirs(self, record: Row) -> QuerySet[Row]:
        """Return what can take the place of a record."""
        return self.records().order_by(*self.resource.order).exclude(pk=record.pk)

    def heir_choices(self, record: Row) -> list[tuple[object, str]]:
        """Return what is offered to take the place of a record."""
        return [(row.pk, self.name(row)) for row in self.heirs(record)]

    def heir_inputs(self, record: Row) -> list[Input]:
        """Return what is asked before a record is deleted."""
        return [] if self.heir is None else [self.heir.input(self.heir_choices(record))]

    # The pages.

    def listing(self, request: SandboxRequest, who: Visitor) -> HttpResponse:
        """List the records, and what can be done with each."""
        return admin_view(request, who, self.list_page(request))

    def add(self, request: SandboxRequest, who: Visitor) -> HttpResponse:
        """Make a record."""

        def write(sent: PageForm) -> WriteResult:
            made = self.create(self.values(sent, None), who)
            return self._done(made, _DONE[self.verb]), self._back(made)

        sheet = FormPage(
            self._headed(self.verb), request.path, self.at, self.inputs(None), self.verb
        )
        return ask(request, who, sheet, write, here=self.here, names=dict(self.names))

    def edit(self, request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
        """Change a record."""
        found = self.find(key)

        def write(sent: PageForm) -> WriteResult:
            self.update(found, self.values(sent, found), who)
            return self._done(found, "updated")

        sheet = FormPage(
            self._headed("Edit"), request.path, self._back(found), self.inputs(found)
        )  # fmt: skip
        return ask(request, who, sheet, write, here=self.here, names=dict(self.names))

    def delete(self, request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
        """Delete a record, or begin to; a form asks for its heir."""
        found = self.find(key)

        def write(sent: PageForm) -> WriteResult:
            deleted, begun = self._done(found, "deleted"), self._done(found, "is being deleted")
            heir = {} if self.heir is None else self.heir.chosen(sent, self.heirs(found))
            done = self.resource.writer("delete")(found, **heir, actor=who.rights)
            return begun if isinstance(done, Task) else deleted

        sheet = FormPage(
            f"{say(f'Delete {self.noun}')}: {self.name(found)}", request.path, self.at,
            self.heir_inputs(found), "Delete", self.consequence(found), danger=True,
        )  # fmt: skip
        return ask(request, who, sheet, write, here=self.here)

    def move(self, request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
        """Move a record one place up or down."""

        def write() -> WriteResult:
            order = [row.pk for row in self.rows()]
            found = self.find(key)
            where = moving(order, found.pk, posted_text(request, "way"))
            self.resource.writer("move")([str(found.pk)], **where, actor=who.rights)
            return self._done(found, "moved")

        return act(request, who, write, back=self.at, here=self.here)

    def set_default(self, request: SandboxRequest, who: Visitor) -> HttpResponse:
        """Set the default record, or with no `id` take it back."""

        def write() -> WriteResult:
            wanted = posted_text(request, "id")
            found = self.find(wanted) if wanted else None
            self.resource.writer("default")(found, actor=who.rights)
            if found is None:
                return f"There is no default {self.noun} now"
            return f"“{self.name(found)}” is the default {self.noun}"

        return act(request, who, write, back=self.at, here=self.here)

    def _back(self, record: Row) -> str:
        return self.address(record) if self.has_details else self.at

    def _default_act(self, record: Row) -> Action:
        at, name = f"{self.at}/default", self.name(record)
        if getattr(record, "is_default", False):
            return Action("Clear default", at, name, post=True)
        return Action("Make default", at, name, post=True, sends={"id": str(record.pk)})

    def _done(self, record: Row, done: str) -> str:
        noun = say(self.noun)
        return f"{noun[0].upper()}{noun[1:]} “{self.name(record)}” {done}"

    def _headed(self, verb: str) -> str:
        return say(f"{verb} {self.heading or self.noun}")
