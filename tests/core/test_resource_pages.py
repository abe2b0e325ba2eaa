"""Pages of resources: what their forms ask of the fields, and what of it the domain gets."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict

from clones.core.models import Account
from clones.core.resources import Resource, ResourceField
from clones.core.web.inputs import Input, PageForm
from clones.core.web.resource_pages import AskedField, ResourcePages

FIELDS = (
    ResourceField("id", "id"),
    ResourceField("login", limit=3, required=True, label="Sign-in name"),
    ResourceField("subject", "text", key="accountSubject"),
    ResourceField("role", choices=("agent", "end_user"), required=True),
    ResourceField("active", "flag"),
)
OF_RECORDS = (ResourceField("team", "record"), ResourceField("teams", "records"))


class People(ResourcePages[Account]):
    """Pages of people."""

    resource = Resource(Account, "person", FIELDS)

    def new(self) -> Account:
        return Account(role="agent", active=True)


class Teams(ResourcePages[Account]):
    """Pages whose fields are other records."""

    resource = Resource(Account, "person", OF_RECORDS)

    def value(self, field: ResourceField, found: Account | None) -> Any:
        return {"team": 2, "teams": [1, 3]}[field.name]

    def choices(self, field: ResourceField, found: Account | None) -> list[tuple[object, str]]:
        return [(1, "One"), (2, "Two"), (3, "Three")]


def sent(pages: ResourcePages[Account], query: str, found: Account | None = None) -> Any:
    """Return what the domain gets of a form that was sent."""
    return pages.values(PageForm(pages.inputs(found), QueryDict(query)), found)


def inputs_of(pages: ResourcePages[Account], found: Account | None = None) -> list[tuple[str, ...]]:
    """Return the names, labels and shapes of a form's inputs."""
    return [(one.name, str(one.label), one.shape) for one in pages.inputs(found)]


def test_the_fields_say_what_is_asked() -> None:
    assert inputs_of(People()) == [
        ("login", "Sign-in name", "line"),
        ("accountSubject", "Subject", "area"),
        ("role", "Role", "select"),
        ("active", "Active", "check"),
    ]
    assert [one.is_marked for one in People().inputs(None)] == [True, False, True, False]


def test_inputs_begin_with_what_the_record_has_or_a_new_one() -> None:
    found = Account(login="ada", subject="7", role="end_user", active=False)
    form = PageForm(People().inputs(found))
    assert [one.value() for one in form] == ["ada", "7", "end_user", ""]
    form = PageForm(People().inputs(None))
    assert [one.value() for one in form][2:] == ["agent", "on"]
    assert [(one.value, one.label, one.chosen) for one in form["role"].choices] == [
        ("agent", "Agent", True),
        ("end_user", "End user", False),
    ]


def test_what_is_sent_comes_by_the_names_of_the_domain() -> None:
    assert sent(People(), "login=ada&accountSubject=7&role=agent&active=on&else=1") == {
        "login": "ada",
        "subject": "7",
        "role": "agent",
        "active": True,
    }
    assert sent(People(), "") == {"login": "", "subject": "", "role": "", "active": False}


def test_records_are_chosen_and_come_as_ids() -> None:
    form = PageForm(Teams().inputs(None))
    assert [one.value for one in form["team"].choices if one.chosen] == ["2"]
    assert [one.value for one in form["teams"].choices if one.chosen] == ["1", "3"]
    assert sent(Teams(), "team=3&teams=1&teams=x&teams=2") == {"team": 3, "teams": [1, 2]}
    assert sent(Teams(), "team=none") == {"team": None, "teams": []}


def test_a_page_says_which_fields_how_and_of_whom() -> None:
    class Few(People):
        asks = (
            AskedField("role", of="new"),
            AskedField("role", "static", of="old"),
            AskedField("login", "area", hint="As on the door.", none="Nobody"),
        )

    assert inputs_of(Few()) == [("role", "Role", "select"), ("login", "Sign-in name", "area")]
    login = Few().inputs(None)[1]
    assert (login.help_text, login.none) == ("As on the door.", "Nobody")


def test_what_is_not_asked_is_not_taken() -> None:
    class Fixed(People):
        asks = (AskedField("role", "area", of="new"), AskedField("login"))

    assert sent(Fixed(), "role=admin&login=ben") == {"role": "admin", "login": "ben"}
    assert sent(Fixed(), "role=admin&login=ben", Account(login="ada")) == {"login": "ben"}


def test_what_is_only_said_is_not_marked_and_not_taken() -> None:
    class WriteResult(People):
        asks = (AskedField("role", "static"), AskedField("login"))

        def make_input(self, name: str, label: str, shape: str, value: str, **rest: Any) -> Input:
            shape = "line" if shape == "static" else shape
            return super().make_input(name, label, shape, value, **rest)

    role, login = WriteResult().inputs(Account(role="agent"))
    assert (role.initial, role.is_marked, login.is_marked) == ("agent", False, True)
    assert sent(WriteResult(), "role=admin&login=ben") == {"login": "ben"}


def test_a_field_that_is_not_there_is_refused() -> None:
    class Wrong(People):
        asks = (AskedField("nickname"),)

    with pytest.raises(KeyError, match="nickname"):
        Wrong().inputs(None)
