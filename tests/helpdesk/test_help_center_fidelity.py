"""What the page of the help center says is there is there, and each guess has its test."""

from __future__ import annotations

from clones.helpdesk.api.help_center import (
    articles,
    feedback,
    labels,
    places,
    readers,
    search,
    translations,
)
from clones.helpdesk.api.help_center.operations import NO_LOCALE, ROOT
from tests.helpdesk.fidelity_pages import (
    guesses_in,
    listed_guesses,
    listed_routes,
    operations_in,
    routes_of,
    text_of,
)

TEXT = text_of("helpdesk-help-center.md")
ROOMS = (articles, feedback, labels, places, readers, search, translations)
TESTS = ("test_help_center", "test_article_feedback", "test_article_search", "web/test_articles")


def test_the_page_lists_the_operations_and_no_others() -> None:
    ours = operations_in(ROOMS)
    assert set(listed_routes(TEXT)) == routes_of(ours)
    assert len(ours) == 92


def test_an_address_with_a_language_has_one_without() -> None:
    routes = {name: path for _, path, name in routes_of(operations_in(ROOMS))}
    for name, path in routes.items():
        if path.startswith(f"/api/v2{ROOT}/{{locale}}/"):
            plain = "CreateArticleBySection" if name == "CreateArticle" else f"{name}{NO_LOCALE}"
            assert routes[plain] == path.replace("/{locale}", "", 1)


def test_each_guess_has_a_test_and_each_test_of_a_guess_is_listed() -> None:
    assert listed_guesses(TEXT) == guesses_in(TESTS)
