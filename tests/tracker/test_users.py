"""Users: profiles, invitations, removals, columns, properties, and the caller."""

from __future__ import annotations

from clones.tracker.domain.settings import set_setting
from clones.tracker.models import User
from tests.tracker.site import Site

GONE = ["Specified user does not exist or you do not have required permissions"]


def test_a_profile_shows_groups_and_products(site: Site) -> None:
    """Their number always, themselves when they are asked for."""
    path = f"user?accountId={site.ids['dev']}"
    found = site.get(path)
    assert (found["displayName"], found["emailAddress"]) == ("Dev Anand", "dev@site.example")
    assert (found["accountType"], found["active"]) == ("atlassian", True)
    assert found["groups"] == {"size": 2, "items": []}
    assert found["self"].endswith(f"/rest/api/3/{path}")
    found = site.get(f"{path}&expand=groups,applicationRoles")
    assert [one["name"] for one in found["groups"]["items"]] == [
        "jira-software-users",
        "jira-users",
    ]
    assert [one["key"] for one in found["applicationRoles"]["items"]] == ["jira-software"]
    mine = site.get("myself", by="dev")
    assert mine["accountId"] == site.ids["dev"]
    assert mine["avatarUrls"] == site.get(f"user?accountId={site.ids['dev']}")["avatarUrls"]
    assert site.get("user?accountId=x", status=404)["errorMessages"] == GONE
    error = site.get("user", status=400)
    assert error["errorMessages"] == ["The query parameter 'accountId' must be provided."]
    error = site.get(path, by="guest", status=403)
    text = "Browse users and groups permission is required to view users."
    assert error["errorMessages"] == [text]
    site.get("myself", by=None, status=401)


def test_lists_of_users(site: Site) -> None:
    """By account id page by page, or all, also those without access."""
    wanted = [site.ids[name] for name in ("dana", "dev", "cara")]
    query = "&".join(f"accountId={account}" for account in [*wanted, "x"])
    found = site.get(f"user/bulk?{query}&maxResults=2", by="guest")
    assert (found["total"], found["isLast"]) == (3, False)
    some = {one["accountId"] for one in found["values"]}
    assert (len(some), some < set(wanted)) == (2, True)
    site.delete(f"user?accountId={site.ids['dana']}")
    names = [one["displayName"] for one in site.get("users/search?startAt=1&maxResults=3")]
    assert names == ["Dev Anand", "Dana Ruiz", "Cara Holm"]
    assert len(site.get("users")) == 5
    groups = site.get(f"user/groups?accountId={site.ids['dev']}")
    assert [one["name"] for one in groups] == ["jira-software-users", "jira-users"]
    for path, text in (
        ("user/bulk", "The query parameter 'accountId' must be provided."),
        (
            "user/bulk/migration",
            "Either the 'username' or the 'key' query parameter must be provided.",
        ),
    ):
        assert site.get(path, status=400)["errorMessages"] == [text]
    assert site.get("user/bulk/migration?username=dev") == []
    site.get("users", by="guest", status=403)


def test_somebody_is_invited_and_removed(site: Site) -> None:
    """Products come by groups; who is removed keeps their name and signs in no more."""
    body = {"emailAddress": "Nia@Site.example", "displayName": "Nia Sol"}
    made = site.post("user", {**body, "products": ["jira-software"]})
    assert (made["displayName"], made["emailAddress"]) == ("Nia Sol", "nia@site.example")
    assert made["accountId"].startswith("712020:")
    with site.store():
        nia = User.objects.get(account_id=made["accountId"])
        assert [place.group.name for place in nia.memberships.all()] == ["jira-software-users"]
    again = site.post("user", {**body, "products": ["jira-servicedesk"]})
    assert (again["accountId"], again["groups"]["size"]) == (made["accountId"], 2)
    for given, error in (
        ({"emailAddress": "nia", "products": []}, "You must specify a valid email address"),
        ({"products": []}, "emailAddress is required."),
    ):
        assert site.post("user", given, status=400)["errors"] == {"emailAddress": error}
    error = site.post("user", {**body, "products": ["tea"]}, status=400)
    assert error["errorMessages"] == ["Invalid product keys: tea"]
    error = site.post("user", {**body, "products": []}, by="dev", status=403)
    assert error["errorMessages"] == ["Only Jira administrators can perform this operation."]
    key = site.issue(assignee={"accountId": site.ids["dev"]})
    site.delete(f"user?accountId={site.ids['dev']}")
    shown = site.get(f"issue/{key}?fields=assignee")["fields"]["assignee"]
    assert (shown["displayName"], shown["active"]) == ("Dev Anand", False)
    site.get("myself", by="dev", status=401)
    error = site.delete(f"user?accountId={site.ids['ada']}", status=400)
    assert error["errorMessages"] == ["You cannot delete your own account."]
    record = site.get("auditing/record?filter=User+deleted")["records"][0]
    assert (record["summary"], record["objectItem"]["name"]) == ("User deleted", "Dev Anand")
    assert record["authorKey"] == site.ids["ada"]


def test_the_columns_of_a_user(site: Site) -> None:
    """Form data sets them; without any they are the site's again."""
    usual = [one["value"] for one in site.get("user/columns", by="dev")]
    assert usual[:3] == ["issuetype", "issuekey", "summary"]
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    body = b"columns=summary&columns=customfield_10020&columns=status"
    assert site.call("PUT", "user/columns", body, by="dev", **form).status == 200
    assert site.get("user/columns", by="dev") == [
        {"label": "Summary", "value": "summary"},
        {"label": "Sprint", "value": "customfield_10020"},
        {"label": "Status", "value": "status"},
    ]
    answer = site.call("PUT", "user/columns", b"columns=tea", by="dev", **form)
    assert (answer.status, answer.body["errorMessages"]) == (
        404,
        ["The column 'tea' does not exist."],
    )
    path = f"user/columns?accountId={site.ids['dev']}"
    assert len(site.get(path)) == 3
    error = site.get(path, by="dana", status=403)
    assert error["errorMessages"] == ["Only Jira administrators can perform this operation."]
    site.delete(path)
    assert [one["value"] for one in site.get("user/columns", by="dev")] == usual


def test_properties_of_users(site: Site) -> None:
    """One's own, or anybody's for admins."""
    path = "user/properties"
    whose = f"accountId={site.ids['dev']}"
    site.put(f"{path}/desk?{whose}", {"floor": 2}, by="dev", status=201)
    assert site.get(f"{path}/desk?{whose}")["value"] == {"floor": 2}
    keys = [one["key"] for one in site.get(f"{path}?{whose}")["keys"]]
    assert keys == ["desk"]
    site.get(f"{path}?{whose}", by="dana", status=403)
    site.put(f"{path}/desk?{whose}", 3, status=200)
    site.delete(f"{path}/desk?{whose}", by="dev")
    error = site.get(f"{path}/desk?{whose}", by="dev", status=404)
    assert error["errorMessages"] == ["The property with key 'desk' does not exist."]
    # Who names nobody does not mean themselves.
    for method, address in (
        ("GET", path),
        ("GET", f"{path}/desk"),
        ("PUT", f"{path}/desk"),
        ("DELETE", f"{path}/desk"),
    ):
        answer = site.call(method, address, {} if method == "PUT" else None, by="dev")
        text = "The query parameter 'accountId' must be provided."
        assert (answer.status, answer.body["errorMessages"]) == (400, [text])


def test_preferences_and_language(site: Site) -> None:
    """Any key holds a text; the time zone moves the times that one reads."""
    path = "mypreferences?key="
    text = {"Content-Type": "text/plain"}
    assert site.call("PUT", f"{path}colour", b"blue", by="dev", **text).status == 204
    assert site.get(f"{path}colour", by="dev") == "blue"
    site.put(f"{path}colour", "red", by="dev")
    assert site.get(f"{path}colour", by="dev") == "red"
    site.delete(f"{path}colour", by="dev")
    for method in ("GET", "DELETE"):
        error = site.call(method, f"{path}colour", by="dev")
        assert (error.status, error.body["errorMessages"]) == (404, ["key not found: colour"])
    error = site.get("mypreferences", by="dev", status=404)
    assert error["errorMessages"] == ["key not provided"]
    before = site.get("serverInfo", by="dev")["serverTime"]
    site.put(f"{path}jira.user.timezone", "Asia/Tokyo", by="dev")
    assert site.get("myself", by="dev")["timeZone"] == "Asia/Tokyo"
    after = site.get("serverInfo", by="dev")["serverTime"]
    assert (before[-5:], after[-5:]) != ("+0900", before[-5:])
    assert after.endswith("+0900")
    assert site.get("mypreferences/locale", by=None) == {"locale": "en_US"}
    site.put("mypreferences/locale", {"locale": "de_DE"}, by="dev")
    assert site.get("mypreferences/locale", by="dev") == {"locale": "de_DE"}
    assert site.get("myself", by="dev")["locale"] == "de_DE"
    error = site.put("mypreferences/locale", {"locale": "english"}, by="dev", status=400)
    assert error["errorMessages"] == ["The locale english is not supported."]
    error = site.put(f"{path}long", "x" * 256, by="dev", status=400)
    assert error["errorMessages"] == ["value must not be longer than 255 characters"]


def test_addresses_are_shown_to_those_who_may_see_them(site: Site) -> None:
    """The site may hide them: then admins see all, and others their own; searches tell nothing."""
    with site.writing():
        set_setting("email_visibility", "admins")
    path = f"user?accountId={site.ids['dana']}"
    assert "emailAddress" not in site.get(path, by="dev")
    assert site.get(path)["emailAddress"] == "dana@site.example"
    assert site.get("myself", by="dev")["emailAddress"] == "dev@site.example"
    assert site.get("user/search?query=dana@", by="dev") == []
    assert len(site.get("user/search?query=dana@site.example", by="dev")) == 1
    assert len(site.get("user/search?query=dana@")) == 1
