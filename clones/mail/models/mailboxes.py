"""Whose mail can be read here."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record


class Mailbox(Record):
    """A person's mailbox: all mail to and from an address, which is in small letters."""

    id = models.BigIntegerField(primary_key=True)
    address = models.CharField(max_length=254, unique=True)
    name = models.CharField(max_length=255)
    created_at = models.DateTimeField()
