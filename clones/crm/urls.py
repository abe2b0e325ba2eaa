"""The addresses of crm: its API and its pages."""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest, HttpResponse
from django.urls import include, path, re_path

from clones.core.tenancy.middleware import SandboxRequest
from clones.crm.api.dialect import dialect
from clones.crm.api.operations import operations


def api(request: HttpRequest) -> HttpResponse:
    """Answer an API request."""
    return operations.dispatch(cast(SandboxRequest, request), dialect)


urlpatterns = [re_path(r"^services/", api), path("", include("clones.crm.web.urls"))]
