"""Searches in the records of a custom object: by words, and by filters of their fields."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.db.models import Case, IntegerField, Q, QuerySet, TextField, Value, When
from django.db.models.functions import Cast

from clones.core.json_keys import AtKey, TextAtKey
from clones.core.words import words_of
from clones.helpdesk.models import CustomObject, CustomObjectField, CustomObjectRecord
from clones.helpdesk.queries.custom_objects import active_fields, records_of
from clones.helpdesk.rules.custom_objects import TEXTS
from clones.helpdesk.rules.record_filters import CUSTOM, Comparison, FilterGroup

VALUES = "custom_object_fields"
WORDS = 20  # of a query; more are passed over
DEEP = 10_000  # records that a search without an order of its own goes through
COLUMNS = {"created_by_user": "created_by", "updated_by_user": "updated_by"}
SIDES = {"$gt": "__gt", "$gte": "__gte", "$lt": "__lt", "$lte": "__lte"}

Records = QuerySet[CustomObjectRecord]


def matching(found: CustomObject, text: str, *, names_only: bool = False) -> Records:
    """Return the records in which any word of a text begins a word, those with more words first.

    Looked at are the name, the external id and the fields of text; a text without words finds all.
    Each record has its number of words as `score`; their order is total.
    """
    rows = records_of(found)
    words = list(dict.fromkeys(word.lower() for word in words_of(text)))[:WORDS]
    if not words:
        return rows.annotate(score=Value(0, IntegerField())).order_by("id")
    places = ["name"]
    if not names_only:
        places.append("external_id")
        rows, own = _with_texts(rows, [f for f in active_fields(found) if f.type in TEXTS])
        places += own
    hits = [_any_of(places, word) for word in words]
    score: Any = Value(0, IntegerField())
    for hit in hits:
        score = score + Case(When(hit, then=1), default=0, output_field=IntegerField())
    return rows.annotate(score=score).filter(_joined(hits)).order_by("-score", "id")


def referring(found: CustomObject, field: CustomObjectField, key: str) -> Records:
    """Return the records of an object whose lookup `field` refers to the record of an id."""
    return records_of(found).alias(target=_text(field)).filter(target=key)


def filtered(rows: Records, asked: FilterGroup, fields: Sequence[CustomObjectField]) -> Records:
    """Return the rows that a filter leaves; `fields` are the object's own."""
    for field in fields:
        rows = rows.alias(
            **{
                f"text_{field.id}": _text(field),
                f"json_{field.id}": AtKey(field.key, VALUES),
            }
        )
    return rows.filter(_tree(asked, {field.key: field.id for field in fields}))


def _with_texts(rows: Records, fields: Sequence[CustomObjectField]) -> tuple[Records, list[str]]:
    names = [f"word_{field.id}" for field in fields]
    for name, field in zip(names, fields, strict=True):
        rows = rows.alias(**{name: _text(field)})
    return rows, names


def _text(field: CustomObjectField) -> Cast:
    """Return a value as text: cast, since what is taken out of JSON is else compared as JSON."""
    return Cast(TextAtKey(field.key, VALUES), TextField())


def _any_of(places: Sequence[str], word: str) -> Q:
    return _joined([Q(**{f"{place}__has_prefix": word}) for place in places])


def _joined(parts: Sequence[Q]) -> Q:
    found = Q()
    for part in parts:
        found |= part
    return found


def _tree(asked: FilterGroup | Comparison, ids: dict[str, int]) -> Q:
    if isinstance(asked, Comparison):
        return _comparison(asked, ids)
    found = Q()
    for part in asked.parts:
        one = _tree(part, ids)
        found = found & one if asked.together else found | one
    return found


def _comparison(asked: Comparison, ids: dict[str, int]) -> Q:
    own = asked.field.removeprefix(CUSTOM)
    if own == asked.field:
        column = COLUMNS.get(asked.field, asked.field)
        return _compared(column, column, asked)
    return _compared(f"text_{ids[own]}", f"json_{ids[own]}", asked)


def _compared(text: str, kept: str, asked: Comparison) -> Q:
    """Return the condition; `text` is the value as text, `kept` as it is kept."""
    if asked.operator == "$exists":
        return Q(**{f"{text}__isnull": not asked.value})
    positive = _positive(text, kept, asked)
    if asked.operator in ("$noteq", "$notin", "$notcontains"):
        return ~positive | Q(**{f"{text}__isnull": True})
    return positive


def _positive(text: str, kept: str, asked: Comparison) -> Q:
    operator, value = asked.operator, asked.value
    if operator in SIDES:
        column = kept if asked.kind in ("integer", "decimal") else text
        return Q(**{f"{column}{SIDES[operator]}": value})
    if operator in ("$in", "$notin"):
        return Q(**{f"{text}__in": list(value)})
    if operator in ("$contains", "$notcontains"):
        wanted = json.dumps(value) if asked.kind == "multiselect" else value
        return Q(**{f"{text}__icontains": wanted})
    if asked.kind == "checkbox":
        return Q(**{kept: True}) if value else ~Q(**{kept: True}) | Q(**{f"{text}__isnull": True})
    if asked.kind in ("integer", "decimal"):
        return Q(**{kept: value})
    return Q(**{text: value})
