"""What the site calls things: where it keeps the older words, the administration has them too."""

from __future__ import annotations

import re

import pytest
from django.apps import apps

from clones.tracker.domain.settings import set_setting
from clones.tracker.models import ProjectRole
from clones.tracker.web.admin.navigation import AREAS, address_of, label_of
from clones.tracker.web.vocabulary import NEW, OLD, said
from tests.tracker.site import Site
from tests.tracker.web.conftest import visitor

NEWER = re.compile(r"\b(?:work items?|work types?|spaces?)\b", re.IGNORECASE)
PLACES = [
    place.address
    for area in AREAS
    for group in area.groups
    for place in group.places
    if place.key != "automation"  # its page is not of the administration's own
]
FORMS = (
    f"{address_of('categories')}/add",
    f"{address_of('roles')}/add",
    f"{address_of('types')}/add",
    f"{address_of('type-schemes')}/add",
    f"{address_of('type-screens')}/add",
    f"{address_of('security-schemes')}/add",
    f"{address_of('permission-schemes')}/0",
    "/jira/projects",
    "/jira/create-project",
    "/jira/software/c/projects/LAS/settings/details",
)


@pytest.mark.parametrize(
    ("text", "older"),
    [
        ("Make a work item in a space.", "Make an issue in a project."),
        ("A work type of all Spaces", "An issue type of all Projects"),
        ("Work items: 3", "Issues: 3"),
        ("Workspace, spacecraft", "Workspace, spacecraft"),
        ("Separate labels with spaces.", "Separate labels with spaces."),
    ],
)
def test_texts_are_put_into_the_words_of_the_site(text: str, older: str) -> None:
    assert said(text, OLD) == older
    assert said(text, NEW) == text


def test_the_administration_has_the_words_of_the_site(site: Site) -> None:
    ada = visitor(site)
    assert "Space roles" in ada.get(address_of("roles")).text
    with site.writing():
        set_setting("vocabulary", "project")
        for model in apps.get_app_config("tracker").get_models():
            if any(one.name == "description" for one in model._meta.fields):
                model._default_manager.update(description="")  # they are somebody's, not the page's
    wrong: list[tuple[str, str]] = []
    for address in (*PLACES, *FORMS):
        found = list(NEWER.finditer(ada.get(address).text))
        wrong += [(address, one.string[max(one.start() - 30, 0) : one.end() + 20]) for one in found]
    assert wrong == []
    assert label_of("roles") == "Space roles"
    assert "Project roles" in ada.get(address_of("roles")).text


def test_what_people_wrote_keeps_its_words(site: Site) -> None:
    with site.writing():
        set_setting("vocabulary", "project")
        ProjectRole.objects.filter(name="Administrators").update(name="Space keepers")
    ada = visitor(site)
    assert "Space keepers" in ada.get(address_of("roles")).main
    with site.store():
        key = ProjectRole.objects.get(name="Space keepers").id
    page = ada.get(f"{address_of('roles')}/{key}/delete")
    assert "Delete project role: Space keepers" in page.main
