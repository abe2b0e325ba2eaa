"""The way to the administration of the site: for its admins alone, and how its forms are answered.

    @admin_page
    def create(request, who): return ask(request, who, sheet, write, here="resolutions")

Everything that is written goes through the domain, which holds its callers to the same right.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpResponse, QueryDict

from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.errors import Forbidden
from clones.tracker.web.access import Visitor, page_of_staff
from clones.tracker.web.admin.side import side_of
from clones.tracker.web.parts.attempts import Refusal, attempt
from clones.tracker.web.parts.choices import Choice
from clones.tracker.web.plain_pages import not_found
from clones.tracker.web.settings.forms import Input, Sheet
from clones.tracker.web.shell import from_script, go, page

P = ParamSpec("P")
View = Callable[Concatenate[SandboxRequest, Visitor, P], HttpResponse]
Door = Callable[Concatenate[SandboxRequest, P], HttpResponse]
# What was done, in a sentence; with the page to go on to where it is not the usual one.
Write = Callable[[], str | tuple[str, str]]


def admin_page(view: View[P]) -> Door[P]:
    """Open a page to the admins of the site.

    Raises:
        Forbidden: the visitor is none.
    """

    @wraps(view)
    def guarded(
        request: SandboxRequest, who: Visitor, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        admins_only(who.rights)
        return view(request, who, *args, **kwargs)

    return page_of_staff(guarded)


def admin_form(view: View[P]) -> Door[P]:
    """Take what a button of an admin's page sends; there is nothing there to look at."""

    @wraps(view)
    def posted(
        request: SandboxRequest, who: Visitor, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        if request.method != "POST":
            return not_found()
        return view(request, who, *args, **kwargs)

    return admin_page(posted)


def ask(
    request: SandboxRequest,
    who: Visitor,
    sheet: Sheet,
    write: Write,
    *,
    here: str,
    names: dict[str, str] | None = None,
) -> HttpResponse:
    """Show a form; or write what it sends, and lead on to the page from which it was opened.

    Args:
        request: the request at hand.
        who: the admin.
        sheet: the form, as it is before anything is typed.
        write: carries it out.
        here: the key of the page that it belongs to.
        names: which input a field of the domain is, where it is called otherwise.
    """
    if request.method != "POST":
        return sheet_page(request, who, sheet, here=here)
    sheet = typed_into(sheet, request.POST)
    said, refusal = tried(write)
    if said is None:
        refused = sheet.refused(refusal or Refusal(), names)
        return sheet_page(request, who, refused, here=here, status=422)
    flag, to = said if isinstance(said, tuple) else (said, sheet.back)
    return from_script(request, go(to, flag))


def act(
    request: SandboxRequest, who: Visitor, write: Write, *, back: str, here: str
) -> HttpResponse:
    """Carry out what a button stands for, and lead back; what is refused is said on a page."""
    said, refusal = tried(write)
    if said is None:
        sheet = Sheet("That could not be done", back, back).refused(refusal or Refusal())
        return sheet_page(request, who, sheet, here=here, status=422, only_said=True)
    flag, to = said if isinstance(said, tuple) else (said, back)
    return from_script(request, go(to, flag))


def tried(write: Write) -> tuple[str | tuple[str, str] | None, Refusal | None]:
    """Carry out a write. To an admin, what is forbidden is a refusal like any other."""
    try:
        return attempt(write)
    except Forbidden as error:
        return None, Refusal(list(error.messages))


def sheet_page(
    request: SandboxRequest,
    who: Visitor,
    sheet: Sheet,
    *,
    here: str,
    status: int = 200,
    only_said: bool = False,
) -> HttpResponse:
    """Return the page of a form; `only_said` leaves out the form, and keeps the way back."""
    context = {"sheet": sheet, "groups": side_of(here), "here": here, "only_said": only_said}
    return page(
        request, who, "tracker/admin/sheet.html", context,
        title=sheet.heading, active="settings", status=status,
    )  # fmt: skip


def typed_into(sheet: Sheet, data: QueryDict) -> Sheet:
    """Return a form that holds what was typed into it."""
    return replace(sheet, inputs=[_typed(one, data) for one in sheet.inputs])


def _typed(one: Input, data: QueryDict) -> Input:
    sent = data.getlist(one.name)
    if one.shape == "check":
        return replace(one, value="on" if sent else "")
    if one.shape in {"select", "multiple", "checks", "radio"}:
        choices = [
            Choice(choice.value, choice.label, choice.value in sent, choice.group)
            for choice in one.choices
        ]
        return replace(one, choices=choices)
    return replace(one, value=sent[0] if sent else "")
