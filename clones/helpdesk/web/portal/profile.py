"""What somebody tells of themselves, and the password they sign in with."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpResponse
from django.urls import reverse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.attempts import FormErrors
from clones.core.web.posted import posted_text
from clones.helpdesk.domain.errors import InvalidAttribute, RecordInvalid, RecordNotFound
from clones.helpdesk.domain.passwords import change_password
from clones.helpdesk.domain.users import update_user
from clones.helpdesk.models import User
from clones.helpdesk.queries.locales import account_locales
from clones.helpdesk.rules.passwords import REQUIREMENTS
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import SignedIn, end_user_page
from clones.helpdesk.web.form_errors import errors_of
from clones.helpdesk.web.portal import frame

NAMES = ("name", "phone", "locale")


@end_user_page
def profile(request: SandboxRequest, who: SignedIn, key: int) -> HttpResponse:
    """Show one's own profile, or take what was changed in it."""
    _check_own(who, key)
    values = {name: getattr(who.user, name) or "" for name in NAMES}
    if request.method != "POST":
        return _show(request, who, values, FormErrors())
    values = {name: posted_text(request, name) for name in NAMES}
    offered = {locale.code for locale in account_locales()}
    if values["locale"] not in offered:
        refused = RecordInvalid.of("locale", "Language: is invalid", "InvalidValue")
        return _show(request, who, values, errors_of(refused), status=422)
    try:
        with transaction.atomic():
            mine = User.objects.get(id=who.user.id)
            update_user(mine, actor=who.user, changes={**values, "phone": values["phone"] or None})
    except (RecordInvalid, InvalidAttribute) as error:
        return _show(request, who, values, errors_of(error), status=422)
    return shell.go(reverse("helpdesk:portal_profile", args=[key]), "profile")


@end_user_page
def password(request: SandboxRequest, who: SignedIn, key: int) -> HttpResponse:
    """Show the form of a new password, or take it."""
    _check_own(who, key)
    if request.method != "POST":
        return _show_password(request, who, FormErrors())
    post = request.POST
    try:
        if post.get("password") != post.get("password_again"):
            raise RecordInvalid.of("password", "Password: the two are not the same")
        with transaction.atomic():
            change_password(
                who.session.account,
                previous=post.get("previous_password", ""),
                password=post.get("password", ""),
                sandbox=request.sandbox,
            )
    except RecordInvalid as error:
        return _show_password(request, who, errors_of(error), status=422)
    return shell.go(reverse("helpdesk:portal_profile", args=[key]), "password")


def _check_own(who: SignedIn, key: int) -> None:
    if who.user.id != key:
        raise RecordNotFound("profile", key)


def _show(
    request: SandboxRequest,
    who: SignedIn,
    values: dict[str, str],
    errors: FormErrors,
    *,
    status: int = 200,
) -> HttpResponse:
    sightings.note(who.user, "detail")
    context = {
        "values": values,
        "problems": errors.sentences,
        "locales": account_locales(),
        "organization": who.user.organization,
    }
    return frame.page(
        request,
        who,
        "helpdesk/portal/profile.html",
        context,
        title="My profile",
        crumbs=(frame.Crumb("My profile"),),
        status=status,
    )


def _show_password(
    request: SandboxRequest, who: SignedIn, errors: FormErrors, *, status: int = 200
) -> HttpResponse:
    context = {
        "problems": errors.sentences,
        "requirements": [text for text, _ in REQUIREMENTS],
    }
    crumb = frame.Crumb("My profile", reverse("helpdesk:portal_profile", args=[who.user.id]))
    return frame.page(
        request,
        who,
        "helpdesk/portal/password.html",
        context,
        title="Change your password",
        crumbs=(crumb, frame.Crumb("Change your password")),
        status=status,
    )
