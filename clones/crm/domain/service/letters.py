"""Letters of the organization about a record: templates filled in, laid into mailboxes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

from clones.core import post
from clones.core.addresses import with_name
from clones.core.models import Message
from clones.core.plaintext import plain_of_html
from clones.crm.domain.service.settings import support_address
from clones.crm.models import SObjectRow, rows_of
from clones.crm.queries.formulas import FormulaRecord
from clones.crm.rules.record_ids import read_id
from clones.crm.rules.shown_values import shown_value

_MERGED: Final = re.compile(r"\{!\s*([A-Za-z_$]{1,80}(?:\.\w{1,80}){1,3})\s*\}", re.ASCII)


def find_template(name: str) -> SObjectRow | None:
    """Return a template by its id or its developer name; a folder before the name is left out."""
    id = read_id(name)
    by = {"Id": id} if id else {"DeveloperName": name.rpartition("/")[2]}
    found: SObjectRow | None = rows_of("EmailTemplate").filter(**by).order_by("Id").first()
    return found


def write_about(
    row: SObjectRow,
    recipients: Sequence[str],
    *,
    user: str,
    template: str | None = None,
    subject: str = "",
    text: str = "",
    headers: Mapping[str, Any] | None = None,
) -> Message | None:
    """Write about a record to some addresses, by a template where there is one, else as is said.

    None where nobody is written to.
    """
    if not recipients:
        return None
    html = None
    found = find_template(template) if template else None
    if found is not None:
        subject, text = (filled(row, part or "", user) for part in (found.Subject, found.Body))
        html = filled(row, found.HtmlValue, user, html=True) if found.HtmlValue else None
        text = text or plain_of_html(html or "")
    return post.post(
        post.Draft(
            with_name(_organization(), support_address()),
            list(recipients),
            subject or row.sobject.label,
            text,
            html,
            headers=headers,
        ),
        clone="crm",
        about=about(row.pk) if row.sobject.name == "Case" else None,
    )


def about(case: str) -> str:
    """Return the name by which a message says that it is of a case."""
    return f"crm.case:{case}"


def filled(row: SObjectRow, text: str, user: str, *, html: bool = False) -> str:
    """Return a text whose merge fields (`{!Case.Subject}`) are filled in; unknown ones are empty.

    They name the record's object, a parent by its relationship, or `$User`, `$Organization`.
    """
    record = FormulaRecord(row.sobject, lambda name: getattr(row, name, None), user)

    def value(found: re.Match[str]) -> str:
        start, _, rest = found[1].partition(".")
        own = start.lower() == row.sobject.name.lower()
        if own and row.sobject.name == "Case" and rest.lower() in ("thread_id", "thread_token"):
            return thread_token(row.pk)
        shown = shown_value(record(rest if own else found[1]))
        said = "" if shown is None else str(shown)
        return escape(said) if html else said

    return _MERGED.sub(value, text)


def thread_token(case: str) -> str:
    """Return the mark by which an answer to a mail finds its case."""
    organization = rows_of("Organization").values_list("Id", flat=True).first() or ""
    return f"ref:!{_compact(organization)}.!{_compact(case)}:ref"


TOKEN: Final = re.compile(
    r"ref:!?_?(00D[0-9A-Za-z]{2,12})\.!?_?(500[0-9A-Za-z]{2,12}):ref", re.ASCII
)


def case_of_token(text: str) -> str | None:
    """Return the id of the case that a text's mark names, None if it has none of this place."""
    own = _compact(rows_of("Organization").values_list("Id", flat=True).first() or "")
    for found in TOKEN.finditer(text):
        if found[1] == own:
            case = found[2]
            return read_id(case[:5] + case[5:].rjust(10, "0"))
    return None


def _compact(id: str) -> str:
    return id[:5] + id[5:15].lstrip("0")


def _organization() -> str:
    return str(rows_of("Organization").values_list("Name", flat=True).first() or "")
