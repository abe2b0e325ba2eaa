"""Contacts of accounts: the account that a contact is of, and others that it has to do with."""

from __future__ import annotations

from typing import Any, Final

from clones.crm.domain.new_ids import new_id
from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.stages import Stage, step
from clones.crm.errors import RecordError
from clones.crm.models import model_of, rows_of

_NAME: Final = "AccountContactRelation"


@step(Stage.FILLING_IN)
def check_relation(change: Change) -> None:
    """See that a contact has to do with an account once.

    Raises:
        RecordError: it has already.
    """
    if change.of.name != _NAME or not change.is_new:
        return
    same = rows_of(_NAME).filter(
        AccountId=change.get("AccountId"), ContactId=change.get("ContactId"), IsDeleted=False
    )
    found = same.first()
    if found is not None:
        raise RecordError(
            "DUPLICATE_VALUE",
            f"duplicate value found: ContactId duplicates value on record with id: {found.pk[:15]}",
            ["ContactId"],
        )


@step(Stage.FOLLOW_UPS)
def follow_account(change: Change) -> None:
    """Let the direct relation of a contact lead to the account that it is of.

    The relation to the account that it was of stays, as one to any other.
    """
    if change.of.name != "Contact" or not change.has_changed("AccountId"):
        return
    id, account = change.get("Id"), change.get("AccountId")
    relations = rows_of(_NAME).filter(ContactId=id, IsDeleted=False)
    for row in relations.filter(IsDirect=True).exclude(AccountId=account).order_by("Id"):
        row.IsDirect = False
        _keep(row, change)
    if account is None:
        return
    row = relations.filter(AccountId=account).first()
    if row is None:
        row = model_of(_NAME)(AccountId=account, ContactId=id, IsActive=True)
        row.Id = new_id("07k", model_of(_NAME))
        row.CreatedDate, row.CreatedById = change.now, change.actor
        row.IsDirect = True
        _keep(row, change, is_new=True)
    elif not row.IsDirect:
        row.IsDirect = True
        _keep(row, change)


def _keep(row: Any, change: Change, *, is_new: bool = False) -> None:
    row.LastModifiedDate = row.SystemModstamp = change.now
    row.LastModifiedById = change.actor
    row.save(force_insert=is_new)
