"""What every page stands in: the bar above, the sidebar, notices, headers.

`page(request, who, "tracker/x.html", {...}, title="...", active="projects")` returns a whole page;
its template extends `tracker/base.html`. What people call a space or a project, a work item or an
issue, is a setting of the site: `words` in every template has both forms.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, unquote

from django.http import HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.urls import reverse

from clones.core import clock
from clones.core.strict_json import read_json
from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.models import Project
from clones.tracker.web.access import Visitor, safe_return
from clones.tracker.web.frame.announcement import announcement_of
from clones.tracker.web.frame.entries import sidebar_of
from clones.tracker.web.plain_pages import secured
from clones.tracker.web.vocabulary import words

__all__ = [
    "Flag",
    "flag_of",
    "from_script",
    "go",
    "home_address",
    "hue",
    "initials",
    "page",
    "words",
]

FLAG_COOKIE: Final = "_tracker_flag"
HUES: Final = 8


def initials(name: str) -> str:
    """Return the letters of a picture of somebody."""
    parts = name.split()
    return ((parts[0][:1] + parts[-1][:1]) if len(parts) > 1 else name[:2]).upper()


def hue(key: int) -> int:
    """Return the colour, by number, of a picture."""
    return key % HUES


def page(
    request: SandboxRequest,
    who: Visitor,
    template: str,
    context: dict[str, Any],
    *,
    title: str,
    active: str = "",
    project: Project | None = None,
    status: int = 200,
) -> HttpResponse:
    """Return a page in the site's frame.

    Args:
        request: the request at hand.
        who: who looks.
        template: of the page.
        context: what it needs beside the frame's.
        title: of the window, without the product.
        active: the key of the sidebar's entry that it belongs to.
        project: the space that it is of.
        status: of the answer.
    """
    shell = {
        "who": who,
        "user": who.user,
        "rights": who.rights,
        "token": who.token,
        "user_initials": initials(who.user.display_name),
        "user_hue": hue(who.user.id),
        "title": title,
        "active": active,
        "project": project,
        "words": words(),
        "sidebar": sidebar_of(who.rights, project),
        "flag": flag_of(request),
        "announcement": announcement_of(request),
        "now": clock.now().isoformat(),
    }
    html = render_to_string(template, {**shell, **context})
    response = secured(HttpResponse(html, status=status))
    if FLAG_COOKIE in request.COOKIES and status < 300:
        response.delete_cookie(FLAG_COOKIE, samesite="Lax")
    return response


@dataclass(frozen=True, slots=True)
class Flag:
    """What a page says once at its top, and a page of this site that it leads to ("" for none)."""

    text: str
    address: str = ""


def go(address: str, flag: str = "", leads: str = "") -> HttpResponse:
    """Lead on to a page, with a flag that it shows once; the flag's text leads to `leads`."""
    response = secured(HttpResponseRedirect(address))
    if flag:
        # A cookie rather than a row: a flag is no state of the site.
        value = quote(json.dumps([flag[:200], leads]))
        response.set_cookie(FLAG_COOKIE, value, httponly=True, samesite="Lax")
    return response


def from_script(request: SandboxRequest, response: HttpResponse) -> HttpResponse:
    """Let a redirect move the whole page where a script sent the form."""
    if request.headers.get("HX-Request"):
        response.status_code = 204
        response["HX-Redirect"] = response["Location"]
        del response["Location"]
    return response


def flag_of(request: SandboxRequest) -> Flag | None:
    """Return the flag that the page before left for this one."""
    try:
        text, leads = read_json(unquote(request.COOKIES.get(FLAG_COOKIE, "")))
    except (TypeError, ValueError):
        return None
    return Flag(str(text)[:200], safe_return(leads) if leads else "")


def home_address() -> str:
    """Return the address at which people begin."""
    return reverse("tracker:home")
