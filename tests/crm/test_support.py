"""What help sites read of knowledge: articles that are online, settings, groups of categories."""

from __future__ import annotations

import pytest

from tests.crm.conftest import Org
from tests.crm.test_knowledge import move

ARTICLES = "/support/knowledgeArticles"


@pytest.fixture
def shelf(org: Org) -> Org:
    """An organization with three articles, two of them online."""
    for title, is_online in (("Oil the wheel", True), ("Air the tyre", True), ("Sell it", False)):
        name = title.lower().replace(" ", "-")
        id = org.make("Knowledge__kav", Title=title, UrlName=name, Summary=f"{title}, weekly")
        if is_online:
            move(org, id, "Online")
    return org


def titles(org: Org, query: str = "") -> list[str]:
    return [one["title"] for one in org.call("GET", f"{ARTICLES}{query}")["articles"]]


def test_articles_that_are_online_are_listed(shelf: Org) -> None:
    assert titles(shelf, "?sort=Title&order=ASC") == ["Air the tyre", "Oil the wheel"]
    assert titles(shelf, "?sort=Title&order=DESC") == ["Oil the wheel", "Air the tyre"]
    assert titles(shelf, "?q=wheel") == ["Oil the wheel"]
    assert titles(shelf, "?q=it%27s") == []


def test_articles_come_in_pages(shelf: Org) -> None:
    first = shelf.call("GET", f"{ARTICLES}?sort=Title&order=ASC&pageSize=1")
    assert [one["title"] for one in first["articles"]] == ["Air the tyre"]
    assert first["nextPageUrl"].endswith("?pageNumber=2&pageSize=1")
    last = f"{ARTICLES}?sort=Title&order=ASC&pageSize=1&pageNumber=2"
    second = shelf.call("GET", last)
    assert [one["title"] for one in second["articles"]] == ["Oil the wheel"]
    assert second["nextPageUrl"] is None
    assert shelf.ask("GET", f"{ARTICLES}?pageSize=101").status == 400
    assert shelf.refused("GET", f"{ARTICLES}?sort=Colour")["status"] == 400


def test_an_article_is_shown_by_its_id_and_by_its_name(shelf: Org) -> None:
    listed = shelf.call("GET", f"{ARTICLES}?q=wheel")["articles"][0]
    shown = shelf.call("GET", f"{ARTICLES}/{listed['id']}")
    assert shown == shelf.call("GET", f"{ARTICLES}/oil-the-wheel")
    assert {name: shown[name] for name in listed} == listed
    assert shown["layoutItems"][1]["value"] == "Oil the wheel, weekly"
    for gone in ("sell-it", "x'y", "kA0000000000000AAA"):
        assert shelf.refused("GET", f"{ARTICLES}/{gone}")["status"] == 404


def test_unverified_articles_are_filed_in_no_categories(org: Org) -> None:
    groups = "/support/dataCategoryGroups"
    assert org.call("GET", f"{groups}?sObjectName=KnowledgeArticleVersion") == {
        "categoryGroups": []
    }
    assert org.refused("GET", groups)["status"] == 400
    assert org.refused("GET", f"{groups}?sObjectName=Account")["errorCode"] == "INVALID_TYPE"


def test_articles_are_written_in_one_language(org: Org) -> None:
    path = "/knowledgeManagement/settings"
    assert org.call("GET", path) == {
        "defaultLanguage": "en_US",
        "knowledgeEnabled": True,
        "languages": [{"active": True, "name": "en_US"}],
    }
    assert org.refused("GET", path, login=None)["status"] == 401


def test_compact_layouts_of_several_objects(org: Org) -> None:
    found = org.call("GET", "/compactLayouts?q=Account,contact")
    one = org.call("GET", "/sobjects/Account/describe/compactLayouts/primary")
    assert list(found) == ["Account", "Contact"]
    assert found["Account"] == one
    assert org.refused("GET", "/compactLayouts")["status"] == 400
    assert org.refused("GET", "/compactLayouts?q=Nothing")["status"] == 404


def test_unverified_no_queries_are_suggested(org: Org) -> None:
    path = "/search/suggestSearchQueries"
    found = org.call("GET", f"{path}?q=oil&language=en_US")
    assert found == {"autoSuggestResults": [], "hasMoreResults": False}
    assert org.refused("GET", f"{path}?language=en_US")["status"] == 400


def test_passwords_do_not_expire(org: Org) -> None:
    user = next(iter(org.users.values()))
    assert org.call("GET", f"/sobjects/User/{user}/password") == {"isExpired": False}
    path = "/sobjects/User/005000000000000AAA/password"
    assert org.refused("GET", path)["status"] == 404


def test_the_configuration_of_sign_in_is_public(org: Org) -> None:
    path = "/.well-known/openid-configuration"
    answer = org.client().get(path).json()
    assert answer["token_endpoint"] == f"{answer['issuer']}/services/oauth2/token"
    assert org.client().post(path).status_code == 405
    assert org.client().get("/.well-known/nothing").status_code == 404
