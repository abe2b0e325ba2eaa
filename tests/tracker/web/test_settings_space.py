"""The settings of a space: who may open them, and what they change."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from clones.tracker.models import Project, ProjectRole, SecurityScheme
from tests.tracker.boards import counted
from tests.tracker.site import Site
from tests.tracker.test_avatars import png
from tests.tracker.web.conftest import Visit, visitor

AT = "/jira/software/c/projects/LAS/settings"
PAGES = (
    *("details", "access", "permissions", "notifications", "issuesecurity", "features"),
    *("issuetypes", "workflows", "screens", "fields"),
)


@pytest.fixture
def ada(site: Site) -> Visit:
    """An admin of the site at the pages."""
    return visitor(site)


def role_id(site: Site, name: str = "Administrators") -> int:
    with site.store():
        return ProjectRole.objects.get(name=name).id


def run_by_dev(site: Site) -> Visit:
    """Let a developer run LAS, and return them at the pages."""
    site.post(f"project/LAS/role/{role_id(site)}", {"user": [site.ids["dev"]]}, status=200)
    return visitor(site, "dev")


def actors(site: Site, name: str) -> list[str]:
    found = site.get(f"project/LAS/role/{role_id(site, name)}")["actors"]
    return [one["displayName"] for one in found]


def links_of(html: str) -> set[str]:
    """Return the addresses within the tracker that a page leads to from its main part."""
    main = html.partition("<main")[2]
    return {
        one.replace("&amp;", "&")
        for one in re.findall(r'href="(/[^"#]*)', main)
        if not one.startswith("/static")
    }


def test_settings_are_for_those_who_run_the_space(site: Site, ada: Visit) -> None:
    dev = visitor(site, "dev")
    for name in PAGES:
        ada.get(f"{AT}/{name}")
        said = dev.get(f"{AT}/{name}", 403).text
        assert "You do not have permission to administer this project." in said
    assert "Space settings" not in dev.get(f"{AT[:-9]}/boards", 302).text
    dev.post(f"{AT}/details", {"name": "Mine"}, 403)
    assert site.get("project/LAS")["name"] == "Laser control"
    runs = run_by_dev(site)
    for name in PAGES:
        page = runs.get(f"{AT}/{name}")
        assert "Use a different scheme" not in page.links()
    for form in ("permissions/scheme", "workflows/scheme", "details/trash", "details/key"):
        runs.get(f"{AT}/{form}", 403)
        runs.post(f"{AT}/{form}", {}, 403)
    site.get("project/LAS")


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("key", "family"),
    [("LAS", "software/c"), ("OPS", "software/c"), ("IT", "servicedesk"), ("TEAM", "software")],
)
def test_every_link_of_the_settings_leads_somewhere(
    site: Site, ada: Visit, key: str, family: str
) -> None:
    if key == "TEAM":
        site.post(
            "project",
            {
                "key": "TEAM",
                "name": "A team",
                "leadAccountId": site.ids["ada"],
                "projectTypeKey": "software",
                "projectTemplateKey": "com.pyxis.greenhopper.jira:gh-simplified-agility-kanban",
            },
        )
    root = f"/jira/{family}/projects/{key}/settings"
    first = ada.get(f"{root}/details")
    shown = [one for one in links_of(first.html) if one.startswith(root)]
    assert f"{root}/access" in shown
    assert (f"{root}/screens" in shown) == (key != "TEAM")
    seen: set[str] = set()
    queue = sorted(shown)
    while queue:
        address = queue.pop(0)
        path, _, query = address.partition("?")
        if address in seen:
            continue
        seen.add(address)
        asked = dict(pair.split("=", 1) for pair in query.split("&")) if query else {}
        answer = ada.client.get(path, asked, follow=True)
        assert answer.status_code == 200, address
        if path.startswith(root):
            queue += sorted(links_of(answer.content.decode()) - seen)
    assert len(seen) > 10


def test_details_are_changed_as_by_the_api(site: Site, ada: Visit) -> None:
    category = site.post("projectCategory", {"name": "Machines"})["id"]
    ada.change(
        f"{AT}/details", f"{AT}/details",
        name="Lasers", url="https://site.example/lasers", description="Beams", category=category,
        lead=site.ids["dana"], assignee_type="PROJECT_LEAD", avatar="10405",
    )  # fmt: skip
    found = site.get("project/LAS")
    assert (found["name"], found["url"], found["description"]) == (
        "Lasers",
        "https://site.example/lasers",
        "Beams",
    )
    assert found["lead"]["accountId"] == site.ids["dana"]
    assert (found["projectCategory"]["id"], found["assigneeType"]) == (category, "PROJECT_LEAD")
    assert "/10405" in found["avatarUrls"]["48x48"]
    page = ada.post(
        f"{AT}/details", {**ada.get(f"{AT}/details").form("/details"), "name": "Operations"}, 400
    )
    assert page.said == ["A project with that name already exists."]
    assert page.form("/details")["name"] == "Operations"
    assert site.get("project/LAS")["name"] == "Lasers"


def test_the_key_changes_and_the_old_one_leads_on(site: Site, ada: Visit) -> None:
    issue = site.issue()
    taken = ada.post(f"{AT}/details/key", {"key": "OPS"}, 400)
    assert taken.said == ["A project with that project key already exists."]
    done = ada.post(f"{AT}/details/key", {"key": "BEAM"})
    assert done.location == AT.replace("LAS", "BEAM") + "/details"
    assert site.get(f"issue/{issue}")["key"] == issue.replace("LAS", "BEAM")
    assert ada.get(f"{AT}/access", 302).location == AT.replace("LAS", "BEAM") + "/access"
    assert "LAS" in ada.get(AT.replace("LAS", "BEAM") + "/details").main


def test_a_space_is_archived_and_put_into_the_trash(site: Site, ada: Visit) -> None:
    assert "Move Laser control to the trash?" in ada.get(f"{AT}/details/trash").main
    assert site.get("project/LAS")["key"] == "LAS"
    ada.post(f"{AT}/details/trash")
    with site.store():
        assert Project.objects.get(key="LAS").deleted_at is not None
    other = AT.replace("LAS", "OPS")
    ada.post(f"{other}/details/archive")
    assert site.get("project/OPS")["archived"] is True
    ada.get(f"{other}/details", 403)


def test_people_get_roles_and_lose_them(site: Site, ada: Visit) -> None:
    users = str(role_id(site, "Administrators"))
    before = actors(site, "Administrators")
    ada.post(f"{AT}/access/add", {"users": [site.ids["dana"]], "role": users})
    assert actors(site, "Administrators") == sorted([*before, "Dana Ruiz"])
    assert ada.post(f"{AT}/access/add", {"role": users}, 400).said == [
        "You must specify at least one user or group."
    ]
    assert ada.post(f"{AT}/access/add", {"users": [site.ids["dana"]]}, 400).said == [
        "Choose a role."
    ]
    member = f"{AT}/access/u-{site.ids['dana']}"
    other = site.post("role", {"name": "Reviewers"}, status=200)["id"]
    ada.post(member, {"roles": [str(other)]})
    assert actors(site, "Administrators") == before
    assert actors(site, "Reviewers") == ["Dana Ruiz"]
    shown = ada.get(f"{AT}/access", search="dana")
    assert "Reviewers" in shown.main
    assert "Ada Brandt" not in shown.part("access.member")
    assert ada.post(member, {}, 400).said == ["Choose at least one role."]
    ada.post(f"{member}/remove")
    assert actors(site, "Reviewers") == []
    ada.get(member, 404)


def test_whoever_gives_their_own_rights_away_is_led_out(site: Site) -> None:
    dev = run_by_dev(site)
    mine = f"{AT}/access/u-{site.ids['dev']}"
    left = dev.post(f"{mine}/remove")
    assert left.location == "/browse/LAS"
    dev.get(f"{AT}/access", 403)


def test_the_schemes_in_force_are_shown_and_changed(site: Site, ada: Visit) -> None:
    page = ada.get(f"{AT}/permissions")
    row = page.html.partition("<b>Administer Projects</b>")[2].partition("</tr>")[0]
    assert "Space role (Administrators)" in row
    body: dict[str, Any] = {"name": "Strict", "permissions": []}
    scheme = site.post("permissionscheme", body)["id"]
    ada.change(f"{AT}/permissions/scheme", f"{AT}/permissions/scheme", scheme=str(scheme))
    assert site.get("project/LAS/permissionscheme")["id"] == scheme
    told = site.post("notificationscheme", {"name": "Quiet"})["id"]
    ada.change(f"{AT}/notifications/scheme", f"{AT}/notifications/scheme", scheme=told)
    assert site.get("project/LAS/notificationscheme")["name"] == "Quiet"
    assert "Quiet" in ada.get(f"{AT}/notifications").main
    refused = ada.post(f"{AT}/permissions/scheme", {"scheme": "9"}, 400)
    assert refused.said == ["Choose a scheme."]


def test_another_security_scheme_asks_what_becomes_of_levels(site: Site, ada: Visit) -> None:
    for name in ("First", "Second"):
        level = {"name": f"{name} only", "members": [{"type": "projectLead"}]}
        site.post("issuesecurityschemes", {"name": name, "levels": [level]})
    with site.store():
        schemes = {one.name: one for one in SecurityScheme.objects.all()}
        levels = {one.scheme.name: one.id for row in schemes.values() for one in row.levels.all()}
    ada.post(f"{AT}/issuesecurity/scheme", {"scheme": schemes["First"].id})
    site.advance()
    assert "First only" in ada.get(f"{AT}/issuesecurity").main
    key = site.issue(security={"id": str(levels["First"])})
    asked = ada.post(f"{AT}/issuesecurity/scheme", {"scheme": schemes["Second"].id}, 200)
    form = asked.form("/issuesecurity/scheme")
    assert f"level-{levels['First']}" in form
    ada.post(f"{AT}/issuesecurity/scheme", {**form, f"level-{levels['First']}": levels["Second"]})
    site.advance()
    found = site.get(f"issue/{key}?fields=security")["fields"]["security"]
    assert found["id"] == str(levels["Second"])


def test_types_screens_and_fields_are_those_of_the_schemes(site: Site, ada: Visit) -> None:
    kinds = [one["name"] for one in site.get("project/LAS")["issueTypes"]]
    page = ada.get(f"{AT}/issuetypes")
    table = page.html.partition('aria-label="Work types"')[2]
    assert re.findall(r"<b>([^<]*)</b>", table) == kinds
    screens = ada.get(f"{AT}/screens")
    assert "Summary" in screens.main
    fields = ada.get(f"{AT}/fields").html
    row = fields.partition("<td>Summary</td>")[2].partition("</tr>")[0]
    assert "Required" in row
    made = site.post(
        "issuetypescheme",
        {
            "name": "Only tasks",
            "issueTypeIds": [
                one["id"] for one in site.get("project/LAS")["issueTypes"] if one["name"] == "Task"
            ],
        },
    )["issueTypeSchemeId"]
    bug = site.issue("A bug", issuetype={"name": "Bug"})
    refused = ada.post(f"{AT}/issuetypes/scheme", {"scheme": made}, 400)
    assert refused.said[0].startswith("This issue type scheme can't be assigned to the project.")
    site.delete(f"issue/{bug}")
    ada.post(f"{AT}/issuetypes/scheme", {"scheme": made})
    assert [one["name"] for one in site.get("project/LAS")["issueTypes"]] == ["Task"]


def test_features_are_switched(site: Site, ada: Visit) -> None:
    page = ada.get(f"{AT}/features")
    assert 'aria-label="Timeline"' in page.html
    sent = page.form("/features/toggle")
    wanted = {"feature": "jsw.classic.roadmap", "state": "DISABLED"}
    assert sent["feature"]
    ada.post(f"{AT}/features/toggle", wanted)
    found = site.get("project/LAS/features")["features"]
    state = {one["feature"]: one["state"] for one in found}
    assert state["jsw.classic.roadmap"] == "DISABLED"
    summary = "/jira/software/c/projects/LAS/summary"
    assert "Timeline" not in ada.get(summary).links()
    ada.post(f"{AT}/features/toggle", {**wanted, "state": "ENABLED"})
    assert "Timeline" in ada.get(summary).links()
    locked = {"feature": "jsw.classic.backlog", "state": "DISABLED"}
    assert ada.post(f"{AT}/features/toggle", locked, 400).said == [
        "The feature 'jsw.classic.backlog' cannot be changed."
    ]


def test_pages_ask_the_same_number_of_statements_for_more(site: Site, ada: Visit) -> None:
    flow = re.findall(rf'href="({AT}/workflows/[0-9a-f-]+)"', ada.get(f"{AT}/workflows").html)[0]
    item = re.findall(rf'{flow}/transitions/(\d+)"', ada.get(flow).html)[1]
    addresses = [f"{AT}/{name}" for name in PAGES] + [flow, f"{flow}/transitions/{item}"]
    validator = {"kind": "system:check-permission-validator", "filled": "1"}
    add = f"{flow}/transitions/{item}/validators/add"
    ada.post(add, {**validator, "permissionKey": "EDIT_ISSUES"})

    def asked() -> list[int]:
        found = []
        for address in addresses:
            with counted(site) as statements:
                ada.get(address)
            found.append(len(statements))
        return found

    asked()
    few = asked()
    role = str(role_id(site))
    ada.post(f"{AT}/access/add", {"users": [site.ids["dev"], site.ids["dana"]], "role": role})
    scheme = site.get("project/LAS/permissionscheme")["id"]
    for holder in ("assignee", "reporter"):
        grant = {"permission": "MOVE_ISSUES", "holder": {"type": holder}}
        site.post(f"permissionscheme/{scheme}/permission", grant)
    for name in ("First", "Second"):
        ada.post(f"{flow}/statuses/add", {"name": name, "category": "TODO", "any": "on"})
    ada.post(add, {**validator, "permissionKey": "MOVE_ISSUES"})
    assert asked() == few


def test_a_space_gets_a_picture_of_its_own(site: Site, ada: Visit) -> None:
    before = site.get("project/LAS")["avatarUrls"]["48x48"]
    page = ada.post(f"{AT}/details/picture", {}, 400)
    assert page.said == ["Choose a picture to upload."]
    page = ada.post(f"{AT}/details/picture", {"picture": upload(b"<svg>")}, 400)
    assert page.said == ["The image type is not supported: use JPEG, GIF or PNG."]
    assert site.get("project/LAS")["avatarUrls"]["48x48"] == before
    ada.post(f"{AT}/details/picture", {"picture": upload(png())})
    (made,) = site.get("project/LAS/avatars")["custom"]
    assert made["isSelected"]
    assert site.get("project/LAS")["avatarUrls"]["48x48"] != before
    page = ada.get(f"{AT}/details")
    assert page.form(f"{AT}/details")["avatar"] == made["id"]
    ada.post(f"{AT}/details/picture/{made['id']}/remove")
    assert site.get("project/LAS/avatars")["custom"] == []
    assert site.get("project/LAS")["avatarUrls"]["48x48"] != made["urls"]["48x48"]
    ada.post(f"{AT}/details/picture/{made['id']}/remove", {}, 400)
    visitor(site, "dev").post(f"{AT}/details/picture", {"picture": upload(png())}, 403)


def upload(data: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("picture.png", data, "image/png")
