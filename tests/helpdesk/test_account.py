"""The account as a whole: its languages and its settings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clones.core.clock import now
from clones.helpdesk.models import Schedule
from clones.helpdesk.rules.locales import BY_CODE, accepted, best, known
from tests.helpdesk.conftest import Desk

FACTS = Path(__file__).parents[1] / "facts" / "helpdesk"


def speak(desk: Desk, who: str, locale: str) -> None:
    desk.put(f"users/{desk.ids[who]}.json", {"user": {"locale": locale}}, by="olga")


def codes(desk: Desk, path: str, by: str | None = "ana") -> list[str]:
    return [item["locale"] for item in desk.get(path, by=by)["locales"]]


def settings(desk: Desk) -> Any:
    return desk.get("account/settings.json")["settings"]


def test_the_account_has_the_languages_of_its_people(desk: Desk) -> None:
    assert codes(desk, "locales.json") == ["en-US"]
    speak(desk, "rosa", "es")
    speak(desk, "ben", "de")
    assert codes(desk, "locales.json", by=None) == ["en-US", "es", "de"]
    assert codes(desk, "locales/agent.json") == ["en-US", "de"]
    assert {"en-US", "es", "de", "fr"} < set(codes(desk, "locales/public.json", by="rosa"))
    assert settings(desk)["localization"]["locale_ids"] == [1, 2, 8]
    desk.call("DELETE", f"users/{desk.ids['rosa']}.json", by="olga")
    assert codes(desk, "locales.json") == ["en-US", "de"]


def test_a_language_is_shown_by_number_and_by_code(desk: Desk) -> None:
    found = desk.get("locales/8.json")["locale"]
    assert (found["id"], found["locale"], found["name"]) == (8, "de", "Deutsch")
    assert found["url"].endswith("/api/v2/locales/de.json")
    assert desk.get(found["url"].partition("/api/v2/")[2], by=None)["locale"] == found
    brand = desk.get("brands.json")["brands"][0]
    assert found["created_at"] == brand["created_at"]
    for unknown in ("5", "xx"):
        answer = desk.call("GET", f"locales/{unknown}.json")
        assert (answer.status, answer.body["error"]) == (404, "RecordNotFound")


def test_everybody_has_a_current_language(desk: Desk) -> None:
    speak(desk, "ben", "fr")
    assert desk.get("locales/current.json", by="ben")["locale"]["id"] == 16
    assert desk.get("locales/current.json", by="ana")["locale"]["locale"] == "en-US"
    assert desk.get("locales/current.json", by=None)["locale"]["locale"] == "en-US"
    user = desk.get(f"users/{desk.ids['ben']}.json")["user"]
    assert (user["locale_id"], user["locale"]) == (16, "fr")


def test_a_user_is_given_a_language_by_its_number(desk: Desk) -> None:
    """Of a number and a code the code counts."""
    path = f"users/{desk.ids['ben']}.json"
    for given, code in (
        ({"locale_id": 16}, "fr"),
        ({"locale_id": 2, "locale": "de"}, "de"),
        ({"locale_id": 1176, "locale": None}, "en-GB"),
        ({"locale_id": None}, "en-GB"),
    ):
        answer = desk.call("PUT", path, {"user": given}, by="olga")
        assert (answer.status, answer.body["user"]["locale"]) == (200, code)
        assert "x-zendesk-api-warn" not in answer.headers
    body = {"user": {"name": "Rosalie", "email": "rosalie@example.com", "locale_id": 8}}
    made = desk.post("users.json", body, by="olga")["user"]
    assert (made["locale_id"], made["locale"]) == (8, "de")


def test_unverified_a_number_of_no_language_is_refused(desk: Desk) -> None:
    for unknown in (0, -1, 5, 10**30):
        body = {"user": {"locale_id": unknown}}
        refused = desk.call("PUT", f"users/{desk.ids['ben']}.json", body, by="olga")
        assert (refused.status, refused.body["error"]) == (422, "RecordInvalid")
        assert list(refused.body["details"]) == ["locale_id"]


def test_unverified_the_best_language_is_the_users_own_if_it_is_offered(desk: Desk) -> None:
    def chosen(*offered: str, by: str | None = "ben", **headers: str) -> str:
        body = {"available_locales": list(offered)} if offered else None
        path = "locales/detect_best_locale.json"
        answer = desk.call("GET", path, body, by=by, **headers)
        assert answer.status == 200
        return str(answer.body["locale"]["locale"])

    speak(desk, "ben", "de")
    assert chosen() == "de"
    assert chosen("es", "de") == "de"
    assert chosen("es", "ja") == "es"
    assert chosen("es", "en-uk", by="ana") == "en-US"
    german = {"Accept-Language": "xx, fr;q=0.2, de-AT;q=0.9"}
    assert chosen(by=None, **german) == "de"
    assert chosen("fr", "ja", by=None, **german) == "fr"
    assert chosen(by=None) == "en-US"


@pytest.mark.parametrize(
    ("header", "wanted"),
    [
        ("", []),
        ("de", ["de"]),
        ("en;q=0.5, de-AT, fr;q=0.7", ["de-AT", "fr", "en"]),
        ("de;q=x, fr;q=0", []),
    ],
)
def test_accepted_languages_come_in_order_of_weight(header: str, wanted: list[str]) -> None:
    assert accepted(header) == wanted


@pytest.mark.parametrize(
    ("wanted", "offered", "chosen"),
    [
        (["en-GB"], ["en-US", "en-GB"], "en-GB"),
        (["en-GB"], ["de", "en-US"], "en-US"),
        (["xx", "ja"], ["de", "ja"], "ja"),
        (["xx"], ["de", "en-US"], "en-US"),
        (["xx"], ["de", "fr"], "de"),
        (["xx"], [], "en-US"),
        ([], ["fr"], "fr"),
    ],
)
def test_the_nearest_language_is_chosen(wanted: list[str], offered: list[str], chosen: str) -> None:
    assert best(wanted, [BY_CODE[code] for code in offered]).code == chosen


def test_codes_of_unknown_countries_stand_for_their_language() -> None:
    assert [locale.code for locale in known(["de-AT", "de", "zz", "en_gb"])] == ["de", "en-US"]


def test_settings_tell_what_the_account_has(desk: Desk) -> None:
    before = settings(desk)
    assert before["ticket_sharing_partners"]["support_addresses"] == ["support@kestrel.example"]
    assert before["active_features"]["business_hours"] is False
    assert before["active_features"]["customer_satisfaction"] is False
    assert before["tickets"]["status_hold"] is True
    address = {"email": "sales@kestrel.example", "name": "Sales"}
    desk.post("recipient_addresses.json", {"recipient_address": address}, by="olga")
    with desk.writing():
        moment = now()
        Schedule.objects.create(
            id=1, name="Days", time_zone="UTC", created_at=moment, updated_at=moment
        )
    after = settings(desk)
    assert "sales@kestrel.example" in after["ticket_sharing_partners"]["support_addresses"]
    assert after["active_features"]["business_hours"] is True
    ticket = desk.ticket(assignee_id=desk.ids["ana"])["id"]
    desk.put(f"tickets/{ticket}.json", {"ticket": {"status": "solved"}})
    rating = {"satisfaction_rating": {"score": "good"}}
    path = f"tickets/{ticket}/satisfaction_rating.json"
    assert desk.call("POST", path, rating, by="rosa").status in (200, 201)
    assert settings(desk)["active_features"]["customer_satisfaction"] is True


def test_every_setting_that_the_vendor_describes_is_told(desk: Desk) -> None:
    described = json.loads((FACTS / "settings.json").read_text(encoding="utf-8"))
    found = settings(desk)
    assert {part: sorted(found.get(part, {})) for part in described} == described
    # Extractors look whether they may read organizations.
    assert found["active_features"]["organization_access_enabled"] is True
    assert found["active_features"]["voice"] is False


def test_the_default_brand_is_a_setting(desk: Desk) -> None:
    brand = {"brand": {"name": "Swift", "subdomain": "swift"}}
    key = desk.post("brands.json", brand, by="olga")["brand"]["id"]
    body: dict[str, Any] = {"settings": {"brands": {"default_brand_id": key}}}
    answer = desk.call("PUT", "account/settings.json", body, by="olga")
    assert answer.body["settings"]["brands"]["default_brand_id"] == key
    assert settings(desk)["brands"]["default_brand_id"] == key
    assert desk.get(f"brands/{key}.json")["brand"]["default"] is True
    assert desk.ticket()["brand_id"] == key
    body["settings"]["brands"]["default_brand_id"] = 5
    assert desk.call("PUT", "account/settings.json", body, by="olga").status == 422


def test_settings_that_are_not_kept_are_warned_of(desk: Desk) -> None:
    body = {"settings": {"tickets": {"tagging": False}}}
    answer = desk.call("PUT", "account/settings.json", body, by="olga")
    assert answer.status == 200
    assert "settings.tickets" in answer.headers["x-zendesk-api-warn"]
    assert settings(desk)["tickets"]["tagging"] is True


def test_agents_read_settings_and_admins_write_them(desk: Desk) -> None:
    assert desk.call("GET", "account/settings.json", by="rosa").status == 403
    body: dict[str, Any] = {"settings": {}}
    assert desk.call("PUT", "account/settings.json", body, by="ana").status == 403
    assert desk.call("PUT", "account/settings.json", {}, by="olga").status == 400
