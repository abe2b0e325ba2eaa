"""How Admin Center keeps resources: a list, a form for each record, a question before one goes.

    class GroupPages(AdminPages[Group]):
        resource, entry, title, noun = GROUP, "admin_groups", "Groups", "group"
        ...

    PAGES: Final = GroupPages()

Which pages there are follows from the writes that the resource declares. Each is a method, so that
a page that differs has one of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import URLPattern, path, reverse

from clones.core.resources.declaration import Row
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.form_pages import WriteResult
from clones.core.web.inputs import Choice, Input, PageForm
from clones.core.web.lists import Action, ListPage, ListRow, Panel, linked_row
from clones.core.web.resource_pages import ResourcePages
from clones.helpdesk import queries
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.inputs import AdminInput, Filter
from clones.helpdesk.web.admin.pages import ConfirmPage, Form, FormSection

# By the shape of an input: the name of the template that draws it.
_KINDS: Final = {
    "area": "textarea",
    "check": "checkbox",
    "checks": "checks",
    "line": "text",
    "select": "select",
    "static": "static",
}


class AdminPages(ResourcePages[Row]):
    """The pages of a resource in Admin Center.

    Attributes:
        entry: the entry of the navigation that they belong to.
        list_name: the name of the list's address; the entry's unless said.
        page_name: the name of a record's address, with which those of its other pages begin.
        key: how addresses write a record's key.
        title: the heading of the list.
        noun: what pages call a record.
        columns: the headings of the list.
        empty: what stands in a list of none.
        create_label: what leads to the form of a new one.
        submit_label: what sends that form; the same unless said.
        new_title: the heading of that form; of the noun unless said.
        stays: whether those that save a record stay at it; else the list comes next.
        leaves: what is said before one is deleted.
    """

    entry: str
    list_name = ""
    page_name: str
    key = "<int:key>"
    title: str
    noun: str
    columns: tuple[str, ...]
    empty: str
    create_label: str
    submit_label = ""
    new_title = ""
    stays = True
    leaves = ""

    def find(self, key: object) -> Row:
        """Return the record of a key.

        Raises:
            RecordNotFound: there is none.
        """
        return queries.one(self.records(), self.resource.name, key)

    def at(self) -> str:
        """Return the address of the list."""
        return reverse(f"helpdesk:{self.list_name or self.entry}")

    def address(self, record: Row | None, page: str = "") -> str:
        """Return the address of a page of a record, or without one of all."""
        place = [] if record is None else [record.pk]
        return reverse(f"helpdesk:{self.page_name}{page}", args=place)

    def urls(self, at: str) -> list[URLPattern]:
        """Return the addresses of the pages that there are, below one."""
        one, name = f"{at}/{self.key}", self.page_name
        form = admin_page(self.form)
        found = [path(at, admin_page(self.listing), name=self.list_name or self.entry)]
        if self.resource.create is not None:
            found.append(path(f"{at}/new", form, name=f"{name}_new"))
        if self.resource.update is not None:
            found.append(path(one, form, name=name))
        if self.resource.delete is not None:
            found.append(path(f"{one}/delete", admin_page(self.delete), name=f"{name}_delete"))
        return found

    # What its list shows.

    def cells(self, record: Any) -> tuple[object, ...]:
        """Return the cells of a record of the list; the first leads to its page."""
        return (self.name(record),)

    def filters(self, request: SandboxRequest) -> tuple[Filter, ...]:
        """Return the selects that narrow the list down."""
        return ()

    def narrowed(self, rows: QuerySet[Row], name: str, value: str) -> QuerySet[Row]:
        """Return the records of a list for which a select was set to a value."""
        raise NotImplementedError

    def links(self) -> tuple[Action, ...]:
        """Return what else the list leads to."""
        return ()

    # What its form asks and writes.

    def make_input(
        self,
        name: str,
        label: str,
        shape: str,
        value: str,
        *,
        choices: Sequence[Choice],
        required: bool,
        none: str,
        hint: str,
    ) -> Input:
        """Return an input as Admin Center's forms have them."""
        text = "true" if shape == "check" and value else value
        return AdminInput(
            name, label, _KINDS[shape], text, choices=choices, required=required, hint=hint
        )

    def form_title(self, found: Row | None) -> str:
        """Return the heading of a form."""
        return self.name(found) if found is not None else self.new_title or f"New {self.noun}"

    def sections(self, found: Row | None) -> tuple[FormSection, ...]:
        """Return the parts of a form."""
        return (FormSection("", tuple(self.inputs(found))),)

    def can_go(self, record: Row) -> bool:
        """Tell whether the form offers to delete its record."""
        return True

    def back(self, record: Row) -> str:
        """Return the page from which it is asked whether a record shall go."""
        return self.address(record)

    def save(self, found: Row | None, values: dict[str, Any], agent: Agent) -> Row:
        """Write what a form sent, and return the record."""
        kept = self.resource
        saved: Row = (
            kept.writer("create")(actor=agent.user, changes=values)
            if found is None
            else kept.writer("update")(found, actor=agent.user, changes=values)
        )
        return saved

    # The pages.

    def listing(self, request: SandboxRequest, agent: Agent) -> HttpResponse:
        """List the records, or those that are looked for."""
        rows, text, filters = self.rows(), pages.search_text(request), self.filters(request)
        if text:
            rows = rows.filter(**{f"{self.named_by}__icontains": text})
        for one in filters:
            if one.value:
                rows = self.narrowed(rows, one.name, str(one.value))
        create = pages.creating(self.create_label, self.address(None, "_new"))
        listing = ListPage(
            self.title,
            self.entry,
            [Panel(self.columns, empty=self.empty)],
            acts=[*self.links(), create],
            search=pages.search(request, *filters),
        )
        return pages.show_list(request, agent, listing, rows, self._item)

    def form(
        self, request: SandboxRequest, agent: Agent, key: int | str | None = None
    ) -> HttpResponse:
        """Show the form of a record, or of a new one, or take it."""
        found = self.find(key) if key is not None else None

        def write(sent: PageForm) -> WriteResult:
            saved = self.save(found, self.values(sent, found), agent)
            return self.name(saved), self.address(saved) if self.stays else self.at()

        return pages.ask(request, agent, self.form_page(found), write, record=found)

    def form_page(self, found: Row | None) -> Form:
        """Return the form of a record, or of a new one."""
        goes = found is not None and self.resource.delete is not None and self.can_go(found)
        return Form(
            self.entry,
            self.form_title(found),
            self.at(),
            self.sections(found),
            delete_url=self.address(found, "_delete") if goes else None,
            submit_label="Save" if found is not None else self.submit_label or self.create_label,
        )

    def delete(self, request: SandboxRequest, agent: Agent, key: int | str) -> HttpResponse:
        """Ask whether a record shall go, and let it go."""
        found = self.find(key)
        question = ConfirmPage(
            self.entry,
            f"Delete {self.noun} {self.name(found)}",
            self.leaves,
            self.back(found),
            self.at(),
            self.name(found),
        )
        remove = self.resource.writer("delete")
        return pages.ask_first(request, agent, question, lambda: remove(found, actor=agent.user))

    def _item(self, record: Row) -> ListRow:
        return linked_row(self.address(record), *self.cells(record))
