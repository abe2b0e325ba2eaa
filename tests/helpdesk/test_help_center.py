"""Categories, sections and articles by the API: who finds them, and who writes them."""

from __future__ import annotations

from typing import Any

import pytest

from clones.helpdesk.models import CustomRole, PermissionGroup, User, UserSegment
from tests.helpdesk.conftest import Desk
from tests.helpdesk.help_center import HC, PREFIXES, Shelf

both = pytest.mark.parametrize("prefix", PREFIXES)
PUBLIC = {"Clean the lens", "Align mirrors", "Return a part"}
READERS: list[tuple[str | None, set[str]]] = [
    (None, PUBLIC),
    ("rosa", PUBLIC | {"For customers"}),
    ("ana", PUBLIC | {"For customers", "Who decides"}),
    ("olga", PUBLIC | {"For customers", "Who decides", "New terms"}),
]


def titles(body: Any) -> list[str]:
    return [found["title"] for found in body["articles"]]


def names(rows: Any) -> list[str]:
    return [found["name"] for found in rows]


@both
@pytest.mark.parametrize(("reader", "wanted"), READERS)
def test_readers_find_what_is_for_them(
    shelf: Shelf, prefix: str, reader: str | None, wanted: set[str]
) -> None:
    desk = shelf.desk
    assert set(titles(desk.get(f"{prefix}/articles.json", by=reader))) == wanted
    for title, key in shelf.articles.items():
        status = desk.call("GET", f"{prefix}/articles/{key}.json", by=reader).status
        assert status == (200 if title in wanted else 404), title
    found = desk.get(f"{HC}/articles/search.json?query=lens the lead sign days tape", by=reader)
    assert {item["title"] for item in found["results"]} == wanted


@both
def test_lists_of_a_category_and_a_section(shelf: Shelf, prefix: str) -> None:
    desk, place = shelf.desk, shelf.sections["Optics"]
    listed = desk.get(f"{prefix}/sections/{place}/articles.json", by=None)
    assert titles(listed) == ["Clean the lens", "Align mirrors"]
    orders = shelf.categories["Orders"]
    assert titles(desk.get(f"{prefix}/categories/{orders}/articles.json", by=None)) == [
        "Return a part"
    ]
    for path in ("sections/1/articles", "categories/1/articles", "categories/1/sections"):
        assert desk.call("GET", f"{prefix}/{path}.json").status == 404, path
    empty = shelf.sections["Empty"]
    assert desk.call("GET", f"{prefix}/sections/{empty}/articles.json", by=None).status == 404
    assert titles(desk.get(f"{prefix}/sections/{empty}/articles.json")) == []


def test_the_articles_of_an_author(shelf: Shelf) -> None:
    desk = shelf.desk
    path = f"{HC}/users/{desk.ids['olga']}/articles.json"
    assert len(desk.get(path, by="olga")["articles"]) == 6
    assert len(desk.get(path, by="ana")["articles"]) == 5
    assert desk.get(f"{HC}/users/{desk.ids['ana']}/articles.json")["articles"] == []
    assert desk.call("GET", path, by=None).status == 401
    assert desk.call("GET", path, by="rosa").status == 403


@both
def test_unverified_sections_without_anything_to_read_are_not_shown_to_readers(
    shelf: Shelf, prefix: str
) -> None:
    desk = shelf.desk
    assert names(desk.get(f"{prefix}/categories.json", by=None)["categories"]) == [
        "Machines",
        "Orders",
    ]
    sections = desk.get(f"{prefix}/sections.json", by=None)["sections"]
    assert set(names(sections)) == {"Optics", "Returns"}
    assert set(names(desk.get(f"{prefix}/sections.json")["sections"])) == set(shelf.sections)
    orders, empty = shelf.categories["Orders"], shelf.sections["Empty"]
    path = f"{prefix}/categories/{orders}"
    assert names(desk.get(f"{path}/sections.json", by=None)["sections"]) == ["Returns"]
    assert desk.get(f"{path}.json", by=None)["category"]["name"] == "Orders"
    assert desk.get(f"{prefix}/sections/{empty}.json")["section"]["position"] == 5
    assert desk.call("GET", f"{prefix}/sections/{empty}.json", by=None).status == 404
    assert desk.call("GET", f"{prefix}/categories/1.json").status == 404
    wrong = {"Authorization": "Bearer nonsense"}
    for plural in ("categories", "sections"):
        assert desk.call("GET", f"{prefix}/{plural}.json", by=None, **wrong).status == 401


@both
def test_categories_and_sections_are_written_by_managers(shelf: Shelf, prefix: str) -> None:
    desk = shelf.desk
    made = desk.post(f"{prefix}/categories.json", {"category": {"name": "News"}}, by="olga")
    path = f"{prefix}/categories/{made['category']['id']}"
    change = {"category": {"description": "What is new", "position": 3}}
    assert desk.put(f"{path}.json", change, by="olga")["category"]["description"] == "What is new"
    section = desk.post(f"{path}/sections.json", {"section": {"name": "2026"}}, by="olga")
    inner = f"{prefix}/sections/{section['section']['id']}.json"
    changed = {"section": {"name": "2027", "sorting": "title"}}
    assert desk.put(inner, changed, by="olga")["section"]["name"] == "2027"
    for by in ("ana", "rosa"):
        assert desk.call("POST", f"{prefix}/categories.json", made, by=by).status == 403
        assert desk.call("PUT", f"{path}.json", change, by="ana").status == 403
        assert desk.call("POST", f"{path}/sections.json", section, by=by).status == 403
        assert desk.call("PUT", inner, changed, by="ana").status == 403
    assert desk.call("DELETE", inner, by="ana").status == 403
    assert desk.call("DELETE", f"{path}.json", by="ana").status == 403
    assert desk.call("DELETE", inner, by="olga").status == 204
    assert desk.call("DELETE", f"{path}.json", by="olga").status == 204
    assert desk.call("GET", f"{path}.json", by="olga").status == 404


def test_a_section_is_in_another_of_its_category_and_never_in_itself(shelf: Shelf) -> None:
    desk, optics = shelf.desk, shelf.sections["Optics"]
    parent = shelf.categories["Machines"]
    given = {"section": {"name": "Lenses", "parent_section_id": optics}}
    made = desk.post(f"{HC}/categories/{parent}/sections.json", given, by="olga")["section"]
    assert made["parent_section_id"] == optics
    for key, above in ((optics, made["id"]), (optics, optics), (shelf.sections["Returns"], optics)):
        change = {"section": {"parent_section_id": above}}
        answer = desk.call("PUT", f"{HC}/sections/{key}.json", change, by="olga")
        assert answer.status == 422, (key, above)
        assert set(answer.body["details"]) == {"parent_section_id"}
    moved = {"section": {"parent_section_id": None, "category_id": shelf.categories["Orders"]}}
    found = desk.put(f"{HC}/sections/{made['id']}.json", moved, by="olga")["section"]
    assert (found["parent_section_id"], found["category_id"]) == (None, shelf.categories["Orders"])


@both
def test_an_article_is_written_changed_and_archived(shelf: Shelf, prefix: str) -> None:
    desk, place = shelf.desk, shelf.sections["Optics"]
    given = {
        "title": "Focus",
        "body": '<p onclick="x()">Ramp <script>alert(1)</script></p><img src="x" onerror="y">',
        "locale": "en-us",
        "permission_group_id": shelf.group,
        "user_segment_id": None,
        "label_names": ["focus"],
    }
    path = f"{prefix}/sections/{place}/articles.json"
    made = desk.post(path, {"article": given, "notify_subscribers": False}, by="olga")["article"]
    assert made["body"] == '<p>Ramp </p><img src="x">'
    assert (made["author_id"], made["draft"]) == (desk.ids["olga"], False)
    assert desk.call("POST", path, {"article": given}, by="ana").status == 403
    one = f"{prefix}/articles/{made['id']}.json"
    desk.advance(minutes=5)
    change = {
        "article": {
            "promoted": True,
            "section_id": shelf.sections["Returns"],
            "author_id": desk.ids["ana"],
            "user_segment_ids": [shelf.segments["staff"]],
            "comments_disabled": True,
            "label_names": ["ramp", "focus"],
        }
    }
    found = desk.put(one, change, by="olga")["article"]
    assert found["section_id"] == shelf.sections["Returns"]
    assert found["label_names"] == ["focus", "ramp"]
    assert found["user_segment_id"] == shelf.segments["staff"]
    assert found["edited_at"] == made["edited_at"] < found["updated_at"]
    assert desk.call("GET", one, by=None).status == 404
    assert desk.call("PUT", one, change, by="ana").status == 403
    assert desk.call("DELETE", one, by="ana").status == 403
    assert desk.call("DELETE", one, by="olga").status == 204
    assert desk.call("GET", one, by="olga").status == 404


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"title": " "}, "title"),
        ({"title": "x" * 256}, "title"),
        ({"locale": "de"}, "locale"),
        ({"permission_group_id": 1}, "permission_group_id"),
        ({"user_segment_id": 1}, "user_segment_id"),
        ({"user_segment_ids": [1, 2]}, "user_segment_ids"),
        ({"position": -1}, "position"),
        ({"author_id": 1}, "author_id"),
        ({"label_names": [""]}, "label_names"),
    ],
)
def test_values_that_an_article_cannot_have(
    shelf: Shelf, change: dict[str, Any], field: str
) -> None:
    path = f"{HC}/sections/{shelf.sections['Optics']}/articles.json"
    given = {"title": "Focus", "locale": "en-us", **change}
    answer = shelf.desk.call("POST", path, {"article": given}, by="olga")
    assert (answer.status, set(answer.body["details"])) == (422, {field})
    assert shelf.desk.call("POST", path, {"article": {}}, by="olga").status == 422


def test_a_role_that_manages_and_a_group_that_edits(shelf: Shelf) -> None:
    desk = shelf.desk
    path = f"{HC}/sections/{shelf.sections['Optics']}/articles.json"
    with desk.writing():
        group = PermissionGroup.objects.get(id=shelf.group)
        group.edit = [shelf.segments["staff"]]
        group.save()
    given = {"article": {"title": "By Ana", "locale": "en-us", "user_segment_id": None}}
    assert desk.call("POST", path, given, by="ana").status == 403, "she may not publish"
    draft = {"article": {**given["article"], "draft": True}}
    made = desk.post(path, draft, by="ana")["article"]
    text = f"{HC}/articles/{made['id']}/translations/en-us.json"
    assert desk.call("PUT", text, {"translation": {"draft": False}}, by="ana").status == 403
    with desk.writing():
        role = CustomRole.objects.filter(role_type=0).order_by("id").first()
        assert role is not None
        role.configuration = {**role.configuration, "forum_access": "full"}
        role.save()
        User.objects.filter(id=desk.ids["ana"]).update(custom_role=role)
    assert desk.put(text, {"translation": {"draft": False}})["translation"]["draft"] is False
    assert desk.post(f"{HC}/categories.json", {"category": {"name": "Hers"}})


def test_a_language_that_is_not_there(shelf: Shelf) -> None:
    desk = shelf.desk
    place = shelf.sections["Optics"]
    assert desk.call("GET", f"{HC}/de/articles.json").status == 404
    given = {"article": {"title": "Fokus", "locale": "de"}}
    path = f"{HC}/de/sections/{place}/articles.json"
    assert desk.call("POST", path, given, by="olga").status == 404
    assert desk.get(f"{HC}/EN-US/articles.json")["count"] == 5


def test_unverified_strangers_may_leave_the_language_out(shelf: Shelf) -> None:
    assert shelf.desk.get(f"{HC}/articles.json", by=None)["count"] == 3


def test_unverified_words_of_refusals(shelf: Shelf) -> None:
    path = f"{HC}/sections/{shelf.sections['Optics']}/articles.json"
    answer = shelf.desk.call("POST", path, {"article": {"locale": "de"}}, by="olga")
    assert answer.body["error"] == "RecordInvalid"
    assert answer.body["details"] == {
        "locale": [{"description": "Locale: is not enabled", "error": "InvalidValue"}]
    }
    denied = shelf.desk.call("POST", path, {"article": {"title": "A"}}, by="ana")
    assert denied.body["error"]["title"] == "Forbidden"


def test_unverified_an_article_goes_to_managers_where_no_group_is_named(shelf: Shelf) -> None:
    path = f"{HC}/sections/{shelf.sections['Optics']}/articles.json"
    made = shelf.desk.post(path, {"article": {"title": "A"}}, by="olga")["article"]
    assert made["permission_group_id"] == shelf.group
    assert made["user_segment_id"] is None


def test_an_account_of_an_earlier_build_gets_what_it_lacks(desk: Desk) -> None:
    with desk.writing():
        PermissionGroup.objects.all().delete()
        UserSegment.objects.all().delete()
    made = desk.post(f"{HC}/categories.json", {"category": {"name": "A"}}, by="olga")["category"]
    path = f"{HC}/categories/{made['id']}/sections.json"
    section = desk.post(path, {"section": {"name": "B"}}, by="olga")["section"]
    path = f"{HC}/sections/{section['id']}/articles.json"
    article = desk.post(path, {"article": {"title": "C"}}, by="olga")["article"]
    groups = desk.get("guide/permission_groups.json", by="olga")["permission_groups"]
    assert [group["id"] for group in groups] == [article["permission_group_id"]]
    segments = desk.get(f"{HC}/user_segments.json", by="olga")["user_segments"]
    assert [segment["user_type"] for segment in segments] == ["signed_in_users", "staff"]


def test_lists_are_in_pages_of_thirty_and_in_the_order_asked_for(shelf: Shelf) -> None:
    desk = shelf.desk
    first = desk.get(f"{HC}/en-us/articles.json?sort_by=title&sort_order=desc&per_page=2")
    assert titles(first) == ["Who decides", "Return a part"]
    assert (first["page"], first["page_count"], first["per_page"]) == (1, 3, 2)
    assert (first["sort_by"], first["sort_order"], first["count"]) == ("title", "desc", 5)
    assert "per_page=2" in first["next_page"]
    usual = desk.get(f"{HC}/en-us/articles.json")
    assert (usual["per_page"], usual["next_page"], usual["sort_by"]) == (30, None, "position")
    walked: list[str] = []
    path = f"{HC}/en-us/articles.json?page[size]=2&sort_by=created_at"
    while True:
        page = desk.get(path)
        walked += titles(page)
        if not page["meta"]["has_more"]:
            break
        path = page["links"]["next"].partition("/api/v2/")[2]
    assert len(walked) == len(set(walked)) == 5
    assert "sort_by" not in page
    assert "next" not in page["links"], "so that clients that follow it come to an end"
    back = desk.get(page["links"]["prev"].partition("/api/v2/")[2])
    assert titles(back) == walked[2:4]
    last = desk.get(page["links"]["last"].partition("/api/v2/")[2])
    assert (titles(last), last["meta"]["has_more"]) == (walked[3:], False)
    first = desk.get(page["links"]["first"].partition("/api/v2/")[2])
    assert titles(first) == walked[:2]
    assert set(first["links"]) == {"first", "last", "next"}
    empty = f"{HC}/sections/{shelf.sections['Empty']}/articles.json?page[size]=2"
    assert set(desk.get(empty)["links"]) == {"first", "last"}
    assert desk.get(f"{empty}&page[before]=bGFzdF9wYWdl")["articles"] == []
    labelled = desk.get(f"{HC}/articles.json?label_names=lens,Care")
    assert titles(labelled) == ["Clean the lens"]
    assert titles(desk.get(f"{HC}/articles.json?label_names=care")) == [], "case counts"
    many = ",".join(f"l{number}" for number in range(11))
    assert desk.call("GET", f"{HC}/articles.json?label_names={many}").status == 400


@pytest.mark.parametrize(
    ("sorting", "wanted"),
    [
        ("title", ["Align mirrors", "Clean the lens"]),
        ("creation_asc", ["Clean the lens", "Align mirrors"]),
        ("creation_desc", ["Align mirrors", "Clean the lens"]),
        ("article_votes", ["Align mirrors", "Clean the lens"]),
        ("manual", ["Clean the lens", "Align mirrors"]),
    ],
)
def test_a_section_orders_its_articles(shelf: Shelf, sorting: str, wanted: list[str]) -> None:
    desk, place = shelf.desk, shelf.sections["Optics"]
    desk.put(f"{HC}/sections/{place}.json", {"section": {"sorting": sorting}}, by="olga")
    path = f"{HC}/sections/{place}/articles.json"
    assert titles(desk.get(path)) == wanted
    assert titles(desk.get(f"{path}?sort_by=title")) == ["Align mirrors", "Clean the lens"]
    odd = {"section": {"sorting": "odd"}}
    assert desk.call("PUT", f"{HC}/sections/{place}.json", odd, by="olga").status == 422


def test_what_is_shown_beside_articles(shelf: Shelf) -> None:
    desk = shelf.desk
    wanted = "include=users,sections,categories,translations"
    found = desk.get(f"{HC}/en-us/articles.json?{wanted}", by=None)
    assert names(found["categories"]) == ["Machines", "Orders"]
    assert set(names(found["sections"])) == {"Optics", "Returns"}
    assert [set(user) for user in found["users"]] == [{"id", "url", "name"}]
    assert found["articles"][0]["translations"][0]["body"] == found["articles"][0]["body"]
    assert found["sections"][0]["translations"][0]["source_type"] == "Section"
    assert desk.get(f"{HC}/articles.json?{wanted}")["users"][0]["email"] == "olga@desk.example"
    one = desk.get(f"{HC}/articles/{shelf['Clean the lens']}.json?include=sections", by=None)
    assert names(one["sections"]) == ["Optics"]
    section = desk.get(f"{HC}/sections/{shelf.sections['Optics']}.json?include=categories")
    assert names(section["categories"]) == ["Machines"]


def test_an_article_has_every_key_of_the_vendors(shelf: Shelf) -> None:
    key = shelf["Clean the lens"]
    found = shelf.desk.get(f"{HC}/articles/{key}.json", by=None)["article"]
    assert found["html_url"].endswith(f"/hc/en-us/articles/{key}-Clean-the-lens")
    assert found["url"].endswith(f"/api/v2/help_center/en-us/articles/{key}.json")
    assert found["label_names"] == ["Care", "lens"]
    assert set(found) == set(
        (
            "id url html_url author_id comments_disabled draft promoted position vote_sum"
            " vote_count section_id created_at updated_at name title source_locale locale outdated"
            " outdated_locales edited_at user_segment_id user_segment_ids permission_group_id"
            " content_tag_ids label_names body"
        ).split()
    )


def test_what_changed_since_a_time(shelf: Shelf) -> None:
    desk = shelf.desk
    path = f"{HC}/incremental/articles.json"
    desk.advance(minutes=10)
    start = int(desk.get(f"{path}?start_time=0")["end_time"]) + 60
    desk.put(
        f"{HC}/articles/{shelf['Return a part']}.json", {"article": {"promoted": True}}, by="olga"
    )
    desk.advance(minutes=2)
    found = desk.get(f"{path}?start_time={start}&include=users")
    assert titles(found) == ["Return a part"]
    assert (found["count"], found["next_page"], len(found["users"])) == (1, None, 1)
    whole = desk.get(f"{path}?start_time=0&per_page=2")
    seen, page = titles(whole), whole
    while page["next_page"]:
        page = desk.get(page["next_page"].partition("/api/v2/")[2])
        seen += titles(page)
    assert set(seen) == READERS[2][1]
    assert desk.call("GET", path).status == 400
    assert desk.call("GET", f"{path}?start_time=0", by="rosa").status == 403
    assert desk.call("GET", f"{path}?start_time=0", by=None).status == 401


@both
def test_no_article_has_files(shelf: Shelf, prefix: str) -> None:
    desk = shelf.desk
    found = desk.get(f"{prefix}/articles/{shelf['Clean the lens']}/attachments.json", by=None)
    assert (found["article_attachments"], found["count"]) == ([], 0)
    assert desk.call("GET", f"{prefix}/articles/1/attachments.json").status == 404


def test_tokens_for_the_help_center() -> None:
    from clones.helpdesk.rules.scopes import allows  # noqa: PLC0415 - one rule, beside its use

    assert allows(["hc:read"], "GET", "help_center")
    assert not allows(["hc:read"], "POST", "help_center")
    assert not allows(["tickets"], "GET", "help_center")
    assert allows(["hc:write"], "PUT", "guide")
