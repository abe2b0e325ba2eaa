"""The help center's pages of articles: the first page, categories, sections, articles, search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db import transaction
from django.http import HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString

from clones.core import sightings
from clones.core.pages import harmless_html
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.attempts import FormErrors
from clones.core.web.paging import Page, page_of, page_of_items
from clones.core.web.posted import posted_text
from clones.helpdesk.domain import article_feedback
from clones.helpdesk.domain.articles import may_edit
from clones.helpdesk.domain.errors import RecordInvalid, RecordNotFound
from clones.helpdesk.models import Article, ArticleComment, ArticleVote, Category, Section, User
from clones.helpdesk.queries import help_center as queries
from clones.helpdesk.rules.article_paths import key_of, page_path
from clones.helpdesk.web import labels, shell
from clones.helpdesk.web.access import SignedIn, end_user_page, open_page
from clones.helpdesk.web.form_errors import errors_of
from clones.helpdesk.web.portal import frame
from clones.helpdesk.web.times import ShownTime, Times

PROMOTED = 9
OF_SECTION = 6  # articles of a section on its category's page
RELATED = 10
ANSWERS = {"1": article_feedback.UP, "-1": article_feedback.DOWN}


@dataclass(frozen=True, slots=True)
class ArticleLink:
    """An article in a list: `mark` says what its reader should know, such as that it is a draft."""

    id: int
    title: str
    url: str
    promoted: bool
    mark: str


@dataclass(frozen=True, slots=True)
class SectionPart:
    """A section on the page of its category: its first articles, and how many there are."""

    name: str
    url: str
    articles: tuple[ArticleLink, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Result:
    """An article that a search found, where it is, and the words of it that fit."""

    link: ArticleLink
    place: str
    snippet: SafeString


@dataclass(frozen=True, slots=True)
class CommentItem:
    """A comment below an article."""

    id: int
    author: str
    initials: str
    hue: int
    by_agent: bool
    time: ShownTime
    html: SafeString


def home_page(
    request: SandboxRequest, who: SignedIn | None, categories: Sequence[Category]
) -> HttpResponse:
    """Return the portal's first page: search, the categories, and what is promoted."""
    reader = user_of(who)
    for category in categories:
        sightings.note(category, "list")
    rows = queries.readable_articles(reader).filter(promoted=True)
    promoted = rows.order_by("position", "id")[:PROMOTED]
    context = {
        "categories": [(row, page_path("categories", row.id, row.name)) for row in categories],
        "promoted": [_link(row) for row in promoted],
    }
    return frame.page(request, who, "helpdesk/portal/home.html", context, title="Help center")


@open_page
def category(request: SandboxRequest, who: SignedIn | None, key: str) -> HttpResponse:
    """Show a category: its sections, each with its first articles."""
    reader = user_of(who)
    found = queries.category(reader, _key("category", key))
    sightings.note(found, "detail")
    rows = queries.readable_sections(reader).filter(category=found, parent_section=None)
    context = {
        "category": found,
        "sections": [_part(row, reader) for row in rows.order_by("position", "id")],
    }
    return frame.page(
        request,
        who,
        "helpdesk/portal/category.html",
        context,
        title=found.name,
        crumbs=(frame.Crumb(found.name),),
    )


@open_page
def section(request: SandboxRequest, who: SignedIn | None, key: str) -> HttpResponse:
    """Show a section: the sections in it, and its articles in its order."""
    reader = user_of(who)
    found = queries.section(reader, _key("section", key))
    sightings.note(found, "detail")
    inner = queries.readable_sections(reader).filter(parent_section=found)
    rows = _articles_of(found, reader)
    shown = page_of(request, rows)
    context = {
        "section": found,
        "sections": [_part(row, reader) for row in inner.order_by("position", "id")],
        "articles": [_link(row) for row in shown.rows],
        "page": shown,
    }
    return frame.page(
        request,
        who,
        "helpdesk/portal/section.html",
        context,
        title=found.name,
        crumbs=(*_above(found), frame.Crumb(found.name)),
    )


@open_page
def article(request: SandboxRequest, who: SignedIn | None, key: str) -> HttpResponse:
    """Show an article, and take a comment on it."""
    found = queries.article(user_of(who), _key("article", key))
    if request.method == "POST":
        return _take_comment(request, who, found)
    return _show(request, who, found)


@end_user_page
def vote(request: SandboxRequest, who: SignedIn, key: int) -> HttpResponse:
    """Take somebody's answer whether an article was helpful; the same one again takes it back."""
    found = queries.article(who.user, key)
    value = ANSWERS.get(posted_text(request, "value"))
    back = page_path("articles", found.id, found.title)
    if request.method == "POST" and value is not None:
        own = ArticleVote.objects.filter(article=found, user=who.user).first()
        if own is not None and own.value == value:
            article_feedback.withdraw_vote(own, actor=who.user)
        else:
            article_feedback.vote_on_article(found, actor=who.user, value=value)
    return shell.go(f"{back}#helpful")


@open_page
def search(request: SandboxRequest, who: SignedIn | None) -> HttpResponse:
    """Show the articles that fit what somebody looks for, what fits best first."""
    text = request.GET.get("query", "").strip().replace("\0", "")
    chosen = request.GET.get("category", "")
    reader = user_of(who)
    places = list(queries.readable_categories(reader).order_by("position", "id"))
    among = next((row for row in places if str(row.id) == chosen), None)
    keys = queries.ArticleFilter(categories=(among.id,) if among is not None else ())
    found = queries.search_articles(reader, text, keys) if text else []
    shown: Page[queries.ArticleHit] = page_of_items(request, found)
    context = {
        "query": text,
        "results": [_result(item) for item in shown.rows],
        "page": shown,
        "among": among,
        "places": [
            (row.name, f"?{urlencode({'query': text, 'category': row.id})}", row == among)
            for row in places
        ],
        "everywhere": f"?{urlencode({'query': text})}",
    }
    return frame.page(
        request,
        who,
        "helpdesk/portal/search.html",
        context,
        title="Search results",
        crumbs=(frame.Crumb("Search results"),),
    )


def user_of(who: SignedIn | None) -> User | None:
    """Return the user who is signed in, or None."""
    return None if who is None else who.user


def _show(
    request: SandboxRequest,
    who: SignedIn | None,
    found: Article,
    errors: FormErrors | None = None,
    *,
    written: str = "",
) -> HttpResponse:
    reader = user_of(who)
    sightings.note(found, "detail")
    times = Times(reader if reader is not None else User(iana_time_zone="UTC"))
    mine = None if reader is None else found.votes.filter(user=reader).first()
    others = _articles_of(found.section, reader)[:RELATED]
    author = found.author
    context: dict[str, Any] = {
        "article": found,
        "html": harmless_html(found.body),
        "mark": mark_of(found) if reader is not None and reader.is_agent else "",
        "author": author,
        "author_initials": labels.initials(author.name) if author is not None else "",
        "author_hue": labels.hue(author.id) if author is not None else 0,
        "updated": times.show(found.edited_at),
        "vote_url": reverse("helpdesk:article_vote", args=[found.id]),
        "sign_in": _sign_in(request),
        "mine": mine.value if mine is not None else 0,
        "helpful": (found.vote_count + found.vote_sum) // 2,
        "related": [(_link(row), row.id == found.id) for row in others],
        "comments": [_comment(row, times) for row in _comments_of(found)],
        "problems": errors.sentences if errors is not None else (),
        "written": written,
        "editable": may_edit(reader, found),
    }
    place = found.section
    return frame.page(
        request,
        who,
        "helpdesk/portal/article.html",
        context,
        title=found.title,
        crumbs=(*_above(place), _crumb("sections", place), frame.Crumb(found.title)),
        status=422 if errors is not None else 200,
    )


def _take_comment(request: SandboxRequest, who: SignedIn | None, found: Article) -> HttpResponse:
    if who is None:
        return shell.go(_sign_in(request))
    body = posted_text(request, "body", strip=False)
    try:
        with transaction.atomic():
            made = article_feedback.comment_on_article(found, actor=who.user, body=body)
    except RecordInvalid as error:
        return _show(request, who, found, errors_of(error), written=body)
    return shell.go(f"{page_path('articles', found.id, found.title)}#comment-{made.id}")


def _sign_in(request: SandboxRequest) -> str:
    return f"{reverse('helpdesk:unauthenticated')}?{urlencode({'return_to': request.path})}"


def _key(kind: str, text: str) -> int:
    found = key_of(text)
    if found is None:
        raise RecordNotFound(kind, text)
    return found


def _articles_of(place: Section, reader: User | None) -> Any:
    rows = queries.readable_articles(reader).filter(section=place)
    return rows.order_by("-promoted", *queries.ORDERS[place.sorting])


def _part(place: Section, reader: User | None) -> SectionPart:
    sightings.note(place, "list")
    rows = _articles_of(place, reader)
    return SectionPart(
        place.name,
        page_path("sections", place.id, place.name),
        tuple(_link(row) for row in rows[:OF_SECTION]),
        rows.count(),
    )


def _link(row: Article) -> ArticleLink:
    sightings.note(row, "list")
    url = page_path("articles", row.id, row.title)
    return ArticleLink(row.id, row.title, url, row.promoted, mark_of(row))


def mark_of(row: Article) -> str:
    """Return what a reader of an article's title should know: only some find it at all."""
    if row.draft:
        return "Draft"
    return "Internal" if row.user_segment_id is not None else ""


def _result(item: queries.ArticleHit) -> Result:
    place = item.article.section
    where = f"{place.category.name} / {place.name}"
    return Result(_link(item.article), where, harmless_html(item.snippet))


def _above(place: Section) -> tuple[frame.Crumb, ...]:
    """Return the way to a section: its category, and the sections that it is in."""
    found = []
    above, category_row = place.parent_section, place.category
    while above is not None:
        found.append(_crumb("sections", above))
        above = above.parent_section
    return (_crumb("categories", category_row), *reversed(found))


def _crumb(kind: str, row: Section | Category) -> frame.Crumb:
    return frame.Crumb(row.name, page_path(kind, row.id, row.name))


def _comments_of(found: Article) -> Any:
    return found.comments.select_related("author").order_by("created_at", "id")


def _comment(row: ArticleComment, times: Times) -> CommentItem:
    sightings.note(row, "list")
    author = row.author
    return CommentItem(
        row.id,
        author.name,
        labels.initials(author.name),
        labels.hue(author.id),
        author.is_agent,
        times.show(row.created_at),
        harmless_html(row.body),
    )
