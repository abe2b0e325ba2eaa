"""The one description of the objects: storage, describe, REST, queries and pages read it."""

from clones.crm.rules.schema.fields import Child, Field, PicklistValue
from clones.crm.rules.schema.objects import OrgSchema, SObject, extended_schema, standard_schema

__all__ = [
    "Child",
    "Field",
    "OrgSchema",
    "PicklistValue",
    "SObject",
    "extended_schema",
    "standard_schema",
]
