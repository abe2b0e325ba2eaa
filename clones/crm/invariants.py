"""What holds of the CRM's rows in every world."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from clones.core.vendors import Invariant
from clones.crm.models import rows_of
from clones.crm.queries.custom_values import references
from clones.crm.queries.schema import org_schema
from clones.crm.rules.record_ids import read_id


def ids_name_their_objects() -> Iterator[str]:
    """Check that each record has an id of its object, with the right last three characters."""
    for of in org_schema():
        if not of.prefix:  # rows that have the ids of others
            continue
        for id in rows_of(of).order_by("Id").values_list("Id", flat=True):
            if read_id(id) != id or id[:3] != of.prefix:
                yield f"{of.name} {id} has an id of another form"


def references_lead_somewhere() -> Iterator[str]:
    """Check that references lead to records of objects that they may lead to."""
    schema = org_schema()
    for of in schema:
        for field in of.stored:
            if field.type != "reference":
                continue
            for id, other in references(of, field):
                target = schema.of_id(other)
                if target is None or target.name not in field.reference_to:
                    yield f"{of.name} {id}: {field.name} is no id of what it may refer to: {other}"
                elif not rows_of(target).filter(Id=other).exists():
                    yield f"{of.name} {id}: {field.name} leads to nothing: {other}"


def stages_say_what_is_closed() -> Iterator[str]:
    """Check that an opportunity is closed and won as its stage says."""
    stages = {row.ApiName: (row.IsClosed, row.IsWon) for row in rows_of("OpportunityStage").all()}
    rows = rows_of("Opportunity").order_by("Id")
    for id, stage, closed, won in rows.values_list("Id", "StageName", "IsClosed", "IsWon"):
        if stage in stages and stages[stage] != (closed, won):
            yield f"opportunity {id} is closed or won otherwise than its stage {stage}"


INVARIANTS: Final[tuple[Invariant, ...]] = (
    ids_name_their_objects,
    references_lead_somewhere,
    stages_say_what_is_closed,
)
