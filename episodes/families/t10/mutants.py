"""Changes to the oracle of T10 that need to know the job: columns, limits, filters, swimlanes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from episodes.tasks.acting import Acts, Mutant, RecordedAct
from episodes.tasks.mutating import on_page, place_of, replaced, told_on_page
from episodes.tasks.spec import Facts

UNMAPPED: Final = "Unmapped"
LIMITS: Final = ("Minimum work items", "Maximum work items")
EVERYTHING: Final = "created >= -3000d"
NOTHING: Final = "created >= 3000d"
# What a query lists, of which the first is left out; and what it counts in days.
LISTED: Final = re.compile(r" in \(([^,()]+), ([^()]+)\)")
DAYS: Final = re.compile(r"(\d+)d\"")


def mutants(acts: Acts, facts: Facts) -> list[Mutant]:
    """Return the mutants of one recorded run of the oracle on pages."""
    return [
        *_of_the_columns(acts, facts),
        *_of_the_statuses(acts, facts),
        *_of_the_filters(acts, facts),
        *_of_the_lanes(acts),
        *_that_change_nothing(acts, facts),
        *_that_look_less(acts),
    ]


def _named(taken: RecordedAct, act: str, *names: str) -> bool:
    told = told_on_page(taken)
    return told.get("act") == act and any(told["name"].startswith(name) for name in names)


def _of_the_columns(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Another name of a column; a limit one more, or none."""
    names = {column["name"] for column in facts["columns"]}
    for place, taken in enumerate(acts):
        text = str(told_on_page(taken).get("text") or "")
        if _named(taken, "type", "Name") and text in names:
            other = replaced(acts, place, on_page(taken, text=f"{text} 2"))
            yield Mutant("column", "harmful", f"column {text} by another name", other)
        if _named(taken, "type", *LIMITS):
            more = replaced(acts, place, on_page(taken, text=str(int(text) + 1)))
            yield Mutant("limit", "harmful", f"limit {text} at {place} one more", more)
            none = replaced(acts, place)
            yield Mutant("limit", "harmful", f"limit {text} at {place} left out", none)


def _of_the_statuses(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """A status that is wanted in one column in another one, or in none."""
    names = [column["name"] for column in facts["columns"]]
    for place, taken in enumerate(acts):
        options = told_on_page(taken).get("options") or [UNMAPPED]
        if not _named(taken, "select", "Column of ") or options == [UNMAPPED]:
            continue
        status = told_on_page(taken)["name"].removeprefix("Column of ")
        others = [name for name in names if name != options[0]][:1]
        for other in (*others, UNMAPPED):
            wrong = replaced(acts, place, on_page(taken, options=[other]))
            yield Mutant("mapping", "harmful", f"{status} in {other}", wrong)


def _of_the_filters(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """A quick filter that shows everything or nothing, less than all of it, or has another name."""
    for name, _, query in _filters_of(acts, facts):
        text = str(told_on_page(acts[query])["text"])
        for told, jql in (("everything", EVERYTHING), ("nothing", NOTHING)):
            wrong = replaced(acts, query, on_page(acts[query], text=jql))
            yield Mutant("filter", "harmful", f"filter {name} shows {told}", wrong)
        for told, jql in (("one value fewer", _fewer(text)), ("another week", _later(text))):
            if jql != text:
                wrong = replaced(acts, query, on_page(acts[query], text=jql))
                yield Mutant("filter", "harmful", f"filter {name} of {told}", wrong)
    name, entry, query = _filters_of(acts, facts)[-1]
    text = str(told_on_page(acts[query])["text"])
    first, _, rest = text.partition(" AND ")
    # What is new is made on both sides of each condition of the second filter.
    for told, jql in (("the first condition", first), ("all but the first", rest)):
        wrong = replaced(acts, query, on_page(acts[query], text=jql))
        yield Mutant("filter", "harmful", f"filter {name} of {told}", wrong)
    other = replaced(acts, entry, on_page(acts[entry], text=f"{name} 2"))
    yield Mutant("filter", "harmful", f"filter {name} by another name", other)


def _fewer(jql: str) -> str:
    """Return a query whose first list lacks its first value."""
    return LISTED.sub(r" in (\2)", jql, count=1)


def _later(jql: str) -> str:
    """Return a query whose days are seven more."""
    return DAYS.sub(lambda found: f'{int(found[1]) + 7}d"', jql, count=1)


def _filters_of(acts: Acts, facts: Facts) -> list[tuple[str, int, int]]:
    """Return each quick filter's name, and the places where its name and its query are entered."""
    found = []
    for quick in facts["quick"]:
        entry = next(
            place
            for place, taken in enumerate(acts)
            if _named(taken, "type", "Name") and told_on_page(taken)["text"] == quick["name"]
        )
        query = next(
            place for place in range(entry, len(acts)) if _named(acts[place], "type", "JQL")
        )
        found.append((quick["name"], entry, query))
    return found


def _of_the_lanes(acts: Acts) -> Iterator[Mutant]:
    """Other swimlanes."""
    place = _lanes_at(acts)
    wanted = told_on_page(acts[place])["options"]
    for other in ("None", "Queries", "Assignees"):
        if [other] != wanted:
            wrong = replaced(acts, place, on_page(acts[place], options=[other]))
            yield Mutant("lanes", "harmful", f"swimlanes by {other}", wrong)


def _lanes_at(acts: Acts) -> int:
    place = place_of(acts, lambda taken: _named(taken, "select", "Base swimlanes on"))
    if place is None:
        raise LookupError("the oracle sets no swimlanes")
    return place


def _that_change_nothing(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """A query in brackets; the filters the other way round; the swimlanes before them."""
    for name, _, query in _filters_of(acts, facts):
        text = str(told_on_page(acts[query])["text"])
        same = replaced(acts, query, on_page(acts[query], text=f"({text})"))
        yield Mutant("filter", "equivalent", f"filter {name} in brackets", same)
    begin, middle, end = _blocks(acts, facts)
    one, two, lanes = list(acts[begin:middle]), list(acts[middle:end]), list(acts[end:-1])
    before, after = list(acts[:begin]), list(acts[-1:])
    turned = [*before, *two, *one, *lanes, *after]
    yield Mutant("order", "equivalent", "the filters the other way round", turned)
    tab = RecordedAct("replay", {**acts[begin - 1].arguments})
    first = [*acts[: begin - 1], *lanes, tab, *one, *two, *after]
    yield Mutant("order", "equivalent", "the swimlanes before the filters", first)


def _blocks(acts: Acts, facts: Facts) -> tuple[int, int, int]:
    """Return where the first filter, the second one and the swimlanes begin."""
    (_, one, _), (_, two, query) = _filters_of(acts, facts)
    end = next(
        place for place in range(query, len(acts)) if _named(acts[place], "click", "Swimlanes")
    )
    # The click that opens a form stands before its first field.
    return one - 1, two - 1, end


def _that_look_less(acts: Acts) -> Iterator[Mutant]:
    """The request is not opened: what it asks for comes from nowhere."""
    asked = place_of(acts, lambda taken: _named(taken, "type", "JQL query"))
    if asked is None:
        raise LookupError("the oracle looks for no request")
    kept = [taken for place, taken in enumerate(acts) if place != asked + 1]
    yield Mutant("looking", "careless", "without the request", kept)
