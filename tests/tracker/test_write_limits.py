"""How often one issue is written to, on a clock that moves by itself."""

from __future__ import annotations

from clones.core import clock
from clones.tracker.queries.write_limits import LIMITS
from tests.tracker.issues import doc
from tests.tracker.site import Site

SLOW = 0.001  # so much slower than the machine's that no time passes in a test


def live(site: Site) -> None:
    with site.writing():
        clock.configure(mode="live", speed=SLOW)


def test_an_issue_takes_twenty_writes_in_two_seconds(site: Site) -> None:
    """By whomever, of each kind; of another issue more. A clock that steps counts none."""
    key, other = site.issue("Often"), site.issue("Seldom")
    (most, seconds), (more, longer) = LIMITS
    for number in range(most + 1):
        site.put(f"issue/{key}", {"fields": {"summary": f"Stepped {number}"}})
    site.advance(longer)
    live(site)
    for number in range(0, most, 2):
        site.put(f"issue/{key}", {"fields": {"summary": f"Again {number}"}}, by="dev")
        site.post(f"issue/{key}/comment", {"body": doc("Once more.")})
    for method, path, body in (
        ("PUT", f"issue/{key}", {"fields": {"summary": "Refused"}}),
        ("POST", f"issue/{key}/comment", {"body": doc("Refused.")}),
        ("DELETE", f"issue/{key}", None),
    ):
        refused = site.call(method, path, body)
        assert refused.status == 429
        assert refused.headers["RateLimit-Reason"] == "jira-per-issue-on-write"
        assert 1 <= int(refused.headers["Retry-After"]) <= seconds
        assert refused.body["errorMessages"] == ["Rate limit exceeded."]
    site.get(f"issue/{key}")
    site.put(f"issue/{other}", {"fields": {"summary": "Written"}})
    site.call("PUT", "issue/NONE-1", {"fields": {}})
    site.advance(seconds)
    site.put(f"issue/{key}", {"fields": {"summary": "Later"}})
    assert more > most


def test_an_issue_takes_a_hundred_writes_in_thirty_seconds(site: Site) -> None:
    key = site.issue("Often")
    (most, seconds), (more, longer) = LIMITS
    live(site)
    for _ in range(more // most):
        for number in range(most):
            site.put(f"issue/{key}", {"fields": {"summary": f"Again {number}"}})
        site.advance(seconds + 1)
    refused = site.call("PUT", f"issue/{key}", {"fields": {"summary": "Refused"}})
    assert refused.status == 429
    assert seconds < int(refused.headers["Retry-After"]) <= longer
