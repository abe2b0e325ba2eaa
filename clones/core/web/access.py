"""Open pages to who may see them, and take forms with the token of their session only.

Each clone declares one `Access`: what its forms call their token, and what its errors become. The
decorators of its pages find who asks and go through `Access.let_in`.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from typing import Concatenate, ParamSpec, Protocol, TypeVar
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from clones.core.pages import secured
from clones.core.tenancy.middleware import READS, SandboxRequest

EXPIRED = "The form has expired. Open the page again and repeat."
ELSEWHERE = "The form was sent from another site."
P = ParamSpec("P")


class HasToken(Protocol):
    """Somebody who is signed in, with the token of the session's forms."""

    @property
    def token(self) -> str:
        """Return what a form must send along."""


Who = TypeVar("Who", bound=HasToken | None)


@dataclass(frozen=True, slots=True)
class Access:
    """What the pages of a clone ask of a request before a view runs.

    Args:
        token_field: the field of a form that has the token.
        forbidden: the clone's page for what is not allowed, with its words.
        errors: what the clone's domain raises that a page has an answer for.
        refused: that answer.
        token_header: the header that scripts may send the token in, "" for none.
    """

    token_field: str
    forbidden: Callable[[HttpRequest, str], HttpResponse]
    errors: tuple[type[Exception], ...] = ()
    refused: Callable[[HttpRequest, Exception], HttpResponse] | None = None
    token_header: str = ""

    def let_in(
        self,
        view: Callable[Concatenate[SandboxRequest, Who, P], HttpResponse],
        request: SandboxRequest,
        who: Who,
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> HttpResponse:
        """Return what a view answers, refusing forged forms, and what the domain refuses."""
        if request.method not in READS and not self.is_own_form(request, who):
            return self.forbidden(request, EXPIRED)
        try:
            return view(request, who, *args, **kwargs)
        except self.errors as error:
            if self.refused is None:
                raise
            return self.refused(request, error)

    def is_own_form(self, request: HttpRequest, who: HasToken | None) -> bool:
        """Tell whether a form is of the session at hand; nobody's must come from this host."""
        if who is None:
            return comes_from_here(request)
        given = request.POST.get(self.token_field, "")
        if not given and self.token_header:
            given = request.headers.get(self.token_header, "")
        return hmac.compare_digest(given.encode(errors="replace"), who.token.encode())


def comes_from_here(request: HttpRequest) -> bool:
    """Tell whether a form was sent by a page of this host, as far as the browser says."""
    origin = request.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc == request.get_host()


def lead_to(request: HttpRequest, address: str) -> HttpResponse:
    """Send a browser to a page: the whole page, also where a script asked for a part of one."""
    if request.headers.get("HX-Request"):
        return secured(HttpResponse(status=204, headers={"HX-Redirect": address}))
    return secured(HttpResponseRedirect(address))


def safe_return(address: str, prefixes: tuple[str, ...], home: str) -> str:
    """Return where to go after signing in: a page under the prefixes, or `home`."""
    try:
        parts = urlsplit(address)
    except ValueError:  # an unclosed bracket, which no page's address has
        return home
    inside = parts.path.startswith(prefixes)
    if parts.scheme or parts.netloc or not inside or "\\" in address:
        return home
    return f"{parts.path}?{parts.query}" if parts.query else parts.path
