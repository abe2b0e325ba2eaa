"""The help center's records as JSON."""

from __future__ import annotations

from typing import Any

from clones.helpdesk.api.presenters.context import Show, when
from clones.helpdesk.domain.help_center import LOCALE
from clones.helpdesk.models import (
    Article,
    ArticleComment,
    ArticleLabel,
    ArticleVote,
    Category,
    PermissionGroup,
    Section,
    User,
    UserSegment,
)
from clones.helpdesk.queries.help_center import label_names
from clones.helpdesk.rules.article_paths import page_path

ROOT = "help_center"


def present_category(category: Category, show: Show) -> dict[str, Any]:
    """Return a category as JSON."""
    show.note(category)
    return {
        "id": category.id,
        "url": show.url(f"{ROOT}/{LOCALE}/categories/{category.id}"),
        "html_url": show.root + page_path("categories", category.id, category.name),
        "position": category.position,
        "created_at": when(category.created_at),
        "updated_at": when(category.updated_at),
        "name": category.name,
        "description": category.description,
        "locale": LOCALE,
        "source_locale": LOCALE,
        "outdated": False,
    }


def present_section(section: Section, show: Show) -> dict[str, Any]:
    """Return a section as JSON."""
    show.note(section)
    return {
        "id": section.id,
        "url": show.url(f"{ROOT}/{LOCALE}/sections/{section.id}"),
        "html_url": show.root + page_path("sections", section.id, section.name),
        "category_id": section.category_id,
        "position": section.position,
        "sorting": section.sorting,
        "created_at": when(section.created_at),
        "updated_at": when(section.updated_at),
        "name": section.name,
        "description": section.description,
        "locale": LOCALE,
        "source_locale": LOCALE,
        "outdated": False,
        "parent_section_id": section.parent_section_id,
        "theme_template": "section_page",
    }


def present_article(article: Article, show: Show) -> dict[str, Any]:
    """Return an article as JSON."""
    show.note(article)
    segment = article.user_segment_id
    return {
        "id": article.id,
        "url": show.url(f"{ROOT}/{LOCALE}/articles/{article.id}"),
        "html_url": show.root + page_path("articles", article.id, article.title),
        "author_id": article.author_id,
        "comments_disabled": article.comments_disabled,
        "draft": article.draft,
        "promoted": article.promoted,
        "position": article.position,
        "vote_sum": article.vote_sum,
        "vote_count": article.vote_count,
        "section_id": article.section_id,
        "created_at": when(article.created_at),
        "updated_at": when(article.updated_at),
        "name": article.title,
        "title": article.title,
        "source_locale": LOCALE,
        "locale": LOCALE,
        "outdated": False,
        "outdated_locales": [LOCALE] if article.outdated else [],
        "edited_at": when(article.edited_at),
        "user_segment_id": segment,
        "user_segment_ids": [] if segment is None else [segment],
        "permission_group_id": article.permission_group_id,
        "content_tag_ids": [],
        "label_names": label_names(article),
        "body": article.body,
    }


def present_translation(source: Article | Section | Category, show: Show) -> dict[str, Any]:
    """Return what a record says in the one language as JSON."""
    show.note(source)
    kind = source._meta.model_name or ""
    plural = "categories" if kind == "category" else f"{kind}s"
    text = source if isinstance(source, Article) else None
    title = text.title if text is not None else getattr(source, "name", "")
    author = text.author_id if text is not None else getattr(source, "created_by_id", None)
    return {
        "id": source.translation_id,
        "url": show.url(f"{ROOT}/{plural}/{source.id}/translations/{LOCALE}"),
        "html_url": show.root + page_path(plural, source.id, title),
        "source_id": source.id,
        "source_type": kind.capitalize(),
        "locale": LOCALE,
        "title": title,
        "body": text.body if text is not None else getattr(source, "description", ""),
        "outdated": text is not None and text.outdated,
        "draft": text is not None and text.draft,
        "hidden": False,
        "created_at": when(source.created_at),
        "updated_at": when(text.edited_at if text is not None else source.updated_at),
        "updated_by_id": source.updated_by_id,
        "created_by_id": author,
    }


def present_label(label: ArticleLabel, show: Show) -> dict[str, Any]:
    """Return a label of articles as JSON."""
    show.note(label)
    return {
        "id": label.id,
        "url": show.url(f"{ROOT}/articles/labels/{label.id}"),
        "name": label.name,
        "created_at": when(label.created_at),
        "updated_at": when(label.updated_at),
    }


def present_vote(vote: ArticleVote, show: Show) -> dict[str, Any]:
    """Return a vote on an article as JSON."""
    show.note(vote)
    return {
        "id": vote.id,
        "url": show.url(f"{ROOT}/votes/{vote.id}"),
        "user_id": vote.user_id,
        "value": vote.value,
        "item_id": vote.article_id,
        "item_type": "Article",
        "created_at": when(vote.created_at),
        "updated_at": when(vote.updated_at),
    }


def present_article_comment(comment: ArticleComment, show: Show) -> dict[str, Any]:
    """Return a comment on an article as JSON."""
    show.note(comment)
    article = comment.article
    place = f"{ROOT}/{LOCALE}/articles/{article.id}/comments/{comment.id}"
    page = page_path("articles", article.id, article.title)
    return {
        "id": comment.id,
        "url": show.url(place),
        "html_url": f"{show.root}{page}#comment-{comment.id}",
        "body": comment.body,
        "author_id": comment.author_id,
        "source_id": article.id,
        "source_type": "Article",
        "locale": LOCALE,
        "created_at": when(comment.created_at),
        "updated_at": when(comment.updated_at),
        "vote_sum": 0,
        "vote_count": 0,
        "non_author_editor_id": comment.non_author_editor_id,
        "non_author_updated_at": when(comment.non_author_updated_at),
    }


def present_author(user: User, show: Show) -> dict[str, Any]:
    """Return of an author what everybody may know, as JSON."""
    return {"id": user.id, "url": show.url(f"users/{user.id}"), "name": user.name}


def present_segment(segment: UserSegment, show: Show) -> dict[str, Any]:
    """Return a segment of readers as JSON."""
    show.note(segment)
    return {
        "id": segment.id,
        "name": segment.name,
        "user_type": segment.user_type,
        "group_ids": segment.group_ids,
        "organization_ids": segment.organization_ids,
        "tags": segment.tags,
        "or_tags": segment.or_tags,
        "added_user_ids": segment.added_user_ids,
        "built_in": segment.built_in,
        "created_at": when(segment.created_at),
        "updated_at": when(segment.updated_at),
    }


def present_permission_group(group: PermissionGroup, show: Show) -> dict[str, Any]:
    """Return a permission group as JSON."""
    show.note(group)
    return {
        "id": group.id,
        "name": group.name,
        "edit": group.edit,
        "publish": group.publish,
        "built_in": group.built_in,
        "created_at": when(group.created_at),
        "updated_at": when(group.updated_at),
    }
