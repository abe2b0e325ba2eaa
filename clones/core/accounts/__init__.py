"""Accounts, credentials and sessions."""

from clones.core.accounts.authentication import (
    Authenticated,
    Presented,
    authenticate,
    authenticate_session,
    basic_parts,
    bearer_text,
)
from clones.core.accounts.directory import AccountCard, account_cards
from clones.core.accounts.opening import open_account
from clones.core.accounts.sessions import end_session, session_cookie, start_session

__all__ = [
    "AccountCard",
    "Authenticated",
    "Presented",
    "account_cards",
    "authenticate",
    "authenticate_session",
    "basic_parts",
    "bearer_text",
    "end_session",
    "open_account",
    "session_cookie",
    "start_session",
]
