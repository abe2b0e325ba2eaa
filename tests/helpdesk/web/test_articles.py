"""The portal's pages of articles, and the articles beside a ticket."""

from __future__ import annotations

import re

import pytest

from clones.core.journal import act
from clones.core.tenancy import unit_of_work
from clones.helpdesk.domain.articles import update_article_text
from clones.helpdesk.models import Article, ArticleVote, PermissionGroup, User, UserSegment
from tests.helpdesk.web.conftest import AGENT, Office
from tests.helpdesk.web.shelf import HOME, Shelf
from tests.helpdesk.web.visitors import MARA, Visitor


@pytest.fixture
def shelf(office: Office) -> Shelf:
    """The help center of an office."""
    return Shelf(office)


def test_the_first_page_has_search_categories_and_what_is_promoted(shelf: Shelf) -> None:
    before = shelf.office.changes()
    page = Visitor(shelf.office, None).get(HOME)
    assert page.status == 200
    assert re.findall(r'class="hc-block__title">([^<]+)', page.html) == ["Machines", "Orders"]
    assert "What you paid" in page.text
    assert page.html.count('data-test-id="promoted-article"') == 1
    assert 'role="search"' in page.html
    assert shelf.office.changes() == before


def test_the_way_from_a_category_to_an_article(shelf: Shelf) -> None:
    stranger = Visitor(shelf.office, None)
    category = stranger.get(f"{HOME}/categories/{shelf.categories['Machines']}-Machines")
    assert "Optics" in category.text
    assert "Lenses" not in category.text, "it is in a section"
    section = stranger.get(f"{HOME}/sections/{shelf.sections['Optics']}")
    assert "Clean the lens" in section.text, "what the sections in it have"
    article = stranger.get(f"{shelf.path('Clean the lens')}-anything")
    crumbs = re.search(r'aria-label="Breadcrumb".*?</nav>', article.html, re.DOTALL)
    assert crumbs is not None
    steps = re.findall(r">([^<>]+)</(?:a|span)>", crumbs.group())
    assert steps[1:] == ["Machines", "Optics", "Lenses", "Clean the lens"]
    assert "<b>alcohol</b>" in article.html
    assert "<table>" in article.html
    assert "Sign in to vote" in article.text


@pytest.mark.parametrize("kind", ["categories", "sections", "articles"])
def test_what_is_not_there(shelf: Shelf, kind: str) -> None:
    stranger = Visitor(shelf.office, None)
    for key in ("1", "1-Gone", "none", "9" * 30):
        assert stranger.get(f"{HOME}/{kind}/{key}").status == 404, key


def test_readers_find_what_is_for_them(shelf: Shelf) -> None:
    office = shelf.office
    stranger, mara, agent = Visitor(office, None), Visitor(office, MARA), Visitor(office, AGENT)
    for title in ("Who decides", "New terms"):
        assert stranger.get(shelf.path(title)).status == 404
        assert mara.get(shelf.path(title)).status == 404
    section = f"{HOME}/sections/{shelf.sections['Returns']}"
    assert "Who decides" not in mara.get(section).text
    shown = agent.get(section)
    assert "Who decides" in shown.text
    assert '<span class="hc-mark">Internal</span>' in shown.html
    assert 'data-test-id="article-mark">Internal' in agent.get(shelf.path("Who decides")).html
    assert agent.get(shelf.path("New terms")).status == 404, "she may not edit it"


def test_search_shows_what_fits_and_where_it_is(shelf: Shelf) -> None:
    stranger = Visitor(shelf.office, None)
    page = stranger.get(f"{HOME}/search", query="tape days")
    assert "2 results for “tape days”" in page.text
    assert "<em>tape</em>" in page.html
    assert "Machines / Optics" in page.text
    machines = shelf.categories["Machines"]
    among = stranger.get(f"{HOME}/search", query="tape days", category=machines)
    assert "1 result for “tape days” in Machines" in among.text
    assert "Return a part" not in among.text
    none = stranger.get(f"{HOME}/search", query="<script>")
    assert "0 results" in none.text
    assert "<script>" not in none.html.partition("<body")[2].partition("<main")[2]
    assert "Say what you are looking for" in stranger.get(f"{HOME}/search").text
    assert "60 days" not in stranger.get(f"{HOME}/search", query="60 terms").text


def test_unverified_an_answer_whether_an_article_was_helpful_can_be_taken_back(
    shelf: Shelf,
) -> None:
    office, path = shelf.office, shelf.path("Clean the lens")
    mara, stranger = Visitor(office, MARA), Visitor(office, None)
    assert "0 out of 0 found this helpful" in mara.get(path).text
    answer = mara.post(f"{path}/vote", value="1")
    assert answer.location == f"{path}-Clean-the-lens#helpful"
    shown = mara.get(path)
    assert "1 out of 1 found this helpful" in shown.text
    assert re.search(r'value="1" aria-pressed="true"', shown.html)
    mara.post(f"{path}/vote", value="-1")
    assert "0 out of 1 found this helpful" in mara.get(path).text
    mara.post(f"{path}/vote", value="-1")
    with office.bound(), unit_of_work("read"):
        assert not ArticleVote.objects.exists(), "the same answer again takes it back"
    mara.post(f"{path}/vote", value="7")
    assert mara.get(f"{path}/vote").status == 302
    assert stranger.post(f"{path}/vote", value="1").status in (302, 403)
    assert mara.post(f"{shelf.path('Who decides')}/vote", value="1").status == 404
    with office.bound(), unit_of_work("read"):
        assert not ArticleVote.objects.exists()


def test_comments_below_an_article(shelf: Shelf) -> None:
    office, path = shelf.office, shelf.path("Align mirrors")
    mara = Visitor(office, MARA)
    assert mara.post(path, body="How <b>often</b>?").status == 302
    shown = mara.get(path)
    assert "1 comment" in shown.text
    assert "How <b>often</b>?" in shown.html
    refused = mara.post(path, body=" ")
    assert refused.status == 422
    assert "Body: cannot be blank" in refused.text
    forged = mara.client.post(path, {"body": "forged"})
    assert forged.status_code == 403
    stranger = Visitor(office, None)
    assert "Sign in to leave a comment" in stranger.get(path).text
    assert "/access/unauthenticated" in stranger.post(path, body="x").location or (
        stranger.post(path, body="x").status == 403
    )
    with office.bound(), unit_of_work("write"), act(actor="test", label="prepare"):
        Article.objects.filter(title="Align mirrors").update(comments_disabled=True)
    assert "closed for comments" in mara.get(path).text
    assert mara.post(path, body="more").status == 403


def test_hostile_articles_are_shown_without_their_sting(shelf: Shelf) -> None:
    office = shelf.office
    with office.bound(), unit_of_work("write"), act(actor="test", label="prepare"):
        row = Article.objects.get(title="Align mirrors")
        Article.objects.filter(id=row.id).update(
            title="<img src=x onerror=alert(1)>",
            body='<script>alert(1)</script><a href="javascript:x">y</a><style>*{}</style>',
        )
    stranger = Visitor(office, None)
    for path in (shelf.path("Align mirrors"), f"{HOME}/sections/{shelf.sections['Optics']}"):
        html = stranger.get(path).html
        assert "alert(1)</script>" not in html
        assert "<img src=x" not in html
        assert "javascript:x" not in html


def test_articles_beside_a_ticket(shelf: Shelf) -> None:
    office = shelf.office
    office.sign_in()
    before = office.changes()
    ticket = f"/agent/tickets/{office.keys.charged}"
    assert 'data-test-id="knowledge-search"' in office.get(ticket).html
    page = office.get(f"{ticket}/knowledge", knowledge="return decides")
    assert page.html.count('data-test-id="knowledge-article"') == 2
    assert 'data-test-id="knowledge-link"' not in page.html, "there is no reply on this page"
    part = office.client.get(
        f"{ticket}/knowledge", {"knowledge": "return decides"}, headers={"HX-Request": "true"}
    ).content.decode()
    assert part.count('data-test-id="knowledge-link"') == 1, "what is internal is not linked"
    assert "No articles match" in office.get(f"{ticket}/knowledge", knowledge="zebra").text
    assert office.get("/agent/tickets/99999/knowledge").status == 404
    assert office.changes() == before


def test_unverified_an_article_is_linked_by_its_path(shelf: Shelf) -> None:
    office = shelf.office
    office.sign_in()
    key = office.keys.charged
    fields = {**office.get(f"/agent/tickets/{key}").fields(), "comment": "Hello, see:"}
    path = f"{shelf.path('Return a part')}-Return-a-part"
    preview = f"/agent/previews/tickets/{key}"
    wanted = str(shelf.articles["Return a part"])
    linked = office.post(preview, {**fields, "link_article": wanted})
    again = linked.fields()
    assert f'<a href="{path}">Return a part</a>' in again["comment_html"]
    assert "Hello, see:" in again["comment_html"]
    assert office.changed("helpdesk_comment") == []
    for odd in (str(shelf.articles["New terms"]), "x"):
        refused = office.post(preview, {**fields, "link_article": odd})
        assert (refused.status, refused.fields()["comment_html"]) == (200, "")
    office.post(f"/agent/tickets/{key}", again)
    mara = Visitor(office, MARA)
    assert f'href="{path}"' in mara.get(f"{HOME}/requests/{key}").html


def test_drafts_are_marked_for_who_may_edit_them(shelf: Shelf) -> None:
    office = shelf.office
    with office.bound(), unit_of_work("write"), act(actor="test", label="prepare"):
        group = PermissionGroup.objects.get()
        group.edit = group.publish = [UserSegment.objects.get(user_type="staff").id]
        group.save()
        agent = User.objects.get(id=office.keys.agent)
        row = Article.objects.get(title="Return a part")
        update_article_text(row, actor=agent, changes={"draft": True})
    ana = Visitor(office, AGENT)
    assert 'data-test-id="article-mark">Draft' in ana.get(shelf.path("New terms")).html
    assert Visitor(office, MARA).get(shelf.path("Return a part")).status == 404
