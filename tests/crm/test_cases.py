"""What cases do by themselves: contacts, comments, teams."""

from __future__ import annotations

from typing import Any

from tests.crm.conftest import ADA, BEN, Org
from tests.crm.services import letters, writing


def contact(org: Org, **values: Any) -> str:
    """Make Zoe, and return her id."""
    account = org.make("Account", Name="Brine")
    said = {"LastName": "Zee", "Email": "zoe@client.example", "AccountId": account}
    return org.make("Contact", **{**said, **values})


def change(org: Org, of: str, id: str, **values: Any) -> None:
    """Change a record."""
    org.call("PATCH", f"/sobjects/{of}/{id}", values, status=204)


def comments(org: Org, case: str) -> list[tuple[str, bool]]:
    """Return the comments of a case."""
    query = (
        f"SELECT CommentBody, IsPublished FROM CaseComment WHERE ParentId = '{case}' ORDER BY Id"
    )
    rows = org.call("GET", f"/query?q={query}")["records"]
    return [(one["CommentBody"], one["IsPublished"]) for one in rows]


def test_a_case_shows_its_contact(org: Org) -> None:
    zoe = contact(org, Phone="555 1")
    case = org.make("Case", ContactId=zoe)
    shown = org.show("Case", case)
    assert (shown["ContactEmail"], shown["ContactPhone"]) == ("zoe@client.example", "555 1")
    assert shown["AccountId"] == org.show("Contact", zoe)["AccountId"]
    change(org, "Contact", zoe, Phone="555 2", Email=None)
    shown = org.show("Case", case)
    assert (shown["ContactEmail"], shown["ContactPhone"]) == (None, "555 2")
    change(org, "Case", case, ContactId=None)
    assert org.show("Case", case)["ContactPhone"] is None


def test_a_case_says_whether_it_was_closed_when_it_was_made(org: Org) -> None:
    closed, opened = org.make("Case", Status="Closed"), org.make("Case")
    change(org, "Case", opened, Status="Closed")
    assert [org.show("Case", one)["IsClosedOnCreate"] for one in (closed, opened)] == [True, False]
    assert org.show("Case", opened)["ClosedDate"] is not None
    change(org, "Case", opened, Status="Working")
    shown = org.show("Case", opened)
    assert (shown["IsClosed"], shown["ClosedDate"]) == (False, None)


def test_internal_comments_become_comments(org: Org) -> None:
    case = org.make("Case", Comments="First look")
    change(org, "Case", case, Comments="Second look")
    assert comments(org, case) == [("First look", False), ("Second look", False)]
    assert org.show("Case", case)["Comments"] is None


def test_who_is_told_of_a_comment(org: Org) -> None:
    from clones.crm.domain.service.settings import change_settings  # noqa: PLC0415 - see conftest

    case = org.make("Case", ContactId=contact(org), Subject="Leak", OwnerId=org.users[BEN])
    org.make("CaseComment", ParentId=case, CommentBody="quiet", IsPublished=True)
    assert letters(org) == []
    with writing(org):
        change_settings(
            "Case", {"notifyContactOnCaseComment": True, "notifyOwnerOnCaseComment": True}
        )
    org.make("CaseComment", ParentId=case, CommentBody="hidden")
    org.make("CaseComment", ParentId=case, CommentBody="seen", IsPublished=True)
    assert [recipients for _, recipients, _ in letters(org)] == [
        [BEN],
        ["zoe@client.example"],
        [BEN],
    ]
    assert "seen" in letters(org)[1][2]
    made = {"ParentId": case, "CommentBody": "mine"}
    org.call("POST", "/sobjects/CaseComment", made, status=201, login=BEN)
    assert len(letters(org)) == 3


def test_a_lead_is_unread_where_somebody_else_gave_it(org: Org) -> None:
    lead = {"LastName": "Poe", "Company": "Raven"}
    own, given = org.make("Lead", **lead), org.make("Lead", **lead, OwnerId=org.users[BEN])
    assert [org.show("Lead", one)["IsUnreadByOwner"] for one in (own, given)] == [False, True]
    change(org, "Lead", given, IsUnreadByOwner=False)
    assert org.show("Lead", given)["IsUnreadByOwner"] is False
    assert org.users[ADA] == org.show("Lead", own)["OwnerId"]


def test_a_predefined_team_joins_a_case(org: Org) -> None:
    role = org.make("CaseTeamRole", Name="Expert", AccessLevel="Edit")
    team = org.make("CaseTeamTemplate", Name="Pumps")
    for member in (org.users[BEN], contact(org)):
        org.make("CaseTeamTemplateMember", TeamTemplateId=team, MemberId=member, TeamRoleId=role)
    case = org.make("Case")
    org.make("CaseTeamMember", ParentId=case, MemberId=org.users[BEN], TeamRoleId=role)
    record = org.make("CaseTeamTemplateRecord", ParentId=case, TeamTemplateId=team)
    query = (
        "SELECT Member.Name, TeamRole.Name, TeamTemplateId FROM CaseTeamMember"
        f" WHERE ParentId = '{case}' ORDER BY Id"
    )
    rows = org.call("GET", f"/query?q={query}")["records"]
    assert [(one["Member"]["Name"], one["TeamTemplateId"]) for one in rows] == [
        ("Ben Ode", None),
        ("Zee", team),
    ]
    error = org.refused(
        "POST", "/sobjects/CaseTeamTemplateRecord", {"ParentId": case, "TeamTemplateId": team}
    )
    assert error["errorCode"] == "DUPLICATE_VALUE"
    org.call("DELETE", f"/sobjects/CaseTeamTemplateRecord/{record}", status=204)
    rows = org.call("GET", f"/query?q={query}")["records"]
    assert [one["Member"]["Name"] for one in rows] == ["Ben Ode"]


def test_a_case_is_given_an_article(org: Org) -> None:
    from clones.crm.domain.new_ids import new_id  # noqa: PLC0415 - see conftest
    from clones.crm.models import model_of, rows_of  # noqa: PLC0415 - see conftest

    version = org.make("Knowledge__kav", Title="Stop a leak", UrlName="stop-a-leak")
    with writing(org):
        model = model_of("KnowledgeArticle")
        article = new_id("kA0", model)
        model(Id=article, ArticleNumber="000000001").save(force_insert=True)
        row = rows_of("Knowledge__kav").get(Id=version)
        row.KnowledgeArticleId = article
        row.save()
    case = org.make("Case")
    link = org.show("CaseArticle", org.make("CaseArticle", CaseId=case, KnowledgeArticleId=article))
    assert link["KnowledgeArticleVersionId"] == version
    assert link["ArticleLanguage"] == org.show("Knowledge__kav", version)["Language"]
    query = (
        f"SELECT Id, (SELECT KnowledgeArticleId FROM CaseArticles) FROM Case WHERE Id = '{case}'"
    )
    found = org.call("GET", f"/query?q={query}")["records"][0]["CaseArticles"]["records"]
    assert [one["KnowledgeArticleId"] for one in found] == [article]


def test_unverified_prefixes_of_case_teams_and_entitlements(org: Org) -> None:
    made = {
        "CaseTeamRole": "0B7",
        "CaseTeamTemplate": "0B4",
        "CaseTeamTemplateMember": "0B5",
        "CaseTeamTemplateRecord": "0B6",
        "CaseTeamMember": "0B8",
        "EntitlementContact": "55a",
        "CaseArticle": "0HM",
    }
    for of, prefix in made.items():
        assert org.call("GET", f"/sobjects/{of}/describe")["keyPrefix"] == prefix
