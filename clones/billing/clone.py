"""What core must know of billing."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse

from clones.billing.api.dialect import KEY_PREFIX, dialect, presented
from clones.billing.api.operations import operations
from clones.billing.app_tools import APP_TOOLS
from clones.billing.invariants import INVARIANTS
from clones.billing.probes import PROBES
from clones.billing.web.refusals import refuse_page
from clones.core.accounts import AccountCard
from clones.core.vendors import Clone, RefusalReason


def secret_key_text(secret: str) -> str:
    """Return a secret as the vendor's clients send it."""
    return KEY_PREFIX + secret


def _refuse(request: HttpRequest, reason: RefusalReason) -> HttpResponse:
    if request.path.startswith(BILLING.api_prefixes):
        return dialect.refuse(request, reason)
    return refuse_page(request, reason)


def _authorization(card: AccountCard) -> dict[str, str]:
    secret = card.secrets.get("secret_key")
    return {} if secret is None else {"Authorization": f"Bearer {secret_key_text(secret)}"}


def _account_view(card: AccountCard) -> dict[str, Any]:
    secret = card.secrets.get("secret_key")
    return {"role": card.role, "secret_key": None if secret is None else secret_key_text(secret)}


BILLING = Clone(
    name="billing",
    api_prefixes=("/v1/",),
    urlconf="clones.billing.urls",
    presented=presented,
    refuse=_refuse,
    session_cookie="billing_session",
    authorization=_authorization,
    account_view=_account_view,
    operations=operations,
    app_tools=APP_TOOLS,
    takes_handover=True,
    takes_forms=True,
    derived_tables=frozenset({"billing_balancetransaction", "billing_event"}),
    probes=PROBES,
    invariants=INVARIANTS,
    privacy="clones.billing.privacy.PRIVACY",
)
