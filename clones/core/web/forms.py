"""Take out of what a page's form or query says what no store keeps."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import cast

from django.http import HttpRequest, HttpResponseBase, QueryDict

from clones.core.tenancy.middleware import READS, SandboxRequest

# PostgreSQL keeps no NUL, and neither engine half a surrogate pair: UTF-8 has no form of it.
UNKEPT = re.compile("[\0\ud800-\udfff]")


class CleanForms:
    """Drop NUL and lone surrogates from the forms and queries of pages.

    The vendors' APIs are left alone: they refuse such a text in their own words. It stands inside
    of the sandbox's middleware, so that a form that cannot be read is answered as other errors are.
    The body stays there for a view that takes it as it is, whatever it was sent as.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer one request."""
        found = cast(SandboxRequest, request)
        if not found.clone.is_api(found.path):
            found.GET = clean(found.GET)  # type: ignore[assignment]  # immutable, as Django's own
            if found.method not in READS:
                _ = found.body  # a form with files is read from it, and not from the line
                found.POST = clean(found.POST)  # type: ignore[assignment]  # as above
        return self.get_response(found)


def clean(data: QueryDict) -> QueryDict:
    """Return the data itself if all of it can be kept, else a copy of what can."""
    pairs = [(name, value) for name, values in data.lists() for value in values]
    if not any(UNKEPT.search(text) for pair in pairs for text in pair):
        return data
    found = QueryDict(mutable=True, encoding=data.encoding)
    for name, value in pairs:
        found.appendlist(UNKEPT.sub("", name), UNKEPT.sub("", value))
    return found
