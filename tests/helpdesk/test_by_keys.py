"""Rows by their keys are the rows that querysets give, in the order of the keys."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from clones.core.lookups import key_list
from clones.helpdesk.models import Group, Ticket, TicketMetric, User
from clones.helpdesk.queries import by_keys
from tests.helpdesk.conftest import Desk


def columns(row: Any) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_tickets_come_in_the_order_of_their_keys(desk: Desk) -> None:
    made = [
        desk.ticket(subject="Ünder {water}", tags=["a", "b"])["id"],
        desk.ticket(type="problem", priority="high")["id"],
        desk.ticket(comment={"body": "Hush", "public": False})["id"],
    ]
    wanted = [made[2], 10**17, made[0], made[1]]
    with desk.bound():
        for keys in (wanted, wanted[::-1], made[:1], [10**17], []):
            with CaptureQueriesContext(connection) as asked:
                found = by_keys.tickets_by_keys(keys)
            assert len(asked.captured_queries) == 1
            plain = Ticket.objects.in_bulk(keys)
            known = [key for key in keys if key in plain]
            assert [columns(row) for row in found] == [columns(plain[key]) for key in known]
            assert [row.loaded_columns for row in found] == [
                plain[key].loaded_columns for key in known
            ]


def test_names_measures_and_what_else_tickets_refer_to(desk: Desk) -> None:
    problem = desk.ticket(type="problem")["id"]
    other = desk.ticket(type="problem")["id"]
    incident = desk.ticket(type="incident", problem_id=problem)["id"]
    gone = desk.ticket(type="incident", problem_id=other)["id"]
    desk.call("DELETE", f"/api/v2/tickets/{gone}.json", by="olga")
    with desk.writing():
        Ticket.objects.filter(id=other).update(status="closed")
    later = desk.ticket(via_followup_source_id=other)["id"]
    with desk.bound():
        people = dict(User.objects.values_list("id", "name"))
        assert by_keys.names_of(User, [*people, None, 5]) == people
        assert by_keys.names_of(Group, []) == {}
        assert by_keys.with_incidents([problem, other, incident]) == {problem}
        assert by_keys.followups_of([problem, other]) == {other: [later]}
        metrics = by_keys.metrics_of([incident, problem])
        plain = TicketMetric.objects.filter(ticket__in=[incident, problem])
        assert {key: columns(row) for key, row in metrics.items()} == {
            row.ticket_id: columns(row) for row in plain
        }
        assert by_keys.ratings_of([incident]) == {}


def test_keys_that_are_one_parameter_find_what_a_list_finds(desk: Desk) -> None:
    made = [desk.ticket()["id"] for _ in range(3)]
    with desk.bound():
        for keys in ([], made[:1], made[::-1], [*made, made[0], None], [-1, 0, 2**63 - 1]):
            among = set(Ticket.objects.filter(id__in_csv=key_list(keys)).values_list("id"))
            plain = [key for key in keys if key is not None]
            assert among == set(Ticket.objects.filter(id__in=plain).values_list("id"))
            asked = TicketMetric.objects.filter(ticket_id__in_csv=key_list(keys))
            assert set(asked.values_list("ticket_id", flat=True)) == {key for (key,) in among}


def test_counting_tickets_that_are_not_deleted_reads_an_index_alone(desk: Desk) -> None:
    with desk.bound() as binding:
        if binding.wrapper.vendor != "sqlite":
            # PostgreSQL chooses by the size of a table; that the index is there is all it needs.
            names = connection.introspection.get_constraints(
                connection.cursor(), Ticket._meta.db_table
            )
            assert names["helpdesk_ticket_live"]["index"]
            return
        live = Ticket.objects.filter(deleted_at=None).order_by("id").values_list("id")
        for statement in ("SELECT COUNT(*) FROM ({}) AS live", "{} LIMIT 100 OFFSET 9000"):
            plan = str(
                connection.cursor()
                .execute("EXPLAIN QUERY PLAN " + statement.format(live.query))
                .fetchall()
            )
            assert "USING INDEX helpdesk_ticket_live" in plan, plan
