"""The tickets that automations work on."""

from __future__ import annotations

import json
from datetime import datetime
from functools import lru_cache

from django.db.models import QuerySet

from clones.core.prepared import PreparedAt
from clones.helpdesk.models import Ticket
from clones.helpdesk.queries.conditions import Asker, question

TICKETS_PER_RUN = 1000
KEPT = 256  # conditions whose query is remembered


@lru_cache(maxsize=KEPT)
def tickets_for(conditions: str) -> PreparedAt[int]:
    """Return the query for the tickets that meet conditions: an hour asks what the last asked."""
    given = json.loads(conditions)

    def found(now: datetime) -> QuerySet[Ticket, int]:
        met = Ticket.objects.filter(question(given, Asker(now)), deleted_at=None)
        keys = met.exclude(status="closed").order_by("id").values_list("id", flat=True)
        return keys[:TICKETS_PER_RUN]

    return PreparedAt(found)
