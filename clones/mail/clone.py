"""What core must know of mail."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from clones.core.accounts import AccountCard, Presented
from clones.core.vendors import Clone
from clones.mail.queries import NAME_OF_MAILBOX
from clones.mail.web.access import SESSION_COOKIE
from clones.mail.web.refusals import refuse


def _presented(_: HttpRequest) -> Presented | None:
    """Return nothing: only browsers come here, with a session."""
    return None


def _authorization(_: AccountCard) -> dict[str, str]:
    return {}


def _account_view(card: AccountCard) -> dict[str, Any]:
    return {
        "role": card.role,
        "name": NAME_OF_MAILBOX.first(int(card.subject)),
        "email": card.login,
        "password": card.secrets.get("password"),
    }


MAIL = Clone(
    name="mail",
    api_prefixes=(),
    urlconf="clones.mail.urls",
    presented=_presented,
    refuse=refuse,
    session_cookie=SESSION_COOKIE,
    authorization=_authorization,
    account_view=_account_view,
    ambient_prefixes=("/marks/",),
    framed="clones.mail.web.refused.framed",
    privacy="clones.mail.privacy.PRIVACY",
)
