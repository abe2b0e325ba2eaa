"""Work types, statuses, priorities, resolutions and links, as admins see to them on pages."""

from __future__ import annotations

from typing import Any

import pytest

from clones.tracker.web.admin.navigation import address_of
from tests.tracker.site import Site
from tests.tracker.web.admin import audited, fill, name_of, refused
from tests.tracker.web.conftest import visitor

TYPES = address_of("types")
TYPE_SCHEMES = address_of("type-schemes")
STATUSES = address_of("statuses")
PRIORITIES = address_of("priorities")
PRIORITY_SCHEMES = address_of("priority-schemes")
RESOLUTIONS = address_of("resolutions")
LINKS = address_of("link-types")


def field(site: Site, key: str, name: str) -> Any:
    return site.get(f"issue/{key}?fields={name}")["fields"][name]


def test_a_work_type_is_made_changed_and_replaced(site: Site) -> None:
    ada = visitor(site)
    fill(ada, f"{TYPES}/add", name="Spike", description="To find out.", level="0")
    made = name_of(site.get("issuetype"), "Spike")
    assert (made["hierarchyLevel"], made["description"]) == (0, "To find out.")
    page = refused(ada, f"{TYPES}/add", name="spike")
    assert page.said == ["An issue type with this name already exists."]
    assert page.form(f"{TYPES}/add")["name"] == "spike"
    fill(ada, f"{TYPES}/{made['id']}", name="Probe")
    assert "Probe" in ada.get(TYPES).main
    scheme = site.get("issuetypescheme/project?projectId=" + site.get("project/LAS")["id"])
    scheme = scheme["values"][0]["issueTypeScheme"]["id"]
    fill(ada, f"{TYPE_SCHEMES}/{scheme}/types/add", types=[made["id"]])
    key = site.issue(issuetype={"name": "Probe"})
    task = name_of(site.get("issuetype"), "Task")["id"]
    page = refused(ada, f"{TYPES}/{made['id']}/delete")
    assert "1 work item is of this type." in page.main
    assert "1 work item is of this type." in page.main
    assert page.said == ["The issue type is in use. An alternative issue type has to be specified."]
    fill(ada, f"{TYPES}/{made['id']}/delete", alternative=task)
    assert field(site, key, "issuetype")["name"] == "Task"
    assert audited(site)[0] == "Issue type deleted"


def test_a_type_scheme_says_what_a_space_offers(site: Site) -> None:
    ada = visitor(site)
    ids = {one["name"]: one["id"] for one in site.get("issuetype") if "scope" not in one}
    page = refused(ada, f"{TYPE_SCHEMES}/add", name="Small", types=[ids["Task"]],
                   default=ids["Bug"])  # fmt: skip
    assert page.said == ["The default issue type ID has to be present in issue type IDs list."]
    wanted = [ids[name] for name in ("Task", "Bug", "Story")]
    at = fill(ada, f"{TYPE_SCHEMES}/add", name="Small", types=wanted, default=ids["Bug"]).location
    scheme = int(at.removeprefix(f"{TYPE_SCHEMES}/"))
    ada.post(f"{at}/types/{ids['Story']}/move", {"way": "up"})
    mapping = site.get(f"issuetypescheme/mapping?issueTypeSchemeId={scheme}")["values"]
    assert [one["issueTypeId"] for one in mapping] == [ids["Task"], ids["Story"], ids["Bug"]]
    ada.post(f"{at}/types/{ids['Task']}/remove")
    fill(ada, f"{at}/edit", name="Few", default=ids["Story"])
    (found,) = site.get(f"issuetypescheme?id={scheme}")["values"]
    assert (found["name"], found["defaultIssueTypeId"]) == ("Few", ids["Story"])
    space = site.get("project/OPS")["id"]
    fill(ada, f"{at}/spaces/add", space=space)
    used = site.get(f"issuetypescheme/project?projectId={space}")["values"]
    assert used[0]["issueTypeScheme"]["id"] == str(scheme)
    assert "Operations" in ada.get(at).main
    fill(ada, f"{at}/delete")
    used = site.get(f"issuetypescheme/project?projectId={space}")["values"]
    assert used[0]["issueTypeScheme"]["name"] == "Default Issue Type Scheme"


def test_statuses_are_listed_by_category_and_deleted_unless_used(site: Site) -> None:
    ada = visitor(site)
    fill(ada, f"{STATUSES}/add", name="Held", category="IN_PROGRESS")
    page = ada.get(STATUSES, category="IN_PROGRESS")
    assert "Held" in page.main
    assert "To Do Software" not in page.main
    assert "Held" not in ada.get(STATUSES, category="DONE").main
    held = name_of(site.get("statuses/search?searchString=Held")["values"], "Held")
    fill(ada, f"{STATUSES}/{held['id']}/edit", name="Stalled", category="TODO")
    found = site.get(f"statuses?id={held['id']}")[0]
    assert (found["name"], found["statusCategory"]) == ("Stalled", "TODO")
    page = refused(ada, f"{STATUSES}/add", name="stalled")
    assert page.said == ["The status name 'stalled' is already in use."]
    fill(ada, f"{STATUSES}/{held['id']}/delete")
    assert site.get("statuses/search?searchString=Stalled")["values"] == []
    done = name_of(site.get("statuses/search?searchString=Done")["values"], "Done")["id"]
    page = ada.get(f"{STATUSES}/{done}")
    assert "Software Simplified Workflow for Project LAS" in page.main
    assert "Laser control" in page.main
    page = refused(ada, f"{STATUSES}/{done}/delete")
    assert page.said == [f"Statuses that are used in workflows cannot be deleted: {done}"]


def test_resolutions_keep_an_order_a_default_and_an_heir(site: Site) -> None:
    ada = visitor(site)
    fill(ada, f"{RESOLUTIONS}/add", name="Parked")
    made = name_of(site.get("resolution"), "Parked")
    before = [one["id"] for one in site.get("resolution")]
    ada.post(f"{RESOLUTIONS}/{made['id']}/move", {"way": "up"})
    after = [one["id"] for one in site.get("resolution")]
    assert after == [*before[:-2], before[-1], before[-2]]
    ada.post(f"{RESOLUTIONS}/default", {"id": made["id"]})
    (found,) = site.get(f"resolution/search?id={made['id']}")["values"]
    assert found["isDefault"] is True
    ada.post(f"{RESOLUTIONS}/default")
    assert site.get("resolution/search?onlyDefault=true")["values"] == []
    fill(ada, f"{RESOLUTIONS}/{made['id']}/delete", heir=before[0])
    site.advance()
    assert made["id"] not in [one["id"] for one in site.get("resolution")]


def test_a_priority_is_made_moved_and_deleted(site: Site) -> None:
    ada = visitor(site)
    page = refused(ada, f"{PRIORITIES}/add", name="Burning", statusColor="red")
    assert "hexadecimal format" in page.said[0]
    fill(ada, f"{PRIORITIES}/add", name="Burning", statusColor="#ff0000")
    made = name_of(site.get("priority/search")["values"], "Burning")
    assert made["statusColor"] == "#ff0000"
    for _ in range(len(site.get("priority/search")["values"]) - 1):
        ada.post(f"{PRIORITIES}/{made['id']}/move", {"way": "up"})
    assert site.get("priority/search")["values"][0]["name"] == "Burning"
    ada.post(f"{PRIORITIES}/default", {"id": made["id"]})
    key = site.issue()
    assert field(site, key, "priority")["name"] == "Burning"
    medium = name_of(site.get("priority/search")["values"], "Medium")["id"]
    ada.post(f"{PRIORITIES}/default", {"id": medium})
    fill(ada, f"{PRIORITIES}/{made['id']}/delete")
    site.advance()
    assert field(site, key, "priority")["name"] == "Medium"
    assert "Burning" not in [one["name"] for one in site.get("priority/search")["values"]]


def test_a_priority_scheme_asks_what_becomes_of_work(site: Site) -> None:
    ada = visitor(site)
    ids = {one["name"]: one["id"] for one in site.get("priority/search")["values"]}
    few = [ids["High"], ids["Low"]]
    at = fill(ada, f"{PRIORITY_SCHEMES}/add", name="Two", priorities=few, default=ids["Low"])
    space = site.get("project/LAS")["id"]
    key = site.issue(priority={"name": "Medium"})
    page = ada.post(f"{at.location}/spaces/add", {"space": space}, status=422)
    assert "provide a value for the 'in' mappings object." in page.said[0]
    form = page.form(f"{at.location}/spaces/add")
    assert set(form) > {f"in-{ids[name]}" for name in ("Highest", "Medium", "Lowest")}
    mapped = {name: ids["High"] for name in form if name.startswith("in-")}
    ada.post(f"{at.location}/spaces/add", {**form, **mapped})
    site.advance()
    assert field(site, key, "priority")["name"] == "High"
    refused(ada, f"{at.location}/delete")
    fill(ada, f"{at.location}/spaces/{space}")
    fill(ada, f"{at.location}/delete")
    names = [one["name"] for one in site.get("priorityscheme")["values"]]
    assert "Two" not in names


def test_links_are_named_and_turned_off(site: Site) -> None:
    ada = visitor(site)
    page = refused(ada, f"{LINKS}/add", name="Tested", inward="", outward="tests")
    assert page.said == ["You must specify the inward of the issue link type."]
    fill(ada, f"{LINKS}/add", name="Tested", inward="is tested by", outward="tests")
    made = name_of(site.get("issueLinkType")["issueLinkTypes"], "Tested")
    one, other = site.issue(), site.issue()
    body = {"type": {"name": "Tested"}, "inwardIssue": {"key": one}, "outwardIssue": {"key": other}}
    site.post("issueLink", body)
    fill(ada, f"{LINKS}/{made['id']}", name="Proven")
    assert field(site, one, "issuelinks")[0]["type"]["name"] == "Proven"
    assert "1 link of this type" in ada.get(f"{LINKS}/{made['id']}/delete").main
    fill(ada, f"{LINKS}/{made['id']}/delete")
    assert field(site, one, "issuelinks") == []
    ada.post(f"{LINKS}/switch", {"on": ""})
    assert site.get("configuration")["issueLinkingEnabled"] is False
    assert "Work item linking is off." in ada.get(LINKS).main


@pytest.mark.parametrize(
    ("at", "kind"), [(RESOLUTIONS, "resolution"), (PRIORITIES, "priority")], ids=["res", "prio"]
)
def test_a_default_that_does_not_exist_is_refused(site: Site, at: str, kind: str) -> None:
    ada = visitor(site)
    one = site.get(f"{kind}/search")["values"][0]
    ada.post(f"{at}/default", {"id": one["id"]})
    for wrong in ("x", "9" * 30):
        page = ada.post(f"{at}/default", {"id": wrong}, status=422)
        assert page.said == [f"{kind.capitalize()} with ID {wrong} not found."]
    assert [row["id"] for row in site.get(f"{kind}/search")["values"] if row["isDefault"]] == [
        one["id"]
    ]
    ada.post(f"{at}/default")
    assert not any(row["isDefault"] for row in site.get(f"{kind}/search")["values"])
