"""The store as a whole, whatever clones there are: times and identifiers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.apps import apps
from django.db import models
from django.db.models import Max

from clones.core import clock, ids
from clones.core.models import IdSequence
from clones.core.vendors import clones

# What columns are called that tell when a row was made.
MADE = ("created", "created_at")


def times() -> Iterator[str]:
    """Check that nothing was made after the present."""
    present = clock.now()
    for model in _models():
        columns = [field for field in model._meta.concrete_fields if field.name in MADE]
        for column in columns:
            found = model._default_manager.aggregate(last=Max(column.name))["last"]
            latest: datetime | None = found
            if latest is not None and latest > present:
                yield f"{model._meta.label} has a row of {latest}, after the present"


def sequences() -> Iterator[str]:
    """Check that no identifier lies beyond its counter, from which the next row would take it.

    A model has a counter of its own, or its clone's stamps. Keys below the stamps' stride that no
    counter of their own gave are fixed ones, and keys that are another row's have no counter.
    """
    last = dict(IdSequence.objects.values_list("name", "last"))
    for model in _models():
        key = model._meta.pk
        if not isinstance(key, models.BigIntegerField):
            continue
        highest = model._default_manager.aggregate(top=Max("pk"))["top"]
        if highest is None:
            continue
        own = last.get(f"{model._meta.label_lower}.serial")
        if own is None and highest <= ids.STRIDE:
            continue
        stamps = last.get(f"{model._meta.app_label}.stamp")
        known = own if own is not None else stamps
        if known is not None and highest > known:
            yield f"{model._meta.label}: id {highest} lies beyond the counter"


def _models() -> Iterator[type[models.Model]]:
    """Yield the models of the ground floor and of every clone."""
    for name in ("core", *(clone.name for clone in clones())):
        yield from apps.get_app_config(name).get_models()
