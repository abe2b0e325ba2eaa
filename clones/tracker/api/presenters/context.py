"""What presenters need: addresses, versions, times, rich text, and notes of what was shown."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal

from django.db import models

from clones.core import sightings
from clones.core.operations.paging import origin_of
from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.domain.richtext import html_of, markup_of
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.richtext.html import HtmlContext


@dataclass(frozen=True, slots=True)
class Show:
    """How records are shown in one answer: to whom, in which version of the platform's API."""

    root: str
    version: Literal["2", "3"]
    reader: Rights

    @classmethod
    def of(cls, request: SandboxRequest, reader: Rights, version: Literal["2", "3"]) -> Show:
        """Return the way to show records to somebody in the answer to a request."""
        return cls(origin_of(request), version, reader)

    def url(self, path: str) -> str:
        """Return the address of a resource: `issue/10001` gives .../rest/api/3/issue/10001."""
        return f"{self.root}/rest/api/{self.version}/{path}"

    def at(self, path: str) -> str:
        """Return the address of a path."""
        return self.root + path

    def when(self, moment: datetime | None) -> str | None:
        """Return a time as the platform writes it: in the reader's zone, with milliseconds."""
        if moment is None:
            return None
        local = moment.astimezone(self.reader.zone)
        return f"{local:%Y-%m-%dT%H:%M:%S}.{local.microsecond // 1000:03d}{local:%z}"

    def day(self, day: date | None) -> str | None:
        """Return a date as the platform writes it."""
        return None if day is None else day.isoformat()

    def rich(self, document: dict[str, Any] | None) -> dict[str, Any] | str | None:
        """Return rich text in the version spoken: a document, or wiki markup."""
        return document if self.version == "3" else markup_of(document)

    def html(self, document: dict[str, Any] | None) -> str:
        """Return rich text as the vendor's HTML."""
        return html_of(document, HtmlContext(address=self.root))

    def note(self, record: models.Model, kind: sightings.Kind = "list") -> None:
        """Note that the answer shows a record."""
        sightings.note(record, kind)
