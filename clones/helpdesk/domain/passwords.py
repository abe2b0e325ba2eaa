"""Passwords that people choose."""

from __future__ import annotations

from clones.core.accounts import Presented, authenticate
from clones.core.accounts.passwords import hash_password
from clones.core.models import Account, Credential
from clones.core.tenancy import SandboxRow
from clones.helpdesk.domain.audit_logs import log_password
from clones.helpdesk.domain.errors import Problem, RecordInvalid
from clones.helpdesk.models import User
from clones.helpdesk.rules import passwords


def change_password(account: Account, *, previous: str, password: str, sandbox: SandboxRow) -> None:
    """Set the password that an account's owner chose, whom the previous one proves to be theirs.

    Raises:
        RecordInvalid: the previous one is wrong, or the new one does not meet the requirements.
    """
    presented = Presented(previous, account.login, ("password",))
    if authenticate(presented, account.clone, sandbox) is None:
        raise RecordInvalid.of("previous_password", "Previous password: is wrong", "InvalidValue")
    choose_password(account, password=password)


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
    log_password(User.objects.get(id=account.subject))
