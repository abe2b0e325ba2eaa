"""What every page of a mailbox stands in: folders, search, who reads."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.template.loader import render_to_string

from clones.core import clock
from clones.core.pages import secured
from clones.mail.queries import FOLDERS, unread_count
from clones.mail.web.access import Reader


@dataclass(frozen=True, slots=True)
class Moment:
    """A time for a `<time>` element: machine-readable, short, and in full."""

    iso: str
    short: str
    full: str


def page(
    reader: Reader,
    template: str,
    context: dict[str, Any],
    *,
    title: str,
    folder: str = "",
    query: str = "",
    status: int = 200,
) -> HttpResponse:
    """Return a page in the mailbox's frame; `folder` names the one it belongs to."""
    shell = {
        "mailbox": reader.mailbox,
        "token": reader.token,
        "title": title,
        "folder": folder,
        "folders": FOLDERS,
        "unread": unread_count(reader.mailbox),
        "query": query,
    }
    html = render_to_string(template, {**shell, **context})
    return secured(HttpResponse(html, status=status))


def shown(moment: datetime) -> Moment:
    """Return a time as shown, seen from the sandbox's present."""
    now = clock.now()
    if moment.date() == now.date():
        short = f"{moment:%H:%M}"
    elif moment.year == now.year:
        short = f"{moment:%b} {moment.day}"
    else:
        short = f"{moment:%b} {moment.day}, {moment.year}"
    return Moment(moment.isoformat(), short, f"{moment:%a, %d %b %Y, %H:%M} UTC")
