"""Who watches issues."""

from __future__ import annotations

from clones.tracker.domain.settings import set_setting
from clones.tracker.models import PermissionGrant, Preference, Project, User
from tests.tracker.site import Site


def watching(site: Site, key: str) -> list[str]:
    """Return the names of who watches an issue."""
    found = site.get(f"issue/{key}/watchers")
    assert found["watchCount"] == len(found["watchers"])
    return [watcher["displayName"] for watcher in found["watchers"]]


def test_people_begin_and_cease_to_watch(site: Site) -> None:
    """A bare account id is the body; twice is once; without one it is the caller."""
    key = site.issue()
    path = f"issue/{key}/watchers"
    assert watching(site, key) == ["Ada Brandt"]  # who made it
    for _ in range(2):
        site.post(path, site.ids["dev"], status=204)
    assert site.get(path, by="dev")["isWatching"] is True
    assert site.get(path, by="dana")["isWatching"] is False
    site.post(path, by="dana", status=204)
    assert watching(site, key) == ["Ada Brandt", "Dana Ruiz", "Dev Anand"]
    site.delete(f"{path}?accountId={site.ids['dev']}", by="dev")
    site.delete(f"{path}?accountId={site.ids['dev']}")
    assert watching(site, key) == ["Ada Brandt", "Dana Ruiz"]


def test_watchers_are_managed_by_those_who_may(site: Site) -> None:
    """What is refused, and in which words."""
    key = site.issue()
    path = f"issue/{key}/watchers"
    refused = site.post(path, site.ids["dana"], by="dev", status=403)
    assert refused["errorMessages"] == [
        f"User 'Dev Anand' is not allowed to add watchers to issue '{key}'"
    ]
    refused = site.delete(f"{path}?accountId={site.ids['ada']}", by="dev", status=403)
    assert refused["errorMessages"] == [
        f"User 'Dev Anand' is not allowed to remove watchers from issue '{key}'"
    ]
    assert site.delete(path, status=400)["errorMessages"] == ["The accountId must be specified."]
    assert site.post(path, "712020:nobody", status=404)["errorMessages"] == [
        "Specified user does not exist or you do not have required permissions"
    ]
    site.get("issue/LAS-999/watchers", status=404)
    site.post(path, by=None, status=401)


def test_unverified_who_cannot_see_an_issue_cannot_watch_it(site: Site) -> None:
    """The sentence is the vendor's; that it comes with 400 is a guess."""
    key = site.issue()
    refused = site.post(f"issue/{key}/watchers", site.ids["cara"], status=400)
    assert refused["errorMessages"][0] == (
        'The user "Cara Holm" does not have permission to view this issue. '
        "This user will not be added to the watch list."
    )


def test_whoever_is_to_watch_is_named_by_a_text(site: Site) -> None:
    """An object is no account id: the caller does not watch in their place."""
    key = site.issue(by="dana")
    for body in ({"accountId": site.ids["dev"]}, [site.ids["dev"]], 5):
        answer = site.call("POST", f"issue/{key}/watchers", body)
        text = "Invalid request payload. Refer to the REST API documentation and try again."
        assert (answer.status, answer.body) == (400, {"errorMessages": [text]})
    assert not site.get(f"issue/{key}/watchers")["isWatching"]


def test_who_may_not_see_watchers_finds_none_by_queries(site: Site) -> None:
    key = site.issue(by="dana")
    site.post(f"issue/{key}/watchers", site.ids["dev"], by="dev", status=204)
    site.post(f"issue/{key}/votes", by="dev", status=204)

    def found(query: str, by: str) -> int:
        asked = {"jql": f"key = {key} and {query}"}
        return int(site.post("search/approximate-count", asked, by=by, status=200)["count"])

    dev = site.ids["dev"]
    for query in (f"watcher = {dev}", f"voter = {dev}", "watcher is not empty"):
        assert (found(query, "dana"), found(query, "dev")) == (1, 1), query
    with site.writing():
        scheme = Project.objects.get(key="LAS").permission_scheme
        seeing = "VIEW_VOTERS_AND_WATCHERS"
        PermissionGrant.objects.filter(scheme=scheme, permission=seeing).delete()
    for query in (f"watcher = {dev}", f"voter = {dev}"):
        assert (found(query, "dana"), found(query, "dev")) == (0, 1), query


def test_many_issues_are_asked_for_at_once(site: Site) -> None:
    """Unknown ids are answered with false."""
    mine, other = site.issue(by="dev"), site.issue()
    ids = [site.get(f"issue/{key}?fields=summary")["id"] for key in (mine, other)]
    body = {"issueIds": [*ids, "99999", "LAS"]}
    found = site.post("issue/watching", body, by="dev", status=200)
    assert found == {
        "issuesIsWatching": {ids[0]: True, ids[1]: False, "99999": False, "LAS": False}
    }


def test_autowatch_can_be_turned_off(site: Site) -> None:
    """A preference keeps people from watching what they make."""
    with site.writing():
        user = User.objects.get(account_id=site.ids["dev"])
        Preference.objects.create(id=77, user=user, key="user.autowatch.disabled", value="true")
    assert watching(site, site.issue(by="dev")) == []


def test_unverified_a_site_can_have_no_watchers(site: Site) -> None:
    """Status and sentence are guesses."""
    key = site.issue()
    with site.writing():
        set_setting("watching_enabled", False)
    path = f"issue/{key}/watchers"
    for refused in (
        site.get(path, status=404),
        site.post(path, status=404),
        site.delete(f"{path}?accountId={site.ids['ada']}", status=404),
        site.post("issue/watching", {"issueIds": []}, status=404),
    ):
        assert refused["errorMessages"] == ["Watching issues is not enabled."]
