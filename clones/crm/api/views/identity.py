"""Who is signed in, and the way from a token of the API to the pages."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from django.http import HttpResponse

from clones.core.operations import Call
from clones.core.operations.inputs import Query
from clones.crm.api.credentials import session_text
from clones.crm.api.dialect import PUBLIC
from clones.crm.api.operations import operations, versioned
from clones.crm.errors import NotFound
from clones.crm.models import rows_of
from clones.crm.queries.records import find_record
from clones.crm.queries.schema import org_schema
from clones.crm.rules.organization import ORGANIZATION_ID
from clones.crm.rules.record_ids import read_id
from clones.crm.rules.shown_values import moment_text


@operations.operation("GetUserInfo", "GET", "/oauth2/userinfo", summary="Tell who is signed in.")
def show_user(call: Call) -> dict[str, Any]:
    """Answer with the user's name, addresses and zone, and where the API lies."""
    return _claims(call)


@operations.operation(
    "PostUserInfo",
    "POST",
    "/oauth2/userinfo",
    summary="Tell who is signed in.",
    raw_body=True,
    writes=False,
)
def show_posting_user(call: Call) -> dict[str, Any]:
    """Answer as for one who looks."""
    return _claims(call)


@operations.operation(
    "GetOpenIdConfiguration",
    "GET",
    "/.well-known/openid-configuration",
    summary="Tell how sign-in is asked for.",
    access=PUBLIC,
)
def show_configuration(call: Call) -> dict[str, Any]:
    """Answer with the addresses of sign-in, and what each can do."""
    origin = call.request.build_absolute_uri("/").rstrip("/")
    own = f"{origin}/services/oauth2"
    return {
        "issuer": origin,
        "authorization_endpoint": f"{own}/authorize",
        "token_endpoint": f"{own}/token",
        "revocation_endpoint": f"{own}/revoke",
        "userinfo_endpoint": f"{own}/userinfo",
        "introspection_endpoint": f"{own}/introspect",
        "scopes_supported": ["api", "full", "id", "refresh_token", "web"],
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
        "claims_supported": ["email", "name", "sub", "user_id", "organization_id"],
    }


@versioned(
    "GetUserPassword",
    "GET",
    "/sobjects/User/{id}/password",
    summary="Tell whether a user's password has to be changed.",
)
def show_password(call: Call) -> dict[str, bool]:
    """Answer that it has not: passwords do not expire here."""
    find_record(org_schema().objects["User"], call.path["id"])
    return {"isExpired": False}


class IdentityQuery(Query):
    """The version that the addresses are wanted for; `latest` leaves it open."""

    version: str = ""


@operations.operation(
    "GetIdentity",
    "GET",
    "/id/{organization}/{user}",
    summary="Tell who a user is.",
    query=IdentityQuery,
)
def show_identity(call: Call) -> dict[str, Any] | HttpResponse:
    """Answer with the user and where the API lies; users see themselves only."""
    if read_id(call.path["organization"]) != ORGANIZATION_ID:
        return _refused("Wrong_Org")
    if read_id(call.path["user"]) != call.actor.subject:
        return _refused("Bad_Id")
    user = _user(call)
    origin = _origin(call)
    given = call.query.version
    addresses = _addresses(origin, ORGANIZATION_ID, user.Id)
    if given and given != "latest":
        addresses = {name: one.replace("{version}", given) for name, one in addresses.items()}
    return {
        "id": f"{origin}/id/{ORGANIZATION_ID}/{user.Id}",
        "asserted_user": True,
        "user_id": user.Id,
        "organization_id": ORGANIZATION_ID,
        "username": user.Username,
        "nick_name": user.CommunityNickname,
        "display_name": user.Name,
        "email": user.Email,
        "email_verified": True,
        "first_name": user.FirstName,
        "last_name": user.LastName,
        "timezone": user.TimeZoneSidKey,
        "photos": _photos(origin),
        "addr_street": None,
        "addr_city": None,
        "addr_state": None,
        "addr_country": None,
        "addr_zip": None,
        "mobile_phone": user.MobilePhone,
        "mobile_phone_verified": False,
        "is_lightning_login_user": False,
        "status": {"created_date": None, "body": None},
        "urls": addresses,
        "active": user.IsActive,
        "user_type": user.UserType.upper(),
        "language": user.LanguageLocaleKey,
        "locale": user.LocaleSidKey,
        "utcOffset": 0,
        "last_modified_date": moment_text(user.LastModifiedDate),
        "is_app_installed": True,
    }


@operations.operation(
    "GetSingleAccess", "GET", "/oauth2/singleaccess", summary="Make an address of the pages."
)
def show_frontdoor(call: Call) -> dict[str, str]:
    """Answer with an address by which a browser is signed in."""
    return _frontdoor(call)


@operations.operation(
    "PostSingleAccess",
    "POST",
    "/oauth2/singleaccess",
    summary="Make an address of the pages.",
    raw_body=True,
    writes=False,
)
def show_frontdoor_to_poster(call: Call) -> dict[str, str]:
    """Answer as for one who looks."""
    return _frontdoor(call)


def _frontdoor(call: Call) -> dict[str, str]:
    token = session_text(call.request)
    address = f"{_origin(call)}/secur/frontdoor.jsp?sid={quote(token, safe='')}"
    return {"frontdoor_uri": address}


def _claims(call: Call) -> dict[str, Any]:
    user, origin = _user(call), _origin(call)
    return {
        "sub": f"{origin}/id/{ORGANIZATION_ID}/{user.Id}",
        "user_id": user.Id,
        "organization_id": ORGANIZATION_ID,
        "preferred_username": user.Username,
        "nickname": user.CommunityNickname,
        "name": user.Name,
        "email": user.Email,
        "email_verified": True,
        "given_name": user.FirstName,
        "family_name": user.LastName,
        "zoneinfo": user.TimeZoneSidKey,
        "photos": _photos(origin),
        "profile": f"{origin}/{user.Id}",
        "picture": _photos(origin)["picture"],
        "address": {},
        "is_salesforce_integration_user": False,
        "urls": _addresses(origin, ORGANIZATION_ID, user.Id),
        "active": user.IsActive,
        "user_type": user.UserType.upper(),
        "language": user.LanguageLocaleKey,
        "locale": user.LocaleSidKey,
        "utcOffset": 0,
        "updated_at": moment_text(user.LastModifiedDate),
    }


def _user(call: Call) -> Any:
    found = rows_of("User").filter(Id=call.actor.subject).first()
    if found is None:
        raise NotFound
    return found


def _origin(call: Call) -> str:
    return call.request.build_absolute_uri("/").rstrip("/")


def _photos(origin: str) -> dict[str, str]:
    return {
        "picture": f"{origin}/profilephoto/005/F",
        "thumbnail": f"{origin}/profilephoto/005/T",
    }


def _addresses(origin: str, organization: str, user: str) -> dict[str, str]:
    rest = f"{origin}/services/data/v{{version}}/"
    soap = f"{origin}/services/Soap"
    return {
        "enterprise": f"{soap}/c/{{version}}/{organization}",
        "metadata": f"{soap}/m/{{version}}/{organization}",
        "partner": f"{soap}/u/{{version}}/{organization}",
        "rest": rest,
        "sobjects": f"{rest}sobjects/",
        "search": f"{rest}search/",
        "query": f"{rest}query/",
        "recent": f"{rest}recent/",
        "tooling_soap": f"{soap}/T/{{version}}/{organization}",
        "tooling_rest": f"{rest}tooling/",
        "profile": f"{origin}/{user}",
        "feeds": f"{rest}chatter/feeds",
        "groups": f"{rest}chatter/groups",
        "users": f"{rest}chatter/users",
        "feed_items": f"{rest}chatter/feed-items",
        "feed_elements": f"{rest}chatter/feed-elements",
        "custom_domain": origin,
    }


def _refused(said: str) -> HttpResponse:
    return HttpResponse(said, status=403, content_type="text/html;charset=UTF-8")
