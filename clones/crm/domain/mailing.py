"""Mail of the CRM: templates filled in for a record and a recipient, letters into the mailboxes.

What is sent lies in the same transaction as what led to it: a save that is refused sends nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from clones.core import clock, post
from clones.core.addresses import with_name
from clones.crm.domain.saving.pipeline import create_record
from clones.crm.models import SObjectRow, rows_of
from clones.crm.queries.custom_values import read_values
from clones.crm.queries.formulas import FormulaRecord, Looker, walked_path
from clones.crm.queries.schema import org_schema
from clones.crm.rules.formulas import FormulaValueError
from clones.crm.rules.merge_fields import merged_text, render
from clones.crm.rules.schema import OrgSchema

_RECIPIENTS: Final = ("Contact", "Lead", "User")
_NOBODY: Final = "noreply@crm.example"
_MOST_ADDRESSES: Final = 150
_SENT = "3"


@dataclass(frozen=True, slots=True)
class Letter:
    """What is written: a subject, a text, and the same as HTML if it is there."""

    subject: str
    text: str
    html: str | None = None


@dataclass
class MergeContext:
    """What merge fields lead to: a record, the one that a letter is for, who sends it.

    `record` and `recipient` are ids; either may be None.
    """

    record: str | None
    recipient: str | None
    actor: str
    schema: OrgSchema = field(default_factory=org_schema)
    _roots: dict[str, SObjectRow | None] = field(default_factory=dict)

    def __call__(self, path: str) -> str:
        """Return what stands at a path, as a letter shows it; nothing where it leads nowhere."""
        root, _, rest = path.partition(".")
        row = self._root(root.removeprefix("$").lower())
        if row is None or not rest:
            return ""
        of, looker = row.sobject, Looker(self.actor, clock.now())
        walked = walked_path(of, rest)
        if walked is None:  # a parent stands for its name
            walked = walked_path(of, f"{rest}.Name")
            rest = f"{rest}.Name"
        if walked is None:
            return ""
        try:
            value = FormulaRecord(of, row.__getattribute__, looker)(rest)
        except FormulaValueError:
            return ""
        if isinstance(value, datetime):
            value = value.astimezone(looker.zone)
        return merged_text(walked.field, value)

    def _root(self, name: str) -> SObjectRow | None:
        if name not in self._roots:
            id = self._id_of(name)
            self._roots[name] = None if id is None else self._row(id)
        return self._roots[name]

    def _id_of(self, name: str) -> str | None:
        if name in ("sender", "user"):
            return self.actor
        if name == "recipient":
            return self.recipient
        if name == "organization":
            found: str | None = rows_of("Organization").values_list("Id", flat=True).first()
            return found
        for id in (self.record, self.recipient):
            of = None if id is None else self.schema.of_id(id)
            if of is not None and of.name.lower() == name:
                return id
        if name in ("account", "contact"):
            return self._parent(f"{name.title()}Id")
        return None

    def _parent(self, field_name: str) -> str | None:
        """Return what the record, or the one a letter is for, has in a reference."""
        for id in (self.record, self.recipient):
            row = None if id is None else self._row(id)
            found = getattr(row, field_name, None)
            if isinstance(found, str):
                return found
        return None

    def _row(self, id: str) -> SObjectRow | None:
        of = self.schema.of_id(id)
        row: SObjectRow | None = None if of is None else rows_of(of).filter(Id=id).first()
        if row is not None and of is not None:
            row.sobject = of
            read_values(row)
        return row


def find_template(name: str) -> SObjectRow | None:
    """Return the active template of a name, with or without its folder (`Sales/Welcome`), or id."""
    bare = name.rpartition("/")[2]
    rows = rows_of("EmailTemplate").filter(IsActive=True).order_by("Id")
    found: SObjectRow | None = rows.filter(Id=name).first()
    return found or rows.filter(DeveloperName=bare).first() or rows.filter(Name=bare).first()


def fill_template(
    template: SObjectRow, *, record: str | None, recipient: str | None, actor: str
) -> Letter:
    """Return a template's letter about a record, to somebody, from a user (all by their ids)."""
    context = MergeContext(record, recipient, actor)
    html = template.HtmlValue
    return Letter(
        " ".join(render(template.Subject, context).split()),
        render(template.Body, context),
        render(html, context, is_html=True) if html else None,
    )


def address_of_person(id: str) -> str | None:
    """Return the line of a contact, lead or user (by id) in a letter; None without an address."""
    of = org_schema().of_id(id)
    if of is None or of.name not in _RECIPIENTS:
        return None
    row = rows_of(of).filter(Id=id).values("Name", "Email").first()
    if row is None or not row["Email"]:
        return None
    return with_name(row["Name"] or "", row["Email"])


def post_letter(
    letter: Letter,
    recipients: Sequence[str],
    *,
    actor: str,
    about: str | None,
    cc: Sequence[str] = (),
    sender: str | None = None,
) -> str | None:
    """Send a letter from a user (by id), and return its Message-ID; None where nobody gets it.

    `recipients` and `cc` are lines of addresses, `about` the id of the record it speaks of.
    """
    to = list(dict.fromkeys(recipients))[:_MOST_ADDRESSES]
    copies = [one for one in dict.fromkeys(cc) if one not in to][:_MOST_ADDRESSES]
    if not to and not copies:
        return None
    headers = {"Auto-Submitted": "auto-generated"}
    draft = post.Draft(
        sender or address_of_person(actor) or _NOBODY,
        to,
        letter.subject,
        letter.text,
        html=letter.html,
        cc=copies,
        headers=headers,
    )
    of = None if about is None else org_schema().of_id(about)
    sent = post.post(
        draft,
        clone="crm",
        about=None if of is None else f"crm.{of.name.lower()}:{about}"[:80],
    )
    return sent.message_id


def note_mail(
    letter: Letter, recipients: Sequence[str], *, record: str | None, person: str | None, actor: str
) -> str:
    """Keep a letter that was sent from a record: an EmailMessage and its task. Return its id.

    `record` and `person` (a contact or a lead) are ids.

    Raises:
        CrmError: the task or the message is refused.
    """
    schema = org_schema()
    task: dict[str, Any] = {
        "Subject": f"Email: {letter.subject}"[:255],
        "Description": letter.text[:32000],
        "Status": "Completed",
        "TaskSubtype": "Email",
        "ActivityDate": clock.now().date().isoformat(),
    }
    of = None if record is None else schema.of_id(record)
    who = None if person is None else schema.of_id(person)
    if who is not None and who.name in ("Contact", "Lead"):
        task["WhoId"] = person
    what = schema.objects["Task"].field("WhatId")
    is_lead = who is not None and who.name == "Lead"
    if of is not None and what is not None and of.name in what.reference_to and not is_lead:
        task["WhatId"] = record
    activity = create_record(schema.objects["Task"], task, actor=actor)
    user = rows_of("User").filter(Id=actor).values("Name", "Email").first() or {}
    message: dict[str, Any] = {
        "ActivityId": activity.pk,
        "Subject": letter.subject,
        "TextBody": letter.text[:32000],
        "HtmlBody": None if letter.html is None else letter.html[:32000],
        "FromName": user.get("Name"),
        "FromAddress": user.get("Email"),
        "ToAddress": "; ".join(recipients)[:4000],
        "Status": _SENT,
        "Incoming": False,
        "MessageDate": clock.now().strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    related = schema.objects["EmailMessage"].field("RelatedToId")
    if of is not None and of.name == "Case":
        message["ParentId"] = record
    elif of is not None and related is not None and of.name in related.reference_to:
        message["RelatedToId"] = record
    return str(create_record(schema.objects["EmailMessage"], message, actor=actor).pk)
