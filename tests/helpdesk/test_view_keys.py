"""Views by their keys, compiled by their conditions, are the views that their querysets give."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from clones.core.shapes import counted_keys
from clones.helpdesk.models import PRIORITIES, STATUSES, Ticket, User, View
from clones.helpdesk.queries import routing, views
from clones.helpdesk.queries.view_keys import view_counts, view_keys
from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes
from tests.helpdesk.conftest import Desk, image_after
from tests.helpdesk.test_rules import QUESTIONS, condition
from tests.sandbox_pool import SandboxPool

MORE = [
    condition("priority", "is", "current_user"),
    condition("requester_id", "is", "current_user"),
    condition("due_date", "less_than", "3"),
    condition("until_due_date", "less_than_equal", "5"),
    condition("until_due_date", "less_than", "50000000"),
    condition("reopens", "greater_than", "0"),
    condition("custom_fields_7", "is", "a"),
    condition("custom_fields_7", "not_present", ""),
    condition("comment_is_public", "is", "true"),
]


def stock(desk: Desk) -> None:
    """Write tickets of many kinds, some changed hours ago."""
    for number, status in enumerate(STATUSES[:4] * 3):
        desk.ticket(
            status=status,
            priority=PRIORITIES[number % 4] if number % 5 else None,
            type=("incident", None)[number % 2],
            tags=[("red", "blue")[number % 2]],
            subject=("A laser", "A printer")[number % 3 > 0],
            assignee_id=desk.ids[("ana", "ben")[number % 2]],
        )
        desk.advance(minutes=17)
    desk.ticket(requester_id=desk.ids["tom"], comment={"body": "hidden", "public": False})


@pytest.fixture(scope="session")
def stocked_image(sandboxes: Sandboxes, desk_image: Manifest) -> Manifest:
    """An image of a desk with those tickets."""
    return image_after(stock, "a-desk-with-views", desk_image, sandboxes)


@pytest.fixture
def stocked(sandbox_pool: SandboxPool, stocked_image: Manifest) -> Iterator[Desk]:
    """A bound desk with those tickets."""
    with sandbox_pool.borrow(stocked_image) as row:
        desk = Desk(row)
        with desk.bound():
            yield desk


def view_of(conditions: list[Any], **output: Any) -> View:
    return View(id=1, title="V", conditions={"all": conditions, "any": []}, output=output)


def check(view: View, actor: User, **sorting: Any) -> int:
    """Check keys and count of a view as an actor sees it, and return how many there are."""
    access = views.ViewAccess(actor)
    given = {"sort_by": None, "descending": None, **sorting}
    rows = views.view_tickets(view, actor, **given)
    keys = view_keys(view, access, **given)
    assert keys.count() == rows.count() == view_counts([view], access)[view.id]
    for start, end in ((0, 5), (5, 10)):
        assert keys.part(start, end) == list(counted_keys(rows)[start:end])
    return keys.count()


@pytest.mark.parametrize("item", [*QUESTIONS, *MORE], ids=lambda item: "-".join(item.values()))
def test_conditions_hold_for_the_same_tickets(stocked: Desk, item: Any) -> None:
    for name in ("ana", "ben", "olga", "ana"):
        check(view_of([item]), User.objects.get(id=stocked.ids[name]))


@pytest.mark.parametrize("column", [*views.COLUMNS, "no_such_column"])
def test_orders_are_the_same(stocked: Desk, column: str) -> None:
    ana = User.objects.get(id=stocked.ids["ana"])
    open_ones = [condition("status", "less_than", "solved")]
    for descending in (False, True):
        assert check(view_of(open_ones), ana, sort_by=column, descending=descending) > 10
    grouped = view_of(open_ones, group_by=column, group_order="desc", sort_by="updated")
    assert check(grouped, ana) > 10


def test_what_takes_tickets_away_is_asked_for_each_agent(stocked: Desk) -> None:
    view = view_of([condition("status", "less_than", "solved")])
    ana = User.objects.get(id=stocked.ids["ana"])
    everything = check(view, ana)
    ana.ticket_restriction = "assigned"
    assert 0 < check(view, ana) < everything
    ana.ticket_restriction = None
    assert check(view, ana) == everything


def test_changes_are_seen_at_once(stocked: Desk) -> None:
    view = view_of([condition("status", "is", "open"), condition("updated_at", "less_than", "1")])
    ana = User.objects.get(id=stocked.ids["ana"])
    before = check(view, ana)
    key = stocked.ticket(status="open")["id"]
    assert check(view, ana) == before + 1
    stocked.put(f"tickets/{key}.json", {"ticket": {"status": "pending"}})
    assert check(view, ana) == before
    stocked.ticket(status="open")
    stocked.advance(hours=2)
    assert check(view, ana) == 0, "the moment is the caller's own"
    assert Ticket.objects.filter(status="open").count() > before


def test_views_by_skills_leave_out_what_an_agent_lacks_skills_for(
    stocked: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = routing.account_routing()
    settings.skill_based_filtered_views = [1]
    monkeypatch.setattr(routing, "account_routing", lambda: settings)
    ana = User.objects.get(id=stocked.ids["ana"])
    view = view_of([condition("status", "less_than", "solved")])
    assert not views.ViewAccess(ana).sees_all_of(view)
    check(view, ana)
