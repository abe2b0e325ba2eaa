"""What the product writes before a secret, by what the secret is for."""

from __future__ import annotations

from typing import Final

from clones.crm.rules.organization import ORGANIZATION_ID
from clones.crm.rules.record_ids import short_id

CONSUMER: Final = "3MVG9"  # the key of a connected app
DIGITS: Final = 18  # of the app's number, which follows; then the sandbox, without what begins it
SANDBOX: Final = "sb-"
REFRESH: Final = "5Aep861"
CODE: Final = "aPrx"
# The key of the vendor's own command line, which every organization knows; it has no secret.
COMMAND_LINE: Final = "PlatformCLI"
# Cookies of pages: an access token of the API, and a sign-in by a form, which goes before it.
SESSION_COOKIE: Final = "sid"
PAGE_COOKIE: Final = "crm_session"


def access_token(secret: str) -> str:
    """Return a secret as the vendor's clients send it: the organization's id before it."""
    return f"{short_id(ORGANIZATION_ID)}!{secret}"


def secret_in(token: str) -> str:
    """Return the secret of an access token."""
    return token.rpartition("!")[2]
