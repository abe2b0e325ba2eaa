"""Admin Center's audit log."""

from __future__ import annotations

from clones.core.models import Job
from clones.core.tenancy import unit_of_work
from tests.helpdesk.web.conftest import Office

PATH = "/admin/account/logs/audit_log"
OWNER = "olga@kestrel.example"


def test_an_admin_reads_who_did_what_and_finds_it(office: Office) -> None:
    office.sign_in(OWNER)
    office.post("/admin/people/team/groups/new", {"name": "Parts", "description": ""})
    page = office.get(PATH)
    assert page.status == 200
    assert "Olga Owens Created Parts group -" in page.text
    assert "Olga Owens Signed in Olga Owens user -" in page.text
    assert page.text.index("Created Parts") < page.text.index("Signed in Olga Owens")
    found = office.get(PATH, action="create", kind="group", q="part")
    assert "Created Parts" in found.text
    assert "Signed in Olga Owens" not in found.text
    assert "No logs." in office.get(PATH, action="destroy").text
    assert "No logs." in office.get(PATH, q="nowhere").text
    assert f'href="{PATH}"' in office.get("/admin").html


def test_an_export_is_asked_for(office: Office) -> None:
    office.sign_in(OWNER)
    assert office.post(f"{PATH}/export").location == PATH
    assert f"The export will be sent to {OWNER}" in office.get(PATH).text
    with office.bound(), unit_of_work("read"):
        assert Job.objects.filter(kind="helpdesk.audit_log_export").count() == 1
    assert office.get(f"{PATH}/export").location == PATH


def test_others_do_not_read_it(ana: Office) -> None:
    assert ana.get(PATH).status == 403
    assert ana.post(f"{PATH}/export").status == 403
    with ana.bound(), unit_of_work("read"):
        assert not Job.objects.filter(kind="helpdesk.audit_log_export").exists()
