"""Users made over HTTP: what they have of which nothing was said."""

from __future__ import annotations

import pytest

from tests.crm.conftest import ADA, BEN, Org


def test_unverified_a_new_user_is_active_and_has_a_nickname(org: Org) -> None:
    profile = org.show("User", next(iter(org.users.values())))["ProfileId"]
    said = {
        "Username": "cleo@kestrel.example",
        "FirstName": "Cleo",
        "LastName": "Wren",
        "Email": "cleo@kestrel.example",
        "Alias": "cwren",
        "TimeZoneSidKey": "America/Los_Angeles",
        "LocaleSidKey": "en_US",
        "EmailEncodingKey": "UTF-8",
        "LanguageLocaleKey": "en_US",
        "ProfileId": profile,
    }
    shown = org.show("User", org.make("User", **said))
    assert (shown["Name"], shown["IsActive"], shown["UserType"]) == ("Cleo Wren", True, "Standard")
    assert shown["CommunityNickname"] == "cleo"
    refused = org.refused("POST", "/sobjects/User", {**said, "Name": "x"})
    assert refused["errorCode"] == "INVALID_FIELD_FOR_INSERT_UPDATE"


def person(org: Org, login: str) -> dict[str, str]:
    """Return what a user of the administrator's profile is made of."""
    return {
        "Username": login,
        "LastName": "Wren",
        "Email": "cleo@kestrel.example",
        "Alias": "cwren",
        "TimeZoneSidKey": "America/Los_Angeles",
        "LocaleSidKey": "en_US",
        "EmailEncodingKey": "UTF-8",
        "LanguageLocaleKey": "en_US",
        "ProfileId": org.show("User", org.users[ADA])["ProfileId"],
    }


def test_a_user_name_is_given_once(org: Org) -> None:
    made = org.make("User", **person(org, "cleo@kestrel.example"))
    for method, path, said in (
        ("POST", "/sobjects/User", person(org, "CLEO@kestrel.example")),
        ("PATCH", f"/sobjects/User/{org.users[BEN]}", {"Username": "cleo@kestrel.example"}),
    ):
        refused = org.refused(method, path, said)
        assert (refused["errorCode"], refused["fields"]) == ("DUPLICATE_USERNAME", ["Username"])
    org.call("PATCH", f"/sobjects/User/{made}", person(org, "cleo@kestrel.example"), status=204)


def test_sessions_end_with_their_user(org: Org) -> None:
    path = f"/sobjects/User/{org.users[BEN]}"
    org.call("PATCH", path, {"IsActive": False}, status=204)
    refused = org.refused("GET", "/sobjects/Account/describe", login=BEN)
    assert (refused["status"], refused["errorCode"]) == (401, "INVALID_SESSION_ID")
    org.call("PATCH", path, {"IsActive": True}, status=204)
    org.call("GET", "/sobjects/Account/describe", login=BEN)


def test_unverified_nobody_deactivates_oneself(org: Org) -> None:
    refused = org.refused("PATCH", f"/sobjects/User/{org.users[ADA]}", {"IsActive": False})
    assert (refused["errorCode"], refused["fields"]) == ("FIELD_INTEGRITY_EXCEPTION", ["IsActive"])
    assert org.show("User", org.users[ADA])["IsActive"] is True


@pytest.mark.parametrize(
    ("of", "said"),
    [
        ("Account", {"Name": "Steel"}),
        ("Case", {"Subject": "Lens"}),
        ("Lead", {"LastName": "Moss", "Company": "Moss"}),
        ("Opportunity", {"Name": "Six", "StageName": "Prospecting", "CloseDate": "2026-07-01"}),
        ("Task", {"Subject": "Call"}),
    ],
)
def test_nothing_goes_to_an_inactive_user(org: Org, of: str, said: dict[str, str]) -> None:
    ben, kept = org.users[BEN], org.make(of, **said)
    own = org.make(of, **said, OwnerId=ben)
    org.call("PATCH", f"/sobjects/User/{ben}", {"IsActive": False}, status=204)
    for method, path, more in (
        ("POST", f"/sobjects/{of}", said),
        ("PATCH", f"/sobjects/{of}/{kept}", {}),
    ):
        refused = org.refused(method, path, {**more, "OwnerId": ben})
        assert (refused["status"], refused["errorCode"]) == (400, "INACTIVE_OWNER_OR_USER")
        assert refused["message"] == (
            f"operation performed with inactive user [{ben[:15]}] as owner of {of.lower()}"
        )
    record = {"attributes": {"type": of}, "OwnerId": ben, **said}
    (told,) = org.call("POST", "/composite/sobjects", {"records": [record]})
    assert told["errors"][0]["statusCode"] == "INACTIVE_OWNER_OR_USER"
    # What was theirs before stays theirs.
    org.call("PATCH", f"/sobjects/{of}/{own}", {"Description": "x"}, status=204)
