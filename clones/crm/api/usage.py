"""How much of the day's requests is used, which every answer to a session says."""

from __future__ import annotations

from typing import Final

from django.http import HttpResponse

from clones.core.requestcounts import requests_today
from clones.core.tenancy.middleware import SandboxRequest
from clones.crm.api.operations import PREFIX
from clones.crm.rules.limits import DAILY_REQUESTS

_DATA: Final = f"{PREFIX}/data"


def with_usage(request: SandboxRequest, response: HttpResponse) -> HttpResponse:
    """Say so in an answer, if somebody was let in by a session."""
    found = request.authenticated
    if found is not None and found.credential is not None and request.path.startswith(_DATA):
        used = requests_today(request)
        response["Sforce-Limit-Info"] = f"api-usage={used}/{DAILY_REQUESTS}"
    return response
