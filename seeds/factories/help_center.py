"""Factories of the helpdesk's help center."""

from __future__ import annotations

from factory.django import DjangoModelFactory

from clones.helpdesk import models
from clones.helpdesk.rules.text import html_of_plain
from seeds.factories.values import drawn, lazy, now, same, stamp, sub

TOPICS = ("Delivery", "Invoices", "Lenses", "Mirrors", "Passwords", "Seats", "Updates")


class PermissionGroupFactory(DjangoModelFactory[models.PermissionGroup]):
    """Who may edit articles: managers alone unless `edit` and `publish` name segments."""

    class Meta:
        model = models.PermissionGroup

    id = stamp(models.PermissionGroup)
    name = "Managers"
    created_at = now()
    updated_at = same("created_at")


class CategoryFactory(DjangoModelFactory[models.Category]):
    """A category of the help center."""

    class Meta:
        model = models.Category

    id = stamp(models.Category)
    translation_id = stamp(models.Category)
    name = drawn("category", lambda chance: chance.choice(TOPICS))
    created_at = now()
    updated_at = same("created_at")


class SectionFactory(DjangoModelFactory[models.Section]):
    """A section, in a category of its own unless one is given."""

    class Meta:
        model = models.Section

    id = stamp(models.Section)
    translation_id = stamp(models.Section)
    category = sub(CategoryFactory)
    name = drawn("section", lambda chance: f"About {chance.choice(TOPICS).lower()}")
    created_at = now()
    updated_at = same("created_at")


class ArticleFactory(DjangoModelFactory[models.Article]):
    """A published article for everybody."""

    class Meta:
        model = models.Article

    id = stamp(models.Article)
    translation_id = stamp(models.Article)
    section = sub(SectionFactory)
    permission_group = sub(PermissionGroupFactory)
    title = drawn("article", lambda chance: f"{chance.choice(TOPICS)}, in short")
    body = lazy(lambda row: html_of_plain(row.title))
    created_at = now()
    updated_at = same("created_at")
    edited_at = same("created_at")
