"""Custom fields with contexts, options and defaults; field configurations and their schemes."""

from __future__ import annotations

from typing import Any

import pytest

from clones.tracker.rules.field_catalogue import PREFIX
from clones.tracker.web.admin.navigation import address_of
from tests.tracker.site import Site
from tests.tracker.web.admin import audited, fill, name_of, refused
from tests.tracker.web.conftest import Visit, visitor

FIELDS = address_of("fields")
CONFIGURATIONS = address_of("field-configurations")
SCHEMES = address_of("field-schemes")


def made(ada: Visit, kind: str, name: str = "Beam") -> str:
    """Make a field and return the address of its page."""
    return fill(ada, f"{FIELDS}/create", type=f"{PREFIX}{kind}", name=name).location


def number_of(at: str) -> str:
    return at.removeprefix(f"{FIELDS}/")


def contexts(site: Site, at: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = site.get(f"field/customfield_{number_of(at)}/context")["values"]
    return found


def options(site: Site, at: str, context: str) -> list[dict[str, Any]]:
    path = f"field/customfield_{number_of(at)}/context/{context}/option"
    found: list[dict[str, Any]] = site.get(path)["values"]
    return found


def test_a_field_is_made_searched_changed_and_put_on_screens(site: Site) -> None:
    ada = visitor(site)
    page = refused(ada, f"{FIELDS}/create", name="Beam")
    assert page.said == ["The custom field type '' was not found."]
    at = made(ada, "textfield")
    found = name_of(site.get("field/search?query=Beam")["values"], "Beam")
    assert found["schema"]["custom"] == f"{PREFIX}textfield"
    assert "Beam" in ada.get(FIELDS, query="beam", type=f"{PREFIX}textfield").main
    assert "Beam" not in ada.get(FIELDS, type=f"{PREFIX}float").main
    fill(ada, f"{at}/edit", name="Beam width", description="In mm.", searcherKey="")
    found = name_of(site.get("field/search?query=Beam")["values"], "Beam width")
    assert (found["description"], found.get("searcherKey")) == ("In mm.", None)
    screen = site.get("screens")["values"][0]
    fill(ada, f"{at}/screens", screens=[str(screen["id"])])
    shown = site.get(f"field/{found['id']}/screens")["values"]
    assert [one["id"] for one in shown] == [screen["id"]]
    assert screen["name"] in ada.get(at).main
    fill(ada, f"{at}/screens", screens=[])
    assert site.get(f"field/{found['id']}/screens")["values"] == []


def test_a_field_goes_to_the_trash_comes_back_and_goes_for_good(site: Site) -> None:
    ada = visitor(site)
    at = made(ada, "textfield")
    fill(ada, f"{at}/trash")
    ada.get(at, status=404)
    page = ada.get(FIELDS, tab="trash")
    assert "Beam" in page.main
    assert "Ada Brandt" in page.main
    ada.post(f"{at}/restore")
    assert "Beam" in ada.get(FIELDS, query="Beam").main
    ada.get(f"{at}/delete", status=404)
    fill(ada, f"{at}/trash")
    fill(ada, f"{at}/delete")
    site.advance()
    assert site.get("field/search/trashed")["values"] == []
    locked = name_of(site.get("field/search?query=Rank")["values"], "Rank")["id"]
    page = refused(ada, f"{FIELDS}/{locked.removeprefix('customfield_')}/trash")
    assert page.said == ["The custom field is locked."]


def test_options_are_added_put_in_order_disabled_and_deleted(site: Site) -> None:
    ada = visitor(site)
    at = made(ada, "select")
    (context,) = contexts(site, at)
    here = f"{at}/contexts/{context['id']}"
    fill(ada, f"{here}/options/add", values="Red\nGreen\n\nBlue")
    page = refused(ada, f"{here}/options/add", values="red")
    assert page.said == ["The option 'red' already exists."]
    ids = {one["value"]: one["id"] for one in options(site, at, context["id"])}
    assert list(ids) == ["Red", "Green", "Blue"]
    ada.post(f"{here}/options/{ids['Blue']}/move", {"way": "up"})
    ada.post(f"{here}/options/{ids['Red']}/switch", {"disabled": "1"})
    fill(ada, f"{here}/options/{ids['Green']}/edit", value="Lime")
    found = [(one["value"], one["disabled"]) for one in options(site, at, context["id"])]
    assert found == [("Red", True), ("Blue", False), ("Lime", False)]
    fill(ada, f"{here}/default", optionId=ids["Blue"])
    assert "Blue" in ada.get(here).main
    path = f"field/customfield_{number_of(at)}/context/defaultValue"
    assert site.get(path)["values"][0]["optionId"] == ids["Blue"]
    fill(ada, f"{here}/options/{ids['Blue']}/delete")
    assert site.get(path)["values"] == []
    assert len(options(site, at, context["id"])) == 2


def test_cascading_options_stand_below_others(site: Site) -> None:
    ada = visitor(site)
    at = made(ada, "cascadingselect")
    (context,) = contexts(site, at)
    here = f"{at}/contexts/{context['id']}"
    fill(ada, f"{here}/options/add", values="Red")
    red = options(site, at, context["id"])[0]["id"]
    fill(ada, f"{here}/options/add", values="Ruby\nRose", parent=red)
    found = {one["value"]: one.get("optionId") for one in options(site, at, context["id"])}
    assert found == {"Red": None, "Ruby": red, "Rose": red}
    page = refused(ada, f"{here}/options/{red}/delete")
    assert "Delete the cascading options before the option." in page.said[0]


def test_contexts_say_where_a_field_is(site: Site) -> None:
    ada = visitor(site)
    at = made(ada, "textfield")
    las, ops = site.get("project/LAS")["id"], site.get("project/OPS")["id"]
    bug = name_of(site.get("issuetype"), "Bug")["id"]
    page = refused(ada, f"{at}/contexts/add", name="Twice")
    assert page.said == ["A custom field can have only one global context."]
    fill(ada, f"{at}/contexts/add", name="Lasers", projects=[las], types=[bug])
    mine = name_of(contexts(site, at), "Lasers")
    assert (mine["isGlobalContext"], mine["isAnyIssueType"]) == (False, False)
    here = f"{at}/contexts/{mine['id']}"
    fill(ada, f"{here}/edit", name="Operations", projects=[ops], types=[])
    mine = name_of(contexts(site, at), "Operations")
    assert mine["isAnyIssueType"] is True
    mapping = site.get(f"field/customfield_{number_of(at)}/context/projectmapping")["values"]
    assert {one["projectId"] for one in mapping if one["contextId"] == mine["id"]} == {ops}
    fill(ada, f"{here}/default", text="1 mm")
    assert "1 mm" in ada.get(at).main
    fill(ada, f"{here}/default", text="")
    fill(ada, f"{here}/delete")
    assert len(contexts(site, at)) == 1


@pytest.mark.parametrize(
    ("kind", "typed", "kept"),
    [
        ("float", {"number": "2.5"}, {"number": 2.5}),
        ("datepicker", {"date": "2026-06-20"}, {"date": "2026-06-20"}),
        ("datetime", {"useCurrent": "on"}, {"useCurrent": True}),
        ("labels", {"labels": "hot cold"}, {"labels": ["hot", "cold"]}),
        ("textarea", {"text": "Say why."}, {"text": "Say why."}),
        ("url", {"url": "https://x.example"}, {"url": "https://x.example"}),
        ("userpicker", {"accountId": "dev"}, {"accountId": "dev"}),
        ("multiuserpicker", {"accountIds": ["dev", "ada"]}, {"accountIds": ["dev", "ada"]}),
    ],
)
def test_fields_begin_with_what_their_context_says(
    site: Site, kind: str, typed: dict[str, Any], kept: dict[str, Any]
) -> None:
    ada = visitor(site)
    at = made(ada, kind)
    (context,) = contexts(site, at)
    fill(ada, f"{at}/contexts/{context['id']}/default", **_named(site, typed))
    (found,) = site.get(f"field/customfield_{number_of(at)}/context/defaultValue")["values"]
    wanted = _named(site, kept)
    if "accountIds" in wanted:  # in the order of the list from which they were chosen
        found["accountIds"], wanted["accountIds"] = (
            sorted(found["accountIds"]), sorted(wanted["accountIds"]),
        )  # fmt: skip
    assert {name: found[name] for name in wanted} == wanted


def test_a_default_is_a_moment_or_the_current_time(site: Site) -> None:
    """What is typed beside the tick is not dropped in silence."""
    ada = visitor(site)
    at = made(ada, "datepicker")
    (context,) = contexts(site, at)
    path = f"{at}/contexts/{context['id']}/default"
    page = refused(ada, path, date="2026-06-20", useCurrent="on")
    assert "Type a default or use the current time, not both." in page.said
    field = f"field/customfield_{number_of(at)}"
    assert site.get(f"{field}/context/defaultValue")["values"] == []
    fill(ada, path, useCurrent="on")
    assert site.get(f"{field}/context/defaultValue")["values"][0]["useCurrent"] is True


def _named(site: Site, values: dict[str, Any]) -> dict[str, Any]:
    """Return values with the account ids of the people that they name."""
    named = dict(values)
    if "accountId" in named:
        named["accountId"] = site.ids[named["accountId"]]
    if "accountIds" in named:
        named["accountIds"] = [site.ids[one] for one in named["accountIds"]]
    return named


def items(site: Site, configuration: str) -> dict[str, dict[str, Any]]:
    path = f"fieldconfiguration/{configuration}/fields?maxResults=100"
    return {one["id"]: one for one in site.get(path)["values"]}


def test_a_configuration_hides_requires_and_describes_fields(site: Site) -> None:
    ada = visitor(site)
    at = fill(ada, f"{CONFIGURATIONS}/add", name="Tight").location
    number = at.rpartition("/")[2]
    ada.post(f"{at}/fields/duedate/hide", {"on": "1"})
    ada.post(f"{at}/fields/labels/require", {"on": "1"})
    fill(ada, f"{at}/fields/labels", description="At least one.")
    fill(ada, f"{at}/fields/description/renderer", renderer="text-renderer")
    found = items(site, number)
    assert found["duedate"]["isHidden"] is True
    assert (found["labels"]["isRequired"], found["labels"]["description"]) == (
        True, "At least one.",
    )  # fmt: skip
    assert found["description"]["renderer"] == "text-renderer"
    page = ada.get(at, query="due")
    assert "Hidden" in page.main
    assert "Labels" not in page.main
    page = ada.post(f"{at}/fields/duedate/require", {"on": "1"}, status=422)
    assert "The hidden field duedate cannot be required." in page.main
    page = ada.post(f"{at}/fields/summary/hide", {"on": "1"}, status=422)
    assert "The field summary cannot be hidden." in page.main
    ada.post(f"{at}/fields/duedate/hide", {"on": ""})
    assert items(site, number)["duedate"]["isHidden"] is False


def test_a_scheme_of_configurations_counts_by_type(site: Site) -> None:
    ada = visitor(site)
    number = fill(ada, f"{CONFIGURATIONS}/add", name="Tight").location.rpartition("/")[2]
    at = fill(ada, f"{SCHEMES}/add", name="Ours").location
    scheme = at.rpartition("/")[2]
    bug = name_of(site.get("issuetype"), "Bug")["id"]
    fill(ada, f"{at}/types/add", type=bug, configuration=number)
    path = f"fieldconfigurationscheme/mapping?fieldConfigurationSchemeId={scheme}"
    mapping = {one["issueTypeId"]: one["fieldConfigurationId"] for one in site.get(path)["values"]}
    assert mapping[bug] == number
    fill(ada, f"{at}/types/default", configuration=number)
    ada.post(f"{at}/types/{bug}/remove")
    mapping = {one["issueTypeId"]: one["fieldConfigurationId"] for one in site.get(path)["values"]}
    assert mapping == {"default": number}
    page = refused(ada, f"{CONFIGURATIONS}/{number}/delete")
    assert "is used in a field configuration scheme." in page.said[0]
    space = site.get("project/LAS")["id"]
    fill(ada, f"{at}/spaces/add", space=space)
    used = site.get(f"fieldconfigurationscheme/project?projectId={space}")["values"]
    assert used[0]["fieldConfigurationScheme"]["id"] == scheme
    page = refused(ada, f"{at}/delete")
    assert page.said == ["The field configuration scheme is used by projects."]
    ada.post(f"{at}/spaces/{space}/remove")
    fill(ada, f"{at}/delete")
    fill(ada, f"{CONFIGURATIONS}/{number}/delete")
    assert audited(site)[0] == "Field configuration deleted"
