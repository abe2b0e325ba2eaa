"""Writing articles: what they say, where they are, who may read them, and their labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from clones.core import clock, ids
from clones.helpdesk.domain.changes import plain_text
from clones.helpdesk.domain.errors import AccessDenied, InvalidAttribute, RecordInvalid
from clones.helpdesk.domain.help_center import (
    check_locale,
    check_manager,
    install_help_center,
    required_text,
)
from clones.helpdesk.domain.positions import position_of
from clones.helpdesk.models import (
    Article,
    ArticleLabel,
    LabelledArticle,
    PermissionGroup,
    Section,
    User,
    UserSegment,
)
from clones.helpdesk.queries.help_center import editable_groups
from clones.helpdesk.rules.text import kept_of_html

TITLE: Final = 255
BODY: Final = 500_000
LABEL: Final = 255
LABELS: Final = 100
FLAGS: Final = ("promoted", "comments_disabled")
Changes = Mapping[str, Any]


def create_article(section: Section, *, actor: User, changes: Changes) -> Article:
    """Create an article in a section; its author is the actor unless another agent is named.

    Without a permission group it has the account's own, which is for managers.

    Raises:
        AccessDenied: the actor may not edit articles of that group, or not publish them.
        RecordInvalid: a value breaks a rule.
    """
    check_locale(changes)
    now = clock.now()
    row = Article(id=ids.next_stamp(Article), section=section, author=actor, created_at=now)
    row.translation_id = ids.next_stamp(Article)
    row.edited_at = now
    row.permission_group = _first_group()
    _set_place({**changes, "section_id": None}, row)
    _check_right(row, actor, "edit")
    _set_text(row, {"title": None, **changes})
    row.draft = bool(changes.get("draft"))
    if not row.draft:
        _check_right(row, actor, "publish")
    _set_rest(row, changes)
    row.updated_by, row.updated_at = actor, now
    row.save(force_insert=True)
    if changes.get("label_names") is not None:
        _set_labels(row, changes["label_names"])
    return row


def update_article(article: Article, *, actor: User, changes: Changes) -> Article:
    """Change what is told about an article: its text is its translation's.

    Raises:
        AccessDenied: the actor may not edit it, or not as it is to be.
        RecordInvalid: a value breaks a rule.
    """
    _check_right(article, actor, "edit")
    check_locale(changes)
    _set_place(changes, article)
    _check_right(article, actor, "edit")
    _set_rest(article, changes)
    article.updated_by, article.updated_at = actor, clock.now()
    article.save()
    if changes.get("label_names") is not None:
        _set_labels(article, changes["label_names"])
    return article


def update_article_text(article: Article, *, actor: User, changes: Changes) -> Article:
    """Change an article's title and body, and whether it is a draft or outdated.

    Raises:
        AccessDenied: the actor may not edit it, or not publish it.
        RecordInvalid: a value breaks a rule.
    """
    _check_right(article, actor, "edit")
    check_locale(changes)
    before = article.title, article.body
    _set_text(article, changes)
    now = clock.now()
    if (article.title, article.body) != before:
        article.edited_at, article.outdated = now, False
    if changes.get("outdated") is not None:
        article.outdated = bool(changes["outdated"])
    if changes.get("draft") is not None:
        if not changes["draft"] and article.draft:
            _check_right(article, actor, "publish")
        article.draft = bool(changes["draft"])
    article.updated_by, article.updated_at = actor, now
    article.save()
    return article


def archive_article(article: Article, *, actor: User) -> None:
    """Take an article out of the help center; nobody finds it any more.

    Raises:
        AccessDenied: the actor may not edit and publish it.
    """
    _check_right(article, actor, "edit")
    _check_right(article, actor, "publish")
    article.archived_at = article.updated_at = clock.now()
    article.updated_by = actor
    article.save()


def add_label(article: Article, *, actor: User, name: Any) -> ArticleLabel:
    """Give an article a label, which is made if there is none of that name.

    Raises:
        AccessDenied: the actor may not edit the article.
        RecordInvalid: the name is blank or too long, or the article has it.
    """
    _check_right(article, actor, "edit")
    text = required_text("name", name, LABEL)
    if article.labelled.filter(label__name=text).exists():
        raise RecordInvalid.of("name", "Name: has already been taken", "DuplicateValue")
    label = _label(text)
    LabelledArticle.objects.create(id=ids.next_stamp(LabelledArticle), article=article, label=label)
    return label


def remove_label(article: Article, label: ArticleLabel, *, actor: User) -> None:
    """Take a label from an article; the label stays for others.

    Raises:
        AccessDenied: the actor may not edit the article.
    """
    _check_right(article, actor, "edit")
    article.labelled.filter(label=label).delete()


def delete_label(label: ArticleLabel, *, actor: User) -> None:
    """Remove a label from all articles.

    Raises:
        AccessDenied: the actor does not manage the help center.
    """
    check_manager(actor)
    label.delete()


def may_edit(actor: User | None, article: Article) -> bool:
    """Tell whether somebody may edit an article."""
    groups = editable_groups(actor)
    return groups is None or article.permission_group_id in groups


def _check_right(article: Article, actor: User, right: str) -> None:
    groups = editable_groups(actor, right)
    if groups is not None and article.permission_group_id not in groups:
        raise AccessDenied(f"no right to {right} articles of this permission group")


def _first_group() -> PermissionGroup:
    """Return the account's own group; accounts of earlier builds get it, and segments, now."""
    groups = PermissionGroup.objects.order_by("-built_in", "id")
    return groups.first() or install_help_center()


def _set_place(changes: Changes, row: Article) -> None:
    """Set the section, the permission group and the segment."""
    if changes.get("section_id") is not None:
        section = Section.objects.filter(id=changes["section_id"]).first()
        if section is None:
            raise RecordInvalid.of("section_id", "Section: is invalid", "InvalidValue")
        row.section = section
    if changes.get("permission_group_id") is not None:
        group = PermissionGroup.objects.filter(id=changes["permission_group_id"]).first()
        if group is None:
            raise RecordInvalid.of(
                "permission_group_id", "Permission group: is invalid", "InvalidValue"
            )
        row.permission_group = group
    if "user_segment_ids" in changes or "user_segment_id" in changes:
        row.user_segment = _segment(_segment_id(changes))


def _segment_id(changes: Changes) -> int | None:
    """Return the one segment that is asked for: more than one is for other plans."""
    given = changes.get("user_segment_ids")
    if given is None:
        return changes.get("user_segment_id")
    if len(given) > 1:
        raise RecordInvalid.of(
            "user_segment_ids", "User segments: only one is allowed", "InvalidValue"
        )
    return given[0] if given else None


def _segment(key: int | None) -> UserSegment | None:
    if key is None:
        return None
    found = UserSegment.objects.filter(id=key).first()
    if found is None:
        raise RecordInvalid.of("user_segment_id", "User segment: is invalid", "InvalidValue")
    return found


def _set_text(row: Article, changes: Changes) -> None:
    if "title" in changes:
        row.title = required_text("title", changes["title"], TITLE)
    if "body" in changes:
        row.body = kept_of_html(plain_text("body", changes["body"], BODY) or "")


def _set_rest(row: Article, changes: Changes) -> None:
    for name in FLAGS:
        if changes.get(name) is not None:
            setattr(row, name, bool(changes[name]))
    if changes.get("position") is not None:
        row.position = position_of(changes["position"])
    if changes.get("author_id") is not None:
        author = User.objects.filter(id=changes["author_id"], active=True).first()
        if author is None or not author.is_agent:
            raise RecordInvalid.of("author_id", "Author: is not an agent", "InvalidValue")
        row.author = author


def _set_labels(row: Article, names: Sequence[Any]) -> None:
    """Give an article these labels and no others."""
    if len(names) > LABELS:
        raise InvalidAttribute("label_names", f"a list of at most {LABELS}")
    wanted = dict.fromkeys(required_text("label_names", name, LABEL) for name in names)
    row.labelled.exclude(label__name__in=list(wanted)).delete()
    there = set(row.labelled.values_list("label__name", flat=True))
    for name in wanted:
        if name not in there:
            key = ids.next_stamp(LabelledArticle)
            LabelledArticle.objects.create(id=key, article=row, label=_label(name))


def _label(name: str) -> ArticleLabel:
    found = ArticleLabel.objects.filter(name=name).first()
    if found is not None:
        return found
    now = clock.now()
    return ArticleLabel.objects.create(
        id=ids.next_stamp(ArticleLabel), name=name, created_at=now, updated_at=now
    )
