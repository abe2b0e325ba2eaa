"""The order of issues: who is put where, what else changes (nothing), what is refused."""

from __future__ import annotations

from random import Random

from clones.tracker.domain.ranking import RankPosition, rank_issues
from clones.tracker.models import Issue, User
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.lexorank import is_rank
from tests.tracker.boards import AGILE, history, own_scheme, ranks, withdraw
from tests.tracker.conftest import Site

RANK = f"{AGILE}/issue/rank"


def order(site: Site) -> list[str]:
    found = ranks(site)
    return sorted(found, key=lambda key: found[key])


def test_issues_go_before_and_after_others_and_only_they_change(site: Site) -> None:
    a, b, c, d = (site.issue(name) for name in "abcd")
    assert order(site) == [a, b, c, d]
    before = ranks(site)
    site.put(RANK, {"issues": [d, c], "rankBeforeIssue": b})
    assert order(site) == [a, d, c, b]
    after = ranks(site)
    assert {key for key in after if after[key] != before[key]} == {c, d}
    assert all(map(is_rank, after.values()))
    with site.store():
        number = Issue.objects.get(key=a).id
    site.put(RANK, {"issues": [str(number)], "rankAfterIssue": b, "rankCustomFieldId": 10019})
    assert order(site) == [d, c, b, a]
    assert history(site, a) == [("Rank", "", "Ranked lower")]
    assert history(site, c) == [("Rank", "", "Ranked higher")]
    assert history(site, b) == []


def test_whatever_is_moved_the_order_is_that_of_a_list(site: Site) -> None:
    expected = [site.issue(str(number)) for number in range(7)]
    chance = Random(11)
    with site.writing():
        ada = Rights(User.objects.get(account_id=site.ids["ada"]))
        for _ in range(60):
            moved = chance.sample(expected, chance.randint(1, 3))
            other = chance.choice(expected)
            rows = Issue.objects.select_related("project").in_bulk(field_name="key")
            place = RankPosition(rows[other], after=chance.random() < 0.5)
            rank_issues([rows[key] for key in moved], place, actor=ada)
            moved = [key for key in moved if key != other]
            expected = [key for key in expected if key not in moved]
            at = expected.index(other) + place.after
            expected[at:at] = moved
            found = list(Issue.objects.order_by("rank", "id").values_list("key", flat=True))
            assert found == expected


def test_what_stands_there_already_is_not_changed(site: Site) -> None:
    a, b, c = (site.issue(name) for name in "abc")
    before = ranks(site)
    site.put(RANK, {"issues": [a], "rankBeforeIssue": a})
    site.put(RANK, {"issues": [b], "rankAfterIssue": a})
    site.put(RANK, {"issues": [a, b], "rankBeforeIssue": c})
    assert ranks(site) == before
    assert history(site, a) == history(site, b) == []


def test_there_is_room_however_often_one_gap_is_used(site: Site) -> None:
    a, b = site.issue("a"), site.issue("b")
    others = [site.issue(str(number)) for number in range(3)]
    with site.writing():
        # As if hundreds had been put there: the gap after `a` has no short rank left.
        Issue.objects.filter(key=b).update(rank=ranks_next(Issue.objects.get(key=a).rank))
    site.put(RANK, {"issues": [others[0]], "rankAfterIssue": a})
    assert order(site) == [a, others[0], b, others[1], others[2]]
    assert all(is_rank(rank) and len(rank) < 40 for rank in ranks(site).values())


def ranks_next(rank: str) -> str:
    return rank + "0" * 130 + "1"


def test_unverified_words_to_who_may_not_rank(site: Site) -> None:
    a, b = site.issue("a"), site.issue("b")
    other = site.issue("c", project={"key": "OPS"})
    withdraw(site, "SCHEDULE_ISSUES", "LAS")
    refused = site.put(RANK, {"issues": [b], "rankBeforeIssue": a}, status=403)
    assert refused == {
        "errorMessages": [f"You do not have permission to rank issue {b}."],
        "errors": {},
    }
    assert order(site) == [a, b, other]


def test_unverified_requests_that_make_no_sense_are_refused(site: Site) -> None:
    a, b = site.issue("a"), site.issue("b")
    gone = "Issue does not exist or you do not have permission to see it."
    cases = [
        ({"issues": [a], "rankBeforeIssue": "LAS-999"}, [gone], {}),
        ({"issues": ["NO-1"], "rankBeforeIssue": b}, [gone], {}),
        ({"issues": [a]}, ["Either rankBeforeIssue or rankAfterIssue must be specified."], {}),
        (
            {"issues": [a], "rankBeforeIssue": b, "rankCustomFieldId": 10016},
            [],
            {"rankCustomFieldId": "The custom field '10016' is not a rank field."},
        ),
        (
            {"issues": [a] * 51, "rankBeforeIssue": b},
            [],
            {"issues": "A maximum of 50 issues can be moved at once."},
        ),
        ({"issues": []}, [], {"issues": "At least one issue is required."}),
    ]
    for body, messages, fields in cases:
        refused = site.put(RANK, body, status=400)
        assert refused == {"errorMessages": messages, "errors": fields}
    assert site.call("PUT", RANK, {"issues": [a]}, by=None).status == 401


def test_unverified_some_of_many_may_be_refused_with_207(site: Site) -> None:
    a, b = site.issue("a"), site.issue("b", project={"key": "OPS"})
    c = site.issue("c")
    own_scheme(site, "OPS")
    withdraw(site, "SCHEDULE_ISSUES", "OPS")
    found = site.put(RANK, {"issues": [c, b], "rankBeforeIssue": a}, status=207)
    with site.store():
        numbers = dict(Issue.objects.values_list("key", "id"))
    assert found["entries"] == [
        {"issueId": numbers[c], "issueKey": c, "status": 200},
        {
            "issueId": numbers[b],
            "issueKey": b,
            "status": 403,
            "errors": [f"You do not have permission to rank issue {b}."],
        },
    ]
    assert order(site) == [c, a, b]
