"""Votes, comments, labels and texts of articles by the API, and who is told of readers."""

from __future__ import annotations

from typing import Any

import pytest

from clones.helpdesk.models import Article, User, UserSegment
from clones.helpdesk.queries.help_center import segments_of
from tests.helpdesk.help_center import HC, PREFIXES, Shelf

both = pytest.mark.parametrize("prefix", PREFIXES)


@both
def test_readers_vote_once_each_and_change_their_vote(shelf: Shelf, prefix: str) -> None:
    desk, key = shelf.desk, shelf["Clean the lens"]
    path = f"{prefix}/articles/{key}"
    up = desk.post(f"{path}/up.json", {}, by="rosa", status=200)["vote"]
    assert (up["value"], up["item_id"], up["item_type"]) == (1, key, "Article")
    desk.post(f"{path}/up.json", None, by="tom", status=200)
    down = desk.post(f"{path}/down.json", {}, by="rosa", status=200)["vote"]
    assert (down["id"], down["value"]) == (up["id"], -1)
    found = desk.get(f"{path}.json", by=None)["article"]
    assert (found["vote_sum"], found["vote_count"]) == (0, 2)
    votes = desk.get(f"{path}/votes.json?include=users,articles")
    assert [vote["value"] for vote in votes["votes"]] == [-1, 1]
    assert {user["name"] for user in votes["users"]} == {"Rosa Diaz", "Tom Berg"}
    assert [article["id"] for article in votes["articles"]] == [key]
    assert votes["votes"][0]["url"].endswith(f"/help_center/votes/{up['id']}.json")
    for end in ("up", "down"):
        assert desk.call("POST", f"{path}/{end}.json", by=None).status == 401
        hidden = f"{prefix}/articles/{shelf['Who decides']}/{end}.json"
        assert desk.call("POST", hidden, by="rosa").status == 404
    assert desk.call("GET", f"{path}/votes.json", by="rosa").status == 403


def test_votes_are_their_voters(shelf: Shelf) -> None:
    desk, key = shelf.desk, shelf["Clean the lens"]
    vote = desk.post(f"{HC}/articles/{key}/up.json", {}, by="rosa", status=200)["vote"]
    path = f"{HC}/votes/{vote['id']}.json"
    for reader in ("rosa", "ana"):
        assert desk.get(path, by=reader)["vote"]["id"] == vote["id"]
    assert desk.call("GET", path, by="tom").status == 404
    mine = desk.get(f"{HC}/users/me/votes.json", by="rosa")["votes"]
    theirs = desk.get(f"{HC}/users/{desk.ids['rosa']}/votes.json", by="ana")["votes"]
    assert [item["id"] for item in mine] == [item["id"] for item in theirs] == [vote["id"]]
    other = f"{HC}/users/{desk.ids['rosa']}/votes.json"
    assert desk.call("GET", other, by="tom").status == 404
    assert desk.call("GET", f"{HC}/users/you/votes.json").status == 404
    assert desk.call("DELETE", path, by="ana").status == 403
    assert desk.call("DELETE", path, by="rosa").status == 204
    assert desk.call("GET", path, by="rosa").status == 404
    found = desk.get(f"{HC}/articles/{key}.json", by=None)["article"]
    assert (found["vote_sum"], found["vote_count"]) == (0, 0)


@both
def test_readers_comment_on_articles(shelf: Shelf, prefix: str) -> None:
    desk, key = shelf.desk, shelf["Clean the lens"]
    path = f"{prefix}/articles/{key}/comments"
    said = {"comment": {"body": "<b>Which</b> alcohol?<script>x</script>"}}
    made = desk.post(f"{path}.json", said, by="rosa")["comment"]
    assert (made["body"], made["author_id"]) == ("<b>Which</b> alcohol?", desk.ids["rosa"])
    assert (made["source_id"], made["source_type"], made["locale"]) == (key, "Article", "en-us")
    listed = desk.get(f"{path}.json?include=users", by=None)
    assert [item["id"] for item in listed["comments"]] == [made["id"]]
    assert [set(user) for user in listed["users"]] == [{"id", "url", "name"}]
    one = f"{path}/{made['id']}.json"
    assert desk.get(one, by=None)["comment"]["id"] == made["id"]
    votes = f"{path}/{made['id']}/votes.json"
    assert desk.get(votes)["votes"] == []
    assert desk.call("GET", votes, by="rosa").status == 403
    change = {"comment": {"body": "Which one?"}}
    assert desk.put(one, change, by="rosa")["comment"]["non_author_editor_id"] is None
    moderated = desk.put(one, {"comment": {"body": "Which?"}}, by="olga")["comment"]
    assert moderated["non_author_editor_id"] == desk.ids["olga"]
    for status, by in ((403, "tom"), (401, None)):
        assert desk.call("PUT", one, change, by=by).status == status
        assert desk.call("DELETE", one, by=by).status == status
    assert desk.call("POST", f"{path}.json", said, by=None).status == 401
    assert desk.call("POST", f"{path}.json", {"comment": {"body": " "}}).status == 422
    assert desk.call("GET", f"{path}/1.json").status == 404
    assert desk.call("GET", f"{prefix}/articles/1/comments.json").status == 404
    assert desk.call("DELETE", one, by="rosa").status == 204
    assert desk.get(f"{path}.json", by=None)["comments"] == []


def test_comments_in_the_name_of_others_and_where_none_are_wanted(shelf: Shelf) -> None:
    desk, key = shelf.desk, shelf["Clean the lens"]
    path = f"{HC}/articles/{key}/comments.json"
    said = {"comment": {"body": "Thanks", "author_id": desk.ids["rosa"]}}
    assert desk.call("POST", path, said, by="ana").status == 403
    assert desk.post(path, said, by="olga")["comment"]["author_id"] == desk.ids["rosa"]
    mine = f"{HC}/users/me/comments.json"
    assert len(desk.get(mine, by="rosa")["comments"]) == 1
    assert desk.get(mine, by="tom")["comments"] == []
    assert desk.call("GET", f"{HC}/users/{desk.ids['rosa']}/comments.json", by="tom").status == 404
    change = {"article": {"comments_disabled": True}}
    desk.put(f"{HC}/articles/{key}.json", change, by="olga")
    assert desk.call("POST", path, said, by="olga").status == 403
    with desk.writing():
        Article.objects.filter(id=key).update(draft=True)
    assert desk.get(mine, by="rosa")["comments"] == [], "of an article that is hidden by now"


@both
def test_labels_of_articles(shelf: Shelf, prefix: str) -> None:
    desk, key = shelf.desk, shelf["Align mirrors"]
    path = f"{prefix}/articles/{key}/labels"
    made = desk.post(f"{path}.json", {"label": {"name": "lens"}}, by="olga")["label"]
    every = {
        found["name"]: found["id"] for found in desk.get(f"{HC}/articles/labels.json")["labels"]
    }
    assert every == {"lens": made["id"], "Care": every["Care"]}
    assert desk.get(f"{HC}/articles/labels/{made['id']}.json")["label"]["name"] == "lens"
    assert [found["id"] for found in desk.get(f"{path}.json")["labels"]] == [made["id"]]
    assert desk.call("POST", f"{path}.json", {"label": {"name": "lens"}}, by="olga").status == 422
    assert desk.call("POST", f"{path}.json", {"label": {"name": "x"}}, by="ana").status == 403
    assert desk.call("GET", f"{path}.json", by="rosa").status == 403
    assert desk.call("DELETE", f"{path}/{every['Care']}.json", by="olga").status == 404
    assert desk.call("DELETE", f"{path}/{made['id']}.json", by="ana").status == 403
    assert desk.call("DELETE", f"{path}/{made['id']}.json", by="olga").status == 204
    assert desk.get(f"{path}.json")["labels"] == []
    one = f"{HC}/articles/labels/{made['id']}.json"
    assert desk.call("DELETE", one, by="ana").status == 403
    assert desk.call("DELETE", one, by="olga").status == 204
    assert desk.call("GET", one).status == 404
    assert desk.call("GET", f"{HC}/articles/labels.json", by="rosa").status == 403
    lens = desk.get(f"{HC}/articles/{shelf['Clean the lens']}.json")["article"]
    assert lens["label_names"] == ["Care"]


SOURCES: list[tuple[str, str, dict[str, Any]]] = [
    ("articles", "Clean the lens", {"title": "Lenses", "body": "<p>Wipe.</p><i onclick='x'>!</i>"}),
    ("sections", "Optics", {"title": "Lenses", "body": "All of it"}),
    ("categories", "Machines", {"title": "Lasers", "body": "All of them"}),
]


@pytest.mark.parametrize(("plural", "name", "change"), SOURCES)
def test_texts_are_translations(
    shelf: Shelf, plural: str, name: str, change: dict[str, Any]
) -> None:
    desk, key = shelf.desk, getattr(shelf, plural)[name]
    path = f"{HC}/{plural}/{key}/translations"
    [listed] = desk.get(f"{path}.json", by=None)["translations"]
    assert (listed["title"], listed["source_id"], listed["locale"]) == (name, key, "en-us")
    assert desk.get(f"{path}.json?locales=de")["translations"] == []
    assert desk.get(f"{path}.json?draft=true")["translations"] == []
    assert desk.get(f"{path}/missing.json") == {"locales": []}
    desk.advance(minutes=3)
    changed = desk.put(f"{path}/en-us.json", {"translation": change}, by="olga")["translation"]
    assert changed["title"] == change["title"]
    shown = desk.get(f"{path}/EN-us.json", by=None)["translation"]
    assert (shown["id"], shown["body"]) == (listed["id"], changed["body"])
    assert "onclick" not in shown["body"]
    assert shown["updated_at"] > listed["updated_at"]
    assert desk.call("PUT", f"{path}/en-us.json", {"translation": change}, by="ana").status == 403
    assert (
        desk.call("PUT", f"{path}/en-us.json", {"translation": {"title": ""}}, by="olga").status
        == 422
    )
    assert desk.call("GET", f"{path}/de.json").status == 404
    assert desk.call("GET", f"{HC}/{plural}/1/translations.json").status == 404
    assert desk.call("GET", f"{path}/missing.json", by=None).status == 401


def test_a_draft_and_an_outdated_text(shelf: Shelf) -> None:
    desk, key = shelf.desk, shelf["Clean the lens"]
    path = f"{HC}/articles/{key}/translations/en-us.json"
    desk.advance(minutes=3)
    found = desk.put(path, {"translation": {"outdated": True, "draft": True}}, by="olga")
    assert (found["translation"]["outdated"], found["translation"]["draft"]) == (True, True)
    article = desk.get(f"{HC}/articles/{key}.json", by="olga")["article"]
    assert (article["outdated"], article["outdated_locales"]) == (False, ["en-us"])
    assert article["edited_at"] < article["updated_at"]
    assert desk.call("GET", f"{HC}/articles/{key}.json", by="ana").status == 404
    whole = desk.get(f"{HC}/articles/{key}/translations.json?draft=true&outdated=true", by="olga")
    assert len(whole["translations"]) == 1
    again = desk.put(path, {"translation": {"body": "<p>New.</p>", "draft": False}}, by="olga")
    assert again["translation"]["outdated"] is False, "its text is new"


def test_the_languages(shelf: Shelf) -> None:
    desk = shelf.desk
    assert desk.get(f"{HC}/locales.json", by=None) == {
        "locales": ["en-us"],
        "default_locale": "en-us",
    }
    wrong = {"Authorization": "Bearer nonsense"}
    assert desk.call("GET", f"{HC}/locales.json", by=None, **wrong).status == 401


def test_segments_and_permission_groups(shelf: Shelf) -> None:
    desk, staff = shelf.desk, shelf.segments["staff"]
    for path in ("user_segments", "user_segments/applicable", "user_segments?built_in=true"):
        found = desk.get(f"{HC}/{path}", by="olga")["user_segments"]
        assert [item["user_type"] for item in found] == ["signed_in_users", "staff"]
        assert desk.call("GET", f"{HC}/{path}", by="ana").status == 403
    assert desk.get(f"{HC}/user_segments?built_in=false", by="olga")["user_segments"] == []
    one = f"{HC}/user_segments/{staff}"
    assert desk.get(f"{one}.json", by="olga")["user_segment"]["name"] == "Agents and admins"
    sections = desk.get(f"{one}/sections.json", by="olga")["sections"]
    assert [item["name"] for item in sections] == ["Returns"]
    for path in (f"{one}.json", f"{one}/sections.json"):
        assert desk.call("GET", path, by="ana").status == 403
    assert desk.call("GET", f"{HC}/user_segments/1.json", by="olga").status == 404
    mine = f"{HC}/users/{desk.ids['rosa']}/user_segments.json"
    assert [item["user_type"] for item in desk.get(mine)["user_segments"]] == ["signed_in_users"]
    assert desk.call("GET", mine, by="rosa").status == 403
    groups = desk.get("guide/permission_groups.json")["permission_groups"]
    assert [(item["name"], item["edit"]) for item in groups] == [("Managers", [])]
    path = f"guide/permission_groups/{groups[0]['id']}.json"
    assert desk.get(path)["permission_group"]["built_in"] is True
    assert desk.call("GET", "guide/permission_groups/1.json").status == 404
    assert desk.call("GET", "guide/permission_groups.json", by="rosa").status == 403


@pytest.mark.parametrize(
    ("rule", "belong"),
    [
        ({}, {"rosa", "tom", "ana"}),
        ({"user_type": "staff"}, {"ana"}),
        ({"tags": ["vip", "old"]}, {"rosa"}),
        ({"tags": ["vip", "new"]}, set()),
        ({"or_tags": ["new", "vip"]}, {"rosa"}),
        ({"or_tags": ["firm"]}, {"rosa"}),
        ({"organization_ids": [900]}, {"rosa"}),
        ({"group_ids": ["group"]}, {"ana"}),
        ({"tags": ["none"], "added_user_ids": ["tom"]}, {"tom"}),
    ],
)
def test_who_belongs_to_a_segment(shelf: Shelf, rule: dict[str, Any], belong: set[str]) -> None:
    desk = shelf.desk
    desk.put(f"users/{desk.ids['rosa']}.json", {"user": {"tags": ["vip", "old"]}})
    desk.put("organizations/900.json", {"organization": {"tags": ["firm"]}}, by="olga")
    group = desk.get("groups.json")["groups"][0]["id"]
    stands = {"group": group, **desk.ids}
    given = {
        name: [stands.get(item, item) for item in value] if isinstance(value, list) else value
        for name, value in rule.items()
    }
    with desk.writing():
        row = UserSegment.objects.get(id=shelf.segments["signed_in_users"])
        for name, value in given.items():
            setattr(row, name, value)
        row.save()
        people = {name: User.objects.get(id=desk.ids[name]) for name in ("rosa", "tom", "ana")}
        found = {name for name, user in people.items() if row.id in segments_of(user)}
    assert found == belong
