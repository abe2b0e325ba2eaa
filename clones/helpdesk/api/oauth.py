"""Programs that may act for people, and their tokens."""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from clones.core import resources
from clones.core.digits import whole_number
from clones.core.operations import Call, Reply
from clones.helpdesk import queries
from clones.helpdesk.api.operations import OPERATIONS, Body, PagedQuery, list_request, listed, show
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.presenters.oauth import present_client, present_token
from clones.helpdesk.api.resources import by_key, register_resource
from clones.helpdesk.domain import oauth
from clones.helpdesk.domain.errors import RecordInvalid, RecordNotFound
from clones.helpdesk.models import OAuthClient, OAuthToken

CLIENT = "/oauth/clients/{oauth_client_id:int}"
TOKEN = "/oauth/tokens/{oauth_token_id}"  # noqa: S105 - an address, no secret
DIGITS = 18


class ClientWrite(Body):
    """The attributes of an OAuth client that can be set."""

    id: int | None = None
    name: str | None = None
    identifier: str | None = None
    description: str | None = None
    company: str | None = None
    kind: str | None = Field(None, description="public or confidential")
    redirect_uri: list[str] | str | None = None


class ClientBody(Body):
    """An OAuth client to create or update."""

    client: ClientWrite


class TokenWrite(Body):
    """An OAuth token to create: the client that gets it, and its scopes."""

    client_id: int
    scopes: list[str]


class TokenBody(Body):
    """An OAuth token to create."""

    token: TokenWrite


class TokenList(PagedQuery):
    """Filter and paging of the list of OAuth tokens."""

    client_id: int | None = None
    all: bool | None = Field(None, description="Those of all users, too.")


CLIENTS: Final = resources.ResourceApi(
    resource=oauth.CLIENT,
    path="/oauth/clients",
    one="/{oauth_client_id:int}",
    find=by_key(oauth.CLIENT, "client"),
    present=present_client,
    body=ClientBody,
    reads="admin",
    name="client",
    names="clients",
)


def _token(call: Call) -> OAuthToken:
    """Return the token of a path that the caller may see; `current` is the one in use."""
    text = call.path["oauth_token_id"]
    rows = OAuthToken.objects.all()
    if call.actor.role != "admin":
        rows = rows.filter(user=call.actor)
    found = call.request.authenticated
    if text == "current" and found is not None and found.credential is not None:
        return queries.one(rows, "token", found.credential)
    if whole_number(text, digits=DIGITS) is None:
        raise RecordNotFound("token", text)
    return queries.one(rows, "token", int(text))


register_resource(
    CLIENTS,
    resources.lists(
        "ListOAuthClients", "List the programs that may act for people.", query=PagedQuery
    ),
    resources.creates(
        "CreateOAuthClient",
        "Create a program that may act for people.",
        present=lambda client, how: present_client(client, how, whole=True),
    ),
    resources.shows("ShowClient", "Show one program."),
    resources.updates("UpdateClient", "Change a program."),
    resources.deletes("DeleteClient", "Delete a program and its tokens."),
    module=__name__,
)


@OPERATIONS.operation(
    "ClientGenerateSecret",
    "PUT",
    f"{CLIENT}/generate_secret",
    summary="Give a program another secret.",
    access="admin",
)
def generate_secret(call: Call) -> dict[str, Any]:
    """Renew a program's secret; this answer has it."""
    found = oauth.renew_secret(CLIENTS.record(call), actor=call.actor)
    return {"client": present_client(found, show(call, "detail"), whole=True)}


@OPERATIONS.operation(
    "ListOAuthTokens",
    "GET",
    "/oauth/tokens",
    summary="List the caller's tokens, or everybody's.",
    query=TokenList,
    access="admin",
)
def list_tokens(call: Call) -> dict[str, Any]:
    """List tokens, the oldest first."""
    rows = OAuthToken.objects.all()
    if not call.query.all:
        rows = rows.filter(user=call.actor)
    if call.query.client_id is not None:
        rows = rows.filter(client_id=call.query.client_id)
    page = paginate(rows, list_request(call), Order(("id",)))
    return listed("tokens", [present_token(item, show(call)) for item in page.rows], page)


@OPERATIONS.operation(
    "CreateOAuthToken",
    "POST",
    "/oauth/tokens",
    summary="Create a token that acts for the caller.",
    body=TokenBody,
    access="admin",
    status=201,
)
def create_token(call: Call) -> Reply:
    """Create a token; this answer has it whole."""
    given = call.body.token
    client = OAuthClient.objects.filter(id=given.client_id).first()
    account = call.account
    if client is None or account is None:
        raise RecordInvalid.of("client_id", "Client: is invalid", "InvalidValue")
    made = oauth.create_token(client, account, actor=call.actor, scopes=given.scopes)
    body = present_token(made, show(call, "detail"), whole=True)
    return Reply({"token": body}, 201, {"Location": body["url"]})


@OPERATIONS.operation(
    "ShowToken", "GET", TOKEN, summary="Show a token, or the current one.", access="end-user"
)
def show_token(call: Call) -> dict[str, Any]:
    """Show a token."""
    return {"token": present_token(_token(call), show(call, "detail"))}


@OPERATIONS.operation(
    "RevokeOAuthToken",
    "DELETE",
    TOKEN,
    summary="Revoke a token, or the current one.",
    access="end-user",
    status=204,
)
def revoke_token(call: Call) -> None:
    """Revoke a token."""
    oauth.revoke_token(_token(call), actor=call.actor)
