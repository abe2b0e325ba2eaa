"""Which mail is held back, and why: the vendor's causes, and what of a mail points to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal

from clones.core import automail

CAUSES = (
    ("spam", "Detected as spam"),
    ("not_on_whitelist", "Sender domain not on allowlist"),
    ("unverified", "Submitted by unverified user"),
    ("auto_mailer", "Automated response mail"),
    ("loop", "Detected as mail loop"),
    ("unknown_user_update", "Unknown user tried to update existing ticket"),
    ("other_user_update", "End user only allowed to update their own tickets"),
    ("auto_delivery_failure", "Automated response mail, delivery failed"),
    ("auto_vacation", "Automated response mail, out of office"),
    ("system_user", "Detected email as being from a system user"),
    ("unknown_author", "Permission denied for unknown email submitter"),
    ("blank", "Email has no content"),
    ("signup_required", "User must sign up to submit email, user notified"),
    ("blocklisted", "Email is from a blocklisted sender or domain"),
    ("backscatter", "Backscatter from remote mail server"),
    ("disabled", "Email integration disabled"),
    ("to_noreply", 'Email for "noreply" address'),
    ("server_lock", "Received via unknown mail server"),
    ("unserviceable_account", "Emails do not get processed for expired accounts"),
    ("unprocessable_email", "Automatic email processing failed"),
    ("unauthenticated_email_update", "Permission denied due to unauthenticated email update"),
    ("registered_user_logged_out", "Submitted by registered user while logged out"),
    ("from_support_address", "Received from support address"),
    ("from_zendesk_account", "Email is from a Zendesk account"),
    ("content_processor_timed_out", "Email took too long to process"),
    ("malware_detected", "Malware detected"),
    ("failed_email_authentication", "Email authentication failed"),
    ("from_noreply", 'Email from "noreply" address'),
    ("account_owner_email_unverified", "Submitted by unverified account owner"),
    ("malicious_pattern_detected", "Content pattern detected as malicious"),
)
NUMBERS = {name: number for number, (name, _) in enumerate(CAUSES)}
LOOP_WINDOW = timedelta(hours=1)
LOOP_LIMIT = 20
SYSTEM_NAMES = ("mailer-daemon", "mail-daemon", "postmaster")
NO_REPLY = ("noreply", "no-reply", "donotreply", "do-not-reply")

Standing = Literal["unknown", "suspended", "end-user", "agent"]


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail and what is known of its sender. The names of `headers` are in small letters.

    `updates` says that it answers a ticket, `may_update` that its sender takes part in it;
    `recent` counts the sender's mails within `LOOP_WINDOW`.
    """

    sender: str
    to: str
    subject: str
    blank: bool
    standing: Standing
    headers: Mapping[str, str] = field(default_factory=dict)
    own_addresses: frozenset[str] = frozenset()
    updates: bool = False
    may_update: bool = True
    recent: int = 0


def cause_of(letter: Letter) -> str | None:
    """Return the name of the first cause for which a mail is held back, None if there is none."""
    return next((name for name, applies in _CHECKS if applies(letter)), None)


def _forged(letter: Letter) -> bool:
    return "dmarc=fail" in letter.headers.get("authentication-results", "").lower()


def _spam(letter: Letter) -> bool:
    flag = letter.headers.get("x-spam-flag", "").strip().lower()
    return letter.standing == "suspended" or flag == "yes"


def _local(address: str) -> str:
    return address.partition("@")[0].lower()


_CHECKS: tuple[tuple[str, Callable[[Letter], bool]], ...] = (
    ("from_support_address", lambda letter: letter.sender.lower() in letter.own_addresses),
    ("loop", lambda letter: letter.recent >= LOOP_LIMIT),
    ("system_user", lambda letter: _local(letter.sender) in SYSTEM_NAMES),
    ("auto_delivery_failure", lambda letter: automail.has_failed(letter.headers)),
    ("auto_vacation", lambda letter: automail.is_away(letter.subject, letter.headers)),
    ("auto_mailer", lambda letter: automail.is_automatic(letter.headers)),
    ("failed_email_authentication", _forged),
    ("spam", _spam),
    ("from_noreply", lambda letter: _local(letter.sender) in NO_REPLY),
    ("to_noreply", lambda letter: _local(letter.to) in NO_REPLY),
    ("blank", lambda letter: letter.blank),
    ("unknown_user_update", lambda letter: letter.updates and letter.standing == "unknown"),
    ("other_user_update", lambda letter: letter.updates and not letter.may_update),
)
