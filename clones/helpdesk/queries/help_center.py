"""What somebody finds in the help center: categories, sections and articles, and who may edit them.

A reader of None is somebody who is not signed in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from clones.core.plaintext import plain_of_html
from clones.helpdesk.models import (
    Article,
    ArticleComment,
    Category,
    GroupMembership,
    LabelledArticle,
    OrganizationMembership,
    PermissionGroup,
    Section,
    User,
    UserSegment,
)
from clones.helpdesk.queries import one
from clones.helpdesk.rules.article_search import ArticleQuery, ArticleText

MANAGES = "full"
ORDERS = {
    "title": ("title", "id"),
    "creation_asc": ("created_at", "id"),
    "creation_desc": ("-created_at", "-id"),
    "article_votes": ("-vote_sum", "-id"),
    "manual": ("position", "id"),
}


@dataclass(frozen=True, slots=True)
class ArticleHit:
    """An article that a search found, and the part of it that fits, as HTML."""

    article: Article
    snippet: str


@dataclass(frozen=True, slots=True)
class ArticleFilter:
    """Which articles a search is among. Names of labels are alternatives, whatever their case."""

    categories: Sequence[int] = ()
    sections: Sequence[int] = ()
    labels: Sequence[str] = ()
    created: tuple[datetime | None, datetime | None] = (None, None)
    updated: tuple[datetime | None, datetime | None] = (None, None)


def manages(actor: User | None) -> bool:
    """Tell whether somebody manages the help center: admins do, and who has a role that says so."""
    if actor is None or not actor.is_agent:
        return False
    if actor.role == "admin":
        return True
    role = actor.custom_role
    return role is not None and role.configuration.get("forum_access") == MANAGES


def segments_of(reader: User | None) -> set[int]:
    """Return the segments that somebody belongs to."""
    if reader is None:
        return set()
    groups = set(GroupMembership.objects.filter(user=reader).values_list("group_id", flat=True))
    places = OrganizationMembership.objects.filter(user=reader)
    firms = {*places.values_list("organization_id", flat=True), reader.organization_id}
    return {
        segment.id
        for segment in UserSegment.objects.order_by("id")
        if _belongs(reader, segment, groups, firms)
    }


def _belongs(reader: User, segment: UserSegment, groups: set[int], firms: set[int | None]) -> bool:
    if reader.id in segment.added_user_ids:
        return True
    if segment.user_type == "staff" and not reader.is_agent:
        return False
    tags = {*reader.tags, *(reader.organization.tags if reader.organization else ())}
    return (
        (not segment.group_ids or not groups.isdisjoint(segment.group_ids))
        and (not segment.organization_ids or not firms.isdisjoint(segment.organization_ids))
        and tags.issuperset(segment.tags)
        and (not segment.or_tags or not tags.isdisjoint(segment.or_tags))
    )


def editable_groups(actor: User | None, right: str = "edit") -> set[int] | None:
    """Return the permission groups whose articles somebody may `edit` or `publish`; None: all."""
    if manages(actor):
        return None
    if actor is None or not actor.is_agent:
        return set()
    mine = segments_of(actor)
    return {
        group.id
        for group in PermissionGroup.objects.order_by("id")
        if not mine.isdisjoint(getattr(group, right))
    }


def readable_articles(reader: User | None) -> QuerySet[Article]:
    """Return the articles that somebody may read, without an order."""
    rows = Article.objects.filter(archived_at=None)
    editable = editable_groups(reader)
    if editable is None:
        return rows
    own = Q(permission_group__in=editable) if editable else Q(pk__in=())
    shown = Q(user_segment=None) | Q(user_segment__in=segments_of(reader))
    return rows.filter(shown & Q(draft=False) | own)


def readable_sections(reader: User | None) -> QuerySet[Section]:
    """Return the sections that somebody finds: agents all, others those with something to read."""
    if reader is not None and reader.is_agent:
        return Section.objects.all()
    filled = readable_articles(reader).values("section_id")
    above = Section.objects.filter(id__in=filled).values("parent_section_id")
    return Section.objects.filter(Q(id__in=filled) | Q(id__in=above))


def readable_categories(reader: User | None) -> QuerySet[Category]:
    """Return the categories that somebody finds: agents all, others those with such a section."""
    if reader is not None and reader.is_agent:
        return Category.objects.all()
    return Category.objects.filter(id__in=readable_sections(reader).values("category_id"))


def whole(rows: QuerySet[Article]) -> QuerySet[Article]:
    """Return articles with what an answer tells of each, at the cost of a statement for all."""
    return rows.select_related("section__category").prefetch_related("labelled__label")


def again(found: Article) -> Article:
    """Return an article as it is in the store now, with what an answer tells of it."""
    return whole(Article.objects.all()).get(id=found.id)


def article(reader: User | None, key: object) -> Article:
    """Return one article.

    Raises:
        RecordNotFound: there is none, or none that the reader may read.
    """
    return one(whole(readable_articles(reader)), "article", key)


def section(reader: User | None, key: object) -> Section:
    """Return one section.

    Raises:
        RecordNotFound: there is none, or none that the reader finds.
    """
    return one(readable_sections(reader).select_related("category"), "section", key)


def category(reader: User | None, key: object) -> Category:
    """Return one category.

    Raises:
        RecordNotFound: there is none, or none that the reader finds.
    """
    return one(readable_categories(reader), "category", key)


def comment(found: Article, key: object) -> ArticleComment:
    """Return one comment of an article.

    Raises:
        RecordNotFound: it has none of that key.
    """
    return one(found.comments.select_related("article"), "comment", key)


def label_names(found: Article) -> list[str]:
    """Return the labels of an article, by name."""
    return sorted(link.label.name for link in found.labelled.all())


def labelled(rows: QuerySet[Article], names: Sequence[str]) -> QuerySet[Article]:
    """Return the articles that have all labels, by their exact names."""
    for name in names:
        rows = rows.filter(labelled__label__name=name)
    return rows


def search_articles(
    reader: User | None, text: str, among: ArticleFilter | None = None
) -> list[ArticleHit]:
    """Return the articles that fit a text best, the best first; all of the filter's for none."""
    query = ArticleQuery.of(text)
    rows = _filtered(readable_articles(reader), among or ArticleFilter())
    found = []
    for row in whole(rows).order_by("-promoted", "position", "id"):
        plain = plain_of_html(row.body)
        said = ArticleText(row.title, plain, label_names(row))
        score = 1 if query.is_empty else query.score(said)
        if score:
            found.append((score, ArticleHit(row, query.snippet(plain))))
    found.sort(key=lambda item: -item[0])
    return [item for _, item in found]


def _filtered(rows: QuerySet[Article], among: ArticleFilter) -> QuerySet[Article]:
    if among.categories:
        rows = rows.filter(section__category_id__in=among.categories)
    if among.sections:
        rows = rows.filter(section_id__in=among.sections)
    if among.labels:
        wanted = Q()
        for name in among.labels:
            wanted |= Q(label__name__iexact=name)
        rows = rows.filter(id__in=LabelledArticle.objects.filter(wanted).values("article_id"))
    for column, (after, before) in (
        ("created_at", among.created),
        ("updated_at", among.updated),
    ):
        if after is not None:
            rows = rows.filter(**{f"{column}__gte": after})
        if before is not None:
            rows = rows.filter(**{f"{column}__lt": before})
    return rows
