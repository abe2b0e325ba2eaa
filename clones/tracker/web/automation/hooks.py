"""Where web requests arrive that set rules off: the secret is in a header, or in the body's."""

from __future__ import annotations

from typing import Final

from django.http import HttpResponse, JsonResponse

from clones.core.pages import secured
from clones.core.strict_json import read_json
from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.domain.automation.asking import BODY, find_hook, receive_hook
from clones.tracker.domain.errors import TrackerError

TOKEN: Final = "X-Automation-Webhook-Token"  # noqa: S105 - a header's name


def receive(request: SandboxRequest, uuid: str) -> HttpResponse:
    """Set off the rule of an address; what it does then is told by its audit log alone."""
    if request.method != "POST":
        return _error_reply(405, "Only POST requests set a rule off.")
    data = request.body
    if len(data) > BODY:
        return _error_reply(413, "The body of the request is too large.")
    try:
        body = read_json(data) if data.strip() else {}
    except ValueError:
        return _error_reply(400, "The body of the request is not valid JSON.")
    try:
        receive_hook(find_hook(uuid), request.headers.get(TOKEN, ""), body)
    except TrackerError as error:
        return _error_reply(error.status, str(error))
    return secured(HttpResponse(status=200))


def _error_reply(status: int, text: str) -> HttpResponse:
    return secured(JsonResponse({"errorMessages": [text]}, status=status))
