"""The panel that the helpdesk embeds: a person's charges, and a way to give money back.

`GET /panel?email=...&handover=...` shows it; `&charge=...` opens that charge's refund form, which
is posted to the same address. It works without JavaScript.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import Final, cast
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render

from clones.billing.domain.refunds import create_refund
from clones.billing.errors import BillingError
from clones.billing.models import Charge, Customer, Refund
from clones.billing.queries import customers_by_email
from clones.billing.rules.money import format_money, parse_amount
from clones.billing.rules.refunds import REASONS
from clones.billing.web.account import billing_of
from clones.billing.web.refusals import WORDS, refuse_page
from clones.billing.web.words import words_for
from clones.core.accounts.handover import PARAMETER, form_token, read_handover
from clones.core.models import Account
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.vendors import RefusalReason
from clones.core.web.attempts import Attempts, FormErrors
from clones.core.web.inputs import Input, PageForm, chosen

REASON_CHOICES = [(reason, reason.replace("_", " ").capitalize()) for reason in REASONS]


ATTEMPTS: Final = Attempts(BillingError, lambda error: FormErrors([words_for(error)]))


def _form(charge: str = "", typed: QueryDict | None = None) -> PageForm:
    """Return the refund form of a charge: open, or as it was sent."""
    inputs = [
        Input("charge", "Charge", "hidden", charge),
        Input("amount", "Amount"),
        Input("reason", "Reason", "select", choices=chosen(REASON_CHOICES, ()), none="No reason"),
    ]
    return PageForm(inputs, typed)


@dataclass(frozen=True, slots=True)
class Page:
    """A panel asked for: by whom, and of which e-mail address."""

    request: SandboxRequest
    account: Account
    email: str

    def customers(self) -> list[Customer]:
        """Return whose charges are shown."""
        return customers_by_email(self.email) if self.email else []

    def token(self) -> str:
        """Return the anti-forgery token of the page's form."""
        return form_token(self.request.sandbox, self.account)

    def address(self, **query: str) -> str:
        """Return the page's own address."""
        return f"/panel?{urlencode({'email': self.email, **query})}"


def panel(request: HttpRequest) -> HttpResponse:
    """Show the panel, or make the refund that its form asks for."""
    asked = cast(SandboxRequest, request)
    found = asked.authenticated
    if found is None:
        return refuse_page(request, "unauthenticated")
    page = Page(asked, found.account, _text(request.GET, "email"))
    if request.method not in ("GET", "HEAD", "POST"):
        return _framed(asked, _refused_panel(page, "wrong_method"))
    return _framed(asked, _refund(page) if request.method == "POST" else _show(page))


def missing(request: HttpRequest) -> HttpResponse:
    """Answer for addresses that no page has."""
    asked = cast(SandboxRequest, request)
    found = asked.authenticated
    if found is None:
        return refuse_page(request, "unknown_path")
    return _framed(asked, _refused_panel(Page(asked, found.account, ""), "unknown_path"))


def _refused_panel(page: Page, reason: RefusalReason) -> HttpResponse:
    """Return the panel with what was refused above it: there is nothing else of that to see."""
    status, words = WORDS[reason]
    form = _form()
    form.refuse(FormErrors([words]))
    return _show(page, form, status=status)


def _show(page: Page, form: PageForm | None = None, *, status: int = 200) -> HttpResponse:
    request = page.request
    customers = page.customers()
    if form is None and request.GET.get("charge"):
        form = _form(_text(request.GET, "charge"))
    context = {
        "email": page.email,
        "account": billing_of(customers),
        "form": form,
        "done": _done(_text(request.GET, "done"), customers),
        "token": page.token(),
        "action": page.address(),
    }
    return render(request, "billing/panel.html", context, status=status)


def _refund(page: Page) -> HttpResponse:
    """Make the refund asked for and show the panel again, or show what is wrong."""
    typed = page.request.POST
    if not hmac.compare_digest(typed.get("token", "").encode(), page.token().encode()):
        return _refused_panel(page, "unauthenticated")
    form = _form(typed=typed)
    shown = Charge.objects.filter(customer__in=page.customers())
    charge = shown.filter(id=form.text("charge")).first()
    if charge is None:
        return _refused_panel(page, "unknown_path")
    amount = parse_amount(form.text("amount"), charge.currency)
    if amount is None:
        said = f"Enter an amount in {charge.currency.upper()}."
        return _refused(page, form, FormErrors(fields={"amount": said}))
    actor = f"billing.account:{page.account.id}"
    reason = form.text("reason") or None
    refund, refusal = ATTEMPTS.attempt(
        lambda: create_refund(charge, actor=actor, amount=amount, reason=reason)
    )
    if refund is None:
        return _refused(page, form, refusal or FormErrors())
    return redirect(page.address(done=refund.id))


def _refused(page: Page, form: PageForm, refusal: FormErrors) -> HttpResponse:
    form.refuse(refusal)
    return _show(page, form, status=400)


def _done(id: str, customers: list[Customer]) -> str | None:
    """Return what the last refund did, for the page that follows it."""
    refund = Refund.objects.filter(id=id, charge__customer__in=customers).first()
    if refund is None:
        return None
    money = format_money(refund.amount, refund.currency)
    return f"Refunded {money} of {refund.charge_id} ({refund.id})."


def _text(data: QueryDict, name: str) -> str:
    """Return a value as typed, without spaces around it."""
    return str(data.get(name, "")).strip()


def _framed(request: SandboxRequest, response: HttpResponse) -> HttpResponse:
    """Let this sandbox's helpdesk embed the page, and keep its hand-over as a session cookie."""
    host = request.headers.get("Host", "").rpartition(":")[0] or request.headers.get("Host", "")
    helpdesk = f"helpdesk.{request.sandbox.id}.{settings.DOMAIN}"
    # Published on a port of its own, a clone shares the host's name with the helpdesk.
    names = dict.fromkeys((helpdesk, host))
    ancestors = " ".join(f"{scheme}://{name}:*" for name in names for scheme in ("http", "https"))
    response["Content-Security-Policy"] = (
        f"default-src 'none'; style-src 'self'; script-src 'self'; form-action 'self';"
        f" base-uri 'none'; frame-ancestors 'self' {ancestors}"
    )
    response["Referrer-Policy"] = "same-origin"
    response["Cache-Control"] = "no-store"
    text = request.GET.get(PARAMETER)
    if text and read_handover(text, request.clone.name, request.sandbox) is not None:
        response.set_cookie(
            request.clone.session_cookie,
            text,
            httponly=True,
            samesite="Lax",
            secure=request.is_secure(),
        )
    return response
