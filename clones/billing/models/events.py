"""What happened, for whoever asks afterwards."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record


class Event(Record):
    """One thing that happened to one object.

    `kind` is the object's model in lower case; `image` holds the fields of its row as they were
    then, so that the event shows the object as of that time. `previous` holds the fields' values
    before, None for objects that are new. `actor` is who did it, as acts name it.
    """

    id = models.CharField(primary_key=True, max_length=40)
    type = models.CharField(max_length=60)
    kind = models.CharField(max_length=30)
    subject = models.CharField(max_length=40)
    image = models.JSONField()
    previous = models.JSONField(null=True)
    actor = models.CharField(max_length=80)
    created = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["created", "id"], name="billing_event_created")]
