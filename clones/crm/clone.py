"""What core must know of the CRM."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse

from clones.core.accounts import AccountCard
from clones.core.vendors import Clone, RefusalReason
from clones.crm.api.dialect import access_token, dialect, presented
from clones.crm.api.operations import PREFIX, operations
from clones.crm.domain.connected_apps import app_id
from clones.crm.invariants import INVARIANTS
from clones.crm.probes import PROBES
from clones.crm.rules.tokens import PAGE_COOKIE
from clones.crm.web.refusals import refuse_page


def _refuse(request: HttpRequest, reason: RefusalReason) -> HttpResponse:
    if CRM.is_api(request.path):
        return dialect.refuse(request, reason)
    return refuse_page(request, reason)


def _authorization(card: AccountCard) -> dict[str, str]:
    token = card.secrets.get("api_token")
    return {} if token is None else {"Authorization": f"Bearer {access_token(token)}"}


def _account_view(card: AccountCard) -> dict[str, Any]:
    token, app = card.secrets.get("api_token"), card.secrets.get("secret_key")
    return {
        "role": card.role,
        "username": card.login,
        "password": card.secrets.get("password"),
        "access_token": None if token is None else access_token(token),
        **({} if app is None else {"client_id": app_id(app), "client_secret": app}),
    }


CRM: Final = Clone(
    name="crm",
    api_prefixes=(f"{PREFIX}/", "/id/", "/servlet/", "/.well-known/", f"/{PREFIX}/"),
    urlconf="clones.crm.urls",
    presented=presented,
    refuse=_refuse,
    session_cookie=PAGE_COOKIE,
    authorization=_authorization,
    account_view=_account_view,
    operations=operations,
    signs_in=True,
    probes=PROBES,
    invariants=INVARIANTS,
    framed="clones.crm.web.refused.framed",
)
