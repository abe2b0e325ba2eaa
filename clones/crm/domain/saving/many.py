"""Many records in one call: each is saved or refused by itself, or all of them are.

What a refused record wrote before it was refused is undone to the last row, counters included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, TypeVar

from django.db import transaction

from clones.crm.domain.saving.external_ids import upsert_record
from clones.crm.domain.saving.pipeline import create_record, delete_record, update_record
from clones.crm.errors import CrmError, IsDeleted, NotFound, RecordError, UnreadableBody
from clones.crm.queries.schema import org_schema
from clones.crm.rules.record_ids import read_id
from clones.crm.rules.schema import Field, SObject

MOST: Final = 200

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Given:
    """A record as a list of records has it: its object, and what is said of its fields."""

    of: SObject
    said: Mapping[str, Any]

    def value(self, field: str) -> Any:
        """Return what is said of a field, in whatever case it is written; None for nothing."""
        wanted = field.lower()
        return next((value for name, value in self.said.items() if name.lower() == wanted), None)

    def without(self, field: str) -> dict[str, Any]:
        """Return what is said of all fields but one."""
        wanted = field.lower()
        return {name: value for name, value in self.said.items() if name.lower() != wanted}


@dataclass(frozen=True, slots=True)
class Saved:
    """What became of one record: its id where it has one, and why it was refused."""

    id: str | None = None
    error: CrmError | None = None
    is_created: bool = False


def check_number(records: Sequence[object], most: int = MOST) -> None:
    """See that no more records are given than one call takes.

    Raises:
        CrmError: there are more.
    """
    if len(records) > most:
        raise CrmError(
            f"record limit reached. cannot submit more than {most} records into this call",
            code="EXCEEDED_ID_LIMIT",
        )


def create_many(records: Sequence[Given], *, actor: str, all_or_none: bool) -> list[Saved]:
    """Make records.

    Raises:
        CrmError: there are too many, or one names a field that its object does not have.
        UnreadableBody: a value is of another type than its field.
    """
    _check(records)
    return _save_rows(
        records, partial(make_one, actor=actor), lambda _: None, all_or_none=all_or_none
    )


def update_many(records: Sequence[Given], *, actor: str, all_or_none: bool) -> list[Saved]:
    """Change records, each by the id among what is said of it.

    Raises:
        CrmError: there are too many, or one names a field that its object does not have.
        UnreadableBody: a value is of another type than its field.
    """
    _check(records)
    return _save_rows(records, partial(change_one, actor=actor), known_id, all_or_none=all_or_none)


def delete_many(ids: Sequence[str], *, actor: str, all_or_none: bool) -> list[Saved]:
    """Put records of any objects into the recycle bin.

    Raises:
        CrmError: there are too many.
    """
    check_number(ids)
    schema = org_schema()

    def remove(id: str) -> Saved:
        of = schema.of_id(_whole(id))
        if of is None:
            raise _malformed(id)
        delete_record(of, _whole(id), actor=actor)
        return Saved(_whole(id))

    return _save_rows(ids, remove, _known, all_or_none=all_or_none)


def upsert_many(
    records: Sequence[Given], field: Field, *, actor: str, all_or_none: bool
) -> list[Saved]:
    """Change or make records, each by its value of a field that finds it.

    Raises:
        CrmError: there are too many, or one names a field that its object does not have.
        UnreadableBody: a value is of another type than its field.
    """
    _check(records)
    save = upserting(records, field, actor=actor)
    return _save_rows(records, save, known_id, all_or_none=all_or_none)


def make_one(one: Given, *, actor: str) -> Saved:
    """Make a record of a list.

    Raises:
        RecordError: it is refused.
        UnreadableBody: a value is of another type than its field.
    """
    return Saved(create_record(one.of, one.said, actor=actor).pk, is_created=True)


def change_one(one: Given, *, actor: str) -> Saved:
    """Change a record of a list, by the id among what is said of it.

    Raises:
        CrmError: it says none, there is no such record, or the change is refused.
        UnreadableBody: a value is of another type than its field.
    """
    id = one.value("Id")
    if id is None or id == "":
        raise RecordError("MISSING_ARGUMENT", "Id not specified in an update call", ["Id"])
    update_record(one.of, _whole(id), one.without("Id"), actor=actor)
    return Saved(_whole(id))


def upserting(records: Sequence[Given], field: Field, *, actor: str) -> Callable[[Given], Saved]:
    """Return what changes or makes each record of a list by its value of a field.

    What is returned raises CrmError where a record is refused, as it is where others of the list
    have its value, and UnreadableBody where a value is of another type than its field.
    """
    seen = Counter(_sameness(field, one.value(field.name)) for one in records)

    def save(one: Given) -> Saved:
        value = one.value(field.name)
        if field.type == "id":
            value = None if value is None or value == "" else _whole(value)
        elif value is None or value == "":
            raise RecordError("MISSING_ARGUMENT", f"{field.name} not specified", [field.name])
        if value is not None and seen[_sameness(field, value)] > 1:
            raise RecordError(
                "DUPLICATE_VALUE", f"Duplicate external id specified: {value}", [field.name]
            )
        said = one.without(field.name)
        row, created = upsert_record(one.of, field, value, said, actor=actor)
        return Saved(row.pk, is_created=created)

    return save


def known_id(one: Given) -> str | None:
    """Return the whole id that a record of a list says, None where it says none that is one."""
    return _known(one.value("Id"))


def rolled_back() -> CrmError:
    """Return the error of a record that others took with them."""
    return RecordError(
        "ALL_OR_NONE_OPERATION_ROLLED_BACK",
        "Record rolled back because not all records were valid and the request was using AllOrNone"
        " header",
    )


def save_each(
    items: Iterable[Item],
    save: Callable[[Item], Saved],
    *,
    all_or_none: bool = False,
    known: Callable[[Item], str | None] = lambda _: None,
    refusing_all: tuple[type[CrmError], ...] = (),
) -> list[Saved]:
    """Save items one by one, each undone by itself where it is refused; `known` is what has an id.

    Raises:
        CrmError: an item is refused by one of the errors that are `refusing_all` of them.
    """
    saved = []
    with transaction.atomic():
        for item in items:
            try:
                with transaction.atomic():
                    saved.append(save(item))
            except refusing_all:
                raise
            except CrmError as error:
                saved.append(Saved(known(item), _of_list(error)))
        if all_or_none and any(one.error for one in saved):
            transaction.set_rollback(True)
            saved = [one if one.error else _undone(one) for one in saved]
    return saved


def _undone(one: Saved) -> Saved:
    """Return what became of a record that was saved and went with the others."""
    return replace(
        one, id=None if one.is_created else one.id, error=rolled_back(), is_created=False
    )


def _save_rows(
    items: Iterable[Item],
    save: Callable[[Item], Saved],
    known: Callable[[Item], str | None],
    *,
    all_or_none: bool,
) -> list[Saved]:
    """Save records of a JSON body: one that cannot be read refuses them all."""
    return save_each(
        items, save, all_or_none=all_or_none, known=known, refusing_all=(UnreadableBody,)
    )


def _check(records: Sequence[Given]) -> None:
    check_number(records)
    for one in records:
        for name in one.said:
            if name == "attributes" or one.of.field(name) or one.of.reference(name):
                continue
            raise CrmError(
                f"No such column '{name}' on sobject of type {one.of.name}", code="INVALID_FIELD"
            )


def _of_list(error: CrmError) -> CrmError:
    """Return what a list of records says of an error: it knows no addresses."""
    if isinstance(error, IsDeleted):
        return RecordError("ENTITY_IS_DELETED", error.message)
    if isinstance(error, NotFound):
        return RecordError("INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id")
    return error


def _sameness(field: Field, value: Any) -> str | None:
    if field.type == "id":
        return _known(value)
    if value is None:
        return None
    text = str(value)
    return text if field.caseSensitive else text.lower()


def _known(id: Any) -> str | None:
    return read_id(id) if isinstance(id, str) else None


def _whole(id: Any) -> str:
    found = _known(id)
    if found is None:
        raise _malformed(id)
    return found


def _malformed(id: Any) -> RecordError:
    return RecordError("MALFORMED_ID", f"malformed id {str(id)[:200]}")
