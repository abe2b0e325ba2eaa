"""System checks: a table that the journal cannot cover does not start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig, apps
from django.core.checks import CheckMessage, Error, register
from django.db import models

from clones.core.models.records import Record


@register()
def check_records(app_configs: Sequence[AppConfig] | None = None, **_: Any) -> list[CheckMessage]:
    """Report models that are no `Record`, whose keys the database gives, or that hide a table."""
    found: list[CheckMessage] = []
    for model in apps.get_models(include_auto_created=True):
        found.extend(problems_of(model))
    return found


def problems_of(model: type[models.Model]) -> list[CheckMessage]:
    """Return what stands against keeping a model's rows in a sandbox."""
    meta = model._meta
    if meta.auto_created:
        return [
            Error(
                f"{meta.label} is an implicit many-to-many table",
                hint="Write the through model, so that core.ids gives its keys.",
                obj=model,
                id="sandlot.E001",
            )
        ]
    if not meta.managed or meta.proxy:
        return []
    if not issubclass(model, Record):
        return [
            Error(
                f"{meta.label} is no Record: it would have no journal trigger",
                hint="Derive it from clones.core.models.Record or AmbientRecord.",
                obj=model,
                id="sandlot.E002",
            )
        ]
    found: list[CheckMessage] = []
    if isinstance(meta.pk, models.AutoField):
        found.append(
            Error(
                f"{meta.label} has a key that the database gives",
                hint="Declare a primary key and give it from clones.core.ids.",
                obj=model,
                id="sandlot.E003",
            )
        )
    found.extend(_index_twice(model))
    for field in meta.local_concrete_fields:
        if getattr(field, "auto_now", False) or getattr(field, "auto_now_add", False):
            found.append(
                Error(
                    f"{meta.label}.{field.name} takes its time from the machine",
                    hint="Set it from clones.core.clock.now().",
                    obj=model,
                    id="sandlot.E004",
                )
            )
        if isinstance(field, models.DecimalField) and (field.max_digits or 0) > 15:
            found.append(
                Error(
                    f"{meta.label}.{field.name} has more digits than SQLite keeps",
                    hint="Use integer minor units, at most 15 digits, or text.",
                    obj=model,
                    id="sandlot.E005",
                )
            )
    return found


def _index_twice(model: type[models.Model]) -> list[CheckMessage]:
    """Report foreign keys with an index of their own where another index begins with them.

    Each index of a table is written at each insert; the other one serves the same look-ups.
    """
    meta = model._meta
    leading = {index.fields[0] for index in meta.indexes if index.fields}
    leading |= {
        constraint.fields[0]
        for constraint in meta.constraints
        if isinstance(constraint, models.UniqueConstraint)
        and constraint.fields
        and constraint.condition is None
    }
    return [
        Error(
            f"{meta.label}.{field.name} is indexed twice",
            hint="Say db_index=False: an index of the model begins with it.",
            obj=model,
            id="sandlot.E006",
        )
        for field in meta.local_concrete_fields
        if getattr(field, "db_index", False) and field.name in leading
    ]
