"""What every presenter needs: addresses, and a note of what was shown."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from urllib.parse import quote

from django.db import models

from clones.core import sightings
from clones.core.accounts import secrets
from clones.core.operations.paging import origin_of
from clones.core.server import server
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.tenancy.registry import SandboxRow
from clones.helpdesk.models import Attachment, ProfileField, User
from clones.helpdesk.queries.dynamic_content import translated
from clones.helpdesk.queries.profile_fields import active_fields
from clones.helpdesk.rules.locales import DEFAULT
from clones.helpdesk.rules.profile_fields import shown_value


@dataclass(frozen=True, slots=True)
class Show:
    """How records are shown in one answer: in a `list`, or one in `detail`; in which language."""

    root: str
    sandbox: SandboxRow
    kind: sightings.Kind = "list"
    locale: str = DEFAULT.code
    # The fields of profiles, by whose they are: a list of people needs them for each.
    fields: dict[str, list[ProfileField]] = field(default_factory=dict, compare=False)

    @classmethod
    def of(
        cls, request: SandboxRequest, reader: User | None, kind: sightings.Kind = "list"
    ) -> Show:
        """Return the way to show records to somebody in the answer to a request."""
        locale = DEFAULT.code if reader is None else reader.locale
        fields = vars(request).setdefault("profile_fields", {})
        root = origin_of(request)
        return cls(root, request.sandbox, kind, locale, fields)

    def as_list(self) -> Show:
        """Return the same for records that go beside the main one."""
        return replace(self, kind="list")

    def without_fields(self) -> Show:
        """Return the same for those who see nobody's custom fields."""
        return replace(self, fields={owner: [] for owner in ProfileField.OWNERS})

    def url(self, path: str) -> str:
        """Return the address of a resource: `tickets/33` gives .../api/v2/tickets/33.json."""
        return f"{self.root}/api/v2/{path}.json"

    def text(self, raw: str | None) -> str | None:
        """Return a text as its reader sees it: with the dynamic content that it refers to."""
        return raw and translated(raw, self.locale)

    def note(self, record: models.Model) -> None:
        """Note that the answer shows a record."""
        sightings.note(record, self.kind)

    def profile(self, owner: str, values: dict[str, Any]) -> dict[str, Any]:
        """Return what a `user` or an `organization` has in each field in use, by key."""
        if owner not in self.fields:
            self.fields[owner] = active_fields(owner)
        return {
            found.key: shown_value(found.type, values.get(found.key))
            for found in self.fields[owner]
        }

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
    # `isoformat` asks the zone how far it is off: a list of tickets writes hundreds of times.
    return "%04d-%02d-%02dT%02d:%02d:%02dZ" % (  # noqa: UP031 - formatted otherwise it takes thrice
        moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second
    )  # fmt: skip
