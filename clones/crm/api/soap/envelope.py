"""Envelopes: what a call is, who makes it, and how answers and faults are wrapped."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.http.request import RawPostDataException

from clones.core.vendors import RefusalReason, VendorFault
from clones.crm.api.soap.xml import Element, UnreadableXml, read_xml, text_of

SOAP_PREFIX: Final = "/services/Soap/"
_FLAVOURS: Final = {"u": "partner", "c": "enterprise", "m": "metadata"}
_METADATA: Final = ' xmlns="http://soap.sforce.com/2006/04/metadata"'
_ENVELOPE: Final = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"'
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"{more}>'
    "<soapenv:Body>{body}</soapenv:Body></soapenv:Envelope>"
)
_FAULTS: Final = {
    "INVALID_LOGIN": "LoginFault",
    "INVALID_FIELD": "InvalidFieldFault",
    "INVALID_TYPE": "InvalidSObjectFault",
    "MALFORMED_QUERY": "MalformedQueryFault",
    "MALFORMED_ID": "InvalidIdFault",
    "INVALID_QUERY_LOCATOR": "InvalidQueryLocatorFault",
    "INVALID_SESSION_ID": "UnexpectedErrorFault",
}
_WHERE: Final = re.compile(r"ERROR at Row:(\d+):Column:(\d+)")
INVALID_LOGIN: Final = "Invalid username, password, security token; or user locked out."
INVALID_SESSION: Final = (
    "Invalid Session ID found in SessionHeader: Illegal Session. Session not found, missing session"
    " hash: null\nThis is expected, it can happen if the session has expired and swept away, or if"
    " the user logs out, or if its just someone trying to hack in. "
)
_REFUSED: Final[dict[RefusalReason, tuple[str, str]]] = {
    "unauthenticated": ("INVALID_SESSION_ID", INVALID_SESSION),
    "unavailable": ("SERVER_UNAVAILABLE", "We are experiencing technical difficulties."),
    "rate_limited": ("REQUEST_LIMIT_EXCEEDED", "TotalRequests Limit exceeded."),
    "too_large": ("EXCEEDED_MAX_SIZE_REQUEST", "The request is too large."),
    "failed": ("UNKNOWN_EXCEPTION", "An unexpected error occurred."),
}
_XML: Final = "text/xml; charset=utf-8"
_KEPT: Final = "_crm_envelope"


@dataclass(frozen=True, slots=True)
class Envelope:
    """A call: its element, and the headers beside it by their names."""

    headers: dict[str, Element]
    call: Element

    def header(self, name: str, member: str) -> str:
        """Return the text of a member of a header, empty where it is not there."""
        found = self.headers.get(name)
        return "" if found is None else found.said(member)


def envelope_of(request: HttpRequest) -> Envelope:
    """Return the call that a request has in its body.

    Raises:
        UnreadableXml: it has none.
    """
    kept: Envelope | UnreadableXml | None = request.__dict__.get(_KEPT)
    if kept is None:
        try:
            kept = _read(request)
        except UnreadableXml as error:
            kept = error
        request.__dict__[_KEPT] = kept
    if isinstance(kept, UnreadableXml):
        raise kept
    return kept


def soap_login(request: HttpRequest) -> tuple[str, str] | None:
    """Return the name and the password of a call that signs in, None of any other."""
    try:
        call = envelope_of(request).call
    except UnreadableXml:
        return None
    return (call.said("username"), call.said("password")) if call.name == "login" else None


def soap_session(request: HttpRequest) -> str:
    """Return the session that a call says it belongs to."""
    try:
        return envelope_of(request).header("SessionHeader", "sessionId")
    except UnreadableXml:
        return ""


def flavour_of(path: str) -> str:
    """Return which of the vendor's descriptions an address speaks by: partner or enterprise."""
    return _FLAVOURS.get(path.removeprefix(SOAP_PREFIX)[:1], "partner")


def answered(path: str, operation: str, inner: str) -> HttpResponse:
    """Return the answer to a call; what is in it may use the prefixes `sf` and `xsi`."""
    flavour = flavour_of(path)
    more = (
        f' xmlns="urn:{flavour}.soap.sforce.com" xmlns:sf="urn:sobject.{flavour}.soap.sforce.com"'
    )
    if flavour == "metadata":
        more = _METADATA
    body = f"<{operation}Response>{inner}</{operation}Response>"
    return HttpResponse(_ENVELOPE.format(more=more, body=body), content_type=_XML)


def fault(path: str, code: str, message: str) -> HttpResponse:
    """Return a fault: the vendor's code and words, twice."""
    kind = _FAULTS.get(code, "ApiFault")
    place = _WHERE.search(message)
    where = ""
    if place is not None and kind in ("InvalidFieldFault", "MalformedQueryFault"):
        where = f"<sf:row>{place[1]}</sf:row><sf:column>{place[2]}</sf:column>"
    elif kind in ("InvalidFieldFault", "MalformedQueryFault", "InvalidSObjectFault"):
        where = "<sf:row>-1</sf:row><sf:column>-1</sf:column>"
    body = (
        f"<soapenv:Fault><faultcode>sf:{code}</faultcode>"
        f"<faultstring>{code}: {text_of(message)}</faultstring><detail>"
        f'<sf:{kind} xsi:type="sf:{kind}"><sf:exceptionCode>{code}</sf:exceptionCode>'
        f"<sf:exceptionMessage>{text_of(message)}</sf:exceptionMessage>{where}</sf:{kind}>"
        "</detail></soapenv:Fault>"
    )
    return _fault(path, body)


def unreadable(path: str, message: str) -> HttpResponse:
    """Return the fault of a body that is no call."""
    said = text_of(f"The request could not be read: {message}")
    body = (
        "<soapenv:Fault><faultcode>soapenv:Client</faultcode>"
        f"<faultstring>{said}</faultstring></soapenv:Fault>"
    )
    return _fault(path, body)


def refused_call(request: HttpRequest, reason: RefusalReason) -> HttpResponse | None:
    """Return the fault of a call that never reached an operation, None for what is no call."""
    path = request.path
    if not path.startswith(SOAP_PREFIX) or reason not in _REFUSED:
        return None
    if reason == "unauthenticated" and soap_login(request) is not None:
        return fault(path, "INVALID_LOGIN", INVALID_LOGIN)
    found = fault(path, *_REFUSED[reason])
    if reason in ("failed", "unavailable"):
        return HttpResponse(found.content, status=500, content_type=_XML)
    return found


def _fault(path: str, body: str) -> HttpResponse:
    more = f' xmlns:sf="urn:fault.{flavour_of(path)}.soap.sforce.com"'
    if flavour_of(path) == "metadata":
        more = _METADATA.replace("xmlns=", "xmlns:sf=")
    text = _ENVELOPE.format(more=more, body=body)
    return VendorFault(text, status=500, content_type=_XML)


def _read(request: HttpRequest) -> Envelope:
    try:
        body = request.body
    except (RawPostDataException, SuspiciousOperation) as error:
        raise UnreadableXml("the body cannot be read") from error
    root = read_xml(body)
    inner = root.child("Body")
    if root.name != "Envelope" or inner is None or not inner.children:
        raise UnreadableXml("no call in an envelope")
    head = root.child("Header")
    headers = {} if head is None else {one.name: one for one in head.children}
    return Envelope(headers, inner.children[0])
