"""Resources that admins configure, declared once: their fields, their writes, their operations.

A clone's `domain/` declares a `Resource`: what a record has, and the functions that write it. Its
`api/` says how the vendor's API offers it, in one line for each operation, under the vendor's id.
docs/how-to/add-a-configuration-resource.md shows both.
"""

from clones.core.resources.declaration import Id, Resource, ResourceField, body_of
from clones.core.resources.operations import (
    OperationKind,
    Overrides,
    ResourceApi,
    ResourceOperation,
    creates,
    deletes,
    lists,
    moves,
    register_operations,
    sets_default,
    shows,
    updates,
)

__all__ = [
    "Id",
    "OperationKind",
    "Overrides",
    "Resource",
    "ResourceApi",
    "ResourceField",
    "ResourceOperation",
    "body_of",
    "creates",
    "deletes",
    "lists",
    "moves",
    "register_operations",
    "sets_default",
    "shows",
    "updates",
]
