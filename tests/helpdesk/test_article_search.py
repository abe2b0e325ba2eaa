"""Searching articles: by the API with its filters, and the rules of what fits and what is shown."""

from __future__ import annotations

from typing import Any

import pytest

from clones.helpdesk.rules.article_search import ArticleQuery, ArticleText, stem
from tests.helpdesk.help_center import HC, Shelf

SEARCH = f"{HC}/articles/search.json"


def found(shelf: Shelf, query: str, by: str | None = None) -> list[str]:
    body = shelf.desk.get(f"{SEARCH}?{query}", by=by)
    return [item["title"] for item in body["results"]]


def test_what_is_found_is_an_article_with_the_part_that_fits(shelf: Shelf) -> None:
    body = shelf.desk.get(f"{SEARCH}?query=lenses tissues", by=None)
    [hit] = body["results"]
    assert (hit["title"], hit["result_type"]) == ("Clean the lens", "article")
    assert hit["snippet"] == ("Clean it Use alcohol &amp; <em>tissue</em> for the <em>lens</em>.")
    assert (body["count"], body["page"], body["per_page"], body["next_page"]) == (1, 1, 25, None)
    assert shelf.desk.call("GET", SEARCH, by=None).status == 400
    assert shelf.desk.call("GET", f"{SEARCH}?query=").status == 400


def test_filters_by_place_label_and_day(shelf: Shelf) -> None:
    machines, returns = shelf.categories["Machines"], shelf.sections["Returns"]
    assert set(found(shelf, f"category={machines}")) == {"Clean the lens", "Align mirrors"}
    both = f"{machines},{shelf.categories['Orders']}"
    assert len(found(shelf, f"category={both}")) == 3
    assert found(shelf, f"section={returns}") == ["Return a part"]
    assert found(shelf, f"query=lens&section={returns}") == []
    assert found(shelf, "label_names=CARE,other") == ["Clean the lens"], "one label does"
    days = {
        "created_after=2026-06-15": 3,
        "created_after=2026-06-16": 0,
        "created_at=2026-06-16": 3,
        "updated_before=2026-06-17": 3,
        "updated_before=2026-06-16": 0,
        "updated_at=2026-06-15": 0,
    }
    for query, count in days.items():
        assert len(found(shelf, f"{query}&category={both}")) == count, query
    for odd in ("created_at=soon", "created_after=9999-12-31", "category=x", "section=1,x"):
        assert shelf.desk.call("GET", f"{SEARCH}?query=lens&{odd}").status == 400, odd


def test_orders_and_pages(shelf: Shelf) -> None:
    words = "query=part lens tape"
    assert found(shelf, f"{words}&sort_by=created_at&sort_order=asc") == [
        "Clean the lens",
        "Align mirrors",
        "Return a part",
    ]
    assert found(shelf, f"{words}&sort_by=created_at")[0] == "Return a part"
    first = shelf.desk.get(f"{SEARCH}?{words}&per_page=2", by=None)
    assert (first["page_count"], len(first["results"])) == (2, 2)
    second = shelf.desk.get(first["next_page"].partition("/api/v2/")[2], by=None)
    assert len(second["results"]) == 1
    assert found(shelf, "query=lens&locale=de") == ["Clean the lens"]


def test_what_is_left_out_is_not_found(shelf: Shelf) -> None:
    assert found(shelf, "query=decides") == []
    assert found(shelf, "query=decides", "ana") == ["Who decides"]
    assert found(shelf, "query=terms", "ana") == []
    assert found(shelf, "query=terms", "olga") == ["New terms"]
    assert found(shelf, "query=!!!") == []


ARTICLES: dict[str, ArticleText] = {
    "lens": ArticleText("Clean the lens", "Wipe it with alcohol. Lenses burn."),
    "mirror": ArticleText("Align mirrors", "The lens is not touched.", ["Lens care"]),
    "return": ArticleText("Return a part", "Within 30 days of delivery."),
}


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("lens", ["lens", "mirror"]),
        ("LENSES", ["lens", "mirror"]),
        ("mirror lens", ["mirror", "lens"]),
        ("how do I return it", ["return"]),
        ('"30 days"', ["return"]),
        ("'not touched' lens", ["mirror"]),
        ('"30 days" lens', ["return"]),
        ("the", ["lens", "mirror"]),
        ("laser", []),
    ],
)
def test_unverified_what_fits_and_what_fits_best(query: str, wanted: list[str]) -> None:
    asked = ArticleQuery.of(query)
    scores = {name: asked.score(text) for name, text in ARTICLES.items()}
    fitting = sorted((name for name in scores if scores[name]), key=lambda name: -scores[name])
    assert fitting == wanted


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("refunds", "refund"),
        ("refunding", "refund"),
        ("replaced", "replac"),
        ("replace", "replac"),
        ("glass", "glass"),
        ("policies", "policy"),
        ("gas", "gas"),
    ],
)
def test_words_are_compared_by_their_stems(word: str, wanted: str) -> None:
    assert stem(word) == wanted


@pytest.mark.parametrize(
    ("query", "text", "wanted"),
    [
        ("beam", "A <beam> & more", "A &lt;<em>beam</em>&gt; &amp; more"),
        ("beam", "word " * 60 + "beam end", None),
        ("", "short", "short"),
        ("absent", "x" * 300, "x" * 200 + "..."),
    ],
)
def test_snippets_show_where_a_text_fits(query: str, text: str, wanted: Any) -> None:
    shown = ArticleQuery.of(query).snippet(text)
    if wanted is None:
        assert shown.startswith("...word ")
        assert shown.endswith("<em>beam</em> end")
    else:
        assert shown == wanted
