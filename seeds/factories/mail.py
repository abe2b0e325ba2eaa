"""Factories of the mail clone's models."""

from __future__ import annotations

from factory.django import DjangoModelFactory

from clones.mail import models
from seeds.factories.values import drawn, full_name, lazy, now, stamp
from seeds.kestrel.story.people import slug


class MailboxFactory(DjangoModelFactory[models.Mailbox]):
    """Somebody's mailbox."""

    class Meta:
        model = models.Mailbox

    id = stamp(models.Mailbox)
    name = drawn("mailbox", full_name)
    address = lazy(lambda row: f"{slug(row.name)}@postbox.example")
    created_at = now()
