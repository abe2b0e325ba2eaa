"""Profiles of people, and what they set for themselves."""

from __future__ import annotations

from tests.tracker.issues import doc
from tests.tracker.site import Site
from tests.tracker.web.conftest import visitor
from tests.tracker.web.pages import words_of

SETTINGS = "/jira/settings/personal/general"


def test_a_profile_shows_what_the_viewer_may_see(site: Site) -> None:
    keys = [site.issue(name) for name in ("Cut", "Bend", "Weld")]
    site.advance(60)
    site.post(f"issue/{keys[1]}/comment", {"body": doc("Yes")}, by="dev")
    site.advance(60)
    site.put(f"issue/{keys[0]}", {"fields": {"summary": "Cut straight"}}, by="dev")
    dana = visitor(site, "dana")
    page = dana.get(f"/jira/people/{site.ids['dev']}")
    worked = page.main.partition("Worked on")[2]
    assert worked.index("Cut straight") < worked.index("Bend")
    assert "Weld" not in worked
    assert "dev@site.example" in page.main
    assert "Personal settings" not in page.main
    hidden = visitor(site, "guest").get(f"/jira/people/{site.ids['dev']}")
    assert "Cut straight" not in hidden.main
    assert "There is no work here that you can see." in hidden.main
    dana.get("/jira/people/nobody", 404)
    own = visitor(site, "dev").get(f"/jira/people/{site.ids['dev']}")
    assert own.links("Personal settings")["Personal settings"] == SETTINGS


def test_people_set_their_language_zone_and_notices(site: Site) -> None:
    dev = visitor(site, "dev")
    form = dev.get(SETTINGS).form(SETTINGS)
    assert (form["locale"], form["autowatch"]) == ("en_US", ["on"])
    sent = {**form, "locale": "de_DE", "timeZone": "Europe/Berlin", "ownChanges": "on"}
    dev.post(SETTINGS, {**sent, "autowatch": ""})
    me = site.get("myself", by="dev")
    assert (me["locale"], me["timeZone"]) == ("de_DE", "Europe/Berlin")
    key = "mypreferences?key=user.notify.own.changes"
    assert site.call("GET", key, by="dev").raw.decode().strip('"') == "true"
    made = site.issue(by="dev")
    assert site.get(f"issue/{made}/watchers")["watchCount"] == 0
    shown = dev.get(SETTINGS).form(SETTINGS)
    assert (shown["ownChanges"], shown["autowatch"]) == (["on"], [])
    refused = dev.post(SETTINGS, {**sent, "timeZone": "Mars/Base"}, 400)
    assert "Mars/Base is not a valid time zone." in words_of(refused.html)
    assert site.get("myself", by="dev")["timeZone"] == "Europe/Berlin"
