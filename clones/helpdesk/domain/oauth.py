"""Writing programs that may act for people, and their tokens.

A token is a credential like those that a sandbox hands out, so that it proves its owner in the same
way, and ends with them; its row here says what it may do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from clones.core import clock, ids
from clones.core.models import Account, Credential
from clones.core.resources import Resource
from clones.core.webhooks.signatures import signing_secret
from clones.helpdesk.domain.audit_logs import logged
from clones.helpdesk.domain.changes import plain_text
from clones.helpdesk.domain.errors import AccessDenied, InvalidAttribute, RecordInvalid
from clones.helpdesk.models import OAuthClient, OAuthToken, User

NAME, TEXT = 255, 65_535
NEEDED = ("name", "identifier")
Changes = Mapping[str, Any]


@logged("create")
def create_client(*, actor: User, changes: Changes) -> OAuthClient:
    """Let a program be known.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: it has no name or identifier, another one's, or a value breaks a rule.
        InvalidAttribute: a value has the wrong shape.
    """
    _admins_only(actor)
    now = clock.now()
    client = OAuthClient(id=ids.next_stamp(OAuthClient), user=actor, created_at=now, updated_at=now)
    _set_client(client, {**dict.fromkeys(NEEDED), **changes})
    client.save(force_insert=True)
    return client


@logged("update")
def update_client(client: OAuthClient, *, actor: User, changes: Changes) -> OAuthClient:
    """Change what is known of a program.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule.
        InvalidAttribute: a value has the wrong shape.
    """
    _admins_only(actor)
    _set_client(client, changes)
    client.updated_at = clock.now()
    client.save()
    return client


@logged("update")
def renew_secret(client: OAuthClient, *, actor: User) -> OAuthClient:
    """Give a program another secret; its tokens stay.

    Raises:
        AccessDenied: the actor is no admin.
    """
    _admins_only(actor)
    client.secret_revision += 1
    client.updated_at = clock.now()
    client.save()
    return client


def secret_of(client: OAuthClient, sandbox: str) -> str:
    """Return a program's secret in a sandbox."""
    named = f"oauth_client:{client.id}"
    return signing_secret(sandbox, "helpdesk", named, client.secret_revision)


@logged("destroy")
def delete_client(client: OAuthClient, *, actor: User) -> None:
    """Forget a program; its tokens prove nothing any more.

    Raises:
        AccessDenied: the actor is no admin.
    """
    _admins_only(actor)
    theirs = OAuthToken.objects.filter(client=client).values_list("id", flat=True)
    Credential.objects.filter(id__in=list(theirs)).update(active=False)
    client.delete()


@logged("create")
def create_token(
    client: OAuthClient, account: Account, *, actor: User, scopes: Sequence[str]
) -> OAuthToken:
    """Give a program a token that acts for the actor, whose account it is.

    Raises:
        AccessDenied: the actor is no admin.
        InvalidAttribute: a scope holds NUL.
    """
    _admins_only(actor)
    now = clock.now()
    kept = [plain_text("scopes", scope, NAME) or "" for scope in scopes]
    credential = Credential.objects.create(
        id=ids.next_stamp(Credential),
        account=account,
        kind="oauth_token",
        description=client.name[:200],
        created_at=now,
    )
    return OAuthToken.objects.create(
        id=credential.id, client=client, user=actor, scopes=kept, created_at=now
    )


@logged("destroy")
def revoke_token(token: OAuthToken, *, actor: User) -> None:
    """End a token.

    Raises:
        AccessDenied: it is another's, and the actor is no admin.
    """
    if actor.role != "admin" and token.user_id != actor.id:
        raise AccessDenied("users revoke their own tokens")
    Credential.objects.filter(id=token.id).update(active=False)
    token.delete()


def _set_client(client: OAuthClient, changes: Changes) -> None:
    for name in NEEDED:
        if name in changes:
            text = (plain_text(name, changes[name], NAME) or "").strip()
            if not text:
                raise RecordInvalid.of(name, f"{name.capitalize()}: cannot be blank", "BlankValue")
            setattr(client, name, text)
    others = OAuthClient.objects.exclude(id=client.id)
    if others.filter(identifier=client.identifier).exists():
        text = f"Identifier: {client.identifier} is already being used"
        raise RecordInvalid.of("identifier", text, "DuplicateValue")
    for name, limit in (("description", TEXT), ("company", NAME)):
        if name in changes:
            setattr(client, name, plain_text(name, changes[name], limit))
    if changes.get("kind") is not None:
        if changes["kind"] not in OAuthClient.KINDS:
            raise RecordInvalid.of("kind", "Kind: is invalid", "InvalidValue")
        client.kind = changes["kind"]
    if "redirect_uri" in changes:
        client.redirect_uris = _addresses(changes["redirect_uri"])


def _addresses(given: Any) -> list[str]:
    """Return addresses given as a list, or as a text with line breaks between them."""
    items = given.split() if isinstance(given, str) else given or []
    if not isinstance(items, list):
        raise InvalidAttribute("redirect_uri", "an array")
    found = [plain_text("redirect_uri", item, TEXT) or "" for item in items]
    for address in found:
        try:
            parts = urlsplit(address)
        except ValueError:
            parts = urlsplit("")
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise RecordInvalid.of(
                "redirect_uri", f"Redirect uri: {address} is not an absolute address"
            )
    return found


def _admins_only(actor: User) -> None:
    if actor.role != "admin":
        raise AccessDenied("only admins keep programs and make tokens")


CLIENT: Final = Resource(
    OAuthClient, "program", create=create_client, update=update_client, delete=delete_client
)
