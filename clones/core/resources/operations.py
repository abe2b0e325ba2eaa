"""How an API offers a resource: operations under their vendor's ids, each made by its kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypedDict, Unpack

from pydantic import BaseModel

from clones.core.operations import Call
from clones.core.operations.registry import View
from clones.core.resources.declaration import Resource, Row

OperationKind = Literal["list", "create", "show", "update", "delete", "move", "default"]
Present = Callable[[Any, Any], Any]
Values = Callable[[Any], dict[str, Any]]


class Overrides(TypedDict, total=False):
    """In what an operation differs from others of its kind.

    `path` comes after the resource's own, `access` and `body` in place of the resource's.
    `rows` are those of a list where it has not all, `present` shows a record otherwise than
    elsewhere, `values` reads a body otherwise, `view` is code in place of what its kind does, and
    `manner` is the clone's word for how a list is cut and named.
    """

    method: str
    path: str
    access: str
    status: int
    query: type[BaseModel]
    body: Any
    view: View
    rows: Callable[[Call], Any]
    present: Present
    values: Values
    manner: str


@dataclass(frozen=True, slots=True)
class ResourceOperation:
    """One operation of a resource: the vendor's id, and what it does in our own words."""

    kind: OperationKind
    id: str
    summary: str
    differing: Overrides


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceApi(Generic[Row]):
    """A resource in an API.

    Args:
        resource: what is offered.
        path: where all records are.
        one: what leads on to one of them, such as `/{id}`.
        find: returns the record of a key as calls have it, or refuses.
        find_for: does so for a whole call, where it matters who asks or what else the path names.
        present: shows a record in the clone's way.
        body: the model of what is sent to make or change one, or the name of the one that is made
            of the resource's fields.
        values: returns what the domain gets of what is sent, where that is not its fields alone.
        within: returns the record that a call's path names before, where the resource's belong to
            one: what makes or moves them gets it first.
        about: what the API's description says of a model that is made.
        base: what that model derives from, where it is not the clone's usual base.
        reads: who may list and show, where the clone does not let its usual readers.
        writes: who may do the rest, where that is not the clone's admins.
        before: looks at each call before anything else does, and may refuse it.
        name: what bodies call one record; its name with underscores unless said.
        names: what they call several.
    """

    resource: Resource[Row]
    path: str
    one: str
    find: Callable[[Any], Row] | None = None
    find_for: Callable[[Call], Row] | None = None
    present: Present
    body: str | type[BaseModel] = ""
    values: Values | None = None
    within: Callable[[Call], Any] | None = None
    about: str = ""
    base: type[BaseModel] | None = None
    reads: str = ""
    writes: str = ""
    before: Callable[[Call], None] | None = None
    name: str = ""
    names: str = ""

    @property
    def singular(self) -> str:
        """What bodies call one record."""
        return self.name or self.resource.name.replace(" ", "_")

    @property
    def several(self) -> str:
        """What bodies call several records."""
        return self.names or self.resource.names.replace(" ", "_")

    def record(self, call: Call) -> Row:
        """Return the record that the last parameter of a call's path names."""
        return self.find_for(call) if self.find_for else self.of_key(list(call.path.values())[-1])

    def of_key(self, key: Any) -> Row:
        """Return the record of a key as calls have it, or refuse."""
        if self.find is None:
            raise TypeError(f"{self.resource.names} are not found by their keys alone")
        return self.find(key)

    def owner(self, call: Call) -> tuple[Any, ...]:
        """Return the record to which those of a call belong, nothing where they belong to none."""
        return () if self.within is None else (self.within(call),)

    def read(self, sent: Any, how: Overrides, usual: Values) -> dict[str, Any]:
        """Return what the domain gets of what an operation was sent; `usual` is the clone's way."""
        return how.get("values", self.values or usual)(sent)

    def shown(self, record: Row, show: Any, how: Overrides) -> Any:
        """Return a record as the answer to an operation shows it."""
        return how.get("present", self.present)(record, show)


Handler = Callable[[ResourceApi[Any], Overrides, Call], Any]
Bodies = Callable[[ResourceApi[Any], str, str], Any]


class Registering(Protocol):
    """A clone's way to register operations, as `Operations.operation` is one."""

    def __call__(
        self,
        id: str,
        method: str,
        path: str,
        *,
        summary: str,
        query: type[BaseModel] | None,
        body: Any,
        access: Any,
        status: int,
    ) -> Callable[[View], View]:
        """Return what registers a view."""


def lists(id: str, summary: str, **how: Unpack[Overrides]) -> ResourceOperation:
    """Return the operation that lists records."""
    return ResourceOperation("list", id, summary, how)


def creates(id: str, summary: str, **how: Unpack[Overrides]) -> ResourceOperation:
    """Return the operation that makes a record."""
    return ResourceOperation("create", id, summary, how)


def shows(id: str, summary: str, **how: Unpack[Overrides]) -> ResourceOperation:
    """Return the operation that shows a record."""
    return ResourceOperation("show", id, summary, how)


def updates(id: str, summary: str, **how: Unpack[Overrides]) -> ResourceOperation:
    """Return the operation that changes a record."""
    return ResourceOperation("update", id, summary, how)


def deletes(id: str, summary: str, **how: Unpack[Overrides]) -> ResourceOperation:
    """Return the operation that removes a record."""
    return ResourceOperation("delete", id, summary, how)


def moves(id: str, summary: str, **how: Unpack[Overrides]) -> ResourceOperation:
    """Return the operation that puts records elsewhere in their order."""
    return ResourceOperation("move", id, summary, how)


def sets_default(id: str, summary: str, **how: Unpack[Overrides]) -> ResourceOperation:
    """Return the operation that makes a record the default."""
    return ResourceOperation("default", id, summary, how)


_USUAL: dict[OperationKind, Overrides] = {
    "list": {"method": "GET"},
    "create": {"method": "POST", "status": 201},
    "show": {"method": "GET"},
    "update": {"method": "PUT"},
    "delete": {"method": "DELETE", "status": 204},
    "move": {"method": "PUT"},
    "default": {"method": "PUT"},
}
_OF_ONE: frozenset[OperationKind] = frozenset({"show", "update", "delete"})
_WITH_BODY: frozenset[OperationKind] = frozenset({"create", "update"})


def register_operations(
    offered: ResourceApi[Row],
    *operations: ResourceOperation,
    register: Registering,
    does: Mapping[OperationKind, Handler],
    usual: Mapping[OperationKind, Overrides],
    bodies: Bodies,
    reads: str,
    writes: str,
    module: str,
) -> None:
    """Register the operations of a resource, in this order.

    Args:
        offered: the resource in the API.
        operations: what can be asked for.
        register: the clone's registry.
        does: what the clone's operations of each kind do.
        usual: what the clone's operations of a kind have unless they say otherwise.
        bodies: makes the model of a name, if any, in a module.
        reads: who may list and show, unless the resource says it.
        writes: who may do the rest.
        module: the module that declares them.

    Raises:
        ValueError: an id, or a method and path, are taken; or the resource has no such write.
    """
    readers, writers = offered.reads or reads, offered.writes or writes
    body = bodies(offered, offered.body, module) if isinstance(offered.body, str) else offered.body
    for one in operations:
        how: Overrides = {**_USUAL[one.kind], **usual.get(one.kind, {}), **one.differing}
        method = how["method"]
        register(
            one.id,
            method,
            offered.path + how.get("path", offered.one if one.kind in _OF_ONE else ""),
            summary=one.summary,
            query=how.get("query"),
            body=how.get("body", body if one.kind in _WITH_BODY else None),
            access=how.get("access", readers if method == "GET" else writers),
            status=how.get("status", 200),
        )(_view(offered, one, how, does, module))


def _view(
    offered: ResourceApi[Row],
    one: ResourceOperation,
    how: Overrides,
    does: Mapping[OperationKind, Handler],
    module: str,
) -> View:
    """Return what answers an operation's calls."""
    kind, code = one.kind, how.get("view")
    if code is None and kind not in {"list", "show"}:
        offered.resource.writer(kind)

    def view(call: Call) -> Any:
        if offered.before is not None:
            offered.before(call)
        return does[kind](offered, how, call) if code is None else code(call)

    view.__module__ = module
    return view
