"""What every presenter needs: addresses, and a note of what was shown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import quote

from django.db import models

from clones.core import sightings
from clones.core.accounts import secrets
from clones.core.server import server
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.tenancy.registry import SandboxRow
from clones.helpdesk.models import Attachment, User
from clones.helpdesk.queries.dynamic_content import translated
from clones.helpdesk.rules.locales import DEFAULT


@dataclass(frozen=True, slots=True)
class Show:
    """How records are shown in one answer: in a `list`, or one in `detail`; in which language."""

    root: str
    sandbox: SandboxRow
    kind: sightings.Kind = "list"
    locale: str = DEFAULT.code

    @classmethod
    def of(
        cls, request: SandboxRequest, reader: User | None, kind: sightings.Kind = "list"
    ) -> Show:
        """Return the way to show records to somebody in the answer to a request."""
        locale = DEFAULT.code if reader is None else reader.locale
        return cls(f"{request.scheme}://{request.get_host()}", request.sandbox, kind, locale)

    def as_list(self) -> Show:
        """Return the same for records that go beside the main one."""
        return replace(self, kind="list")

    def url(self, path: str) -> str:
        """Return the address of a resource: `tickets/33` gives .../api/v2/tickets/33.json."""
        return f"{self.root}/api/v2/{path}.json"

    def text(self, raw: str | None) -> str | None:
        """Return a text as its reader sees it: with the dynamic content that it refers to."""
        return raw and translated(raw, self.locale)

    def note(self, record: models.Model) -> None:
        """Note that the answer shows a record."""
        sightings.note(record, self.kind)

    def content_url(self, attachment: Attachment) -> str:
        """Return the address of a file, which needs no credential: its token names the sandbox."""
        token = secrets.mint(
            server().key,
            self.sandbox.id,
            self.sandbox.credential_epoch,
            "attachment",
            attachment.id,
        )
        return f"{self.root}/attachments/token/{token}/?name={quote(attachment.file_name)}"


def when(moment: datetime | None) -> str | None:
    """Return a time as the vendor writes it: whole seconds, UTC."""
    if moment is None:
        return None
    return (
        f"{moment.year:04d}-{moment.month:02d}-{moment.day:02d}"
        f"T{moment.hour:02d}:{moment.minute:02d}:{moment.second:02d}Z"
    )
