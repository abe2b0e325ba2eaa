"""The reads that people make at nearly every write and timer: compiled once per process."""

from __future__ import annotations

from clones.core.prepared import Prepared
from seeds.people.models import Person, PersonState

# One of them, where there are any.
ANYBODY: Prepared[str] = Prepared(
    lambda: Person.objects.order_by("id").values_list("id", flat=True)[:1]
)
IN_THREAD: Prepared[PersonState] = Prepared(
    lambda thread: (
        PersonState.objects.select_related("person").filter(thread=thread).order_by("id")
    ),
    str,
)
# Those whom something that comes true could still concern.
LOOKING_ON: Prepared[PersonState] = Prepared(
    lambda: (
        PersonState.objects.select_related("person")
        .exclude(mood__in=("gone", "content"))
        .order_by("id")
    )
)
