"""The addresses of crm: its API and its pages."""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest, HttpResponse
from django.urls import include, path, re_path

from clones.core.tenancy.middleware import SandboxRequest
from clones.crm.api.credentials import plain_path
from clones.crm.api.dialect import dialect
from clones.crm.api.operations import PREFIX, operations
from clones.crm.api.usage import with_usage
from clones.crm.web.authorizing import authorize


def api(request: HttpRequest) -> HttpResponse:
    """Answer an API request."""
    asked = cast(SandboxRequest, request)
    asked.path = plain_path(asked)
    if asked.method == "POST" and asked.GET.get("_HttpMethod", "").upper() in ("PATCH", "DELETE"):
        asked.method = asked.GET["_HttpMethod"].upper()  # of clients that can send no other
    return with_usage(asked, operations.dispatch(asked, dialect))


def beside(request: HttpRequest) -> HttpResponse:
    """Answer a request whose address lies beside those of the API: who somebody is, a form."""
    path = f"{PREFIX}{request.path}"
    return operations.dispatch(cast(SandboxRequest, request), dialect, path=path)


urlpatterns = [
    path("services/oauth2/authorize", authorize, name="crm-authorize"),
    re_path(r"^/?services/", api),
    re_path(r"^id/", beside),
    re_path(r"^servlet/", beside),
    re_path(r"^\.well-known/", beside),
    path("", include("clones.crm.web.urls")),
]
