"""What a case knows of others, and what follows from its comments; leads that nobody has read."""

from __future__ import annotations

from typing import Any, Final

from clones.crm.domain.new_ids import new_id
from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.stages import Stage, step
from clones.crm.domain.service.letters import write_about
from clones.crm.domain.service.owners import addresses_of
from clones.crm.domain.service.settings import is_flag, settings_of
from clones.crm.models import SObjectRow, model_of, rows_of
from clones.crm.queries.business_hours import default_hours

# What a case shows of its contact, by the field of the contact.
OF_CONTACT: Final = {
    "Phone": "ContactPhone",
    "MobilePhone": "ContactMobile",
    "Email": "ContactEmail",
    "Fax": "ContactFax",
}


@step(Stage.FILLING_IN)
def fill_in_case(change: Change) -> None:
    """Give a case its contact's account and addresses, its hours, and when it was stopped."""
    if change.of.name != "Case":
        return
    if change.has_changed("ContactId"):
        _know_contact(change)
    if change.is_new:
        change.set("IsClosedOnCreate", bool(change.get("IsClosed")))
        if change.get("BusinessHoursId") is None:
            change.set("BusinessHoursId", default_hours())
    if bool(change.get("IsStopped")) != bool(change.was("IsStopped")):
        change.set("StopStartDate", change.now if change.get("IsStopped") else None)


@step(Stage.FILLING_IN)
def know_article(change: Change) -> None:
    """Say which version of an article a case is given: the latest that is published."""
    if change.of.name != "CaseArticle" or not change.is_new:
        return
    rows = rows_of("Knowledge__kav").filter(
        KnowledgeArticleId=change.get("KnowledgeArticleId"), IsDeleted=False
    )
    found = rows.order_by("-PublishStatus", "-VersionNumber", "Id").first()
    if found is not None:
        change.set("KnowledgeArticleVersionId", found.pk)
        change.set("ArticleLanguage", found.Language)
        change.set("ArticleVersionNumber", found.VersionNumber)


@step(Stage.FILLING_IN)
def mark_unread(change: Change) -> None:
    """Mark a lead as unread where somebody else gives it to its owner."""
    if change.of.name != "Lead" or "IsUnreadByOwner" in change.said:
        return
    if change.has_changed("OwnerId"):
        change.set("IsUnreadByOwner", change.get("OwnerId") != change.actor)


@step(Stage.FOLLOW_UPS)
def follow_case(change: Change) -> None:
    """Make what was said as a case's internal comment one of its comments."""
    if change.of.name == "Case" and change.get("Comments"):
        text = change.get("Comments")
        change.set("Comments", None)
        add_comment(change.get("Id"), text, actor=change.actor, now=change.now)
    elif change.of.name == "Contact" and not change.is_new:
        _tell_cases(change)


@step(Stage.FOLLOW_UPS)
def tell_of_comment(change: Change) -> None:
    """Tell the contact of a case of a comment that is published, and its owner, where that is set.

    Nobody is told of what they wrote.
    """
    if change.of.name != "CaseComment" or not change.is_new:
        return
    values = settings_of("Case")
    to_contact = is_flag(values.get("notifyContactOnCaseComment")) and change.get("IsPublished")
    to_owner = is_flag(values.get("notifyOwnerOnCaseComment"))
    if not to_contact and not to_owner:
        return
    case = rows_of("Case").filter(Id=change.get("ParentId")).first()
    if case is None:
        return
    case.sobject = change.of.schema.objects["Case"]
    template = values.get("caseCommentNotificationTemplate")
    if to_contact and case.ContactEmail:
        _write(case, [case.ContactEmail], change, template)
    if to_owner and case.OwnerId != change.actor:
        _write(case, addresses_of(case.OwnerId), change, None)


def add_comment(case: str, text: str, *, actor: str, now: Any) -> str:
    """Add an internal comment to a case, and return its id."""
    model = model_of("CaseComment")
    stamps = {"CreatedById": actor, "CreatedDate": now, "LastModifiedById": actor}
    row = model(Id=new_id(model.sobject.prefix, model), ParentId=case, CommentBody=text, **stamps)
    row.LastModifiedDate = row.SystemModstamp = now
    row.save(force_insert=True)
    return str(row.pk)


def contact_of(address: str | None) -> SObjectRow | None:
    """Return the contact who alone has an address, None where none or several have it."""
    if not address:
        return None
    rows = rows_of("Contact").filter(Email__iexact=address, IsDeleted=False).order_by("Id")
    found = list(rows[:2])
    return found[0] if len(found) == 1 else None


def _know_contact(change: Change) -> None:
    id = change.get("ContactId")
    contact = None if id is None else rows_of("Contact").filter(Id=id).first()
    for field, own in OF_CONTACT.items():
        change.set(own, None if contact is None else getattr(contact, field))
    if contact is not None and change.get("AccountId") is None and "AccountId" not in change.said:
        change.set("AccountId", contact.AccountId)


def _tell_cases(change: Change) -> None:
    """Show the new addresses of a contact in its cases."""
    changed = [field for field in OF_CONTACT if change.has_changed(field)]
    if not changed:
        return
    values = {OF_CONTACT[field]: change.get(field) for field in changed}
    rows_of("Case").filter(ContactId=change.get("Id")).update(**values)


def _write(case: SObjectRow, recipients: list[str], change: Change, template: Any) -> None:
    text = change.get("CommentBody") or ""
    write_about(
        case,
        recipients,
        user=change.actor,
        template=str(template) if template else None,
        subject=f"New case comment notification. Case number {case.CaseNumber}",
        text=f"A comment was added to case {case.CaseNumber}.\n\n{text}\n",
    )
