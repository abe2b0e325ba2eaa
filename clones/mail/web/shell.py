"""What every page of a mailbox stands in: folders, search, who reads."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.template.loader import render_to_string

from clones.core.pages import secured
from clones.mail.queries import FOLDERS, unread_count
from clones.mail.web.access import Reader


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
