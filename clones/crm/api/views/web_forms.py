"""Forms of the organization's own web pages: what they send becomes a case or a lead.

Whoever sends one proves nothing, and is led on to the page that the form names.
"""

from __future__ import annotations

from html import escape
from typing import Final
from urllib.parse import urlsplit

from django.core.exceptions import SuspiciousOperation
from django.db import transaction
from django.http import HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.http.request import RawPostDataException

from clones.core.operations import Call
from clones.core.pages import secured
from clones.crm.api.dialect import PUBLIC
from clones.crm.api.operations import operations
from clones.crm.domain.service.intake import is_own, take_form
from clones.crm.domain.service.settings import is_flag, settings_of
from clones.crm.errors import CrmError, NotFound

# The object, the member that names the organization, and the setting that lets forms in.
FORMS: Final = {
    "servlet.WebToCase": ("Case", "orgid", "enableWebToCase"),
    "servlet.WebToLead": ("Lead", "oid", "enableWebToLead"),
}
_PAGE: Final = (
    "<!DOCTYPE html>\n<html><head>{refresh}<title>{title}</title></head>"
    "<body><p>{title}</p></body></html>\n"
)
_QUEUED: Final = "Your request has been queued."
_REFUSED: Final = "true Exception:common.exception.SalesforceGenericException"


@operations.operation(
    "PostWebForm",
    "POST",
    "/servlet/{servlet}",
    summary="Send a form of a web page.",
    access=PUBLIC,
    raw_body=True,
)
def take(call: Call) -> HttpResponse:
    """Make a case or a lead of a form, and lead on to the page that it names."""
    found = FORMS.get(call.path["servlet"])
    if found is None:
        raise NotFound
    of, member, setting = found
    form = _form_of(call)
    organization = form.get(member) or form.get("orgid") or ""
    is_taken = False
    if is_own(organization) and is_flag(settings_of(of).get(setting, True)):
        try:
            with transaction.atomic():
                take_form(of, form)
            is_taken = True
        except CrmError:
            pass  # it cannot be kept as it is: who sent it is told nothing of that
    refresh = ""
    address = form.get("retURL", "")
    if _leads_to_a_page(address):
        refresh = f'<meta http-equiv="Refresh" content="0; URL={escape(address)}">'
    page = HttpResponse(_PAGE.format(refresh=refresh, title=_QUEUED))
    page["Is-Processed"] = "true" if is_taken else _REFUSED
    return secured(page)


def _form_of(call: Call) -> dict[str, str]:
    """Return what a form has; several choices of one field are parted by semicolons."""
    try:
        given = call.request.POST
    except (RawPostDataException, SuspiciousOperation, MultiPartParserError):
        return {}
    return {name: ";".join(values).replace("\0", "") for name, values in given.lists()}


def _leads_to_a_page(address: str) -> bool:
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc)
