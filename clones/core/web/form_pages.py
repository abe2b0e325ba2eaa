"""Pages that ask: by a form, or for a yes; and what happens when they are answered.

    FLOW = FormFlow(attempts=ATTEMPTS, show=form_page, lead=lead_on)

    def add(request, who):
        def write(sent: PageForm) -> str:
            return f"{make(sent.text('name'), actor=who.user).name} has been added"

        form = FormPage("Add tag", request.path, LIST, [Input("name", "Name", required=True)])
        return FLOW.ask(request, who, form, write)

What the domain refuses stands at its input or above all, with what was typed; what was done says
its sentence and leads on. A form without inputs is a question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Generic, TypeVar

from django.http import HttpResponse, QueryDict

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.attempts import Attempts, FormErrors
from clones.core.web.inputs import Input, PageForm
from clones.core.web.row_tables import RowTable

Who = TypeVar("Who")
# What was done, in a sentence; with the page to go on to where it is not the usual one; or a page
# that shows it.
WriteResult = str | tuple[str, str] | HttpResponse
Write = Callable[[PageForm], WriteResult]


@dataclass(frozen=True)
class FormPage:
    """A form with its heading, where it is sent, and where Cancel leads.

    Args:
        heading: of the page.
        action: the address that it is sent to.
        back: the page from which it was opened.
        inputs: what is asked; none of a question.
        tables: rows that are asked for besides.
        button: what sends it.
        said: what stands above it: what follows from it.
        danger: whether it cannot be undone.
        here: the entry of the navigation that it belongs to.
        only_errors: what was refused of a button: there is no form, only the way back.
        data: what was sent, once something was.
        refusal: why that was not done.
        names: which input a field of the domain is, where it is called otherwise.
    """

    heading: str
    action: str
    back: str
    inputs: Sequence[Input] = ()
    button: str = "Save"
    said: str = ""
    danger: bool = False
    here: str = ""
    only_errors: bool = False
    data: QueryDict | None = None
    refusal: FormErrors | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    tables: Sequence[RowTable] = ()

    @cached_property
    def form(self) -> PageForm:
        """The form with its values and with what is wrong with them."""
        form = PageForm(self.inputs, self.data, self.tables)
        if self.refusal is not None:
            form.refuse(self.refusal, self.names)
        return form

    @property
    def problems(self) -> list[str]:
        """What was refused and is of no input."""
        return self.form.problems

    @property
    def is_refused(self) -> bool:
        """Whether anything is wrong with it."""
        return bool(self.form.errors)

    def filled(self, data: QueryDict) -> FormPage:
        """Return the form as it was sent."""
        return replace(self, data=data)

    def refused(self, refusal: FormErrors, names: Mapping[str, str] | None = None) -> FormPage:
        """Return the form with what was refused: beside its inputs, else above them.

        `names` say which input a field of the domain is, where it is called otherwise.
        """
        return replace(self, refusal=refusal, names=names or {})


@dataclass(frozen=True, slots=True)
class FormFlow(Generic[Who]):
    """How the pages of a clone ask, and what becomes of what they are answered.

    Args:
        attempts: what its domain's errors are as refusals.
        show: the page of a form in the clone's frame, with a status.
        lead: leads on to a page, which says once what was done.
    """

    attempts: Attempts
    show: Callable[[SandboxRequest, Who, FormPage, int], HttpResponse]
    lead: Callable[[SandboxRequest, str, str], HttpResponse]

    def ask(
        self,
        request: SandboxRequest,
        who: Who,
        sheet: FormPage,
        write: Write,
        *,
        names: Mapping[str, str] | None = None,
    ) -> HttpResponse:
        """Show a form; or write what it sends, and lead on to the page it was opened from.

        A button of one of its tables writes nothing: the form is shown with its rows as they then
        are.

        Args:
            request: the request at hand.
            who: the person at the page.
            sheet: the form, as it is before anything is typed.
            write: carries it out.
            names: which input a field of the domain is, where it is called otherwise.
        """
        if request.method != "POST":
            return self.show(request, who, sheet, 200)
        sent = sheet.filled(request.POST)
        if sent.form.asks_for_rows:
            return self.show(request, who, sent, 200)
        result, errors = self.attempts.attempt(lambda: write(sent.form))
        if result is None:
            return self.show(request, who, sent.refused(errors or FormErrors(), names), 422)
        return self._lead(request, result, sheet.back)

    def act(
        self,
        request: SandboxRequest,
        who: Who,
        write: Callable[[], WriteResult],
        *,
        sheet: FormPage,
    ) -> HttpResponse:
        """Carry out what a button stands for, and lead back.

        `sheet` is the page on which is said what was refused.
        """
        result, errors = self.attempts.attempt(write)
        if result is None:
            refused = replace(sheet.refused(errors or FormErrors()), only_errors=True)
            return self.show(request, who, refused, 422)
        return self._lead(request, result, sheet.back)

    def _lead(self, request: SandboxRequest, result: WriteResult, back: str) -> HttpResponse:
        if isinstance(result, HttpResponse):
            return result
        text, to = result if isinstance(result, tuple) else (result, back)
        return self.lead(request, to, text)
