"""What holds of users that are saved: a user name of their own, a sign-in while active."""

from __future__ import annotations

from clones.core.models import Account
from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.stages import Stage, step
from clones.crm.errors import RecordError
from clones.crm.models import rows_of


@step(Stage.REQUIRED)
def check_user(change: Change) -> None:
    """See that no other user has the name of a user, and that nobody shuts oneself out.

    Raises:
        RecordError: the name is taken, or the user who saves is to be inactive.
    """
    if change.of.name != "User":
        return
    name = change.get("Username")
    if name is not None:
        name = name.lower()
        change.set("Username", name)
    if name is not None and name != change.was("Username"):
        others = rows_of("User").filter(Username__iexact=name).exclude(Id=change.get("Id"))
        if others.exists():
            raise RecordError(
                "DUPLICATE_USERNAME",
                "Duplicate Username.<br>The username already exists in this or another Salesforce"
                " organization. Usernames must be unique across all Salesforce organizations. To"
                " resolve, use a different username (it doesn't need to match the user's email"
                " address).",
                ["Username"],
            )
    is_closed = not change.is_new and change.was("IsActive") and not change.get("IsActive")
    if is_closed and change.get("Id") == change.actor:
        raise RecordError(
            "FIELD_INTEGRITY_EXCEPTION", "You cannot deactivate yourself.", ["IsActive"]
        )


@step(Stage.FOLLOW_UPS)
def keep_sign_in(change: Change) -> None:
    """Close the sign-in of a user who is no longer active, open it again, and keep its name."""
    if change.of.name != "User" or change.is_new:
        return
    if not (change.has_changed("IsActive") or change.has_changed("Username")):
        return
    Account.objects.filter(clone="crm", subject=change.get("Id")).update(
        active=bool(change.get("IsActive")), login=change.get("Username")
    )
