"""Make the tables of an empty store."""

from __future__ import annotations

from collections.abc import Sequence

from django.apps import apps
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model

from clones.core.store_objects import install_objects


def make_tables(at: Sequence[tuple[str, str]] | None = None) -> None:
    """Give the bound store its tables and what follows them, or the tables alone as they were once.

    `at` names migrations by app and name; those that they need come with them. The present tables
    are made from the models at once: what all migrations together make, in a tenth of the time.
    """
    if at is not None:
        MigrationExecutor(connection).migrate(list(at))
        return
    with connection.schema_editor() as editor:
        for model in _models():
            editor.create_model(model)
    recorder = MigrationRecorder(connection)
    recorder.ensure_schema()
    for app, name in last_migrations():
        recorder.record_applied(app, name)
    with transaction.atomic():
        install_objects()


def last_migrations() -> list[tuple[str, str]]:
    """Return every migration of this build, by app and name, each after those it needs."""
    graph = MigrationLoader(None).graph
    return list(
        dict.fromkeys(node for leaf in graph.leaf_nodes() for node in graph.forwards_plan(leaf))
    )


def _models() -> list[type[Model]]:
    """Return the models that have tables."""
    found = apps.get_models(include_auto_created=True)
    return [model for model in found if model._meta.can_migrate(connection)]
