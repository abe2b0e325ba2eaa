"""What the tests of boards share: addresses, and who may do what."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from clones.tracker.domain.numbering import next_id
from clones.tracker.models import (
    ChangeItem,
    Issue,
    PermissionGrant,
    PermissionScheme,
    Project,
)
from tests.tracker.conftest import Site

AGILE = "/rest/agile/1.0"
SOFTWARE = "/rest/software/1.0"
START, END = "2026-03-02T09:00:00.000Z", "2026-03-16T17:00:00.000+01:00"


def board_of(site: Site, key: str = "LAS") -> int:
    """Return the board of a space."""
    found: int = site.get(f"{AGILE}/board?projectKeyOrId={key}")["values"][0]["id"]
    return found


def sprint_on(site: Site, board: int, name: str = "Sprint 1", **fields: Any) -> int:
    """Create a sprint and return its id."""
    body = {"name": name, "originBoardId": board, **fields}
    found: int = site.post(f"{AGILE}/sprint", body)["id"]
    return found


def running_sprint(site: Site, board: int, name: str = "Sprint 1") -> int:
    """Create a sprint that runs."""
    sprint = sprint_on(site, board, name, startDate=START, endDate=END)
    site.post(f"{AGILE}/sprint/{sprint}", {"state": "active"}, status=200)
    return sprint


def withdraw(site: Site, permission: str, key: str = "LAS") -> None:
    """Take a permission in a space from everybody."""
    with site.writing():
        scheme = Project.objects.get(key=key).permission_scheme
        PermissionGrant.objects.filter(scheme=scheme, permission=permission).delete()


def own_scheme(site: Site, key: str) -> None:
    """Give a space a permission scheme of its own, a copy of what it has."""
    with site.writing():
        project = Project.objects.get(key=key)
        copy = PermissionScheme.objects.create(id=next_id(PermissionScheme), name=f"{key} only")
        for grant in PermissionGrant.objects.filter(scheme=project.permission_scheme):
            grant.id, grant.scheme = next_id(PermissionGrant), copy
            grant.save(force_insert=True)
        Project.objects.filter(key=key).update(permission_scheme=copy)


def keys(body: Any) -> list[str]:
    """Return the keys of a list of issues."""
    return [issue["key"] for issue in body["issues"]]


def history(site: Site, key: str) -> list[tuple[str, str | None, str | None]]:
    """Return what an issue's history tells: field, text before, text after, in its order."""
    with site.store():
        rows = ChangeItem.objects.filter(issue__key=key).order_by("created", "id")
        return list(rows.values_list("field", "old_string", "new_string"))


@contextmanager
def counted(site: Site) -> Iterator[list[str]]:
    """Note the statements of what is called inside."""
    found: list[str] = []

    def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        found.append(sql)
        return execute(sql, *rest)

    with site.store() as binding:
        binding.wrapper.execute_wrappers.append(note)
    yield found
    with site.store() as binding:
        binding.wrapper.execute_wrappers.remove(note)


def ranks(site: Site) -> dict[str, str]:
    """Return the ranks of all issues, by key."""
    with site.store():
        return dict(Issue.objects.values_list("key", "rank"))
