"""Files among records: their bytes as they are, and records that are sent with them as a form."""

from __future__ import annotations

from typing import Any, Final

from django.core.exceptions import SuspiciousOperation
from django.http import HttpResponse
from django.http.multipartparser import MultiPartParserError

from clones.core.operations import InvalidInput
from clones.core.strict_json import read_json
from clones.core.tenancy.middleware import SandboxRequest
from clones.crm.domain.saving.files import bytes_of
from clones.crm.errors import UnreadableBody
from clones.crm.models import SObjectRow
from clones.crm.rules.schema import Field

FORM: Final = "multipart/form-data"
_BYTES: Final = "application/octetstream"


def show_bytes(row: SObjectRow, field: Field) -> HttpResponse:
    """Answer with the bytes that a field of a record has."""
    response = HttpResponse(bytes_of(row, field.name), content_type=_BYTES)
    response["Cache-Control"] = "private,must-revalidate,max-age=0"
    return response


def sent_record(request: SandboxRequest) -> Any:
    """Return what a body says of a record: JSON, or a form of JSON and of the bytes of fields.

    Raises:
        InvalidInput: a part that has to be JSON is none.
        UnreadableBody: the form is malformed, or has no part that is JSON.
    """
    if request.content_type != FORM:
        return _json(request.body or b"{}")
    try:
        texts = [value for values in request.POST.lists() for value in values[1]]
        files = [(name, file) for name in request.FILES for file in request.FILES.getlist(name)]
    except (MultiPartParserError, SuspiciousOperation) as error:
        raise UnreadableBody("Multipart message is malformed") from error
    said: Any = None
    for text in texts:
        said = _json(text.encode())
    for name, file in files:
        if file.content_type == "application/json":
            said = _json(file.read())
        elif isinstance(said, dict):
            said[name] = file.read()
    if not isinstance(said, dict):
        raise UnreadableBody("Multipart message has no part that says what the record is")
    return said


def _json(text: bytes) -> Any:
    try:
        return read_json(text)
    except ValueError as error:
        raise InvalidInput("body", None) from error
