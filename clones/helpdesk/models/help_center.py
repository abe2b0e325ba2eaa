"""The help center: articles in sections of categories, who may read and edit them, votes on them.

There is one language, so a record's own name, title and body are its translation, under the id
that translations have.
"""

from __future__ import annotations

from django.db import models

from clones.core.models import Record
from clones.helpdesk.models.people import User


class UserSegment(Record):
    """Who may read articles: those who work at the desk, or all who are signed in, by what else.

    Whoever is in `added_user_ids` belongs to it. Others must be of its type, have all of `tags`
    and one of `or_tags`, themselves or by their organization, and be in one of its groups and
    organizations, as far as any are named.
    """

    TYPES = ("signed_in_users", "staff")

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    user_type = models.CharField(max_length=16, choices=[(kind, kind) for kind in TYPES])
    built_in = models.BooleanField(default=False)
    group_ids = models.JSONField(default=list)
    organization_ids = models.JSONField(default=list)
    tags = models.JSONField(default=list)
    or_tags = models.JSONField(default=list)
    added_user_ids = models.JSONField(default=list)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class PermissionGroup(Record):
    """Which agents may edit and publish articles: the ids of their segments, none for managers."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    built_in = models.BooleanField(default=False)
    edit = models.JSONField(default=list)
    publish = models.JSONField(default=list)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class Category(Record):
    """A part of the help center: it holds sections."""

    id = models.BigIntegerField(primary_key=True)
    translation_id = models.BigIntegerField()
    name = models.CharField(max_length=255)
    description = models.TextField(default="")
    position = models.PositiveIntegerField(default=0)
    created_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False
    )
    updated_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False
    )
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class Section(Record):
    """A part of a category: it holds articles, and further sections. `sorting` orders articles."""

    SORTINGS = ("manual", "title", "creation_asc", "creation_desc", "article_votes")

    id = models.BigIntegerField(primary_key=True)
    translation_id = models.BigIntegerField()
    category = models.ForeignKey(Category, on_delete=models.CASCADE, related_name="sections")
    parent_section = models.ForeignKey(
        "self", on_delete=models.CASCADE, null=True, related_name="sections"
    )
    name = models.CharField(max_length=255)
    description = models.TextField(default="")
    position = models.PositiveIntegerField(default=0)
    sorting = models.CharField(
        max_length=16, default="manual", choices=[(name, name) for name in SORTINGS]
    )
    created_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False
    )
    updated_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False
    )
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class Article(Record):
    """An article: `body` is HTML as the sanitiser left it.

    Everybody may read it who belongs to its segment, everybody at all where it has none; a draft
    only those who may edit it, and an archived one nobody. `edited_at` is when its text changed.
    """

    id = models.BigIntegerField(primary_key=True)
    translation_id = models.BigIntegerField()
    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="articles")
    title = models.CharField(max_length=255)
    body = models.TextField(default="")
    author = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, related_name="articles", db_index=False
    )
    permission_group = models.ForeignKey(PermissionGroup, on_delete=models.PROTECT, db_index=False)
    user_segment = models.ForeignKey(
        UserSegment, on_delete=models.PROTECT, null=True, related_name="articles", db_index=False
    )
    draft = models.BooleanField(default=False)
    promoted = models.BooleanField(default=False)
    outdated = models.BooleanField(default=False)
    comments_disabled = models.BooleanField(default=False)
    position = models.PositiveIntegerField(default=0)
    vote_sum = models.IntegerField(default=0)
    vote_count = models.PositiveIntegerField(default=0)
    updated_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False
    )
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    edited_at = models.DateTimeField()
    archived_at = models.DateTimeField(null=True)


class ArticleLabel(Record):
    """A word by which articles are found."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255, unique=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class LabelledArticle(Record):
    """A label that an article has."""

    id = models.BigIntegerField(primary_key=True)
    article = models.ForeignKey(
        Article, on_delete=models.CASCADE, related_name="labelled", db_index=False
    )
    label = models.ForeignKey(ArticleLabel, on_delete=models.CASCADE, related_name="labelled")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["article", "label"], name="helpdesk_label_once")
        ]


class ArticleVote(Record):
    """What somebody thinks of an article: 1 if it helped, -1 if it did not."""

    id = models.BigIntegerField(primary_key=True)
    article = models.ForeignKey(
        Article, on_delete=models.CASCADE, related_name="votes", db_index=False
    )
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="article_votes")
    value = models.SmallIntegerField()
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["article", "user"], name="helpdesk_vote_once")
        ]


class ArticleComment(Record):
    """What somebody wrote below an article, as the sanitiser left it."""

    id = models.BigIntegerField(primary_key=True)
    article = models.ForeignKey(Article, on_delete=models.CASCADE, related_name="comments")
    author = models.ForeignKey(User, on_delete=models.CASCADE, related_name="article_comments")
    body = models.TextField()
    non_author_editor = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False
    )
    non_author_updated_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
