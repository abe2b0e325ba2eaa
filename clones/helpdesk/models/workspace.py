"""What agents leave lying on their desks: nothing here is part of the company's data."""

from __future__ import annotations

from django.db import models

from clones.core.models import AmbientRecord
from clones.helpdesk.models.people import User
from clones.helpdesk.models.tickets import Ticket


class Draft(AmbientRecord):
    """What an agent has written on a ticket and not sent. Its key is `<agent>:<ticket>`.

    `stamp` is the ticket's `updated_at` when it was written: a draft that arrives after the ticket
    was submitted is too late.
    """

    id = models.CharField(primary_key=True, max_length=60)
    user = models.ForeignKey(User, on_delete=models.CASCADE)
    ticket = models.ForeignKey(Ticket, on_delete=models.CASCADE)
    body = models.TextField(default="")
    html = models.TextField(default="")
    public = models.BooleanField(default=True)
    stamp = models.DateTimeField()
    saved_at = models.DateTimeField()


class OpenTicket(AmbientRecord):
    """A ticket that an agent has open. Its key is `<agent>:<ticket>`.

    `seen_at` is when its page was last in front of them, None once they left it. `form` is what
    of its properties they changed and have not sent: `loaded`, `values` and `macro_ids`, {} for
    nothing; `stamp` is the ticket's `updated_at` as they saw it.
    """

    id = models.CharField(primary_key=True, max_length=60)
    user = models.ForeignKey(User, on_delete=models.CASCADE)
    ticket = models.ForeignKey(Ticket, on_delete=models.CASCADE)
    seen_at = models.DateTimeField(null=True)
    form = models.JSONField(default=dict)
    stamp = models.DateTimeField(null=True)
