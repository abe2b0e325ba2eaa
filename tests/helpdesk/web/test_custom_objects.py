"""Custom objects in Admin Center, and their records in the agents' pages."""

from __future__ import annotations

from typing import Any

import pytest

from clones.core.tenancy import unit_of_work
from clones.helpdesk.models import CustomObjectRecord, CustomRole, Organization, User
from tests.helpdesk.web.admin_seat import Seat, form_of, rows
from tests.helpdesk.web.conftest import Office, Shown

OBJECTS = "/admin/objects-rules/custom-objects/objects"
FIELDS = f"{OBJECTS}/machine/fields"
RECORDS = "/agent/custom-objects/machine/records"
MACHINE = {
    "title": "Machine",
    "title_pluralized": "Machines",
    "key": "machine",
    "description": "What customers cut with",
}


@pytest.fixture
def olga(office: Office) -> Seat:
    """The small desk with its owner signed in."""
    return Seat(office)


@pytest.fixture
def shop(olga: Seat) -> Seat:
    """The same with an object that has fields of several types."""
    olga.save(f"{OBJECTS}/new", MACHINE)
    field(olga, "text", key="model", title="Model")
    field(olga, "checkbox", key="leased", title="Leased")
    field(olga, "date", key="bought", title="Bought")
    options = [{"name": "Red", "value": "red"}, {"name": "Blue", "value": "blue"}]
    field(olga, "dropdown", key="colour", title="Colour", **rows("option", *options))
    extras = [{"name": "Fan", "value": "fan"}, {"name": "Lamp", "value": "lamp"}]
    field(olga, "multiselect", key="extras", title="Extras", **rows("option", *extras))
    field(
        olga,
        "lookup",
        key="owner",
        title="Owner",
        relationship_target_type="zen:organization",
    )
    return olga


def field(olga: Seat, kind: str, **given: Any) -> str:
    return olga.save(f"{FIELDS}/new?type={kind}", {"description": "", **given})


def record_fields(page: Shown) -> dict[str, Any]:
    """Return what a browser would send of a record's form, untouched."""
    form = page.html.partition('data-test-id="record-form"')[2].partition("</form>")[0]
    return Shown(page.status, f'id="ticket-form"{form}</form>', "", {}).fields()


def made(shop: Seat, **given: Any) -> str:
    sent = {f"custom_object_fields_{name}": value for name, value in given.items()}
    sent["name"] = sent.pop("custom_object_fields_name", "K40")
    return shop.save(f"{RECORDS}/new", sent)


def organization(seat: Seat) -> tuple[int, str]:
    with seat.office.bound(), unit_of_work("read"):
        found = Organization.objects.order_by("id").first()
    assert found is not None
    return found.id, found.name


def test_an_object_is_made_changed_and_deleted(olga: Seat) -> None:
    assert "No custom objects." in olga.get(OBJECTS).text
    place = olga.save(f"{OBJECTS}/new", MACHINE)
    assert place == f"{OBJECTS}/machine"
    page = olga.get(place)
    for text in ("Machine has been saved", "standard::name", "standard::external_id", "machine"):
        assert text in page.text
    olga.change(place, title="Cutter", description="x" * 93)
    shown = olga.api("custom_objects/machine")["custom_object"]
    assert (shown["title"], shown["include_in_list_view"]) == ("Cutter", True)
    assert "x" * 92 + "…" in olga.get(OBJECTS).text
    assert "Cutter" in olga.get(OBJECTS, q="cut").text
    assert "No custom objects." in olga.get(OBJECTS, q="zebra").text
    blank = {**MACHINE, "key": "site", "title_pluralized": ""}
    said = olga.refused(f"{OBJECTS}/new", blank).text
    assert "Title pluralized: cannot be blank" in said
    assert "Key: has already been taken" in olga.refused(f"{OBJECTS}/new", MACHINE).text
    assert "Title: cannot be blank" in olga.refused(place, {**form_of(page), "title": ""}).text
    assert olga.save(f"{place}/delete") == OBJECTS
    assert olga.ask("custom_objects/machine").status_code == 404
    assert olga.office.get(place).status == 404


def test_fields_are_made_changed_moved_switched_and_deleted(olga: Seat) -> None:
    olga.save(f"{OBJECTS}/new", MACHINE)
    assert "Lookup relationship" in olga.get(f"{FIELDS}/new").text
    place = field(olga, "text", key="model", title="Model")
    olga.change(place, title="Model name", description="On the plate")
    shown = olga.api("custom_objects/machine/fields/model")["custom_object_field"]
    assert (shown["title"], shown["description"]) == ("Model name", "On the plate")
    said = olga.refused(f"{FIELDS}/new?type=regexp", {"key": "plate", "title": "Plate"}).text
    assert "Regexp for validation: cannot be blank" in said
    said = olga.refused(f"{FIELDS}/new?type=lookup", {"key": "owner", "title": "Owner"}).text
    assert "Relationship target type: is invalid" in said
    lookup = field(
        olga, "lookup", key="owner", title="Owner", relationship_target_type="zen:organization"
    )
    for page in (olga.get(lookup), olga.refused(lookup, {"title": ""})):
        target = page.html.partition('data-test-id="admin-field-relationship-target-type"')[2]
        assert target.startswith(">Organization<"), "what cannot be changed stays in sight"
    assert olga.save(f"{FIELDS}/order", {"up": lookup.rpartition("/")[2]}) == FIELDS
    names = [
        item["key"] for item in olga.api("custom_objects/machine/fields")["custom_object_fields"]
    ]
    assert names == ["owner", "model"]
    assert olga.save(f"{place}/status") == place
    assert "(inactive)" in olga.get(place).text
    olga.save(f"{place}/status")
    assert olga.save(f"{place}/delete") == f"{OBJECTS}/machine"
    assert olga.ask("custom_objects/machine/fields/model").status_code == 404


def test_names_are_numbered_by_a_form(olga: Seat) -> None:
    olga.save(f"{OBJECTS}/new", MACHINE)
    found = olga.api("custom_objects/machine/fields/standard::name")["custom_object_field"]
    place = f"{FIELDS}/{found['id']}"
    naming = {"autoincrement_enabled": "true", "autoincrement_prefix": "M-"}
    olga.change(place, **naming, autoincrement_padding="4")
    said = olga.refused(place, {**form_of(olga.get(place)), "is_unique": "true"}).text
    assert "is_unique must be false" in said
    assert 'name="name"' not in olga.get(f"{RECORDS}/new").html
    first = olga.save(f"{RECORDS}/new", {})
    assert "M-0001" in olga.get(first).text
    olga.save(first, {})
    assert (
        "cannot be changed if any records exist"
        in olga.refused(place, {**form_of(olga.get(place)), "autoincrement_padding": "5"}).text
    )


def test_admin_pages_are_for_admins(shop: Seat) -> None:
    shop.office.sign_in()
    for path in (OBJECTS, f"{OBJECTS}/machine", FIELDS, f"{FIELDS}/new"):
        assert shop.office.get(path).status == 403
    assert shop.office.get(RECORDS).status == 200


def test_a_record_is_made_changed_and_deleted(shop: Seat) -> None:
    key, name = organization(shop)
    place = made(shop, model="Hobby", leased="true", bought="2025-03-04", colour="red", owner=name)
    path = f"custom_objects/machine/records/{place.rpartition('/')[2]}"
    shown = shop.api(path)["custom_object_record"]
    assert shown["custom_object_fields"] == {
        "model": "Hobby",
        "leased": True,
        "bought": "2025-03-04T00:00:00+00:00",
        "colour": "red",
        "extras": None,
        "owner": str(key),
    }
    page = shop.get(place)
    assert "K40 has been created" in page.text
    sent = record_fields(page)
    assert sent["custom_object_fields_owner"] == name
    sent["custom_object_fields_extras"] = ["fan", "lamp"]
    changes = {"name": "K41", "external_id": "x-1", "custom_object_fields_colour": ""}
    del sent["custom_object_fields_leased"]
    assert shop.save(place, {**sent, **changes}) == place
    shown = shop.api(path)["custom_object_record"]
    assert (shown["name"], shown["external_id"]) == ("K41", "x-1")
    values = shown["custom_object_fields"]
    assert (values["extras"], values["colour"], values["leased"]) == (["fan", "lamp"], None, False)
    assert values["owner"] == str(key)
    said = shop.refused(place, {**record_fields(shop.get(place)), "name": ""})
    assert "Name: cannot be blank" in said.text
    bad = {"name": "x", "custom_object_fields_owner": "Nobody Ltd"}
    assert "Owner: is invalid" in shop.refused(f"{RECORDS}/new", bad).text
    question = shop.get(f"{place}/delete")
    assert "Delete K41?" in question.text
    assert shop.save(f"{place}/delete") == RECORDS
    assert "K41 has been deleted" in shop.get(RECORDS).text
    assert shop.office.get(place).status == 404


def test_records_are_listed_found_and_suggested(shop: Seat) -> None:
    _, name = organization(shop)
    assert "No records." in shop.get(RECORDS).text
    made(shop, name="Hobby 40", model="K40", owner=name, leased="true", colour="blue")
    made(shop, name="Pro 100", model="P100")
    page = shop.get(RECORDS)
    for text in ("Hobby 40", "Pro 100", "K40", "Blue", "Model", "Leased", "Yes"):
        assert text in page.text
    assert page.text.index("Pro 100") < page.text.index("Hobby 40"), "the latest change first"
    found = shop.get(RECORDS, q="hobby").text
    assert ("Hobby 40" in found, "Pro 100" in found) == (True, False)
    options = shop.get("/agent/suggestions/records/machine", q="hob").text
    assert ("Hobby 40" in options, "Pro 100" in options) == (True, False)
    assert shop.office.get("/agent/custom-objects").location == RECORDS


def test_records_refer_to_each_other_and_to_people(shop: Seat) -> None:
    target = "zen:custom_object:machine"
    field(shop, "lookup", key="next", title="Next", relationship_target_type=target)
    field(shop, "lookup", key="keeper", title="Keeper", relationship_target_type="zen:user")
    field(shop, "lookup", key="case", title="Case", relationship_target_type="zen:ticket")
    first = made(shop, name="One").rpartition("/")[2]
    made(shop, name="Twin")
    twin = made(shop, name="Twin")
    ticket = shop.keys.broken
    second = made(shop, name="Two", next="One", keeper="Olga Owens", case=f"#{ticket}")
    path = f"custom_objects/machine/records/{second.rpartition('/')[2]}"
    values = shop.api(path)["custom_object_record"]["custom_object_fields"]
    assert (values["next"], values["case"]) == (first, str(ticket))
    page = shop.get(second)
    assert "Olga Owens" in page.html
    sent = {**record_fields(page), "custom_object_fields_next": "Twin"}
    assert "Next: is invalid" in shop.refused(second, sent).text, "two have that name"
    sent["custom_object_fields_next_id"] = twin.rpartition("/")[2]
    shop.save(second, sent)
    values = shop.api(path)["custom_object_record"]["custom_object_fields"]
    assert values["next"] == twin.rpartition("/")[2]


def test_the_rail_leads_to_objects_that_may_be_seen(olga: Seat) -> None:
    home = "/agent/dashboard"
    assert "objects_icon" not in olga.get(home).html
    assert "no custom objects" in olga.get("/agent/custom-objects").text
    olga.save(f"{OBJECTS}/new", MACHINE)
    assert "objects_icon" in olga.get(home).html
    sent = form_of(olga.get(f"{OBJECTS}/machine"))
    del sent["include_in_list_view"]
    olga.save(f"{OBJECTS}/machine", sent)
    assert olga.api("custom_objects/machine")["custom_object"]["include_in_list_view"] is False
    assert "objects_icon" not in olga.get(home).html
    assert olga.get(RECORDS).status == 200


def test_agents_see_what_their_role_lets_them(shop: Seat) -> None:
    place = made(shop, name="Hobby 40", model="K40")
    scopes = {"machine": {"scopes": ["read"]}}
    target = "zen:custom_object:site"
    sites = {"key": "site", "title": "Site", "title_pluralized": "Sites", "description": ""}
    shop.save(f"{OBJECTS}/new", sites)
    field(shop, "lookup", key="site", title="Site of it", relationship_target_type=target)
    assert "Site of it" in shop.get(place).text
    shop.office.sign_in()
    page = shop.office.get(place)
    assert (page.status, 'name="external_id"' in page.html) == (200, False)
    assert 'data-test-id="record-delete"' in page.html
    with shop.office.bound(), unit_of_work("write"):
        role = CustomRole.objects.filter(role_type=0).order_by("id").first()
        assert role is not None
        role.configuration = {**role.configuration, "custom_objects": scopes}
        role.save()
        User.objects.filter(id=shop.keys.agent).update(custom_role=role)
    page = shop.office.get(place)
    assert page.status == 200
    assert "Site of it" not in page.text, "its records may not be seen"
    form = page.html.partition('data-test-id="record-form"')[2].partition("</form>")[0]
    for mark in ("record-delete", "record-save", "<input class"):
        assert mark not in form
    assert "records-add-record" not in shop.office.get(RECORDS).html
    before = record_fields(page)
    assert shop.office.post(place, {**before, "name": "x"}).status == 403
    assert shop.office.get(f"{RECORDS}/new").status == 403
    assert shop.office.post(f"{place}/delete").status == 403
    with shop.office.bound(), unit_of_work("read"):
        assert CustomObjectRecord.objects.get().name == "Hobby 40"
