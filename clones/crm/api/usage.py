"""How much of the day's requests is used, which every answer to a session says."""

from __future__ import annotations

from django.http import HttpResponse

from clones.core.requestcounts import requests_today
from clones.core.tenancy.middleware import SandboxRequest
from clones.crm.rules.limits import DAILY_REQUESTS


def with_usage(request: SandboxRequest, response: HttpResponse) -> HttpResponse:
    """Say so in an answer, if somebody was let in by a session."""
    found = request.authenticated
    if found is not None and found.credential is not None:
        used = requests_today(request)
        response["Sforce-Limit-Info"] = f"api-usage={used}/{DAILY_REQUESTS}"
    return response
