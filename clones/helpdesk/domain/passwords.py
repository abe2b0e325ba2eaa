"""Passwords that people choose."""

from __future__ import annotations

from clones.core.accounts.passwords import hash_password
from clones.core.models import Account, Credential
from clones.helpdesk.domain.errors import Problem, RecordInvalid
from clones.helpdesk.rules import passwords


def choose_password(account: Account, *, password: str) -> None:
    """Set the password that an account's owner chose; the one it had is not valid any more.

    Raises:
        RecordInvalid: it does not meet the requirements.
    """
    wrong = passwords.unmet(password, account.login)
    if wrong:
        problems = [Problem(f"Password: {text}", "InvalidValue") for text in wrong]
        raise RecordInvalid({"password": problems})
    account.password = hash_password(account, password)
    account.save(update_fields=["password"])
    Credential.objects.filter(account=account, kind="password").update(active=False)
