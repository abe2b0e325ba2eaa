"""The activity stream: what others do to an agent's tickets."""

from __future__ import annotations

from typing import Any

from clones.helpdesk.domain.inbound import receive_message
from clones.helpdesk.domain.values import Mail
from clones.helpdesk.models import Activity, Automation, Comment, Ticket
from tests.helpdesk.conftest import Desk


def update(desk: Desk, ticket: int, *, by: str = "ana", **values: Any) -> None:
    desk.put(f"tickets/{ticket}.json", {"ticket": values}, by=by)


def of_ben(desk: Desk, *, by: str = "ana", **values: Any) -> int:
    return int(desk.ticket(assignee_id=desk.ids["ben"], by=by, **values)["id"])


def news(desk: Desk, query: str = "", *, by: str = "ben") -> list[Any]:
    found = desk.get(f"activities.json{query}", by=by)["activities"]
    assert isinstance(found, list)
    return found


def verbs(desk: Desk, *, by: str = "ben") -> list[str]:
    return [item["verb"].removeprefix("tickets.") for item in news(desk, by=by)]


def test_agents_are_told_of_a_ticket_that_they_are_given(desk: Desk) -> None:
    ticket = of_ben(desk)
    [item] = news(desk)
    about = {"ticket": {"id": ticket, "subject": "Laser does not start"}}
    assert (item["verb"], item["object"], item["target"]) == ("tickets.assignment", about, about)
    assert item["title"] == f"Ana Costa assigned ticket #{ticket} to you."
    assert (item["user_id"], item["actor_id"]) == (desk.ids["ben"], desk.ids["ana"])
    assert (item["user"]["name"], item["actor"]["name"]) == ("Ben Ode", "Ana Costa")
    assert item["created_at"] == item["updated_at"]
    assert item["url"].endswith(f"/api/v2/activities/{item['id']}.json")
    assert desk.get(f"activities/{item['id']}.json", by="ben") == {"activity": item}
    assert news(desk, by="ana") == []


def test_agents_are_told_of_comments_on_their_tickets(desk: Desk) -> None:
    ticket = of_ben(desk)
    desk.advance(seconds=5)
    update(desk, ticket, comment={"body": "Any news?", "public": False})
    desk.advance(seconds=5)
    with desk.writing():
        mail = Mail("rosa@acme.example", None, "Re: Laser", "Still broken")
        receive_message(mail, ticket=Ticket.objects.get(id=ticket))
    latest, note, first = news(desk)
    assert first["verb"] == "tickets.assignment"
    assert (note["verb"], note["object"]) == (
        "tickets.comment",
        {"comment": {"value": "Any news?", "public": False}},
    )
    assert note["target"] == first["target"]
    assert latest["title"] == f"Rosa Diaz commented on ticket #{ticket}: Still broken."
    assert latest["actor_id"] == desk.ids["rosa"]


def test_agents_are_told_when_a_ticket_of_theirs_becomes_more_urgent(desk: Desk) -> None:
    ticket = of_ben(desk, priority="normal")
    update(desk, ticket, priority="urgent")
    update(desk, ticket, priority="low")
    assert verbs(desk) == ["priority_increase", "assignment"]


def test_nobody_is_told_of_what_they_do_themselves(desk: Desk) -> None:
    ticket = of_ben(desk, by="ben", priority="low")
    update(desk, ticket, by="ben", priority="high", comment={"body": "Mine"})
    assert verbs(desk) == []
    with desk.bound():
        assert not Activity.objects.exists()


def test_what_changes_nothing_for_the_assignee_is_no_news(desk: Desk) -> None:
    ticket = of_ben(desk, tags=["a"])
    update(desk, ticket, tags=["b"], status="pending", subject="Else")
    unassigned = desk.ticket()["id"]
    update(desk, unassigned, priority="urgent", comment={"body": "Hello"})
    assert verbs(desk) == ["assignment"]
    update(desk, ticket, assignee_id=desk.ids["ana"])
    assert verbs(desk) == ["assignment"]


def test_rules_are_the_systems_doing(desk: Desk) -> None:
    ticket = of_ben(desk, priority="low")
    update(desk, ticket, by="ben", priority="low")
    rule = {
        "title": "Raise",
        "conditions": {
            "all": [
                {"field": "status", "operator": "less_than", "value": "solved"},
                {"field": "priority", "operator": "less_than", "value": "urgent"},
                {"field": "updated_at", "operator": "greater_than", "value": "0"},
            ],
            "any": [],
        },
        "actions": [{"field": "priority", "value": "urgent"}],
    }
    desk.post("automations.json", {"automation": rule}, by="olga")
    with desk.bound():
        assert Automation.objects.filter(title="Raise", active=True).exists()
    desk.advance(hours=2)
    latest = news(desk)[0]
    assert (latest["verb"], latest["actor_id"]) == ("tickets.priority_increase", -1)


def test_what_a_trigger_does_is_news_of_who_set_it_off(desk: Desk) -> None:
    rule = {
        "title": "To Ben",
        "conditions": {
            "all": [{"field": "update_type", "operator": "is", "value": "Create"}],
            "any": [],
        },
        "actions": [{"field": "assignee_id", "value": str(desk.ids["ben"])}],
    }
    desk.post("triggers.json", {"trigger": rule}, by="olga")
    desk.ticket()
    [item] = news(desk)
    assert (item["verb"], item["actor_id"]) == ("tickets.assignment", desk.ids["ana"])


def test_news_comes_in_pages_newest_first_with_its_people(desk: Desk) -> None:
    ticket = of_ben(desk)
    for number in range(3):
        desk.advance(seconds=5)
        update(desk, ticket, comment={"body": f"n{number}"}, by="olga")
    page = desk.get("activities.json?per_page=2", by="ben")
    assert [item["object"]["comment"]["value"] for item in page["activities"]] == ["n2", "n1"]
    assert (page["count"], page["previous_page"]) == (4, None)
    assert [user["id"] for user in page["users"]] == [desk.ids["ben"]]
    assert [user["id"] for user in page["actors"]] == [desk.ids["olga"]]
    page = desk.get("activities.json?page[size]=3", by="ben")
    assert (len(page["activities"]), page["meta"]["has_more"]) == (3, True)
    after = page["meta"]["after_cursor"]
    [last] = news(desk, f"?page[size]=3&page[after]={after}")
    assert last["verb"] == "tickets.assignment"


def test_news_is_counted_and_can_begin_later(desk: Desk) -> None:
    ticket = of_ben(desk)
    desk.advance(minutes=5)
    update(desk, ticket, comment={"body": "Later"})
    since = news(desk)[0]["created_at"]
    assert desk.get("activities/count.json", by="ben")["count"]["value"] == 2
    assert [item["verb"] for item in news(desk, f"?since={since}")] == ["tickets.comment"]
    assert desk.get(f"activities/count.json?since={since}", by="ben")["count"]["value"] == 1
    wrong = desk.call("GET", "activities.json?since=soon", by="ben")
    assert (wrong.status, wrong.body["error"]["title"]) == (400, "Invalid attribute")


def test_news_is_shown_for_thirty_days(desk: Desk) -> None:
    of_ben(desk)
    key = news(desk)[0]["id"]
    desk.advance(days=29)
    assert len(news(desk)) == 1
    desk.advance(days=1, minutes=1)
    assert news(desk) == []
    assert desk.get("activities/count.json", by="ben")["count"]["value"] == 0
    assert desk.call("GET", f"activities/{key}.json", by="ben").status == 404


def test_news_is_for_agents_and_each_sees_their_own(desk: Desk) -> None:
    of_ben(desk)
    key = news(desk)[0]["id"]
    for path in ("activities.json", "activities/count.json", f"activities/{key}.json"):
        assert desk.call("GET", path, by="rosa").status == 403
        assert desk.call("GET", path, by=None).status == 401
    for who in ("ana", "olga"):
        answer = desk.call("GET", f"activities/{key}.json", by=who)
        assert (answer.status, answer.body["error"]) == (404, "RecordNotFound")
        assert desk.get("activities/count.json", by=who)["count"]["value"] == 0


def test_what_is_redacted_is_not_told_any_more(desk: Desk) -> None:
    ticket = of_ben(desk)
    update(desk, ticket, comment={"body": "The code is 4711"})
    with desk.bound():
        comment = Comment.objects.get(body="The code is 4711").id
    desk.put(f"tickets/{ticket}/comments/{comment}/redact.json", {"text": "4711"})
    assert "4711" not in str(news(desk))


def test_an_update_without_news_writes_none(desk: Desk) -> None:
    ticket = of_ben(desk, by="ben")
    update(desk, ticket, by="ana", tags=["x"])
    with desk.bound():
        assert not Activity.objects.exists()


def test_unverified_a_first_priority_is_an_increase(desk: Desk) -> None:
    ticket = of_ben(desk)
    update(desk, ticket, priority="low")
    assert verbs(desk) == ["priority_increase", "assignment"]


def test_unverified_a_new_ticket_is_one_piece_of_news(desk: Desk) -> None:
    ticket = of_ben(desk, priority="urgent")
    assert verbs(desk) == ["assignment"]
    other = desk.ids["ana"]
    update(desk, ticket, by="olga", assignee_id=other, comment={"body": "Yours now"})
    assert verbs(desk, by="ana") == ["assignment", "comment"]


def test_unverified_words_of_a_raised_priority(desk: Desk) -> None:
    ticket = of_ben(desk, priority="low")
    update(desk, ticket, priority="high")
    item = news(desk)[0]
    assert item["title"] == f"Ana Costa increased the priority of ticket #{ticket} to high."
    assert item["object"] == {"change": {"priority": "high"}}


def test_unverified_the_system_is_no_user(desk: Desk) -> None:
    of_ben(desk)
    with desk.writing():
        Activity.objects.update(actor=None)
    page = desk.get("activities.json", by="ben")
    assert page["activities"][0]["actor"] is None
    assert page["activities"][0]["title"].startswith("System assigned")
    assert page["actors"] == []
