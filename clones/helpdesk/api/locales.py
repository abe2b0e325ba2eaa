"""The languages of the account and of who asks."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic import Field

from clones.core.operations import Call
from clones.helpdesk.api.operations import OPERATIONS, Body, show
from clones.helpdesk.api.presenters.context import when
from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.models import Brand, User
from clones.helpdesk.queries.locales import account_locales
from clones.helpdesk.rules import locales
from clones.helpdesk.rules.locales import Locale


class Wanted(Body):
    """The locales among which the best for a browser is found."""

    available_locales: list[str] | None = Field(None, description="Codes; none: the account's.")


def account_since() -> datetime | None:
    """Return since when the account has its languages: its first brand is as old as it."""
    return Brand.objects.order_by("created_at", "id").values_list("created_at", flat=True).first()


def _body(locale: Locale, call: Call, since: datetime | None) -> dict[str, Any]:
    return {
        "url": show(call).url(f"locales/{locale.code}"),
        "id": locale.id,
        "locale": locale.code,
        "name": locale.name,
        "created_at": when(since),
        "updated_at": when(since),
    }


def _one(locale: Locale, call: Call) -> dict[str, Any]:
    return {"locale": _body(locale, call, account_since())}


def _all(found: Sequence[Locale], call: Call) -> dict[str, Any]:
    since = account_since()
    return {"locales": [_body(locale, call, since) for locale in found]}


@OPERATIONS.operation(
    "ListLocales", "GET", "/locales", summary="List the account's languages.", access="anyone"
)
def list_locales(call: Call) -> dict[str, Any]:
    """List the languages of the account and its people."""
    return _all(account_locales(), call)


@OPERATIONS.operation(
    "ListLocalesForAgent",
    "GET",
    "/locales/agent",
    summary="List the languages that agents use.",
    access="anyone",
)
def list_agent_locales(call: Call) -> dict[str, Any]:
    """List the languages of the account and its agents."""
    return _all(account_locales(agents_only=True), call)


@OPERATIONS.operation(
    "ListAvailablePublicLocales",
    "GET",
    "/locales/public",
    summary="List the languages that any account can have.",
    access="anyone",
)
def list_public_locales(call: Call) -> dict[str, Any]:
    """List every language that the desk knows."""
    return _all(locales.LOCALES, call)


@OPERATIONS.operation(
    "ShowCurrentLocale",
    "GET",
    "/locales/current",
    summary="Show the language of who asks.",
    access="anyone",
)
def show_current(call: Call) -> dict[str, Any]:
    """Show the acting user's language, or the account's."""
    return _one(_own(call.actor) or locales.DEFAULT, call)


@OPERATIONS.operation(
    "DetectBestLocale",
    "GET",
    "/locales/detect_best_locale",
    summary="Choose the language that suits who asks.",
    body=Wanted,
    access="anyone",
)
def detect_best(call: Call) -> dict[str, Any]:
    """Choose among languages: a user's own decides, and the browser's for somebody unknown."""
    if call.actor is not None:
        wanted = [call.actor.locale]
    else:
        wanted = locales.accepted(call.request.headers.get("Accept-Language", ""))
    hints = call.body.available_locales
    offered = account_locales() if hints is None else locales.known(hints)
    return _one(locales.best(wanted, offered), call)


@OPERATIONS.operation(
    "ShowLocaleById",
    "GET",
    "/locales/{locale_id}",
    summary="Show one language by number or code.",
    access="anyone",
)
def show_locale(call: Call) -> dict[str, Any]:
    """Show a language."""
    found = locales.named(call.path["locale_id"])
    if found is None:
        raise RecordNotFound("locale", call.path["locale_id"])
    return _one(found, call)


def _own(user: User | None) -> Locale | None:
    return None if user is None else locales.BY_CODE.get(user.locale)
