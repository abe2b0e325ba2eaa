"""Changes to the oracle of T03 that need to know the job: components, priorities, kinds, order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from episodes.certify.tracker_mutants import EDIT, LINK, MOVE, SAY, fields_of, with_body
from episodes.families.t03.params import PRIORITIES
from episodes.tasks.acting import Acts, Mutant, RecordedAct
from episodes.tasks.mutating import replaced
from episodes.tasks.spec import Facts
from episodes.tasks.tracker_acts import document


def mutants(acts: Acts, facts: Facts) -> list[Mutant]:
    """Return the mutants of one recorded run of the oracle by API."""
    return [
        *_of_the_filing(acts, facts),
        *_of_the_links(acts, facts),
        *_of_the_closes(acts, facts),
        *_of_what_stays(acts, facts),
        *_that_change_nothing(acts, facts),
        *_that_look_less(acts),
    ]


def _of_the_filing(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Another priority or component for each report that stays open."""
    for place, taken in enumerate(acts):
        fields = fields_of(taken)
        if taken.tool != EDIT:
            continue
        at = PRIORITIES.index(fields["priority"]["name"])
        other = {**fields, "priority": {"name": PRIORITIES[at - 1]}}
        yield Mutant(
            "wrong enum",
            "harmful",
            f"another priority at {place}",
            replaced(acts, place, with_body(taken, fields=other)),
        )
        entry = _entry_of(facts, taken)
        wrong = next(key for key in facts["components"] if key != entry["component"])
        other = {**fields, "components": [{"id": str(wrong)}]}
        yield Mutant(
            "wrong enum",
            "harmful",
            f"another component at {place}",
            replaced(acts, place, with_body(taken, fields=other)),
        )


def _entry_of(facts: Facts, taken: RecordedAct) -> dict[str, Any]:
    key = taken.arguments["issueIdOrKey"]
    return dict(next(entry for entry in facts["reports"] if entry["key"] == key))


def _of_the_links(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Links with something else, or of another kind."""
    for place, taken in enumerate(acts):
        if taken.tool != LINK:
            continue
        elsewhere = with_body(taken, outwardIssue={"key": facts["neighbour"]})
        yield Mutant(
            "wrong target",
            "harmful",
            f"link {place} with another",
            replaced(acts, place, elsewhere),
        )
        kind = taken.arguments["body"]["type"]["name"]
        other = "Relates" if kind == "Duplicate" else "Duplicate"
        yield Mutant(
            "wrong enum",
            "harmful",
            f"link {place} as {other}",
            replaced(acts, place, with_body(taken, type={"name": other})),
        )


def _of_the_closes(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Other resolutions, or none."""
    for place, taken in enumerate(acts):
        if taken.tool != MOVE:
            continue
        wrong = with_body(taken, fields={"resolution": {"name": "Cannot Reproduce"}})
        yield Mutant(
            "wrong enum", "harmful", f"close {place} otherwise", replaced(acts, place, wrong)
        )
        straight = with_body(taken, transition={"id": "61"}, fields=None)
        yield Mutant(
            "wrong transition",
            "harmful",
            f"close {place} without a resolution",
            replaced(acts, place, straight),
        )


def _of_what_stays(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Close what was to stay open; take namesakes for the same."""
    for entry in facts["reports"]:
        if entry["component"] is None:
            continue
        for name in ("Duplicate", "Won't Do"):
            shut = RecordedAct(
                MOVE,
                {
                    "issueIdOrKey": entry["key"],
                    "body": {
                        "transition": {"id": "51"},
                        "fields": {"resolution": {"name": name}},
                    },
                },
            )
            yield Mutant(
                "extra write next door",
                "harmful",
                f"{entry['key']} closed as {name}",
                [*acts[:-1], shut, acts[-1]],
            )
    for key, record in facts["namesakes"].items():
        body = {
            "type": {"name": "Duplicate"},
            "inwardIssue": {"key": key},
            "outwardIssue": {"key": record},
        }
        same = RecordedAct(LINK, {"body": body})
        yield Mutant(
            "wrong target", "harmful", f"{key} linked by its title", [*acts[:-1], same, acts[-1]]
        )


def _that_change_nothing(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    writes = [place for place, taken in enumerate(acts) if taken.tool in (EDIT, LINK, MOVE)]
    edits = [place for place in writes if acts[place].tool == EDIT]
    for place in edits:
        fields = fields_of(acts[place])
        entry = _entry_of(facts, acts[place])
        by_id = {**fields, "components": [{"id": str(entry["component"])}]}
        yield Mutant(
            "another way",
            "equivalent",
            f"component by id at {place}",
            replaced(acts, place, with_body(acts[place], fields=by_id)),
        )
    if len(edits) > 1:
        one, other = edits[0], edits[-1]
        swapped = list(acts)
        swapped[one], swapped[other] = acts[other], acts[one]
        yield Mutant("swap commuting steps", "equivalent", "two reports in turn", swapped)
    key = facts["reports"][0]["key"]
    noted = RecordedAct(SAY, {"key": key, "body": {"body": document("Sorted by the guide.")}})
    yield Mutant(
        "extra internal note", "equivalent", "a comment besides", [*acts[:-1], noted, acts[-1]]
    )
    last = writes[-1]
    given = RecordedAct("tracker_assignIssue", {"issueIdOrKey": key, "body": {"accountId": None}})
    yield Mutant(
        "allowed column", "equivalent", "assigned to nobody", [*acts[:last], given, *acts[last:]]
    )


def _that_look_less(acts: Acts) -> Iterator[Mutant]:
    """Leave out what only care and looking are read from."""
    for place, name in ((0, "the reports"), (1, "the guide")):
        yield Mutant("drop a read", "careless", f"{name} not read", replaced(acts, place))
