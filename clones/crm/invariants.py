"""What holds of the CRM's rows in every world."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from clones.core.vendors import Invariant
from clones.crm.domain.duplicates.comparing import keys_of, texts_of
from clones.crm.domain.duplicates.rules import match_rules, may_be_matched
from clones.crm.models import MatchKey, rows_of
from clones.crm.queries.custom_values import references
from clones.crm.queries.records import find_records
from clones.crm.queries.schema import org_schema
from clones.crm.rules.record_ids import read_id

_AT_ONCE: Final = 500


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


def duplicates_are_found() -> Iterator[str]:
    """Check that each record is found by the keys that the matching rules make of it."""
    for of in org_schema():
        rules = match_rules(of) if may_be_matched(of) else {}
        fields = tuple(field for rule in rules.values() for field in rule.fields)
        kept: dict[str, set[tuple[str, str]]] = {}
        for rule, key, record in MatchKey.objects.filter(rule__in=list(rules)).values_list(
            "rule", "key", "record"
        ):
            kept.setdefault(record, set()).add((rule, key))
        ids = list(rows_of(of).order_by("Id").values_list("Id", flat=True)) if rules else []
        for start in range(0, len(ids), _AT_ONCE):
            rows = find_records(of, ids[start : start + _AT_ONCE])
            for id, texts in sorted(texts_of(fields, rows.values()).items()):
                wanted = {(one.rule, one.key) for one in keys_of(id, texts, rules.values())}
                if wanted != kept.get(id, set()):
                    yield f"{of.name} {id} is not found by its own keys, or by others, too"


INVARIANTS: Final[tuple[Invariant, ...]] = (
    ids_name_their_objects,
    references_lead_somewhere,
    stages_say_what_is_closed,
    duplicates_are_found,
)
