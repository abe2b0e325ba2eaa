"""Models that the journal cannot cover, or that cost twice, do not start."""

from __future__ import annotations

import pytest
from django.db import models
from django.test.utils import isolate_apps

from clones.core.checks import check_records, problems_of
from clones.core.models import Record


def codes(model: type[models.Model]) -> list[str | None]:
    return [problem.id for problem in problems_of(model)]


def test_the_models_of_the_house_have_no_problems() -> None:
    assert check_records() == []


@isolate_apps("clones.core")
def test_a_model_without_triggers_is_reported() -> None:
    class Plain(models.Model):  # noqa: DJ008 - it is never shown
        id = models.BigIntegerField(primary_key=True)

        class Meta:
            app_label = "core"

    assert codes(Plain) == ["sandlot.E002"]


@isolate_apps("clones.core")
def test_an_implicit_table_is_reported() -> None:
    class Left(Record):
        id = models.BigIntegerField(primary_key=True)
        others = models.ManyToManyField("self")

        class Meta:
            app_label = "core"

    assert codes(Left.others.through) == ["sandlot.E001"]


@isolate_apps("clones.core")
def test_what_takes_keys_or_time_from_the_machine_is_reported() -> None:
    class Loose(Record):
        id = models.BigAutoField(primary_key=True)
        made = models.DateTimeField(auto_now_add=True)
        price = models.DecimalField(max_digits=16, decimal_places=2)

        class Meta:
            app_label = "core"

    assert codes(Loose) == ["sandlot.E003", "sandlot.E004", "sandlot.E005"]


@pytest.mark.parametrize("own", [True, False])
def test_a_foreign_key_that_begins_another_index_has_none_of_its_own(own: bool) -> None:
    with isolate_apps("clones.core"):

        class Parent(Record):
            id = models.BigIntegerField(primary_key=True)

            class Meta:
                app_label = "core"

        class Child(Record):
            id = models.BigIntegerField(primary_key=True)
            parent = models.ForeignKey(Parent, on_delete=models.CASCADE, db_index=own)
            kind = models.CharField(max_length=9)

            class Meta:
                app_label = "core"
                indexes = [models.Index(fields=["parent", "kind"], name="child_parent")]

        assert codes(Child) == (["sandlot.E006"] if own else [])
