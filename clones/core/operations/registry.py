"""Operations: one decorator names the vendor's operation id, method, path and body model.

Dispatch is by dictionary, segment by segment. A view gets a `Call` and returns plain data or a
`Reply`; the clone turns refusals and invalid input into its vendor's own errors.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from threading import RLock
from typing import Any, Protocol

from django.http import HttpResponse
from django.http.request import RawPostDataException
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import to_json

from clones.core.digits import whole_number
from clones.core.models.accounts import Account
from clones.core.operations.brackets import parameters
from clones.core.operations.inputs import LARGEST, list_parameters
from clones.core.strict_json import read_json
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.vendors import RefusalReason


class InvalidInput(Exception):
    """Raised when a path, query or body does not fit its operation.

    `where` is `path`, `query` or `body`; `error` is pydantic's own, None when the body is not JSON.
    """

    def __init__(self, where: str, error: ValidationError | None) -> None:
        super().__init__(f"invalid {where}")
        self.where = where
        self.error = error


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer that needs more than a body: status, headers, or raw bytes."""

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Call:
    """One call of an operation: the request, who calls, and the parsed input."""

    request: SandboxRequest
    operation: Operation
    path: dict[str, Any]
    query: Any
    body: Any
    actor: Any = None

    @property
    def account(self) -> Account | None:
        """The account that calls, or None."""
        found = self.request.authenticated
        return None if found is None else found.account


View = Callable[[Call], Any]


@dataclass(frozen=True)
class Operation:
    """One operation of a vendor's API.

    `access` is the clone's own word for who may call it. `keeps_on_error` keeps what was written
    when the answer is an error (failed sign-ins, job statuses). `form_body` says that parameters
    are form-encoded with nested brackets, in the query and in the body
    (`clones.core.operations.brackets`).
    """

    clone: str
    id: str
    method: str
    path: str
    summary: str
    view: View
    query: type[BaseModel] | None
    body: Any
    access: str
    status: int
    keeps_on_error: bool
    raw_body: bool
    form_body: bool
    writes: bool

    @cached_property
    def segments(self) -> tuple[str, ...]:
        """The path, segment by segment; parameters are in braces, `{name:int}` for numbers."""
        return tuple(self.path.strip("/").split("/"))

    @cached_property
    def template(self) -> str:
        """The path as documents have it: parameters without their types."""
        segments = [
            f"{{{segment[1:-1].partition(':')[0]}}}" if segment.startswith("{") else segment
            for segment in self.segments
        ]
        return "/" + "/".join(segments)

    @cached_property
    def parameters(self) -> dict[str, type]:
        """The path's parameters and their types."""
        found: dict[str, type] = {}
        for segment in self.segments:
            if segment.startswith("{"):
                name, _, kind = segment[1:-1].partition(":")
                found[name] = int if kind == "int" else str
        return found

    @cached_property
    def body_adapter(self) -> TypeAdapter[Any]:
        """The adapter of the body model, built at the first use."""
        return TypeAdapter(self.body)

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the arguments: path, query and body in one object."""
        return copy.deepcopy(self._schema)

    @property
    def arguments(self) -> frozenset[str]:
        """The names of the arguments."""
        return frozenset(self._schema["properties"])

    @cached_property
    def _schema(self) -> dict[str, Any]:
        properties: dict[str, Any] = {}
        required: list[str] = []
        definitions: dict[str, Any] = {}
        for name, kind in self.parameters.items():
            properties[name] = {"type": "integer" if kind is int else "string"}
            required.append(name)
        if self.query is not None:
            schema = self.query.model_json_schema(by_alias=True)
            definitions.update(schema.pop("$defs", {}))
            properties.update(schema.get("properties", {}))
            required.extend(schema.get("required", []))
        if self.body is not None:
            schema = self.body_adapter.json_schema(by_alias=True)
            definitions.update(schema.pop("$defs", {}))
            properties["body"] = schema
            required.append("body")
        found: dict[str, Any] = {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        }
        if definitions:
            found["$defs"] = definitions
        return found


class Dialect(Protocol):
    """How a vendor's API authorises, answers and refuses."""

    def authorize(self, call: Call) -> HttpResponse | None:
        """Set `call.actor`, or return the vendor's refusal."""

    def respond(self, call: Call, body: bytes, status: int) -> HttpResponse:
        """Wrap a body in the vendor's headers."""

    def fail(self, request: SandboxRequest, error: Exception) -> HttpResponse | None:
        """Return the vendor's body for a domain error or `InvalidInput`, None for a bug of ours."""

    def refuse(self, request: SandboxRequest, reason: RefusalReason) -> HttpResponse:
        """Answer for what never reached an operation."""


class Operations:
    """The operations of one clone.

    Importing one of `modules` registers operations. All are imported, in their order, when somebody
    first asks: a process that never answers the API does without them, and nobody sees a part.
    """

    def __init__(
        self,
        clone: str,
        *,
        prefix: str = "",
        strip_suffix: str = "",
        modules: Sequence[str] = (),
    ) -> None:
        self.clone = clone
        self.prefix = prefix
        self.strip_suffix = strip_suffix
        self._modules = modules
        self._loading = RLock()
        self._is_loaded = not modules
        self._all: dict[str, Operation] = {}
        self._tree: dict[str, Any] = {}

    @property
    def all(self) -> Mapping[str, Operation]:
        """Every operation, by its id."""
        self.load()
        return self._all

    def load(self) -> None:
        """Import the modules that register operations, if that was not done."""
        if self._is_loaded:
            return
        with self._loading:
            for name in self._modules:
                import_module(name)
            self._is_loaded = True

    def operation(
        self,
        id: str,
        method: str,
        path: str,
        *,
        summary: str,
        query: type[BaseModel] | None = None,
        body: Any = None,
        access: str = "agent",
        status: int = 200,
        keeps_on_error: bool = False,
        raw_body: bool = False,
        form_body: bool = False,
        writes: bool | None = None,
    ) -> Callable[[View], View]:
        """Register a view as an operation. `summary` says in our own words what it does.

        Raises:
            ValueError: the id, or the method and path, are taken.
        """

        def register(view: View) -> View:
            found = Operation(
                clone=self.clone,
                id=id,
                method=method,
                path=self.prefix + path,
                summary=summary,
                view=view,
                query=query,
                body=body,
                access=access,
                status=status,
                keeps_on_error=keeps_on_error,
                raw_body=raw_body,
                form_body=form_body,
                writes=(method != "GET") if writes is None else writes,
            )
            if id in self._all:
                raise ValueError(f"operation {id} is registered twice")
            node = self._tree
            for segment in found.segments:
                node = node.setdefault("{}" if segment.startswith("{") else segment, {})
            methods = node.setdefault("/", {})
            if method in methods:
                raise ValueError(f"{method} {found.path} is registered twice")
            methods[method] = found
            self._all[id] = found
            return view

        return register

    def reserve(self, *paths: str) -> None:
        """Keep addresses for what is not built: a parameter never takes their last words."""
        for path in paths:
            node = self._tree
            for segment in (self.prefix + path).strip("/").split("/"):
                node = node.setdefault("{}" if segment.startswith("{") else segment, {})
            node.setdefault("/", {})

    def dispatch(
        self, request: SandboxRequest, dialect: Dialect, *, path: str | None = None
    ) -> HttpResponse:
        """Answer an API request, as if it had come to `path` where that is given."""
        self.load()
        path = request.path if path is None else path
        if self.strip_suffix and path.endswith(self.strip_suffix):
            path = path[: -len(self.strip_suffix)]
        methods, values = self._find(path.strip("/").split("/"))
        if not methods:
            return dialect.refuse(request, "unknown_path")
        operation = methods.get("GET" if request.method == "HEAD" else str(request.method))
        if operation is None:
            response = dialect.refuse(request, "wrong_method")
            response["Allow"] = ", ".join(_allowed(methods))
            return response
        request.operation_id = operation.id
        request.keep_on_error = operation.keeps_on_error
        try:
            call = Call(request, operation, {}, None, None)
            refusal = dialect.authorize(call)
            if refusal is not None:
                return refusal
            call.path = _path_values(operation, values)
            call.query = _query_values(operation, request)
            call.body = _body_values(operation, request)
            result = operation.view(call)
        except Exception as error:  # the boundary between a view and its vendor's error bodies
            answer = dialect.fail(request, error)
            if answer is None:
                raise
            return answer
        return _respond(call, result, dialect)

    def allowed_at(self, path: str) -> list[str]:
        """Return the methods that an address takes, HEAD where GET is; none where nothing is."""
        self.load()
        return _allowed(self._find(path.strip("/").split("/"))[0] or {})

    def _find(self, segments: list[str]) -> tuple[dict[str, Operation] | None, list[str]]:
        """Return the methods at a path and its parameter values, literal segments first."""

        def walk(node: dict[str, Any], index: int) -> tuple[dict[str, Operation], list[str]] | None:
            if index == len(segments):
                methods = node.get("/")
                return None if methods is None else (methods, [])
            literal = node.get(segments[index]) if segments[index] not in ("{}", "/") else None
            if literal is not None:
                found = walk(literal, index + 1)
                if found is not None:
                    return found
            wild = node.get("{}")
            if wild is not None and segments[index]:
                found = walk(wild, index + 1)
                if found is not None:
                    return found[0], [segments[index], *found[1]]
            return None

        return walk(self._tree, 0) or (None, [])


def _allowed(methods: Mapping[str, Operation]) -> list[str]:
    return [*methods, *(["HEAD"] if "GET" in methods else [])]


def _path_values(operation: Operation, values: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for (name, kind), text in zip(operation.parameters.items(), values, strict=True):
        if kind is int:
            number = whole_number(text, digits=19)
            if number is None or number > LARGEST:
                raise InvalidInput("path", None)
            found[name] = number
        else:
            found[name] = text
    return found


def _query_values(operation: Operation, request: SandboxRequest) -> Any:
    if operation.query is None:
        return None
    values: dict[str, Any] = {}
    lists = list_parameters(operation.query)
    try:
        if operation.form_body:
            values = parameters(request)
        else:
            for name in request.GET:
                values[name] = request.GET.getlist(name) if name in lists else request.GET[name]
    except ValueError as error:
        raise InvalidInput("query", None) from error
    try:
        return operation.query.model_validate(values)
    except ValidationError as error:
        raise InvalidInput("query", error) from error


def _body_values(operation: Operation, request: SandboxRequest) -> Any:
    if operation.raw_body:
        return request.body
    if operation.body is None:
        return None
    try:
        raw = parameters(request) if operation.form_body else read_json(request.body or b"{}")
    except (ValueError, RawPostDataException) as error:
        raise InvalidInput("body", None) from error
    try:
        return operation.body_adapter.validate_python(raw)
    except ValidationError as error:
        raise InvalidInput("body", error) from error


def _respond(call: Call, result: Any, dialect: Dialect) -> HttpResponse:
    if isinstance(result, HttpResponse):
        return result
    reply = result if isinstance(result, Reply) else Reply(result, call.operation.status)
    body = b"" if reply.body is None else to_json(reply.body)
    response = dialect.respond(call, body, reply.status)
    for name, value in reply.headers.items():
        response[name] = value
    return response
