"""The keys of new rows: sequences that begin where the vendor's do."""

from __future__ import annotations

from typing import Final

from django.db.models import F, Model

from clones.core import clock, counters, gaps, ids
from clones.tracker import models

# The first number of a sequence; others begin at 10000, as on a new site.
FIRST: Final[dict[type[Model], int]] = {
    models.Board: 1,
    models.BoardColumn: 1,
    models.BoardColumnStatus: 1,
    models.Sprint: 1,
    models.QuickFilter: 1,
    models.ServiceDesk: 1,
    models.RequestType: 1,
    models.RequestTypeGroup: 1,
    models.Queue: 1,
    models.Organization: 1,
    models.Approval: 1,
    models.SlaMetric: 1,
    models.Webhook: 1,
    models.PriorityScheme: 1,
    models.Screen: 1,
    models.ScreenScheme: 1,
    models.IssueTypeScreenScheme: 1,
    models.FieldConfigurationItem: 1,
    models.AuditRecord: 1,
    models.User: 1,
    models.Setting: 1,
    models.Avatar: 11_000,  # beyond the site's own pictures
    # Below these lie the numbers that every site begins with.
    models.CustomField: 10_040,
    models.FieldOption: 10_030,
    models.Status: 10_003,
}
START: Final = 10_000
# How many ids are left out at most, of sequences that have begun, and how many keys of a space.
PASSED_OVER: Final[dict[type[Model], int]] = {
    models.Issue: 300,
    models.Comment: 300,
    models.Worklog: 100,
    models.Attachment: 100,
    models.ChangeGroup: 500,
    models.IssueLink: 100,
    models.AuditRecord: 100,
    models.Version: 40,
    models.Component: 40,
    models.Filter: 40,
    models.Board: 20,
    models.Sprint: 20,
    models.QuickFilter: 20,
    models.Workflow: 20,
    models.Status: 20,
}
KEYS_PASSED_OVER: Final = 30


def next_id(model: type[Model]) -> int:
    """Return the key of a new row; a planted issue's lies among those of its time."""
    if model is models.Issue and clock.is_back_dated():
        return ids.next_serial(model, dated_by="created", first=START)
    return next_ids(model, 1)[0]


def next_ids(model: type[Model], count: int) -> list[int]:
    """Return the keys of `count` new rows, rising, at the cost of one statement."""
    if count <= 0:
        return []
    name = f"{model._meta.label_lower}.serial"
    last = counters.climb(name, floor=FIRST.get(model, START), stride=1, count=count)
    return list(range(last - count + 1, last + 1))


def new_uuid(model: type[Model]) -> str:
    """Return a UUID, drawn from the sandbox's own seed."""
    return ids.next_uuid(model)


def pass_over_numbers(chance: gaps.Chance) -> None:
    """Leave out some ids of what people make and delete again, and some keys of every space."""
    most = {f"{model._meta.label_lower}.serial": count for model, count in PASSED_OVER.items()}
    gaps.pass_over_serials(most, chance, only_begun=True)
    spaces = models.Project.objects.filter(last_number__gt=0).order_by("id")
    for key in list(spaces.values_list("key", flat=True)):
        count = chance(f"pass over keys of {key}").randrange(KEYS_PASSED_OVER + 1)
        models.Project.objects.filter(key=key).update(last_number=F("last_number") + count)
