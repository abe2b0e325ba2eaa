"""Open pages to who may see them, and take forms with the token of their session only.

Each clone declares one `Access`: what its forms call their token, and what its errors become. Its
decorators of pages are guards, each made of the one before it:

    @ACCESS.guard
    def page_of_staff(request) -> Visitor | HttpResponse:
        return find_visitor(request) or to_sign_in(request)

    @page_of_staff.about
    def page_of_space(request, who, place: str) -> Project:
        return find_project(who.rights, place)

    @page_of_space.only
    def page_of_lead(request, who, project) -> None:
        require_lead(who, project)

    @page_of_lead
    def show(request, who, project, tab): ...

A step of a guard takes from the address what it has parameters for; the view gets the rest. What a
step answers is the answer.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from functools import update_wrapper, wraps
from inspect import signature
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar
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
Subject = TypeVar("Subject")
Other = TypeVar("Other")
View = Callable[..., HttpResponse]
# What finds out more of a request whose person is known (it answers, returns what the request is
# about, or None), and which parts of the address it takes.
Step = tuple[Callable[..., Any], tuple[str, ...]]


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

    def guard(self, find: Callable[[SandboxRequest], Who | HttpResponse]) -> PageGuard[Who]:
        """Return a guard of the pages of those whom `find` returns; it may answer instead."""
        return PageGuard(self, find)

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


class PageGuard(Generic[Who]):
    """A decorator of pages: a view gets the request, who asks, and the rest of the address."""

    def __init__(
        self,
        access: Access,
        find: Callable[[SandboxRequest], Who | HttpResponse],
        steps: tuple[Step, ...] = (),
    ) -> None:
        self.access = access
        self.find = find
        self.steps = steps
        update_wrapper(self, steps[-1][0] if steps else find)

    def __call__(
        self, view: Callable[Concatenate[SandboxRequest, Who, P], HttpResponse]
    ) -> Callable[Concatenate[SandboxRequest, P], HttpResponse]:
        """Return a view behind the guard."""
        return self._guarded(view)

    def only(self, check: Callable[[SandboxRequest, Who], HttpResponse | None]) -> PageGuard[Who]:
        """Return the guard with one more condition: a check raises or answers where it fails."""
        return PageGuard(self.access, self.find, (*self.steps, (check, ())))

    def about(
        self, step: Callable[Concatenate[SandboxRequest, Who, ...], Subject | HttpResponse]
    ) -> SubjectGuard[Who, Subject]:
        """Return the guard of pages about what `step` finds by their address."""
        return SubjectGuard(self.access, self.find, (*self.steps, _step(step, 2)))

    def _guarded(self, view: View) -> View:
        @wraps(view)
        def guarded(request: SandboxRequest, /, *args: Any, **parts: Any) -> HttpResponse:
            who = self.find(request)
            if isinstance(who, HttpResponse):
                return who
            return self.access.let_in(opened, request, who, *args, **parts)

        def opened(request: SandboxRequest, who: Who, /, *args: Any, **parts: Any) -> HttpResponse:
            found: tuple[Any, ...] = (who,)
            for step, names in self.steps:
                taken = {name: parts.pop(name) for name in names if name in parts}
                answer = step(request, *found, **taken)
                if isinstance(answer, HttpResponse):
                    return answer
                if answer is not None:
                    found = (who, answer)
            return view(request, *found, *args, **parts)

        return guarded


class SubjectGuard(PageGuard[Who], Generic[Who, Subject]):
    """A decorator of pages about something: a view gets it after who asks."""

    def __call__(  # type: ignore[override]  # the view gets one thing more
        self, view: Callable[Concatenate[SandboxRequest, Who, Subject, P], HttpResponse]
    ) -> View:
        """Return a view behind the guard."""
        return self._guarded(view)

    def only(  # type: ignore[override]  # as above
        self, check: Callable[[SandboxRequest, Who, Subject], HttpResponse | None]
    ) -> SubjectGuard[Who, Subject]:
        """Return the guard with one more condition: a check raises or answers where it fails."""
        return SubjectGuard(self.access, self.find, (*self.steps, (check, ())))

    def about(
        self, step: Callable[Concatenate[SandboxRequest, Who, Subject, ...], Other | HttpResponse]
    ) -> SubjectGuard[Who, Other]:
        """Return the guard of pages about what `step` finds by their address and what it has."""
        return SubjectGuard(self.access, self.find, (*self.steps, _step(step, 3)))


def _step(step: Callable[..., Any], given: int) -> Step:
    """Return a step that gets so many things before parts of the address."""
    return step, tuple(signature(step).parameters)[given:]


def lead_to_own(request: HttpRequest, path: str) -> HttpResponse | None:
    """Send who looks at a page by another of its addresses to its own path, with the query."""
    if request.method not in READS or request.path == path:
        return None
    query = request.META.get("QUERY_STRING", "")
    return HttpResponseRedirect(f"{path}?{query}" if query else path)


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
