"""Letters about cases and leads, and the mark by which answers find their case."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from clones.core.addresses import with_name
from clones.crm.domain.mailing import Letter, fill_template, find_template, post_letter
from clones.crm.domain.service.settings import support_address
from clones.crm.models import SObjectRow, rows_of
from clones.crm.rules.record_ids import read_id

TOKEN: Final = re.compile(
    r"ref:!?_?(00D[0-9A-Za-z]{2,12})\.!?_?(500[0-9A-Za-z]{2,12}):ref", re.ASCII
)
_TOKEN_FIELD: Final = re.compile(r"\{!\s*Case\.Thread_(?:Id|Token)\s*\}", re.ASCII | re.IGNORECASE)


def write_about(
    row: SObjectRow,
    recipients: Sequence[str],
    *,
    user: str,
    template: str | None = None,
    subject: str = "",
    text: str = "",
) -> str | None:
    """Write about a record to some addresses, by a template where there is one, else as is said.

    The letter comes from the organization's address for cases. Return its Message-ID, None where
    nobody is written to.
    """
    if not recipients:
        return None
    found = find_template(template) if template else None
    letter = Letter(subject or row.sobject.label, text)
    if found is not None:
        if row.sobject.name == "Case":
            for name in ("Subject", "Body", "HtmlValue"):
                setattr(found, name, _with_token(getattr(found, name), row.pk))
        letter = fill_template(found, record=row.pk, recipient=None, actor=user)
    return post_letter(letter, recipients, actor=user, about=row.pk, sender=organization_address())


def organization_address() -> str:
    """Return the line of addresses in whose name the organization writes about cases."""
    name = rows_of("Organization").values_list("Name", flat=True).first() or ""
    return with_name(name, support_address())


def about(case: str) -> str:
    """Return the name by which a message says that it is of a case."""
    return f"crm.case:{case}"


def thread_token(case: str) -> str:
    """Return the mark by which an answer to a mail finds its case."""
    organization = rows_of("Organization").values_list("Id", flat=True).first() or ""
    return f"ref:!{_compact(organization)}.!{_compact(case)}:ref"


def case_of_token(text: str) -> str | None:
    """Return the id of the case that a text's mark names, None if it has none of this place."""
    own = _compact(rows_of("Organization").values_list("Id", flat=True).first() or "")
    for found in TOKEN.finditer(text):
        if found[1] == own:
            return read_id(found[2][:5] + found[2][5:].rjust(10, "0"))
    return None


def _with_token(text: str | None, case: str) -> str | None:
    return None if text is None else _TOKEN_FIELD.sub(thread_token(case), text)


def _compact(id: str) -> str:
    return id[:5] + id[5:15].lstrip("0")
