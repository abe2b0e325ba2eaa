"""What agents have beside tickets: news of theirs, tickets passed over, bookmarks, pins."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record
from clones.helpdesk.models.conversation import Comment
from clones.helpdesk.models.people import User
from clones.helpdesk.models.tickets import PRIORITIES, Ticket


class Activity(Record):
    """News for an agent: a ticket of theirs was given to them, commented on, or became more urgent.

    `actor` is None for the account's own rules. What is told of a comment is read from it, so
    that what is redacted there is not told here.
    """

    VERBS = ("tickets.assignment", "tickets.comment", "tickets.priority_increase")

    id = models.BigIntegerField(primary_key=True)
    user = models.ForeignKey(
        User, on_delete=models.CASCADE, related_name="activities", db_index=False
    )
    actor = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False
    )
    verb = models.CharField(max_length=26, choices=[(verb, verb) for verb in VERBS])
    ticket = models.ForeignKey(Ticket, on_delete=models.CASCADE, db_index=False)
    comment = models.ForeignKey(Comment, on_delete=models.CASCADE, null=True, db_index=False)
    priority = models.CharField(
        max_length=8, null=True, choices=[(name, name) for name in PRIORITIES]
    )
    created_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["user", "created_at", "id"], name="helpdesk_activity_user")]


class Skip(Record):
    """A ticket that an agent passed over, and why."""

    id = models.BigIntegerField(primary_key=True)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="skips")
    ticket = models.ForeignKey(Ticket, on_delete=models.CASCADE, related_name="skips")
    reason = models.TextField(default="")
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class Bookmark(Record):
    """A ticket that an agent marked for themselves."""

    id = models.BigIntegerField(primary_key=True)
    user = models.ForeignKey(
        User, on_delete=models.CASCADE, related_name="bookmarks", db_index=False
    )
    ticket = models.ForeignKey(Ticket, on_delete=models.CASCADE, related_name="bookmarks")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "ticket"], name="helpdesk_bookmark_once")
        ]


class ContentPin(Record):
    """Content that was pinned to a ticket: an article, or what another service has.

    `content_id` is its name there: nothing here holds it.
    """

    id = models.CharField(primary_key=True, max_length=26)
    ticket = models.ForeignKey(
        Ticket, on_delete=models.CASCADE, related_name="content_pins", db_index=False
    )
    content_type = models.CharField(max_length=64)
    content_id = models.CharField(max_length=255)
    locale = models.CharField(max_length=16, null=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["ticket", "content_type", "content_id"], name="helpdesk_contentpin_once"
            )
        ]
