"""Factories of the tracker's models make rows on a site that is there."""

from __future__ import annotations

from typing import Any

import pytest

from clones.tracker.models import Issue
from seeds.factories import tracker as made_by
from seeds.factories.tracker import IssueFactory
from tests.tracker.conftest import Site, site, site_image, vouched

__all__ = ["Site", "site", "site_image", "vouched"]
NAMES = [name for name in vars(made_by) if name.endswith("Factory") and name[0] != "D"]


@pytest.mark.parametrize("name", NAMES)
def test_factory_makes_a_row(site: Site, name: str) -> None:
    factory: Any = getattr(made_by, name)
    with site.writing():
        row = factory()
        assert type(row)._default_manager.get(pk=row.pk).pk == row.pk


def test_an_issue_is_one_that_the_api_knows(site: Site) -> None:
    with site.writing():
        made = IssueFactory.create(summary="It hums")
        assert Issue.objects.get(key=made.key).project == made.project
    found = site.get(f"issue/{made.key}")
    assert found["fields"]["summary"] == "It hums"
    assert found["fields"]["status"]["statusCategory"]["key"] == "new"
