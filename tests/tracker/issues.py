"""What tests about issues share: bodies, documents, histories, and rows that no API makes here."""

from __future__ import annotations

from typing import Any

from clones.core import clock
from clones.tracker.domain.numbering import next_id
from clones.tracker.models import (
    Component,
    CustomField,
    FieldConfigurationItem,
    FieldContext,
    FieldOption,
    PermissionGrant,
    Project,
    Screen,
    ScreenTab,
    ScreenTabField,
    Version,
)
from clones.tracker.queries.fields import Layouts
from tests.tracker.conftest import Site

JIRA = "com.atlassian.jira.plugin.system.customfieldtypes:"
NOT_THERE = "Field '{}' cannot be set. It is not on the appropriate screen, or unknown."


def doc(text: str) -> dict[str, Any]:
    """Return a document of one paragraph."""
    words = {"type": "text", "text": text}
    return {"type": "doc", "version": 1, "content": [{"type": "paragraph", "content": [words]}]}


def body(**given: Any) -> dict[str, Any]:
    """Return what makes a task in LAS; None takes a field away."""
    base = {"project": {"key": "LAS"}, "issuetype": {"name": "Task"}, "summary": "It stops"}
    return {"fields": {id: value for id, value in (base | given).items() if value is not None}}


def refused(site: Site, method: str, path: str, sent: Any, *, by: str = "ada") -> Any:
    """Return the sentences, by field, of a request that must answer 400."""
    answer = site.call(method, path, sent, by=by)
    assert answer.status == 400, answer.body
    assert set(answer.body) == {"errorMessages", "errors"}
    return answer.body["errors"] or answer.body["errorMessages"]


def last_changes(site: Site, issue: str) -> list[tuple[Any, ...]]:
    """Return the items of the latest entry of an issue's history."""
    entries = site.get(f"issue/{issue}/changelog")["values"]
    items = entries[-1]["items"] if entries else []
    return [
        (item["field"], item["from"], item["fromString"], item["to"], item["toString"])
        for item in items
    ]


def add_component(site: Site, name: str, **columns: Any) -> str:
    """Add a component to LAS and return its id."""
    with site.writing():
        project = Project.objects.get(key="LAS")
        row = Component(id=next_id(Component), project=project, name=name, **columns)
        row.save()
        return str(row.id)


def add_version(site: Site, name: str, *, archived: bool = False) -> str:
    """Add a version to LAS and return its id."""
    with site.writing():
        project = Project.objects.get(key="LAS")
        place = Version.objects.filter(project=project).count()
        row = Version(
            id=next_id(Version), project=project, name=name, archived=archived, position=place
        )
        row.save()
        return str(row.id)


def add_field(
    site: Site, kind: str, name: str, *options: str, default: Any = None
) -> tuple[str, list[str]]:
    """Add a custom field to all screens of tasks in LAS; return its id and its options' ids.

    An option `a/b` is b, below the option a.
    """
    with site.writing():
        key = kind if ":" in kind else JIRA + kind
        field = CustomField(id=next_id(CustomField), name=name, type=key, created=clock.now())
        field.save()
        context = FieldContext(
            id=next_id(FieldContext), field=field, name="Everywhere", default=default
        )
        context.save()
        made: dict[str, FieldOption] = {}
        for place, text in enumerate(options):
            above, _, value = text.rpartition("/")
            option = FieldOption(
                id=next_id(FieldOption),
                context=context,
                parent=made.get(above),
                value=value,
                position=place,
            )
            option.save()
            made[value] = option
        place_field(field.key)
        return field.key, [str(option.id) for option in made.values()]


def place_field(id: str) -> None:
    """Put a field at the end of each screen of LAS."""
    project = Project.objects.get(key="LAS")
    layouts = Layouts([project])
    kinds = [place.issue_type for place in project.issue_type_scheme.items.all()]
    screens = {layouts.screen(project, kind, "create") or 0 for kind in kinds}
    screens |= {layouts.screen(project, kind, "edit") or 0 for kind in kinds}
    for screen in Screen.objects.filter(id__in=screens):
        tab = ScreenTab.objects.filter(screen=screen).order_by("position").first()
        assert tab is not None
        if ScreenTabField.objects.filter(tab__screen=screen, field=id).exists():
            continue
        row = ScreenTabField(id=next_id(ScreenTabField), tab=tab, field=id, position=900)
        row.save()


def take_off_screens(site: Site, id: str) -> None:
    """Take a field off all screens."""
    with site.writing():
        ScreenTabField.objects.filter(field=id).delete()


def configure(site: Site, id: str, **columns: bool) -> None:
    """Say of a field, in the configuration of tasks in LAS, that it is hidden or required."""
    with site.writing():
        project = Project.objects.get(key="LAS")
        kind = project.issue_type_scheme.items.select_related("issue_type").first()
        assert kind is not None
        configuration = Layouts([project]).configuration(project, kind.issue_type)
        assert configuration is not None
        found = FieldConfigurationItem.objects.filter(configuration=configuration, field=id).first()
        row = found or FieldConfigurationItem(
            id=next_id(FieldConfigurationItem), configuration_id=configuration, field=id
        )
        for name, value in columns.items():
            setattr(row, name, value)
        row.save()


def withdraw(site: Site, permission: str) -> None:
    """Take a permission from everybody in LAS."""
    with site.writing():
        scheme = Project.objects.get(key="LAS").permission_scheme
        PermissionGrant.objects.filter(scheme=scheme, permission=permission).delete()
