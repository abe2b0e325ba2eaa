"""What a page's form may hold as text."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpResponseBase, QueryDict

from clones.core.tenancy.middleware import SandboxRequest


class FormTextMiddleware:
    """Drop NUL from the forms that pages are sent: PostgreSQL keeps no text that has one.

    The vendors' APIs answer for NUL with errors of their own, and see what was sent.
    """

    def __init__(self, get_response: Callable[[SandboxRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: SandboxRequest) -> HttpResponseBase:
        """Answer one request, which by now has its clone."""
        if request.method == "POST" and not request.clone.is_api(request.path):
            given = request.POST.urlencode()
            if "%00" in given:  # a percent sign that was typed is %25 here
                request.POST = QueryDict(given.replace("%00", ""), encoding=request.POST.encoding)
        return self.get_response(request)
