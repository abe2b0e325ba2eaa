"""Votes for issues."""

from __future__ import annotations

from clones.tracker.domain.settings import set_setting
from clones.tracker.models import Issue, PermissionGrant, Project, Resolution
from tests.tracker.site import Site


def test_people_vote_for_issues(site: Site) -> None:
    """Votes count once a person; the reporter may vote; taking a vote back twice is once."""
    key = site.issue(by="dev")
    path = f"issue/{key}/votes"
    for voter in ("dev", "dana", "dana"):
        site.post(path, by=voter, status=204)
    found = site.get(path, by="dana")
    assert (found["votes"], found["hasVoted"]) == (2, True)
    assert [voter["displayName"] for voter in found["voters"]] == ["Dana Ruiz", "Dev Anand"]
    assert found["self"].endswith(f"/rest/api/3/issue/{key}/votes")
    for _ in range(2):
        site.delete(path, by="dana")
    assert site.get(path, by="dana")["hasVoted"] is False
    site.post(path, by=None, status=401)
    site.get("issue/LAS-999/votes", status=404)


def test_voters_are_shown_to_those_who_may_see_them(site: Site) -> None:
    """Without the permission only the count is shown."""
    key = site.issue()
    site.post(f"issue/{key}/votes", status=204)
    with site.writing():
        scheme = Project.objects.get(key="LAS").permission_scheme
        grants = PermissionGrant.objects.filter(scheme=scheme)
        grants.filter(permission="VIEW_VOTERS_AND_WATCHERS").delete()
    found = site.get(f"issue/{key}/votes", by="dev")
    assert (found["votes"], found["voters"]) == (1, [])
    watchers = site.get(f"issue/{key}/watchers", by="dev")
    assert (watchers["watchCount"], watchers["watchers"]) == (1, [])


def test_resolved_issues_take_no_votes(site: Site) -> None:
    """Neither new votes nor their withdrawal."""
    key = site.issue()
    with site.writing():
        Issue.objects.filter(key=key).update(resolution=Resolution.objects.order_by("id")[0])
    for call in (site.post, site.delete):
        refused = call(f"issue/{key}/votes", status=404)
        assert refused["errorMessages"] == [
            "You cannot vote or change your vote on resolved issues."
        ]


def test_unverified_a_site_can_have_no_votes(site: Site) -> None:
    """The status is the vendor's, the sentence a guess."""
    key = site.issue()
    with site.writing():
        set_setting("voting_enabled", False)
    path = f"issue/{key}/votes"
    for refused in (
        site.get(path, status=404),
        site.post(path, status=404),
        site.delete(path, status=404),
    ):
        assert refused["errorMessages"] == ["Voting for issues is not enabled."]
