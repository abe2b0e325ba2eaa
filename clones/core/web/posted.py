"""What buttons and switches sent: values by name, where there is no form to show again.

A form that is shown again with what is wrong with it is a `core.web.inputs.PageForm`.
"""

from __future__ import annotations

from django.http import HttpRequest, QueryDict


def posted_text(request: HttpRequest, name: str, usual: str = "", *, strip: bool = True) -> str:
    """Return a text that was sent, without the space around it; `usual` where none was."""
    text = request.POST.get(name, usual)
    return text.strip() if strip else text


def posted_lines(request: HttpRequest, name: str, *, strip: bool = True) -> str:
    """Return a text of several lines that was sent, with the line ends that a store keeps."""
    return posted_text(request, name, strip=strip).replace("\r\n", "\n")


def posted_texts(request: HttpRequest, name: str) -> list[str]:
    """Return all that was sent by a name."""
    return request.POST.getlist(name)


def was_sent(request: HttpRequest, name: str) -> bool:
    """Tell whether anything was sent by a name, an empty text too."""
    return name in request.POST


def given_to(request: HttpRequest) -> QueryDict:
    """Return what a page was sent; looked at, what its address says instead."""
    return request.POST if request.method == "POST" else request.GET
