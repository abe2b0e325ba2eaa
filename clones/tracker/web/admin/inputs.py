"""Inputs that many forms of the administration have, and what can be chosen in them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from django.db.models import QuerySet

from clones.tracker.models import Group, Issue, IssueType, Project, ProjectRole, User
from clones.tracker.web.parts.choices import Choice
from clones.tracker.web.settings.forms import Input, chosen
from clones.tracker.web.vocabulary import words

PEOPLE: Final = 500
HAS: Final = ("has", "have")
IS: Final = ("is", "are")
Pairs = Iterable[tuple[object, str]]


def line(
    name: str, label: str, value: str = "", *, required: bool = False, hint: str = ""
) -> Input:
    """Return an input of one line."""
    return Input(name, label, "line", value, required=required, hint=hint)


def area(
    name: str, label: str, value: str = "", *, required: bool = False, hint: str = ""
) -> Input:
    """Return an input of several lines."""
    return Input(name, label, "area", value, required=required, hint=hint)


def check(name: str, label: str, *, on: bool = False, hint: str = "") -> Input:
    """Return a check box."""
    return Input(name, label, "check", "on" if on else "", hint=hint)


def select(
    name: str,
    label: str,
    pairs: Pairs,
    now: object = None,
    *,
    required: bool = False,
    none: str = "",
    hint: str = "",
) -> Input:
    """Return a list from which one is chosen; `none` is what no choice is called."""
    choices = chosen(pairs, () if now is None else (now,))
    return Input(name, label, "select", choices=choices, required=required, none=none, hint=hint)


def grouped(
    name: str,
    label: str,
    groups: Iterable[tuple[str, Pairs]],
    now: object = None,
    *,
    none: str = "",
    required: bool = False,
    hint: str = "",
) -> Input:
    """Return a list, in groups, from which one is chosen."""
    choices = [
        Choice(str(value), text, str(value) == str(now), group)
        for group, pairs in groups
        for value, text in pairs
    ]
    return Input(name, label, "select", choices=choices, none=none, required=required, hint=hint)


def checks(
    name: str, label: str, pairs: Pairs, now: Collection[object] = (), *, hint: str = ""
) -> Input:
    """Return check boxes of which several may be ticked."""
    return Input(name, label, "checks", choices=chosen(pairs, now), hint=hint)


def multiple(
    name: str, label: str, pairs: Pairs, now: Collection[object] = (), *, hint: str = ""
) -> Input:
    """Return a list from which several may be chosen."""
    return Input(name, label, "multiple", choices=chosen(pairs, now), hint=hint)


def named(name: str = "", about: str = "", *, hint: str = "") -> list[Input]:
    """Return the inputs of a name and a description."""
    return [
        line("name", "Name", name, required=True, hint=hint),
        area("description", "Description", about),
    ]


def site_types() -> list[tuple[int, str]]:
    """Return the types of the site, by name."""
    rows = IssueType.objects.filter(project=None).order_by("name", "id")
    return list(rows.values_list("id", "name"))


def classic_spaces() -> list[tuple[int, str]]:
    """Return the company-managed spaces that are not in the trash, by name."""
    rows = Project.objects.filter(style="classic", deleted_at=None).order_by("name", "id")
    return [(one.id, f"{one.name} ({one.key})") for one in rows]


def all_spaces() -> list[tuple[int, str]]:
    """Return the spaces that are not in the trash, by name."""
    rows = Project.objects.filter(deleted_at=None).order_by("name", "id")
    return [(one.id, f"{one.name} ({one.key})") for one in rows]


def people(*, apps: bool = False) -> list[tuple[str, str]]:
    """Return active people by name, with their account ids."""
    kinds = ("atlassian", "app") if apps else ("atlassian",)
    rows = User.objects.filter(active=True, account_type__in=kinds)
    found = rows.order_by("display_name", "id").values_list("account_id", "display_name")
    return list(found[:PEOPLE])


def groups() -> list[tuple[str, str]]:
    """Return groups by name, with their ids in the API."""
    return list(Group.objects.order_by("name", "id").values_list("uuid", "name"))


def roles() -> list[tuple[int, str]]:
    """Return the roles of spaces by name."""
    return list(ProjectRole.objects.order_by("name", "id").values_list("id", "name"))


def counted(rows: QuerySet[Issue], verb: tuple[str, str], what: str) -> str:
    """Return a sentence on how many work items something is true of, archived ones too."""
    number, used = rows.count(), words()
    one, many = verb
    if number == 1:
        return f"{number:,} {used.item} {one} {what}"
    return f"{number:,} {used.items} {many} {what}"
