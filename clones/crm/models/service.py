"""What an organization sets up for its cases and leads: rules and their entries, clocks, hours.

Conditions are JSON: `items` of a field, an operation and a value, `logic` that joins them by their
numbers, or a `formula` instead (`clones.crm.domain.service.conditions`).
"""

from __future__ import annotations

from django.db import models

from clones.core.models import Record
from clones.crm.models.sobjects import ID_LENGTH


class ServiceRule(Record):
    """A rule made of entries: `kind` is `assignment`, `response` or `escalation`.

    Rules of assignment are records of `AssignmentRule`, too, with the same ids. `definition` is
    what its metadata say.
    """

    id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    kind = models.CharField(max_length=20)
    object = models.CharField(max_length=80)
    name = models.CharField(max_length=120)
    is_active = models.BooleanField(default=False)
    definition = models.JSONField()


class RuleEntry(Record):
    """An entry of a rule: the first whose condition a record meets says what is done."""

    id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    rule = models.CharField(max_length=ID_LENGTH, db_index=True)
    position = models.IntegerField()
    condition = models.JSONField()
    values = models.JSONField()


class CaseEscalation(Record):
    """That an action of an entry was taken for a case; `since` is when its clock had begun."""

    id = models.CharField(max_length=60, primary_key=True)
    case = models.CharField(max_length=ID_LENGTH, db_index=True)
    entry = models.CharField(max_length=ID_LENGTH)
    action = models.IntegerField()
    since = models.DateTimeField()


class SlaStep(Record):
    """A milestone of an entitlement process: when it begins, how long it may take, what follows.

    `triggers` are JSON lists of actions at a number of seconds from the target, `success` the
    actions when it is completed.
    """

    id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    process = models.CharField(max_length=ID_LENGTH, db_index=True)
    type = models.CharField(max_length=ID_LENGTH)
    position = models.IntegerField()
    minutes = models.IntegerField()
    condition = models.JSONField()
    hours = models.CharField(max_length=ID_LENGTH, null=True)
    from_criteria = models.BooleanField(default=False)
    triggers = models.JSONField()
    success = models.JSONField()


class SlaExit(Record):
    """The condition under which cases leave an entitlement process.

    `definition` is what the metadata of the process say.
    """

    id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    condition = models.JSONField()
    definition = models.JSONField()


class MilestoneClock(Record):
    """The clock of a milestone of a case; `id` is the milestone's.

    `stopped_seconds` is open time that did not count, `fired` the places of triggers that are done.
    """

    id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    step = models.CharField(max_length=ID_LENGTH)
    minutes = models.IntegerField()
    stopped_seconds = models.IntegerField(default=0)
    stopped_since = models.DateTimeField(null=True)
    fired = models.JSONField()


class HolidayHours(Record):
    """That business hours keep a holiday."""

    id = models.CharField(max_length=40, primary_key=True)
    holiday = models.CharField(max_length=ID_LENGTH)
    hours = models.CharField(max_length=ID_LENGTH, db_index=True)


class ServiceSettings(Record):
    """What an organization sets for cases or for leads; `id` is the object's name."""

    id = models.CharField(max_length=20, primary_key=True)
    values = models.JSONField()


class RoutingAddress(Record):
    """An address at which mail becomes cases, in small letters, and how they begin."""

    id = models.CharField(max_length=254, primary_key=True)
    values = models.JSONField()
