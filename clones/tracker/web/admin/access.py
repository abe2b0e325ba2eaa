"""The way to the administration of the site: for its admins alone, and how its forms are answered.

    @admin_page
    def create(request, who): return ask(request, who, sheet, write, here="resolutions")

Everything that is written goes through the domain, which holds its callers to the same right.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.attempts import Attempts
from clones.core.web.form_pages import FormFlow, FormPage, Write, WriteResult
from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.errors import TrackerError
from clones.tracker.web.access import Visitor, only_posted, page_of_staff
from clones.tracker.web.admin.side import side_of
from clones.tracker.web.parts.asking import lead
from clones.tracker.web.parts.attempts import refusal_of
from clones.tracker.web.shell import page


@page_of_staff.only
def admin_page(_request: SandboxRequest, who: Visitor) -> None:
    """Open a page to the admins of the site.

    Raises:
        Forbidden: the visitor is none.
    """
    admins_only(who.rights)


# Take what a form of an admin's page sends; there is nothing there to look at.
admin_form = admin_page.only(only_posted)


def ask(
    request: SandboxRequest,
    who: Visitor,
    sheet: FormPage,
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
    return ASKING.ask(request, who, replace(sheet, here=here), write, names=names)


def act(
    request: SandboxRequest, who: Visitor, write: Callable[[], WriteResult], *, back: str, here: str
) -> HttpResponse:
    """Carry out what a button stands for, and lead back; what is refused is said on a page."""
    sheet = FormPage("That could not be done", back, back, here=here)
    return ASKING.act(request, who, write, sheet=sheet)


def sheet_page(
    request: SandboxRequest, who: Visitor, sheet: FormPage, status: int = 200
) -> HttpResponse:
    """Return the page of a form."""
    context = {"sheet": sheet, "groups": side_of(sheet.here), "here": sheet.here}
    return page(
        request, who, "tracker/admin/sheet.html", context,
        title=sheet.heading, active="settings", status=status,
    )  # fmt: skip


# To an admin, what is forbidden is a refusal like any other.
ATTEMPTS: Final = Attempts(TrackerError, refusal_of)
ASKING: Final[FormFlow[Visitor]] = FormFlow(ATTEMPTS, sheet_page, lead)
