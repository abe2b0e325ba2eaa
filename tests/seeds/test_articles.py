"""The articles of a world: they agree as far as the ledger says, and move no other row."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from django.db import connection

from clones.helpdesk.invariants.articles import articles
from clones.helpdesk.models import Article, ArticleComment, ArticleVote, User
from clones.helpdesk.queries.help_center import readable_articles, search_articles
from clones.helpdesk.rules.text import kept_of_html
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.projection.articles import Articles, html_of
from seeds.temporary import temporary_store
from seeds.worlds import BuildReport
from tests.tiers import SEED

WRITTEN = {
    "helpdesk_article",
    "helpdesk_articlecomment",
    "helpdesk_articlelabel",
    "helpdesk_articlevote",
    "helpdesk_category",
    "helpdesk_labelledarticle",
    "helpdesk_permissiongroup",
    "helpdesk_section",
    "helpdesk_usersegment",
}
# What the store keeps beside the rows, and what every row is in.
BESIDE = ("core_journal", "core_act", "core_context", "sqlite_", "words_", "django_")


def contents(seed: int) -> dict[str, str]:
    """Return a digest of each table of a world that is built for it."""
    found = {}
    with temporary_store("kestrel", "tiny", seed) as world, world.bound():
        for name in connection.introspection.table_names():
            if not name.startswith(BESIDE):
                with connection.cursor() as cursor:
                    cursor.execute(f'SELECT * FROM "{name}"')
                    rows = "\n".join(sorted(map(repr, cursor.fetchall())))
                found[name] = hashlib.sha256(rows.encode()).hexdigest()
    return found


@pytest.mark.slow
def test_articles_move_no_other_row(monkeypatch: pytest.MonkeyPatch) -> None:
    seed = SEED % 20_000 + 1
    whole = contents(seed)
    monkeypatch.setattr(Articles, "write", lambda self: None)
    without = contents(seed)
    assert {name for name in whole if whole[name] != without[name]} == WRITTEN


def test_votes_are_counted_and_once_each(tiny: BuildReport) -> None:
    for article in Article.objects.order_by("id"):
        values = list(ArticleVote.objects.filter(article=article).values_list("value", flat=True))
        assert (article.vote_sum, article.vote_count) == (sum(values), len(values))
        assert set(values) <= {1, -1}
    assert ArticleVote.objects.count() > 200


def test_times_rise_and_lie_before_the_present(tiny: BuildReport) -> None:
    for article in Article.objects.select_related("author").order_by("id"):
        assert article.author is not None
        assert article.author.created_at < article.created_at <= article.edited_at
        assert article.edited_at <= article.updated_at < PRESENT
    for model in (ArticleVote, ArticleComment):
        rows: Any = model.objects.select_related("article")
        assert all(row.article.created_at <= row.created_at < PRESENT for row in rows)


def test_bodies_are_as_the_sanitiser_leaves_them(tiny: BuildReport) -> None:
    for body in Article.objects.order_by("id").values_list("body", flat=True):
        assert body == kept_of_html(body)
        assert "\n" not in body
    assert html_of("A *b* < c\n\n1. one\n1. two\n\n## Head\n- x") == (
        "<p>A <strong>b</strong> &lt; c</p><ol><li>one</li><li>two</li></ol>"
        "<h2>Head</h2><ul><li>x</li></ul>"
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"vote_count": 0}, "votes are counted wrongly"),
        ({"body": "<script>x</script>"}, "not as the sanitiser leaves it"),
        ({"edited_at": PRESENT}, "times do not rise"),
    ],
)
def test_the_rules_over_articles_can_fail(
    tiny: BuildReport, change: dict[str, Any], said: str
) -> None:
    assert list(articles()) == []
    row = Article.objects.exclude(vote_count=0).order_by("id")[0]
    before = {name: getattr(row, name) for name in change}
    rows = Article.objects.filter(id=row.id)
    rows.update(**change)
    found = list(articles())
    rows.update(**before)
    assert len(found) == 1
    assert said in found[0]


def test_the_ledger_knows_what_is_wrong(tiny: BuildReport) -> None:
    entries = [entry for entry in tiny.ledger if entry["table"] == "helpdesk_article"]
    kinds = [entry["kind"] for entry in entries]
    assert (kinds.count("article_outdated"), kinds.count("article_contradicts")) == (4, 1)
    [wrong] = [entry for entry in entries if entry["kind"] == "article_contradicts"]
    draft, right = Article.objects.get(id=wrong["key"]), Article.objects.get(id=wrong["old"])
    assert (draft.draft, right.draft) == (True, False)
    assert ("60 days" in draft.body, "30 days" in right.body) == (True, True)


def test_readers_find_what_is_for_them(tiny: BuildReport) -> None:
    customer = User.objects.filter(role="end-user", organization=None).order_by("id")[0]
    agent = User.objects.filter(role="agent", active=True).order_by("id")[0]
    dealer = next(
        user
        for user in User.objects.filter(role="end-user").select_related("organization")
        if user.organization is not None and "dealer" in user.organization.tags
    )
    counts = [readable_articles(reader).count() for reader in (None, customer, dealer, agent)]
    assert counts[0] == counts[1] < counts[2] < counts[3]
    titles = [hit.article.title for hit in search_articles(None, "how long until my refund")]
    assert "When do I get my money?" in titles
    assert not readable_articles(customer).filter(draft=True).exists()
    assert readable_articles(agent).filter(draft=True).exists(), "a trap for who does not look"
