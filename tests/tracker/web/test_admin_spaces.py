"""The list of spaces that everybody has, and making a space."""

from __future__ import annotations

from tests.tracker.site import Site
from tests.tracker.web.admin import fill, refused
from tests.tracker.web.conftest import visitor

AT = "/jira/projects"
CREATE = "/jira/create-project"
SOFTWARE = "com.pyxis.greenhopper.jira:"


def test_people_find_the_spaces_that_they_see(site: Site) -> None:
    dev = visitor(site, "dev")
    page = dev.get(AT)
    assert "Laser control" in page.main
    assert "Laser control" not in dev.get(AT, query="ops").main
    assert "Operations" in dev.get(AT, query="ops").main
    assert "Operations" not in dev.get(AT, type="service_desk").main
    assert page.links()["View all spaces"] == AT
    assert "Laser control" not in visitor(site, "guest").get(AT).main
    visitor(site, "cara").get(AT, status=403)


def test_an_admin_makes_a_space_of_any_template(site: Site) -> None:
    ada = visitor(site)
    page = refused(ada, CREATE, name="laser CONTROL", key="LAS")
    assert page.said == [
        "A project with that name already exists.",
        "A project with that project key already exists.",
    ]
    template = f"{SOFTWARE}gh-simplified-scrum-classic"
    page = fill(ada, CREATE, template=template, name="Beam shaping", lead=site.ids["dev"])
    found = site.get("project/BS")
    assert (found["name"], found["style"]) == ("Beam shaping", "classic")
    assert found["lead"]["accountId"] == site.ids["dev"]
    (board,) = site.get("/rest/agile/1.0/board?projectKeyOrId=BS")["values"]
    assert page.location == f"/jira/software/c/projects/BS/boards/{board['id']}"
    fill(ada, CREATE, template=template, name="Better Stands")
    assert site.get("project/BS2")["name"] == "Better Stands"


def test_others_make_team_managed_spaces_if_they_may(site: Site) -> None:
    dev, guest = visitor(site, "dev"), visitor(site, "guest")
    form = dev.get(CREATE)
    assert "Scrum (team-managed)" in form.main
    assert "IT service management" not in form.main
    fill(dev, CREATE, name="Tools", key="tool")
    found = site.get("project/TOOL", by="dev")
    assert (found["style"], found["lead"]["accountId"]) == ("next-gen", site.ids["dev"])
    template = f"{SOFTWARE}gh-simplified-scrum-classic"
    data = {**form.form(CREATE), "template": template, "name": "More"}
    page = dev.post(CREATE, data, status=422)
    assert page.said == ["You do not have permission to create projects."]
    guest.get(CREATE, status=403)
    assert "Create space" not in guest.get(AT).links()
