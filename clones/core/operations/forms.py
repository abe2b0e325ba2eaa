"""Forms with files in the bodies of operations that take a body as it is."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, QueryDict
from django.http.multipartparser import MultiPartParserError
from django.utils.datastructures import MultiValueDict

FORM = "multipart/form-data"


class UploadedForm(NamedTuple):
    """The fields and the files of a form."""

    values: QueryDict
    files: MultiValueDict[str, UploadedFile[Any]]


def uploaded_form(request: HttpRequest) -> UploadedForm | None:
    """Return the form that a body is, or None where its Content-Type or its text is none's.

    The body, which was read before, stays there for who wants it as it is.
    """
    if request.content_type != FORM:
        return None
    try:
        return UploadedForm(request.POST, request.FILES)
    except (MultiPartParserError, RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent):
        return None
