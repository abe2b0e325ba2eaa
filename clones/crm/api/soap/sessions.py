"""Calls that sign in and out, and tell who is signed in."""

from __future__ import annotations

from typing import Any

from clones.core.accounts.secrets import read
from clones.core.models import Account
from clones.crm.api.soap.asked import SoapCall, answers
from clones.crm.api.soap.envelope import INVALID_LOGIN, SOAP_PREFIX, soap_session
from clones.crm.api.soap.xml import described, tag
from clones.crm.api.views.sessions import open_api_session, origin_of
from clones.crm.domain.connected_apps import end_session
from clones.crm.errors import CrmError
from clones.crm.models import rows_of
from clones.crm.rules.organization import ORGANIZATION_ID
from clones.crm.rules.tokens import secret_in

_SECONDS = 7200


@answers("login")
def login(asked: SoapCall) -> str:
    """Open a session for who has the password of a user."""
    request = asked.call.request
    found = request.authenticated
    if found is None or found.session is not None:
        raise CrmError(INVALID_LOGIN, code="INVALID_LOGIN")
    origin, id = origin_of(asked.call), ORGANIZATION_ID
    flavour = request.path.removeprefix(SOAP_PREFIX)[:1]
    inner = (
        tag("metadataServerUrl", f"{origin}{SOAP_PREFIX}m/{asked.version}/{id}")
        + tag("passwordExpired", False)
        + tag("sandbox", False)
        + tag("serverUrl", f"{origin}{SOAP_PREFIX}{flavour}/{asked.version}/{id}")
        + tag("sessionId", open_api_session(asked.call, found.account))
        + tag("userId", found.account.subject)
        + described("userInfo", _about(found.account))
    )
    return f"<result>{inner}</result>"


@answers("logout")
def logout(asked: SoapCall) -> str:
    """End the session of the call."""
    claim = read(secret_in(soap_session(asked.call.request)))
    if claim is not None:
        end_session(claim.number)
    return ""


@answers("getUserInfo")
def user_info(asked: SoapCall) -> str:
    """Tell who is signed in."""
    return described("result", _about(asked.call.actor))


def _about(account: Account) -> dict[str, Any]:
    user: Any = rows_of("User").filter(Id=account.subject).first()
    name = rows_of("Organization").values_list("Name", flat=True).first()
    if user is None:
        raise CrmError(INVALID_LOGIN, code="INVALID_LOGIN")
    return {
        "accessibilityMode": False,
        "chatterExternal": False,
        "currencySymbol": "$",
        "orgAttachmentFileSizeLimit": 26_214_400,
        "orgDefaultCurrencyIsoCode": "USD",
        "orgDisallowHtmlAttachments": False,
        "orgHasPersonAccounts": False,
        "organizationId": ORGANIZATION_ID,
        "organizationMultiCurrency": False,
        "organizationName": name,
        "profileId": user.ProfileId,
        "roleId": user.UserRoleId,
        "sessionSecondsValid": _SECONDS,
        "userEmail": user.Email,
        "userFullName": user.Name,
        "userId": user.Id,
        "userLanguage": user.LanguageLocaleKey,
        "userLocale": user.LocaleSidKey,
        "userName": user.Username,
        "userTimeZone": user.TimeZoneSidKey,
        "userType": user.UserType,
        "userUiSkin": "Theme3",
    }
