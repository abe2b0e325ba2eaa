"""The addresses of the API by SOAP: every call of a version comes to one of them."""

from __future__ import annotations

import re
from typing import Final

from django.http import HttpResponse

from clones.core.operations import Call
from clones.crm.api.dialect import PUBLIC
from clones.crm.api.metadata.calls import METADATA_ANSWERS
from clones.crm.api.operations import NEWEST, OLDEST, operations
from clones.crm.api.soap import approvals, duplicates, leads, queries, recycling, rows, sessions
from clones.crm.api.soap.asked import ANSWERS, SoapCall
from clones.crm.api.soap.envelope import (
    INVALID_SESSION,
    answered,
    envelope_of,
    fault,
    flavour_of,
    unreadable,
)
from clones.crm.api.soap.xml import UnreadableXml
from clones.crm.domain.access.checking import check_uses_api
from clones.crm.domain.duplicates.asked import minding_duplicates
from clones.crm.domain.saving.assigning import assigning
from clones.crm.errors import CrmError
from clones.crm.queries.access.viewing import user_mode
from clones.crm.queries.schema import org_schema

__all__ = ["answer", "approvals", "duplicates", "leads", "queries", "recycling", "rows", "sessions"]

_VERSION: Final = re.compile(r"(\d{2})\.0", re.ASCII)


def answer(call: Call) -> HttpResponse:
    """Answer a call, or return the fault that it meets."""
    path = call.request.path
    try:
        envelope = envelope_of(call.request)
    except UnreadableXml as error:
        return unreadable(path, str(error))
    version = _VERSION.fullmatch(call.path["version"])
    if version is None or not OLDEST <= int(version[1]) <= NEWEST:
        return fault(path, "UNSUPPORTED_API_VERSION", "Invalid Api version specified on URL")
    name = envelope.call.name
    found = (METADATA_ANSWERS if flavour_of(path) == "metadata" else ANSWERS).get(name)
    if found is None:
        where = f"{{urn:{flavour_of(path)}.soap.sforce.com}}{name[:200]}"
        said = f"No operation available for request {where}, please check the WSDL for the service."
        return unreadable(path, said)
    if name != "login" and call.actor is None:
        return fault(path, "INVALID_SESSION_ID", INVALID_SESSION)
    try:
        asked = SoapCall(call, envelope, version[0], org_schema())
        with assigning(asked.assigning), minding_duplicates(asked.duplicates):
            if call.actor is None:
                inner = found(asked)
            else:
                with user_mode(call.actor.subject) as asking:
                    check_uses_api(asking)
                    inner = found(SoapCall(call, envelope, version[0], org_schema()))
    except CrmError as error:
        return fault(path, error.code, error.message)
    return answered(path, name, inner)


for flavour, said in (("u", "partner"), ("c", "enterprise"), ("m", "metadata")):
    for more in ("", "/{organization}"):
        operations.operation(
            f"PostSoap{said.title()}{'Organization' if more else ''}",
            "POST",
            f"/Soap/{flavour}/{{version}}{more}",
            summary=f"Call an operation of the {said} description.",
            access=PUBLIC,
            raw_body=True,
        )(answer)
