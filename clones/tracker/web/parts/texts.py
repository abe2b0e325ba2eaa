"""Rich text on pages, shown as HTML; `parts.rich` is how it is written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from django.utils.safestring import SafeString

from clones.core.pages import harmless_html
from clones.tracker.domain.richtext import html_of
from clones.tracker.models import User
from clones.tracker.rules.richtext.html import HtmlContext

# What a page writes otherwise than the vendor's own HTML, so that it outlives the cleaning.
_TAGS: Final = {"del": "s", "ins": "u", "tt": "code"}
_TAG: Final = re.compile(r"<(/?)(del|ins|tt)>")
_PERSON: Final = re.compile(r'<a href="[^"]*" class="user-hover"[^>]*>(.*?)</a>')

Document = dict[str, Any]


def names_in(documents: Iterable[Document | None]) -> dict[str, str]:
    """Return the names of those who are mentioned in documents, by account id."""
    wanted = {id for document in documents if document for id in _mentioned(document)}
    if not wanted:
        return {}
    rows = User.objects.filter(account_id__in=sorted(wanted))
    return dict(rows.values_list("account_id", "display_name"))


def shown(document: Document | None, names: dict[str, str] | None = None) -> SafeString:
    """Return a document as a page shows it; people by the names that `names_in` found."""
    html = html_of(document, HtmlContext(names=names or {}))
    html = _PERSON.sub(r"<strong>@\1</strong>", html)
    return harmless_html(_TAG.sub(lambda tag: f"<{tag[1]}{_TAGS[tag[2]]}>", html))


def _mentioned(node: Document) -> Iterator[str]:
    if node.get("type") == "mention":
        yield str(node.get("attrs", {}).get("id", ""))
    for child in node.get("content") or ():
        yield from _mentioned(child)
