"""Reports run: one query for the sums of their groups, one for their rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from clones.crm.queries.soql.asking import ask, calendar_of
from clones.crm.rules.reports import Aggregate, Fact, FoldedGroups, Key, Report, fold

# Rows that a run shows; whoever wants more filters.
MOST_ROWS: Final = 2000
_WHOLE: Final = ("s", "a")
_CHECKED: Final = 64.0


@dataclass(frozen=True, slots=True)
class ReportRun:
    """What a report found: the facts of its groups, and its rows by the groups they are in."""

    report: Report
    groups: FoldedGroups
    rows: dict[tuple[Key, Key], list[dict[str, Any]]]
    has_all_rows: bool


def run_report(
    report: Report, *, user: str, version: float, root: str, with_rows: bool
) -> ReportRun:
    """Return what a report finds for a user (by id); `root` is the API version's address.

    Raises:
        CrmError: it cannot be asked, or has more groups than one answer takes.
    """
    groups = _groups(report, user, version, root)
    rows: dict[tuple[Key, Key], list[dict[str, Any]]] = {}
    has_all = True
    if with_rows:
        rows, has_all = _rows(report, user, version, root)
    return ReportRun(report, groups, rows, has_all)


def _rest(report: Report) -> str:
    text = f" FROM {report.type.of.name}"
    if report.is_mine:
        text += " USING SCOPE mine"
    return f"{text} WHERE {report.where}" if report.where else text


def _groups(report: Report, user: str, version: float, root: str) -> FoldedGroups:
    keys, numbers = _keys(report), _numbers(report.aggregates)
    text = _groups_text(report, keys, numbers)
    rows = ask(text, user=user, version=version).page(root).records
    first = calendar_of(user).first_weekday
    finest = []
    for row in rows:
        values = {key: row[f"g{place}"] for place, key in enumerate(keys)}
        found: Key = tuple(
            one.key([values[key] for key in one.expressions()], first_weekday=first)
            for one in report.groupings
        )
        given = {text: row[f"n{place}"] for place, text in enumerate(numbers)}
        finest.append((found, _fact(report.aggregates, given, int(row["total"]))))
    return fold(finest, len(report.down))


def check_report(report: Report, *, user: str) -> None:
    """See that a report can be asked by a user (by id).

    Raises:
        CrmError: it cannot.
    """
    text = _groups_text(report, _keys(report), _numbers(report.aggregates))
    ask(text, user=user, version=_CHECKED)
    ask(_rows_text(report), user=user, version=_CHECKED)


def _keys(report: Report) -> list[str]:
    found = [text for one in report.groupings for text in one.expressions()]
    return list(dict.fromkeys(found))


def _groups_text(report: Report, keys: list[str], numbers: list[str]) -> str:
    selected = [f"{text} g{place}" for place, text in enumerate(keys)]
    selected += [f"{text} n{place}" for place, text in enumerate(numbers)]
    selected.append("COUNT(Id) total")
    text = f"SELECT {', '.join(selected)}{_rest(report)}"
    if keys:
        text += f" GROUP BY {', '.join(keys)}"
    return text


def _numbers(aggregates: tuple[Aggregate, ...]) -> list[str]:
    """Return what a query reads for aggregates: averages are put together from sums and counts."""
    found: dict[str, None] = {}
    for one in aggregates:
        if one.column is None:
            continue
        path = one.column.path
        if one.kind in _WHOLE:
            found |= dict.fromkeys((f"SUM({path})", f"COUNT({path})"))
        else:
            found[f"{'MAX' if one.kind == 'mx' else 'MIN'}({path})"] = None
    return list(found)


def _fact(aggregates: tuple[Aggregate, ...], given: dict[str, Any], total: int) -> Fact:
    fact = Fact(rows=total)
    for one in aggregates:
        if one.column is None:
            continue
        path = one.column.path
        if one.kind in _WHOLE:
            fact.sums[path] = float(given[f"SUM({path})"] or 0)
            fact.counts[path] = int(given[f"COUNT({path})"] or 0)
            continue
        value = given[f"{'MAX' if one.kind == 'mx' else 'MIN'}({path})"]
        if value is not None:
            (fact.most if one.kind == "mx" else fact.least)[path] = value
    return fact


def _rows(
    report: Report, user: str, version: float, root: str
) -> tuple[dict[tuple[Key, Key], list[dict[str, Any]]], bool]:
    text = _rows_text(report)
    found = ask(text, user=user, version=version).page(root, size=MOST_ROWS + 1).records
    calendar = calendar_of(user)
    rows: dict[tuple[Key, Key], list[dict[str, Any]]] = {}
    for row in found[:MOST_ROWS]:
        key: Key = tuple(
            one.key(
                one.values_of(
                    value_at(row, one.column.path),
                    value_at(row, one.column.key_path or "Id"),
                    calendar.zone,
                    calendar.fiscal_start,
                ),
                first_weekday=calendar.first_weekday,
            )
            for one in report.groupings
        )
        down, across = key[: len(report.down)], key[len(report.down) :]
        rows.setdefault((down, across), []).append(row)
    return rows, len(found) <= MOST_ROWS


def _rows_text(report: Report) -> str:
    paths = dict.fromkeys(("Id",))
    for column in (*report.columns, *(one.column for one in report.groupings)):
        paths |= dict.fromkeys((column.path,))
        if column.key_path is not None:
            paths |= dict.fromkeys((column.key_path,))
    order = [f"{column.path} {'ASC' if ascends else 'DESC'}" for column, ascends in report.order]
    return f"SELECT {', '.join(paths)}{_rest(report)} ORDER BY {', '.join([*order, 'Id'])}"


def value_at(row: dict[str, Any], path: str) -> Any:
    """Return the value that a path leads to in a record of a query; None where it leads nowhere."""
    found: Any = row
    for name in path.split("."):
        found = found.get(name) if isinstance(found, dict) else None
    return found
