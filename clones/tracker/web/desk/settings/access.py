"""The way to the settings of a desk: for those who run its space."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.tracker.models import Project, ServiceDesk
from clones.tracker.queries.desks import desk_of
from clones.tracker.web.access import Visitor, only_posted
from clones.tracker.web.parts.attempts import FormErrors, attempt
from clones.tracker.web.plain_pages import not_found
from clones.tracker.web.settings.access import done, page_of_settings, settings_page
from clones.tracker.web.settings.addresses import settings_address
from clones.tracker.web.settings.forms import FormPage
from clones.tracker.web.settings.sheets import ask


@page_of_settings.about
def page_of_desk_settings(
    _request: SandboxRequest, _who: Visitor, project: Project
) -> ServiceDesk | HttpResponse:
    """Open a page of a desk's settings to those who run its space; other spaces have none."""
    desk = desk_of(project) if project.type == "service_desk" else None
    return desk or not_found()


# Take what a form of a desk's settings sends; there is nothing there to look at.
form_of_desk_settings = page_of_desk_settings.only(only_posted)


def at(desk: ServiceDesk, rest: str) -> str:
    """Return the address of a page of a desk's settings."""
    return settings_address(desk.project, rest)


def shown(
    request: SandboxRequest,
    who: Visitor,
    desk: ServiceDesk,
    template: str,
    context: dict[str, Any],
    *,
    title: str,
    current: str,
    status: int = 200,
) -> HttpResponse:
    """Return a page of a desk's settings; its template extends `tracker/settings/frame.html`."""
    return settings_page(
        request, who, desk.project, f"tracker/desk/settings/{template}.html",
        {"desk": desk, **context}, title=title, current=current, status=status,
    )  # fmt: skip


def settle(
    request: SandboxRequest,
    who: Visitor,
    desk: ServiceDesk,
    sheet: FormPage,
    write: Callable[[PageForm], object],
    *,
    current: str,
    leads: str = "",
    flag: str = "",
) -> HttpResponse:
    """Show a form of a desk's settings, or take it and lead on (`parts.asking.ask`).

    Args:
        request: the request at hand.
        who: who looks.
        desk: the desk.
        sheet: the form.
        write: carries out what was sent.
        current: the path of the navigation's entry that it belongs to.
        leads: the page of the settings to which it leads, else that entry's.
        flag: what is said there.
    """

    def written(sent: PageForm) -> tuple[str, str]:
        write(sent)
        return flag, at(desk, leads or current)

    return ask(request, who, desk.project, sheet, written, current=current)


def carry_out(
    request: SandboxRequest, desk: ServiceDesk, write: Callable[[], Any], leads: str
) -> HttpResponse:
    """Carry out what a button asks for, and lead on; why it was refused is said there."""
    _, refusal = attempt(write)
    said = " ".join((refusal or FormErrors()).sentences)
    return done(request, desk.project, leads, said)
