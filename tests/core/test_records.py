"""Rows of a query are what Django would make of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from django.apps import apps
from django.db import models
from django.db.backends.sqlite3.base import DatabaseWrapper as PlainWrapper
from django.db.models.fields.related_descriptors import ForeignKeyDeferredAttribute
from django.db.models.query_utils import DeferredAttribute
from django.db.models.signals import post_init, pre_init

from clones.core.models import Account, Job, Record
from clones.core.tenancy import SandboxRow, unit_of_work
from clones.core.tenancy.backend.base import moment_of
from tests.conftest import PRESENT, bind

RECORDS = [model for model in apps.get_models() if issubclass(model, Record)]


@pytest.mark.parametrize("model", RECORDS, ids=lambda model: model._meta.label)
def test_no_record_needs_more_than_its_columns(model: type[models.Model]) -> None:
    for field in model._meta.concrete_fields:
        plain = (DeferredAttribute, ForeignKeyDeferredAttribute)
        assert type(vars(field.model)[field.attname]) in plain, field
        assert not field.generated
    assert model.__init__ is models.Model.__init__
    assert not pre_init.has_listeners(model)
    assert not post_init.has_listeners(model)


def test_whole_rows_and_parts_of_rows_are_as_django_makes_them(empty_sandbox: SandboxRow) -> None:
    with bind(empty_sandbox), unit_of_work("write"):
        account = Account.objects.create(
            id=7, clone="helpdesk", subject="7", login="ana@kestrel.example", role="agent"
        )
        names = [field.attname for field in Account._meta.concrete_fields]
        values = [getattr(account, name) for name in names]
        made = Account.from_db("default", names, values)
        plain = models.Model.from_db.__func__(Account, "default", names, values)  # type: ignore[attr-defined]
        assert {**vars(made), "_state": None} == {**vars(plain), "_state": None}
        assert vars(made._state) == vars(plain._state) == {"adding": False, "db": "default"}
        assert made == plain == Account.objects.get(id=7)
        part = Account.objects.only("login").get(id=7)
        assert part.get_deferred_fields() == set(names) - {"id", "login"}
        assert part.role == "agent"
        made.role = "admin"
        made.save()
        assert Account.objects.get(id=7).role == "admin"


def test_times_are_read_as_django_reads_them(empty_sandbox: SandboxRow) -> None:
    texts = ("2026-06-16 14:00:00", "2026-06-16 14:00:00.123456", "0099-01-01 00:00:00.000001")
    plain = PlainWrapper({"NAME": ":memory:", "TIME_ZONE": None, "OPTIONS": {}})
    for text in texts:
        found: Any = moment_of(text, None, None)
        assert found == plain.ops.convert_datetimefield_value(text, None, plain)
        assert found.tzinfo is UTC
    assert moment_of(None, None, None) is None
    east = datetime(2026, 6, 16, 14, tzinfo=timezone(timedelta(hours=2)))
    assert moment_of(east, None, None) is east
    with bind(empty_sandbox), unit_of_work("write"):
        Job.objects.create(id=1, kind="test", payload={}, due=PRESENT + timedelta(microseconds=9))
        assert Job.objects.get(id=1).due == PRESENT + timedelta(microseconds=9)
    with pytest.raises(ValueError, match="isoformat"):
        moment_of("soon", None, None)
