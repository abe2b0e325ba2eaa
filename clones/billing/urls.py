"""Billing's addresses: the vendor's API and the panel that other pages embed."""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest, HttpResponse
from django.urls import path, re_path

from clones.billing.api.dialect import dialect
from clones.billing.api.operations import operations
from clones.billing.web.panel import missing, panel
from clones.core.tenancy.middleware import SandboxRequest


def api(request: HttpRequest) -> HttpResponse:
    """Answer an API request. The vendor tells an address from one with a slash at its end."""
    if request.path.endswith("/"):
        return dialect.refuse(request, "unknown_path")
    return operations.dispatch(cast(SandboxRequest, request), dialect)


urlpatterns = [re_path(r"^v1/", api), path("panel", panel), re_path(r"", missing)]
