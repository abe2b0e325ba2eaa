"""The one description of the objects: storage, describe, REST, queries and pages read it."""

from clones.crm.rules.schema.fields import Child, Field, PicklistValue
from clones.crm.rules.schema.objects import Schema, SObject, extended_schema, standard_schema

__all__ = [
    "Child",
    "Field",
    "PicklistValue",
    "SObject",
    "Schema",
    "extended_schema",
    "standard_schema",
]
