"""Resources that are declared: what their operations are made of, and what is refused early."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from pydantic import BaseModel, ConfigDict, ValidationError

from clones.core import resources
from clones.core.models import Blob
from clones.core.operations import Call, Operations
from clones.core.resources import Resource, ResourceApi, ResourceField
from clones.core.resources.operations import Handler

FIELDS = (
    ResourceField("name", limit=3, required=True),
    ResourceField("is_public", "flag"),
    ResourceField(
        "picture", "record", key="pictureId", about="A picture.", type=resources.Id | None
    ),
)


class Plain(BaseModel):
    """A body."""

    model_config = ConfigDict(populate_by_name=True)


def made(*_: Any, **__: Any) -> Any:
    """Stand for a write."""


def registered(
    *operations: resources.ResourceOperation,
    does: dict[resources.OperationKind, Handler] | None = None,
    **kinds: Any,
) -> dict[str, Any]:
    """Return the operations that a resource's declaration makes, by id."""
    known = Operations("things")
    writes = dict.fromkeys(("create", "update", "delete", "move"), made)
    resources.register_operations(
        ResourceApi(
            resource=Resource(Blob, "thing", FIELDS, **{**writes, **kinds.pop("writes", {})}),
            path="/things",
            one="/{id}",
            find=lambda key: cast("Any", key),
            present=lambda record, _: record,
            body="ThingWrite",
            **kinds,
        ),
        *operations,
        register=known.operation,
        does=does or {},
        usual={"move": {"path": "/order"}},
        bodies=lambda offered, name, module: resources.body_of(
            offered.resource.fields, name, offered.about, base=Plain, module=module
        ),
        reads="reader",
        writes="writer",
        module="a.module",
    )
    return dict(known.all)


def called(**path: str) -> Call:
    """Return a call as far as a view looks at it."""
    return cast("Call", SimpleNamespace(path=path))


def test_a_kind_says_method_path_status_and_who_may() -> None:
    found = registered(
        resources.lists("List", "List things."),
        resources.creates("Create", "Make a thing."),
        resources.shows("Show", "Show a thing."),
        resources.updates("Update", "Change a thing."),
        resources.deletes("Delete", "Remove a thing."),
        resources.moves("Move", "Order things."),
    )
    assert [(one.id, one.method, one.path, one.status, one.access) for one in found.values()] == [
        ("List", "GET", "/things", 200, "reader"),
        ("Create", "POST", "/things", 201, "writer"),
        ("Show", "GET", "/things/{id}", 200, "reader"),
        ("Update", "PUT", "/things/{id}", 200, "writer"),
        ("Delete", "DELETE", "/things/{id}", 204, "writer"),
        ("Move", "PUT", "/things/order", 200, "writer"),
    ]
    assert {id: one.body is not None for id, one in found.items()} == {
        "List": False,
        "Create": True,
        "Show": False,
        "Update": True,
        "Delete": False,
        "Move": False,
    }
    assert {one.view.__module__ for one in found.values()} == {"a.module"}
    assert found["List"].summary == "List things."


def test_an_operation_says_what_differs_from_its_kind() -> None:
    found = registered(
        resources.updates("Update", "Change.", method="PATCH", path="/old/{id}", access="owner"),
        resources.creates("Create", "Make.", status=200, body=Plain),
        reads="anyone",
    )
    update, create = found.values()
    assert (update.method, update.path, update.access) == ("PATCH", "/things/old/{id}", "owner")
    assert (create.status, create.body) == (200, Plain)


def test_a_write_that_no_function_does_is_refused_when_it_is_declared() -> None:
    with pytest.raises(ValueError, match="no function is declared for delete of things"):
        registered(resources.deletes("Delete", "Remove."), writes={"delete": None})
    registered(resources.deletes("Delete", "Remove.", view=made), writes={"delete": None})


def test_each_call_is_looked_at_before_anything_else() -> None:
    seen: list[str] = []

    def show(offered: ResourceApi[Any], how: resources.Overrides, call: Call) -> Any:
        seen.append("does")
        return offered.shown(offered.record(call), None, how)

    found = registered(
        resources.shows("Show", "Show.", present=lambda record, _: f"<{record}>"),
        resources.lists("Own", "Do.", view=lambda _: seen.append("own")),
        does={"show": show},
        before=lambda _: seen.append("before"),
    )
    assert found["Show"].view(called(parent="1", id="7")) == "<7>"
    found["Own"].view(called())
    assert seen == ["before", "does", "before", "own"]


def test_records_are_found_by_the_last_parameter_or_by_the_whole_call() -> None:
    thing = Resource(Blob, "thing")
    by_key: ResourceApi[Any] = ResourceApi(
        resource=thing, path="", one="", find=lambda key: f"key {key}", present=made
    )
    by_call: ResourceApi[Any] = ResourceApi(
        resource=thing, path="", one="", find_for=lambda call: call.path["parent"], present=made
    )
    assert by_key.record(called(parent="1", id="7")) == "key 7"
    assert by_call.record(called(parent="1", id="7")) == "1"
    with pytest.raises(TypeError, match="things are not found by their keys alone"):
        by_call.of_key("7")


def test_what_is_sent_is_read_as_the_operation_says_else_the_resource_else_the_clone() -> None:
    thing = Resource(Blob, "thing")
    plain = ResourceApi(resource=thing, path="", one="", present=made)
    own = ResourceApi(
        resource=thing, path="", one="", present=made, values=lambda sent: {"own": sent}
    )
    usual = {"usual": "body"}
    assert plain.read("body", {}, lambda _: usual) == usual
    assert own.read("body", {}, lambda _: usual) == {"own": "body"}
    assert own.read("body", {"values": lambda sent: {"this": sent}}, dict) == {"this": "body"}


def test_what_is_made_belongs_to_a_record_where_the_path_names_one() -> None:
    thing = Resource(Blob, "thing")
    alone = ResourceApi(resource=thing, path="", one="", present=made)
    part = ResourceApi(
        resource=thing, path="", one="", present=made, within=lambda call: call.path["parent"]
    )
    assert alone.owner(called(parent="1", id="7")) == ()
    assert part.owner(called(parent="1", id="7")) == ("1",)


def test_fields_make_the_body_and_say_what_people_read() -> None:
    body = resources.body_of(FIELDS, "ThingWrite", "What to set.", base=Plain, module="a.module")
    assert body.model_json_schema()["title"] == "ThingWrite"
    assert body.model_json_schema()["description"] == "What to set."
    assert list(body.model_json_schema()["properties"]) == ["name", "is_public", "pictureId"]
    assert body.model_json_schema()["properties"]["pictureId"]["description"] == "A picture."
    given = body.model_validate({"name": "abcd", "pictureId": 5})
    assert given.model_dump() == {"name": "abcd", "is_public": None, "picture": 5}
    assert given.model_fields_set == {"name", "picture"}
    with pytest.raises(ValidationError):
        body.model_validate({"pictureId": -1})
    name, public, _ = FIELDS
    assert [name.title, public.title, ResourceField("x", label="An X").title] == [
        "Name",
        "Is public",
        "An X",
    ]
    assert [name.is_too_long(text) for text in ("abc", "abcd")] == [False, True]
    assert not public.is_too_long("a" * 1000)


def test_names_are_the_vendors_words() -> None:
    policy = Resource(Blob, "sla policy", plural="sla policies")
    offered = ResourceApi(resource=policy, path="", one="", present=made)
    assert (policy.names, Resource(Blob, "thing").names) == ("sla policies", "things")
    assert (offered.singular, offered.several) == ("sla_policy", "sla_policies")
    other = ResourceApi(resource=policy, path="", one="", present=made, name="rule", names="rules")
    assert (other.singular, other.several) == ("rule", "rules")
