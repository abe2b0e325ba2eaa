"""Knowledge: versions of articles, and the article that each is a version of."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from clones.core import clock, counters
from clones.crm.domain.new_ids import new_id
from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.stages import Stage, step
from clones.crm.errors import NotFound, RecordError
from clones.crm.models import SObjectRow, model_of, rows_of
from clones.crm.queries.records import find_record
from clones.crm.rules.schema import OrgSchema

VERSION: Final = "Knowledge__kav"
DRAFT, ONLINE, ARCHIVED = "Draft", "Online", "Archived"
_ARTICLE: Final = "KnowledgeArticle"
_FIRST: Final = 1_000


@step(Stage.FILLING_IN)
def fill_in_version(change: Change) -> None:
    """Say of which article a version is, and which of its versions.

    Raises:
        RecordError: another article has the name of its address, or the version is not a draft.
    """
    if change.of.name != VERSION:
        return
    if change.has_changed("UrlName", "Language") and change.get("UrlName") is not None:
        same = rows_of(VERSION).filter(
            UrlName=change.get("UrlName"), Language=change.get("Language"), IsDeleted=False
        )
        others = same.exclude(KnowledgeArticleId=change.get("KnowledgeArticleId") or "")
        if others.exists():
            raise RecordError(
                "DUPLICATE_VALUE",
                "duplicate value found: UrlName duplicates value on record with id: "
                + str(others[0].pk)[:15],
                ["UrlName"],
            )
    if not change.is_new:
        if change.was("PublishStatus") != DRAFT and change.said:
            raise RecordError(
                "INSUFFICIENT_ACCESS_OR_READONLY", "You can only edit draft articles.", []
            )
        return
    number = _FIRST - 1 + counters.take("crm.knowledge.number")
    change.set("KnowledgeArticleId", new_id("kA0", model_of(_ARTICLE)))
    change.set("ArticleNumber", f"{number:09d}")
    change.set("VersionNumber", 1)
    change.set("IsLatestVersion", True)
    change.set("IsVisibleInApp", True)
    change.set("ArticleMasterLanguage", change.get("Language"))
    change.set("ArticleCreatedById", change.actor)
    change.set("ArticleCreatedDate", change.now)
    change.set("ArticleCaseAttachCount", 0)
    change.set("ArticleTotalViewCount", 0)


@step(Stage.FOLLOW_UPS)
def make_article(change: Change) -> None:
    """Make the article that a new version is the first of."""
    if change.of.name != VERSION or not change.is_new:
        return
    row = model_of(_ARTICLE)(
        Id=change.get("KnowledgeArticleId"),
        ArticleNumber=change.get("ArticleNumber"),
        CaseAssociationCount=0,
        TotalViewCount=0,
        CreatedById=change.actor,
        CreatedDate=change.now,
    )
    _stamp(row, change.actor, change.now)
    row.save(force_insert=True)


def publish_version(schema: OrgSchema, id: str, *, actor: str) -> SObjectRow:
    """Publish a draft of an article: what was online of it is archived.

    Raises:
        NotFound: there is no such version.
        RecordError: it is no draft.
    """
    return _move(schema, id, DRAFT, ONLINE, actor=actor)


def archive_version(schema: OrgSchema, id: str, *, actor: str) -> SObjectRow:
    """Take a version of an article offline.

    Raises:
        NotFound: there is no such version.
        RecordError: it is not online.
    """
    return _move(schema, id, ONLINE, ARCHIVED, actor=actor)


def _move(schema: OrgSchema, id: str, before: str, after: str, *, actor: str) -> SObjectRow:
    row = find_record(schema.objects[VERSION], id)
    article = rows_of(_ARTICLE).filter(Id=row.KnowledgeArticleId).first()
    if article is None:
        raise NotFound
    if row.PublishStatus != before:
        raise RecordError(
            "INVALID_OPERATION", f"The version is {row.PublishStatus}, not {before}.", ["Id"]
        )
    now = clock.now().replace(microsecond=0)
    online = rows_of(VERSION).filter(KnowledgeArticleId=article.pk, PublishStatus=ONLINE)
    for older in online.exclude(Id=row.pk).order_by("Id"):
        _archive(older, actor, now)
        older.IsLatestVersion = False
        older.save()
    row.PublishStatus = after
    if after == ONLINE:
        first = article.FirstPublishedDate or now
        for one in (row, article):
            one.FirstPublishedDate, one.LastPublishedDate = first, now
    else:
        _archive(row, actor, now)
        article.ArchivedDate, article.ArchivedById = now, actor
    for one in (row, article):
        _stamp(one, actor, now)
        one.save()
    return row


def _archive(row: Any, actor: str, now: datetime) -> None:
    row.PublishStatus = ARCHIVED
    row.ArchivedDate, row.ArchivedById = now, actor
    row.ArticleArchivedDate, row.ArticleArchivedById = now, actor


def _stamp(row: Any, actor: str, now: datetime) -> None:
    row.LastModifiedById, row.LastModifiedDate, row.SystemModstamp = actor, now, now
