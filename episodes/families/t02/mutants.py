"""Changes to the oracle of T02 that need to know the job: clauses, days, sharing, name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from episodes.tasks.acting import Acts, Mutant, RecordedAct
from episodes.tasks.mutating import place_of, replaced
from episodes.tasks.spec import Facts

CREATE: Final = "tracker_createFilter"
SEARCH: Final = "tracker_searchAndReconsileIssuesUsingJql"
READS: Final = (SEARCH, "tracker_getIssue")
DAYS: Final = re.compile(r'"(-?)(\d+)d"')
Change = tuple[str, str, Mapping[str, Any]]


def mutants(acts: Acts, facts: Facts) -> list[Mutant]:
    """Return the mutants of one recorded run of the oracle by API."""
    place = place_of(acts, lambda taken: taken.tool == CREATE)
    if place is None:
        return []
    saved = acts[place].arguments["body"]
    harmful = [*_of_clauses(saved["jql"]), *_of_days(saved["jql"]), *_of_access(saved, facts)]
    found = [
        Mutant(operator, "harmful", name, replaced(acts, place, _create({**saved, **changes})))
        for operator, name, changes in harmful
    ]
    found += [
        Mutant(operator, "equivalent", name, replaced(acts, place, _create({**saved, **changes})))
        for operator, name, changes in _same(saved)
    ]
    return [*found, *_of_acts(acts, place, saved, facts)]


def _create(saved: Mapping[str, Any]) -> RecordedAct:
    return RecordedAct(CREATE, {"body": dict(saved)})


def _joined(every: list[str], some: list[str]) -> str:
    return " AND ".join([*every, f"({' OR '.join(some)})"] if some else every)


def _some_of(jql: str) -> tuple[list[str], list[str]]:
    *every, last = jql.split(" AND ")
    return every, last[1:-1].split(" OR ")


def _of_clauses(jql: str) -> Iterator[Change]:
    """Leave out, turn round or move each clause."""
    every, some = _some_of(jql)
    for place, clause in enumerate(every):
        rest = [one for one in every if one != clause]
        turned = [*every[:place], f"NOT ({clause})", *every[place + 1 :]]
        yield "drop a condition", f"drop all {place}", {"jql": _joined(rest, some)}
        yield "wrong operator", f"turn all {place}", {"jql": _joined(turned, some)}
        yield "all for any", f"move all {place}", {"jql": _joined(rest, [*some, clause])}
    for place, clause in enumerate(some):
        rest = [one for one in some if one != clause]
        turned = [*some[:place], f"NOT ({clause})", *some[place + 1 :]]
        yield "drop a condition", f"drop any {place}", {"jql": _joined(every, rest)}
        yield "wrong operator", f"turn any {place}", {"jql": _joined(every, turned)}
    yield "narrowed", "all that one must hold of", {"jql": " AND ".join([*every, *some])}
    yield "widened", "none of which one must hold", {"jql": " AND ".join(every)}
    yield "widened", "only the spaces", {"jql": every[0]}
    yield (
        "wrong brackets",
        "the brackets left out",
        {"jql": " AND ".join(every) + " AND " + " OR ".join(some)},
    )
    one = re.sub(r', "[^"]+"\)', ")", every[0])
    yield "narrowed", "one space of two", {"jql": jql.replace(every[0], one)}
    if " was " in jql:
        yield "present for past", "is for was", {"jql": jql.replace(" was ", " = ")}
        yield "present for past", "was not", {"jql": jql.replace(" was ", " was not ")}


def _of_days(jql: str) -> Iterator[Change]:
    """Count other days, or write a date where days are to be counted."""
    for number, found in enumerate(DAYS.finditer(jql)):
        sign, days = found.group(1), int(found.group(2))
        for other in (days + 7, max(days - 6, 1)):
            changed = jql.replace(found.group(), f'"{sign}{other}d"')
            yield "wrong number", f"{other} days at {number}", {"jql": changed}
        back = "+" if sign else "-"
        changed = jql.replace(found.group(), f'"{back}{days}d"')
        yield "wrong number", f"the other way at {number}", {"jql": changed}


def _of_access(saved: Mapping[str, Any], facts: Facts) -> Iterator[Change]:
    shares = {
        "everybody": {"type": "authenticated"},
        "the public": {"type": "global"},
        "a group": {"type": "group", "group": {"name": "jira-users"}},
    }
    key = "sharePermissions"
    for name, share in shares.items():
        if share != saved[key][0]:
            yield "wrong audience", f"shared with {name}", {key: [share]}
    yield "narrowed", "for oneself", {key: []}
    yield "widened", "others may change it", {"editPermissions": [{"type": "authenticated"}]}
    yield "wrong name", "another name", {"name": f"{saved['name']} (new)"}
    yield "wrong name", "the name of the work item", {"name": facts["request_key"]}


def _same(saved: Mapping[str, Any]) -> Iterator[Change]:
    every, some = _some_of(saved["jql"])
    yield "reworded", "with a description", {"description": "As asked for."}
    yield "reworded", "the name with a space behind", {"name": f"{saved['name']} "}
    yield (
        "commuting parts",
        "clauses the other way round",
        {"jql": " AND ".join([f"({' OR '.join(some[::-1])})", *every[::-1]])},
    )
    yield "said twice", "a clause twice", {"jql": f"{saved['jql']} AND {every[0]}"}
    yield "said otherwise", "denied twice", {"jql": f"NOT (NOT ({saved['jql']}))"}
    yield "said otherwise", "in order", {"jql": f"{saved['jql']} ORDER BY created DESC"}
    lower = saved["jql"].replace(" AND ", " and ").replace(" OR ", " or ")
    yield "said otherwise", "words in small letters", {"jql": lower}
    names = re.findall(r'"([^"]+)"', every[0])
    spelt = " OR ".join(f'project = "{name}"' for name in names)
    yield (
        "said otherwise",
        "spaces one by one",
        {"jql": saved["jql"].replace(every[0], f"({spelt})")},
    )
    yield "not starred", "not starred", {"favourite": False}


def _of_acts(acts: Acts, place: int, saved: Mapping[str, Any], facts: Facts) -> Iterator[Mutant]:
    create, rest = acts[place], list(acts[place + 1 :])
    before = list(acts[:place])
    own = {"issueIdOrKey": facts["request_key"]}
    extra = {
        "a second filter": _create({**saved, "name": "One more"}),
        "a label on the request": RecordedAct(
            "tracker_editIssue", {**own, "body": {"update": {"labels": [{"add": "done"}]}}}
        ),
        "a comment on the request": RecordedAct(
            "tracker_addComment",
            {
                "key": facts["request_key"],
                "body": {"body": {"version": 1, "type": "doc", "content": [_paragraph("Done.")]}},
            },
        ),
        "the request given back": RecordedAct(
            "tracker_assignIssue", {**own, "body": {"accountId": None}}
        ),
        "a board besides": RecordedAct(
            "tracker_agile.createBoard",
            {"body": {"name": "List", "type": "kanban", "filterId": facts["filters"][0]}},
        ),
        "another work item changed": RecordedAct(
            "tracker_editIssue",
            {
                "issueIdOrKey": facts["planted"][0] if facts["planted"] else facts["request_key"],
                "body": {"fields": {"summary": "Looked at"}},
            },
        ),
    }
    for name, act in extra.items():
        yield Mutant("extra write next door", "harmful", name, [*before, create, act, *rest])
    unread = [taken for taken in before if taken.tool not in READS]
    yield Mutant("drop a read", "careless", "the request not read", [*unread, create, *rest])
    look = RecordedAct(SEARCH, {"jql": saved["jql"], "maxResults": 50})
    yield Mutant("a look first", "equivalent", "the query run", [*before, look, create, *rest])
    look = RecordedAct("tracker_getMyFilters", {})
    yield Mutant("a look first", "equivalent", "the own filters", [*before, look, create, *rest])


def _paragraph(text: str) -> dict[str, Any]:
    return {"type": "paragraph", "content": [{"type": "text", "text": text}]}
