"""Users made over HTTP: what they have of which nothing was said."""

from __future__ import annotations

from tests.crm.conftest import Org


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
