"""Calls that ask what records are like, and what is told of it in other answers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from clones.core import clock
from clones.crm.api.soap.asked import SoapCall, answers
from clones.crm.api.soap.rows import ids_of, object_of, save_listed
from clones.crm.api.soap.values import (
    GivenRecord,
    checked,
    duplicate_result_xml,
    errors_xml,
    read_record,
    whole_id,
)
from clones.crm.api.soap.xml import tag
from clones.crm.domain.duplicates.asked import duplicate_options
from clones.crm.domain.duplicates.comparing import compare
from clones.crm.domain.duplicates.results import present_result
from clones.crm.domain.duplicates.rules import duplicate_rules, may_be_matched
from clones.crm.domain.saving.many import Saved, check_number
from clones.crm.domain.saving.values import stored_value
from clones.crm.errors import CrmError
from clones.crm.models import SObjectRow, model_of
from clones.crm.queries.formulas import Looker
from clones.crm.queries.records import find_record

MOST: Final = 50  # records of one call
_NEW: Final = "new"  # stands for the id of a record that is not there yet


@answers("findDuplicates")
def find_duplicates(asked: SoapCall) -> str:
    """Tell what records that are not there yet are like, by each duplicate rule of their object."""
    given = [read_record(one, asked.schema) for one in asked.said.all("sObjects")]
    check_number(given, MOST)

    def row_of(one: GivenRecord) -> SObjectRow:
        row = model_of(one.of)(Id=_NEW)
        row.sobject = one.of
        for field in one.of.stored:
            if field.slot is not None:
                setattr(row, field.name, None)
        for name, value in checked(one).items():
            known = one.of.field(name)
            setattr(row, name, None if known is None else stored_value(known, value))
        return row

    return _answered(asked, [partial(row_of, one) for one in given])


@answers("findDuplicatesByIds")
def find_duplicates_by_ids(asked: SoapCall) -> str:
    """Tell what records are like, by each duplicate rule of their object."""
    ids = ids_of(asked)
    check_number(ids, MOST)

    def row_of(text: str) -> SObjectRow:
        id = whole_id(text)
        return find_record(object_of(asked, id), id)

    return _answered(asked, [partial(row_of, one) for one in ids])


def _answered(asked: SoapCall, rows: list[Callable[[], SObjectRow]]) -> str:
    found: list[list[dict[str, Any]]] = []

    def look(row_of: Callable[[], SObjectRow]) -> Saved:
        found.append(_results(asked, row_of()))
        return Saved()

    answer = ""
    for saved in save_listed(rows, look):
        results = [] if saved.error else found.pop(0)
        answer += (
            "<result>"
            + "".join(
                duplicate_result_xml("duplicateResults", one, asked.schema) for one in results
            )
            + errors_xml([saved.error] if saved.error else [], asked.schema)
            + tag("success", saved.error is None)
            + "</result>"
        )
    return answer


def _results(asked: SoapCall, row: SObjectRow) -> list[dict[str, Any]]:
    if not may_be_matched(row.sobject):
        raise CrmError(
            f"{row.sobject.name} does not support duplicate management", code="INVALID_TYPE"
        )
    looker = Looker(asked.user, clock.now())
    own = None if row.pk == _NEW else str(row.pk)
    return [
        present_result(
            rule,
            compare(asked.schema, rule, row, own=own, seen_by=asked.user),
            allows=not rule.on_insert.blocks,
            options=duplicate_options(),
            looker=looker,
            message="",
        )
        for rule in duplicate_rules(row.sobject)
    ]
