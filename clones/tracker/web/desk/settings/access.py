"""The way to the settings of a desk: for those who run its space."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.models import Project, ServiceDesk
from clones.tracker.queries.desks import desk_of
from clones.tracker.web.access import Visitor
from clones.tracker.web.parts.attempts import Refusal, attempt
from clones.tracker.web.plain_pages import not_found
from clones.tracker.web.settings.access import done, page_of_settings, settings_page
from clones.tracker.web.settings.addresses import settings_address
from clones.tracker.web.settings.forms import FormPage
from clones.tracker.web.settings.sheets import sheet_page

P = ParamSpec("P")
DeskView = Callable[Concatenate[SandboxRequest, Visitor, ServiceDesk, P], HttpResponse]
Door = Callable[..., HttpResponse]


def page_of_desk_settings(view: DeskView[P]) -> Door:
    """Open a page of a desk's settings to those who run its space; other spaces have none."""

    @wraps(view)
    def guarded(
        request: SandboxRequest,
        who: Visitor,
        project: Project,
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> HttpResponse:
        desk = desk_of(project) if project.type == "service_desk" else None
        if desk is None:
            return not_found()
        return view(request, who, desk, *args, **kwargs)

    return page_of_settings(guarded)


def form_of_desk_settings(view: DeskView[P]) -> Door:
    """Take what a form of a desk's settings sends; there is nothing there to look at."""

    @wraps(view)
    def posted(
        request: SandboxRequest,
        who: Visitor,
        desk: ServiceDesk,
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> HttpResponse:
        if request.method != "POST":
            return not_found()
        return view(request, who, desk, *args, **kwargs)

    return page_of_desk_settings(posted)


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
    write: Callable[[], Any],
    *,
    current: str,
    leads: str = "",
    flag: str = "",
) -> HttpResponse:
    """Show a form; once it is sent carry it out, and lead on, or show what was refused.

    Args:
        request: the request at hand.
        who: who looks.
        desk: the desk.
        sheet: the form.
        write: what it asks for.
        current: the path of the navigation's entry that it belongs to.
        leads: the page of the settings to which it leads, else that entry's.
        flag: what is said there.
    """
    if request.method != "POST":
        return sheet_page(request, who, desk.project, sheet, current=current)
    _, refusal = attempt(write)
    if refusal is not None:
        return sheet_page(request, who, desk.project, sheet.refused(refusal), current=current)
    return done(request, desk.project, leads or current, flag)


def carry_out(
    request: SandboxRequest, desk: ServiceDesk, write: Callable[[], Any], leads: str
) -> HttpResponse:
    """Carry out what a button asks for, and lead on; why it was refused is said there."""
    _, refusal = attempt(write)
    said = " ".join((refusal or Refusal()).sentences)
    return done(request, desk.project, leads, said)
