"""The desk's register of machines: what the story has, as the domain would have written it."""

from __future__ import annotations

from clones.helpdesk.domain.custom_records import update_record
from clones.helpdesk.models import (
    CustomObject,
    CustomObjectField,
    CustomObjectRecord,
    Organization,
    User,
)
from clones.helpdesk.queries.custom_objects import active_fields, object_of_key, records_of
from clones.helpdesk.queries.record_search import matching
from clones.helpdesk.rules import custom_objects as rules
from seeds.kestrel.projection.machines import FIELDS, KEY, REGISTERED
from seeds.worlds import BuildReport


def test_each_large_machine_of_a_firm_is_registered_once(tiny: BuildReport) -> None:
    found = object_of_key(KEY)
    large = {machine.name for machine in REGISTERED}
    firms = dict(User.objects.values_list("id", "organization_id"))
    sold = {
        item["serial"]: item
        for item in tiny.facts["machines"]
        if item["model"] in large and firms[item["owner"]] is not None
    }
    records = list(records_of(found).order_by("id"))
    assert records
    assert set(sold) <= {record.name for record in records}
    [models] = [field for field in active_fields(found) if field.key == "model"]
    names = {option["value"]: option["name"] for option in models.options}
    for record in records:
        item = sold.get(record.name)
        if item is not None:
            values = record.custom_object_fields
            assert names[values["model"]] == item["model"]
            assert values["purchase_date"] == item["bought"][:10]
            assert Organization.objects.filter(id=values["owner_organization"]).exists()
    assert len({record.name for record in records}) == len(records)


def test_the_register_is_what_the_domain_would_have_written(tiny: BuildReport) -> None:
    found = CustomObject.objects.get()
    admin = User.objects.get(id=found.created_by)
    assert admin.role == "admin"
    fields = CustomObjectField.objects.filter(custom_object=found).order_by("position")
    standard = [CustomObjectField.NAME, CustomObjectField.EXTERNAL_ID]
    assert [field.key for field in fields] == [*standard, *(key for key, *_ in FIELDS)]
    assert fields[0].properties == dict(rules.PROPERTIES)
    for record in CustomObjectRecord.objects.order_by("id")[:20]:
        before = dict(record.custom_object_fields)
        given = {"name": record.name, "custom_object_fields": before}
        saved = update_record(record, actor=admin, changes=given)
        assert saved.custom_object_fields == before
        assert matching(found, record.name).filter(id=record.id).exists()
