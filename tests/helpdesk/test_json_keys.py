"""Rows are found by a key of their JSON in every kind of statement, on every engine."""

from __future__ import annotations

from django.db.models import Count

from clones.helpdesk.domain import bulk
from clones.helpdesk.models import JobStatus, Ticket, User
from tests.helpdesk.conftest import Desk


def test_rows_are_changed_counted_and_deleted_by_a_key_of_their_json(desk: Desk) -> None:
    desk.ticket()
    desk.ticket()
    with desk.writing():
        by_api = Ticket.objects.filter(via__channel="api")
        assert by_api.update(subject="Seen") == 2
        assert by_api.filter(subject="Seen").aggregate(n=Count("id"))["n"] == 2
        assert Ticket.objects.filter(via__channel="web").update(subject="Not") == 0
        olga = User.objects.get(id=desk.ids["olga"])
        for kind in ("update_users", "delete_users"):
            bulk.start_job(kind, [], actor=olga, client=None)
        JobStatus.objects.filter(work__kind="delete_users").delete()
        assert [job.work["kind"] for job in JobStatus.objects.all()] == ["update_users"]
