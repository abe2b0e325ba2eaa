"""How many statements an answer takes does not grow with the rows in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.apps import apps
from django.db import models

from clones.core.accounts import session_cookie, start_session
from clones.core.models import Account
from clones.helpdesk.domain.article_feedback import vote_on_article
from clones.helpdesk.models import Article, User
from tests import tiers
from tests.helpdesk.conftest import Desk
from tests.project.paths import ROOT

MANY = 90
LISTS = """
tickets
tickets?include=users,groups,organizations,last_audits,metric_sets,slas
tickets?sort_by=updated_at&sort_order=desc
incremental/tickets/cursor?start_time=0
search?query=type:ticket
search/export?query=&filter[type]=ticket&page[size]=100
users
users?include=organizations,identities,groups
organizations
ticket_metrics
ticket_audits?page[size]=100
tags
views/{view}/tickets
views/{view}/execute
tickets/{ticket}/comments
tickets/{ticket}/comments?include=users
tickets/{ticket}/audits
users/{rosa}/tickets/requested
organizations/900/tickets
organizations/900/users
groups/{group}/users
problems
triggers
macros
"""
PAGES = """
/agent/filters/{view}
/agent/search/1?q=laser
/agent/tickets/{ticket}
/agent/users/{rosa}/requested_tickets
/agent/organizations/900
/agent/customers
/agent/dashboard
"""

OBJECTS = """
custom_objects
custom_objects/machine/fields
custom_objects/machine/records
custom_objects/machine/records?sort=-updated_at
custom_objects/machine/records/search?query=record
custom_objects/machine/records/autocomplete?name=record
/agent/custom-objects/machine/records
/agent/suggestions/records/machine?q=record
"""

ARTICLES = """
help_center/articles?include=users,sections,categories,translations
help_center/en-us/articles?page[size]=100
help_center/incremental/articles?start_time=0
help_center/articles/search?query=lens
help_center/sections?include=categories,translations
help_center/articles/labels
help_center/articles/{first}/votes?include=users,articles
help_center/articles/{first}/comments?include=users
help_center/users/{rosa}/comments?include=users
/hc/en-us
/hc/en-us/search?query=lens
/hc/en-us/sections/{place}
/hc/en-us/articles/{first}
/agent/tickets/{ticket}/knowledge?knowledge=lens
"""


def lines(table: str) -> list[str]:
    return table.strip().split("\n")


class Stocked:
    """A desk that holds a number of everything, ten or ninety."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        view = {
            "title": "All",
            "all": [{"field": "status", "operator": "less_than", "value": "closed"}],
        }
        self.names: dict[str, Any] = {
            **desk.ids,
            "view": desk.post("views.json", {"view": view}, by="olga")["view"]["id"],
            "group": desk.get("groups.json")["groups"][0]["id"],
            "ticket": desk.ticket(subject="Long talk about a laser")["id"],
        }
        with desk.writing():
            account = Account.objects.get(clone="helpdesk", subject=str(desk.ids["ana"]))
            cookie = session_cookie(start_session(account), desk.row)
        self.cookie = f"_helpdesk_session={cookie}"
        self.count = 0

    def fill(self, count: int) -> None:
        """Let there be so many of everything."""
        numbers = range(self.count, count)
        people = [
            {"name": f"Person {n}", "email": f"p{n}@acme.example", "organization_id": 900}
            for n in numbers
        ]
        self._done(
            self.desk.post("users/create_many.json", {"users": people}, by="olga", status=200)
        )
        self._many("organizations", [{"name": f"Firm {n}"} for n in numbers])
        tickets = [
            {
                "subject": f"A laser {n}",
                "requester_id": self.desk.ids["rosa"],
                "comment": {"body": f"Laser {n} hums."},
                "tags": [f"tag{n}"],
                "type": "problem",
                "priority": "high",
            }
            for n in numbers
        ]
        self._many("tickets", tickets)
        for n in numbers:
            said = {"ticket": {"comment": {"body": f"Word {n}."}}}
            self.desk.put(f"tickets/{self.names['ticket']}.json", said)
        for n in numbers:
            rule = {"title": f"Rule {n}", "actions": [{"field": "status", "value": "open"}]}
            self.desk.post("macros.json", {"macro": rule}, by="olga")
            when = [{"field": "current_tags", "operator": "includes", "value": f"never{n}"}]
            self.desk.post("triggers.json", {"trigger": {**rule, "all": when}}, by="olga")
        self.count = count
        self.desk.advance(minutes=5)

    def _many(self, kind: str, items: list[dict[str, Any]]) -> None:
        self._done(self.desk.post(f"{kind}/create_many.json", {kind: items}, by="olga", status=200))

    def _done(self, answer: Any) -> None:
        self.desk.drain()
        job = self.desk.get(f"job_statuses/{answer['job_status']['id']}.json", by="olga")
        assert job["job_status"]["status"] == "completed"

    def statements(self, address: str) -> int:
        """Return how many statements the answer to a GET takes."""
        path = address.format(**self.names)
        page = path.startswith("/")
        headers = {"Cookie": self.cookie} if page else {}
        with self._counted() as counted:
            answer = self.desk.call("GET", path, by=None if page else "olga", **headers)
        assert answer.status == 200, (path, answer.raw[:300])
        return len(counted)

    @contextmanager
    def _counted(self) -> Iterator[list[str]]:
        found: list[str] = []

        def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
            found.append(sql)
            return execute(sql, *rest)

        with self.desk.bound() as binding:
            binding.wrapper.execute_wrappers.append(note)
        yield found
        with self.desk.bound() as binding:
            binding.wrapper.execute_wrappers.remove(note)


@pytest.mark.slow
@tiers.in_turn_on_postgres
def test_answers_take_as_many_statements_for_ten_rows_as_for_ninety(desk: Desk) -> None:
    stocked, counts = Stocked(desk), dict[str, list[int]]()
    for number in (10, MANY):
        stocked.fill(number)
        for address in (*lines(LISTS), *lines(PAGES)):
            stocked.statements(address)  # once for what is made once
            counts.setdefault(address, []).append(stocked.statements(address))
    for address, found in counts.items():
        print(f"{address:70} {found}")
    assert {address: found for address, found in counts.items() if found[0] != found[1]} == {}
    assert all(found[0] > 2 for found in counts.values()), "they are counted"


def fill_objects(desk: Desk, first: int, last: int) -> None:
    """Let there be objects, and one with so many fields and records that refer to others."""
    path = "custom_objects/machine"
    for n in range(first, last):
        key = "machine" if n == 0 else f"thing_{n}"
        given: dict[str, Any] = {"key": key, "title": key, "title_pluralized": key}
        desk.post("custom_objects", {"custom_object": given}, by="olga")
        field: dict[str, Any] = {"key": f"f{n}", "title": f"Field {n}", "type": "text"}
        if n < 3:
            kinds = ("zen:user", "zen:organization", "zen:custom_object:machine")
            field |= {"type": "lookup", "relationship_target_type": kinds[n]}
        desk.post(f"{path}/fields", {"custom_object_field": field}, by="olga")
    for n in range(first, last):
        values = {"f0": str(desk.ids["ana"]), "f1": "900", "f5": f"Text {n}"}
        given = {"name": f"Record {n}", "custom_object_fields": values}
        made = desk.post(f"{path}/records", {"custom_object_record": given})
        key = made["custom_object_record"]["id"]
        body = {"custom_object_record": {"custom_object_fields": {"f2": key}}}
        assert desk.call("PATCH", f"{path}/records/{key}", body).status == 200


def test_objects_and_records_take_as_many_statements_for_six_as_for_twenty(desk: Desk) -> None:
    stocked, counts = Stocked(desk), dict[str, list[int]]()
    for first, last in ((0, 6), (6, 20)):
        fill_objects(desk, first, last)
        for address in lines(OBJECTS):
            stocked.statements(address)
            counts.setdefault(address, []).append(stocked.statements(address))
    assert {address: found for address, found in counts.items() if found[0] != found[1]} == {}
    assert all(found[0] > 2 for found in counts.values()), "they are counted"


def fill_articles(stocked: Stocked, first: int, last: int) -> None:
    """Let there be so many sections, articles, labels, votes and comments."""
    desk, root = stocked.desk, "help_center"
    if first == 0:
        made = desk.post(f"{root}/categories", {"category": {"name": "All"}}, by="olga")
        stocked.names["all"] = made["category"]["id"]
        sections = f"{root}/categories/{made['category']['id']}/sections"
        place = desk.post(sections, {"section": {"name": "Lenses"}}, by="olga")["section"]["id"]
        stocked.names["place"] = place
    sections = f"{root}/categories/{stocked.names['all']}/sections"
    people = {"users": [{"name": f"Reader {n}"} for n in range(first, last)]}
    desk.post("users/create_many.json", people, by="olga", status=200)
    desk.drain()
    for n in range(first, last):
        given = {"title": f"Lens {n}", "label_names": [f"label {n}", "lens"], "promoted": True}
        place = stocked.names["place"]
        path = f"{root}/sections/{place}/articles"
        key = desk.post(path, {"article": given}, by="olga")["article"]["id"]
        stocked.names.setdefault("first", key)
        inner = desk.post(sections, {"section": {"name": f"Section {n}"}}, by="olga")["section"]
        other = f"{root}/sections/{inner['id']}/articles"
        desk.post(other, {"article": {"title": f"Other {n}"}}, by="olga")
        said = {"comment": {"body": f"Comment {n}"}}
        one = f"{root}/articles/{stocked.names['first']}"
        desk.post(f"{one}/comments", said, by="rosa")
        with desk.writing():
            reader = User.objects.get(name=f"Reader {n}")
            article = Article.objects.get(id=stocked.names["first"])
            vote_on_article(article, actor=reader, value=1)
    desk.advance(minutes=5)


def test_articles_take_as_many_statements_for_three_as_for_nine(desk: Desk) -> None:
    stocked, counts = Stocked(desk), dict[str, list[int]]()
    for first, last in ((0, 3), (3, 9)):
        fill_articles(stocked, first, last)
        for address in lines(ARTICLES):
            stocked.statements(address)
            counts.setdefault(address, []).append(stocked.statements(address))
    assert {address: found for address, found in counts.items() if found[0] != found[1]} == {}
    assert all(found[0] > 2 for found in counts.values()), "they are counted"


def test_the_page_on_performance_explains_every_index() -> None:
    page = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    told = {
        name: tuple(columns.split(", "))
        for name, columns in re.findall(r"^\| `(\w+)` \| ([\w, ]+) \|", page, re.MULTILINE)
    }
    known = {
        index.name: tuple(index.fields)
        for model in apps.get_app_config("helpdesk").get_models()
        for index in (*model._meta.indexes, *model._meta.constraints)
        if isinstance(index, models.Index | models.UniqueConstraint)
    }
    assert told == known
