"""Operations as tools of their own: what their bodies hold are arguments like others.

A body that is one record under its name (`{"ticket": {...}}`) gives its fields, any other its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from clones.core.operations import Operation
from episodes.spaces.errors import BadCall
from episodes.spaces.surfaces.flat import flat_name
from sandlot.spaces.surfaces import plain_name

# What a field of a body is called where the path or the query has an argument of its name.
OF_BODY: Final = "body_"
WHOLE_BODY: Final = "body"


def tool_name(operation: Operation) -> str:
    """Return an operation's name as a function's: `helpdesk_list_sla_policies`."""
    return plain_name(flat_name(operation))


@dataclass(frozen=True)
class NamedTool:
    """An operation as a tool, with the fields of its body among the arguments."""

    operation: Operation

    @cached_property
    def name(self) -> str:
        """The tool's name."""
        return tool_name(self.operation)

    def tool(self) -> dict[str, Any]:
        """Return the tool: name, description, input_schema."""
        operation = self.operation
        return {
            "name": self.name,
            "description": operation.summary,
            "input_schema": self._schema,
        }

    def arguments(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the operation's arguments, its body put together.

        Raises:
            BadCall: there is an argument that the tool does not have.
        """
        found: dict[str, Any] = {}
        body: dict[str, Any] = {}
        for name, value in given.items():
            if name in self._fields:
                body[self._fields[name]] = value
            elif name in self._schema["properties"]:
                found[name] = value
            elif self._takes_more:
                body[name] = value
            else:
                raise BadCall(f"{self.name} has no argument {name!r}")
        if self._record is not None:
            found[WHOLE_BODY] = {self._record: body}
        elif self._fields or body:
            found[WHOLE_BODY] = body
        return found

    @cached_property
    def _whole(self) -> dict[str, Any]:
        return self.operation.schema()

    @cached_property
    def _body(self) -> tuple[str | None, dict[str, Any]]:
        """The name of the one record in the body, if there is one, and the schema of its fields."""
        body = self._resolved(self._whole["properties"].get(WHOLE_BODY, {}))
        fields = body.get("properties", {})
        if len(fields) == 1:
            ((name, inner),) = fields.items()
            inner = self._resolved(inner)
            if inner.get("properties"):
                return name, inner
        return None, body

    def _resolved(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return a schema without reference and without null, where that leaves one."""
        choices = [item for item in schema.get("anyOf", []) if item != {"type": "null"}]
        if len(choices) == 1:
            schema = choices[0]
        if "$ref" in schema:
            found: dict[str, Any] = self._whole["$defs"][schema["$ref"].rpartition("/")[2]]
            return found
        return schema

    @cached_property
    def _record(self) -> str | None:
        return self._body[0]

    @cached_property
    def _fields(self) -> dict[str, str]:
        """The body's fields by the names of their arguments."""
        others = set(self._whole["properties"]) - {WHOLE_BODY}
        fields = self._body[1].get("properties", {})
        return {f"{OF_BODY}{name}" if name in others else name: name for name in fields}

    @property
    def _takes_more(self) -> bool:
        """Whether the body takes fields that its schema does not name."""
        body = self._body[1]
        return bool(body.get("properties")) and bool(body.get("additionalProperties"))

    @cached_property
    def _schema(self) -> dict[str, Any]:
        whole, (_, body) = self._whole, self._body
        properties = {
            name: schema for name, schema in whole["properties"].items() if name != WHOLE_BODY
        }
        required = [name for name in whole["required"] if name != WHOLE_BODY]
        if self._fields:
            fields, needed = body["properties"], body.get("required", [])
            properties |= {given: fields[name] for given, name in self._fields.items()}
            required += [given for given, name in self._fields.items() if name in needed]
        elif WHOLE_BODY in whole["properties"]:
            properties[WHOLE_BODY] = whole["properties"][WHOLE_BODY]
            required.append(WHOLE_BODY)
        elif self.operation.raw_body:
            properties[WHOLE_BODY] = {"type": "string", "description": "The content, as text."}
            required.append(WHOLE_BODY)
        found: dict[str, Any] = {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": self._takes_more,
        }
        if "$defs" in whole:
            found["$defs"] = whole["$defs"]
        return found
