"""Records that are like one: found by the keys that matching rules make of their values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from clones.crm.domain.duplicates.rules import DuplicateRule, MappedRule, match_rules
from clones.crm.models import MatchKey, SObjectRow, rows_of
from clones.crm.queries.access.sharing import open_ids
from clones.crm.queries.access.viewing import Viewer
from clones.crm.queries.records import find_records
from clones.crm.rules.access.sharing import Level
from clones.crm.rules.matching import MatchRule
from clones.crm.rules.schema import OrgSchema, SObject

MOST: Final = 100  # candidates that are compared, and matches that are told
_OF_ACCOUNT: Final = "Account.Name"

Texts = dict[str, str | None]


@dataclass(frozen=True, slots=True)
class Match:
    """A record that is like another one, and how much, in percent."""

    row: SObjectRow
    likeness: float


@dataclass(frozen=True, slots=True)
class Compared:
    """What a matching rule found: the likest first."""

    rule: MatchRule
    matches: tuple[Match, ...]


def texts_of(fields: Sequence[str], rows: Iterable[SObjectRow]) -> dict[str, Texts]:
    """Return the values of some fields of records as texts, by the records' ids."""
    rows = list(rows)
    names: dict[str, str | None] = {}
    if _OF_ACCOUNT in fields:
        ids = {row.AccountId for row in rows if row.AccountId is not None}
        if ids:
            names = dict(rows_of("Account").filter(Id__in=ids).values_list("Id", "Name"))
    found = {}
    for row in rows:
        found[str(row.pk)] = {
            field: names.get(row.AccountId or "")
            if field == _OF_ACCOUNT
            else _text(getattr(row, field, None))
            for field in fields
        }
    return found


def keep_keys(of: SObject, rows: Iterable[SObjectRow], rules: Iterable[MatchRule]) -> None:
    """Let records (of one object) be found by the keys that its matching rules make of them."""
    rows, rules = list(rows), list(rules)
    fields = tuple(dict.fromkeys(field for rule in rules for field in rule.fields))
    wanted = {
        key.id: key
        for id, texts in texts_of(fields, rows).items()
        for key in keys_of(id, texts, rules)
    }
    for kept in MatchKey.objects.filter(record__in=[row.pk for row in rows]).order_by("id"):
        own = wanted.get(kept.id)
        if own is None or own.key != kept.key:
            kept.delete()
        else:
            del wanted[kept.id]
    MatchKey.objects.bulk_create(list(wanted.values()))


def keys_of(id: str, texts: Mapping[str, str | None], rules: Iterable[MatchRule]) -> list[MatchKey]:
    """Return the rows by which a record (by its id) is found, not yet kept."""
    return [
        MatchKey(id=f"{id}{rule.name}{place}", rule=rule.name, key=key, record=id)
        for rule in rules
        for place, key in enumerate(rule.keys(texts))
    ]


def drop_keys(ids: Iterable[str]) -> None:
    """Let records (by their ids) not be found any more."""
    MatchKey.objects.filter(record__in=list(ids)).delete()


def like(schema: OrgSchema, comparison: MappedRule, texts: Texts, *, own: str | None) -> Compared:
    """Return the records that are like one whose texts are given, but not itself (`own`)."""
    rule = comparison.rule
    if comparison.mapping is not None:
        texts = {to: texts.get(field) for field, to in comparison.mapping.items()}
    keys = rule.keys_to_seek(texts)
    if not keys:
        return Compared(rule, ())
    places: dict[str, int] = {}
    candidates = MatchKey.objects.filter(rule=rule.name, key__in=keys)
    if own is not None:
        candidates = candidates.exclude(record=own)
    for record in candidates.order_by("record").values_list("record", flat=True)[: MOST * 4]:
        places[record] = places.get(record, 0) + 1
    # Those that have most keys in common are the likeliest.
    likeliest = sorted(places, key=lambda id: (-places[id], id))[:MOST]
    if not likeliest:
        return Compared(rule, ())
    of = schema.objects[rule.object]
    rows = {
        id: row
        for id, row in find_records(of, likeliest).items()
        if not getattr(row, "IsConverted", False)
    }
    found = []
    for id, others in sorted(texts_of(rule.fields, rows.values()).items()):
        likeness = rule.likeness(texts, others)
        if likeness is not None:
            found.append(Match(rows[id], round(likeness, 1)))
    return Compared(rule, tuple(sorted(found, key=lambda one: (-one.likeness, one.row.pk))))


def compare(
    schema: OrgSchema,
    rule: DuplicateRule,
    row: SObjectRow,
    *,
    own: str | None,
    seen_by: str | None = None,
) -> list[Compared]:
    """Return what each matching rule of a duplicate rule finds that a record is like.

    `seen_by` leaves out what a user (by id) does not see.
    """
    found = []
    for one in rule.comparisons:
        texts = texts_of(one.sources, [row])[str(row.pk)]
        compared = like(schema, one, texts, own=own)
        found.append(compared if seen_by is None else _seen(compared, Viewer(seen_by)))
    return found


def _seen(compared: Compared, asking: Viewer) -> Compared:
    if not compared.matches:
        return compared
    of = compared.matches[0].row.sobject
    ids = open_ids(asking, of, [match.row.pk for match in compared.matches], Level.READ)
    return replace(
        compared, matches=tuple(match for match in compared.matches if match.row.pk in ids)
    )


def index_rule(schema: OrgSchema, name: str) -> None:
    """Make the keys of all records for a matching rule, which was switched on."""
    for rule in match_rules(names=[name]).values():
        of = schema.objects[rule.object]
        ids = list(rows_of(of).order_by("Id").values_list("Id", flat=True))
        for start in range(0, len(ids), 500):
            rows = find_records(of, ids[start : start + 500])
            texts = sorted(texts_of(rule.fields, rows.values()).items())
            MatchKey.objects.bulk_create(
                [key for id, one in texts for key in keys_of(id, one, [rule])]
            )


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value or None
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)
