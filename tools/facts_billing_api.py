"""Distil the vendor's operations from its public client into tests/facts/billing/operations.json.

    python -m tools.facts_billing_api

Reads the source of the `stripe` client that the tests are held to (pip installs it at the first
time) without importing it; writes methods, addresses and names of operations and parameters only,
no texts. An operation's name follows the vendor's convention: the method and the words of the
address. Run it again when the pin is raised.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.billing.public_client import REQUIREMENTS
from tests.clients import client_python

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "tests" / "facts" / "billing" / "operations.json"
METHODS = frozenset({"delete", "get", "post"})
VERSION = "/v1/"
PARAMETERS = re.compile(r"\w+Params\b")  # the classes that name an operation's parameters
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Operation(NamedTuple):
    """An operation of the vendor's: where it is and what it is called."""

    path: str
    method: str

    @property
    def id(self) -> str:
        """The vendor's name: of a path's parameters too, as in `PostRefundsRefundCancel`."""
        words = re.findall(r"[A-Za-z0-9]+", self.path.removeprefix(VERSION))
        return self.method.capitalize() + "".join(word[0].upper() + word[1:] for word in words)


def address(node: ast.expr) -> str | None:
    """Return the address of a literal, or of one that is filled with `format`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return address(node.func.value) if node.func.attr == "format" else None
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return None
    # Of resources' own, `%s` stands for a type of theirs: their services name each address.
    return node.value if node.value.startswith(VERSION) and "%" not in node.value else None


def requests_in(node: ast.AST) -> Iterator[Operation]:
    """Yield what a piece of the client asks for: calls with a method, then an address."""
    for call in ast.walk(node):
        if not isinstance(call, ast.Call):
            continue
        for method, place in zip(call.args, call.args[1:], strict=False):
            path = address(place)
            if path is None or not isinstance(method, ast.Constant) or method.value not in METHODS:
                continue
            yield Operation(path, str(method.value).upper())


def classes_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """Return the names of the classes that a function's `params` are of."""
    named = [*function.args.args, *function.args.kwonlyargs, function.args.kwarg]
    given = [argument for argument in named if argument is not None and argument.arg == "params"]
    notes = [ast.unparse(argument.annotation) for argument in given if argument.annotation]
    return [name for note in notes for name in PARAMETERS.findall(note)]


def fields_of(source: str, name: str) -> set[str]:
    """Return what a class of parameters has, by a module's source."""
    return {
        field.target.id
        for node in ast.parse(source).body
        if isinstance(node, ast.ClassDef) and node.name == name
        for field in node.body
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
    }


def operations_of(module: Path, client: Path) -> Iterator[tuple[Operation, set[str]]]:
    """Yield the operations that a module of the client asks for, each with parameters."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    imported = {
        alias.name: client.parent / f"{node.module.replace('.', '/')}.py"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module is not None
        for alias in node.names
    }
    for function in ast.walk(tree):
        if not isinstance(function, FUNCTIONS):
            continue
        for operation in requests_in(function):
            parameters: set[str] = set()
            for name in classes_of(function):
                source = imported[name].read_text(encoding="utf-8")
                parameters |= fields_of(source, name)
            yield operation, parameters


def client_source() -> Path:
    """Return the folder of the client's modules."""
    python = client_python("stripe", REQUIREMENTS)
    (found,) = (python.parents[1] / "lib").glob("python3*/site-packages/stripe")
    return found


def facts() -> list[dict[str, Any]]:
    """Return every operation that the client asks for, by address and method."""
    client = client_source()
    found: dict[Operation, set[str]] = {}
    for module in sorted(client.rglob("*.py")):
        for operation, parameters in operations_of(module, client):
            found.setdefault(operation, set()).update(parameters)
    return [
        {
            "method": operation.method,
            "path": operation.path,
            "id": operation.id,
            "parameters": sorted(parameters),
        }
        for operation, parameters in sorted(found.items())
    ]


def main() -> None:
    """Write the facts."""
    listed = facts()
    lines = [json.dumps(fact, separators=(",", ":")) for fact in listed]
    TARGET.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
    print(f"{TARGET.relative_to(ROOT)}: {len(listed)} operations")


if __name__ == "__main__":
    main()
