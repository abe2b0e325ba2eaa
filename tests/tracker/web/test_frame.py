"""The frame of every page: what it leads to, the search above it, and what people starred."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

from clones.tracker.domain.errors import Conflict
from clones.tracker.domain.numbering import next_id
from clones.tracker.models import Favourite, FormerIssueKey, Issue, Project
from clones.tracker.web.issue import changes
from tests.tracker.site import Site
from tests.tracker.web.conftest import Visit, visitor

SHEETS = Path(__file__).resolve().parents[3] / "clones" / "tracker" / "static" / "tracker"


def test_no_link_of_the_frame_is_dead(site: Site) -> None:
    key = site.issue()
    ada = visitor(site)
    seen: set[str] = set()
    for start in ("/jira/for-you", f"/browse/{key}"):
        page = ada.get(start)
        frame = page.html.partition("<main")[0]
        shown = type(page)(start, 200, frame, "", {}).links()
        assert {"For you", "Laser control", "Create"} <= set(shown)
        for name, address in shown.items():
            if address.startswith("/") and address not in seen:
                seen.add(address)
                answer = ada.client.get(address)
                assert answer.status_code in (200, 302), (name, address)
    assert len(seen) > 5


def test_the_sidebar_shows_spaces_that_are_seen_starred_ones_first(site: Site) -> None:
    with site.writing():
        project = Project.objects.get(key="OPS")
        user = site.cards["dev"].subject
        Favourite(
            id=next_id(Favourite), user_id=int(user), kind="project", entity=project.id
        ).save()
    page = visitor(site, "dev").get("/jira/for-you")
    names = [name for name in page.links() if name in ("Operations", "Laser control", "IT help")]
    assert names[0] == "Operations"
    assert "Operations" in visitor(site, "dev").get("/jira/for-you", tab="starred").main
    assert "Operations" not in visitor(site, "guest").get("/jira/for-you").text


def test_the_search_leads_to_keys_and_finds_words(site: Site) -> None:
    key = site.issue("Coolant leaks")
    dev = visitor(site, "dev")
    path = "/secure/QuickSearch.jspa"
    found = dev.client.get(path, {"searchString": key.lower()})
    assert (found.status_code, found["Location"]) == (302, f"/browse/{key}")
    page = dev.get(path, searchString="coolant")
    assert "Coolant leaks" in page.main
    assert "Laser control" in dev.get(path, searchString="laser").main
    assert "were found for “nothing-7”" in dev.get(path, searchString="nothing-7").main
    assert "Coolant" not in visitor(site, "guest").get(path, searchString="coolant").main


def test_the_search_box_offers_what_begins_with_the_words(site: Site) -> None:
    key = site.issue("Coolant leaks")
    other = site.issue("Leaking coolant pump")
    dev, guest = visitor(site, "dev"), visitor(site, "guest")
    path = "/secure/QuickSearchOffers"

    def offered(text: str, by: Visit = dev) -> list[str]:
        return re.findall(r'href="/browse/([^"]+)"', by.get(path, searchString=text).html)

    assert offered("") == []
    assert "Nothing was viewed yet" in dev.get(path).html
    dev.post(f"/jira/viewed/{key}", {}, 204)
    assert offered("") == [key]
    # Words are complete or begun, in any order; a key is first; spaces are by their name.
    for text in ("cool", "COOLANT lea", "lea cool", "leak!"):
        assert sorted(offered(text)) == [key, other]
    assert offered("pump") == [other]
    assert offered(other.lower()) == [other]
    assert offered("laser") == ["LAS"]
    page = dev.get(path, searchString='<b>"x" & y')
    assert "Search for “&lt;b&gt;&quot;x&quot; &amp; y”" in page.html
    assert page.links("Search for")
    for text in ("-", '"', "~ OR *", "x" * 10_000, "\u0130 \U0001f600"):
        assert offered(text) == []
    assert offered("cool", guest) == []
    assert offered(key, guest) == []
    dev.client.cookies.clear()
    assert dev.get(path, 302).location.startswith("/login")


def test_old_keys_and_keys_of_spaces_lead_on(site: Site) -> None:
    key = site.issue("Moved")
    with site.writing():
        issue = Issue.objects.get(key=key)
        FormerIssueKey(id=next_id(FormerIssueKey), key="OPS-77", issue=issue).save()
    dev = visitor(site, "dev")
    assert dev.get("/browse/OPS-77", 302, tab="history").location == f"/browse/{key}?tab=history"
    assert dev.get("/browse/LAS", 302).location.startswith("/")
    assert "No project could be found" in dev.get("/browse/NONE", 404).text


def test_who_is_not_signed_in_signs_in_first(site: Site) -> None:
    key = site.issue()
    dev = visitor(site, "dev")
    dev.client.cookies.clear()
    assert dev.get(f"/browse/{key}", 302).location == f"/login?dest-url=%2Fbrowse%2F{key}"


def test_what_somebody_changed_lately_is_what_they_worked_on(site: Site) -> None:
    first, second = site.issue("Laser"), site.issue("Mirror")
    dev = visitor(site, "dev")
    assert "There is nothing here yet." in dev.get("/jira/for-you", tab="worked").main
    for key in (second, first):
        site.put(f"issue/{key}", {"fields": {"labels": ["hot"]}}, by="dev")
        site.advance(60)
    page = dev.get("/jira/for-you", tab="worked")
    assert page.html.index("Laser") < page.html.index("Mirror")
    site.advance(91 * 24 * 3600)
    assert "There is nothing here yet." in dev.get("/jira/for-you", tab="worked").main


def test_what_cannot_be_done_is_said_on_a_page(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    key = site.issue()

    def refuse(*args: object, **more: object) -> None:
        del args, more
        raise Conflict("It is being moved.")

    monkeypatch.setattr(changes, "delete_issue", refuse)
    page = visitor(site).post(f"/browse/{key}/delete", status=409)
    assert "That could not be done It is being moved." in page.text
    assert site.get(f"issue/{key}")["key"] == key


@pytest.mark.parametrize("name", ["shell.css", "richtext.css"])
def test_what_every_page_wears_is_nothing_else_on_some_page(name: str) -> None:
    sheets = {sheet.name: _classes(sheet.read_text()) for sheet in SHEETS.glob("*.css")}
    mine = sheets.pop(name)
    assert len(mine) > 5
    assert {other: mine & found for other, found in sheets.items() if mine & found} == {}


def _classes(sheet: str) -> set[str]:
    """Return the classes for which a sheet has a rule that asks for nothing else."""
    rules = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL).split("}")
    parts = (part.strip() for rule in rules for part in rule.rpartition("{")[0].split(","))
    return {part for part in parts if re.fullmatch(r"\.[\w-]+", part)}


@pytest.mark.parametrize("path", ["/login", "/servicedesk/customer/user/login"])
@pytest.mark.parametrize("name", ["username", "password"])
def test_nul_in_the_form_of_a_sign_in_is_dropped(site: Site, path: str, name: str) -> None:
    browser = Client(headers={"host": f"tracker.{site.row.id}.localhost:8800"})
    card = site.cards["dev"]
    form = {"username": card.login, "password": card.secrets["password"]}
    assert browser.post(path, {**form, name: f"\0{form[name]}"}).status_code == 302


def test_what_is_refused_keeps_the_navigation_of_who_is_signed_in(site: Site) -> None:
    site.issue()
    dev = visitor(site, "dev")
    for path, status in (
        ("/jira/nowhere", 404),
        ("/browse/NOPE-1", 404),
        ("/jira/settings/issues/resolutions", 403),
    ):
        page = dev.get(path, status)
        assert 'aria-label="Sidebar"' in page.html, path
        assert {"For you", "Laser control", "Go to your home page"} <= set(page.links()), path
        assert page.html.count("<h1") == 1
    assert "We couldn't find that page" in unescape(dev.get("/jira/nowhere", 404).main)
    forged = dev.client.post("/logout", {"atl_token": "x"})
    assert (forged.status_code, b'aria-label="Sidebar"' in forged.content) == (403, True)
    nobody = Client(headers={"host": f"tracker.{site.row.id}.localhost:8800"})
    plain = nobody.get("/jira/nowhere")
    assert (plain.status_code, b"Sidebar" in plain.content) == (404, False)
