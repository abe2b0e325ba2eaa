"""Asking by a form: it is shown, taken, or shown again with what was refused of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.form_pages import FormFlow, FormPage, Write
from clones.tracker.web.access import Visitor
from clones.tracker.web.parts.attempts import ATTEMPTS
from clones.tracker.web.shell import from_script, go


def ask(
    request: SandboxRequest,
    who: Visitor,
    sheet: FormPage,
    write: Write,
    *,
    show: Callable[[FormPage], HttpResponse],
    names: Mapping[str, str] | None = None,
) -> HttpResponse:
    """Show a form in its page's frame; or write what it sends, and lead on.

    Args:
        request: the request at hand.
        who: who looks.
        sheet: the form, as it is before anything is typed.
        write: carries it out, and returns what is said of it (`core.web.form_pages`).
        show: the page of the form.
        names: which input a field of the domain is, where it is called otherwise.
    """
    flow: FormFlow[Visitor] = FormFlow(ATTEMPTS, lambda _1, _2, shown, _status: show(shown), lead)
    return flow.ask(request, who, sheet, write, names=names)


def lead(request: SandboxRequest, address: str, flag: str) -> HttpResponse:
    """Lead on to a page that says once what was done, from a script or without."""
    return from_script(request, go(address, flag))
