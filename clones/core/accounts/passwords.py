"""Passwords that somebody chose, hashed with a salt that is a function of the account.

Django's hashers draw their salts from the machine; two sandboxes doing the same thing must write
the same row, so the salt is derived.
"""

from __future__ import annotations

import hashlib
import hmac

from clones.core.models.accounts import Account

ITERATIONS = 20_000


def hash_password(account: Account, password: str) -> str:
    """Return the hash to store for an account's password."""
    salt = hashlib.sha256(f"{account.clone}|{account.id}".encode()).hexdigest()[:16]
    digest = hashlib.pbkdf2_hmac("sha256", password.encode(), salt.encode(), ITERATIONS)
    return f"pbkdf2${ITERATIONS}${salt}${digest.hex()}"


def check_password(account: Account, password: str) -> bool:
    """Tell whether `password` is the one the account chose; never for accounts without one."""
    if account.password is None:
        return False
    return hmac.compare_digest(account.password, hash_password(account, password))
