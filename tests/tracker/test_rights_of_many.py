"""Rights that are read together are those that are read one by one."""

from __future__ import annotations

from clones.tracker.models import Issue, RoleActor, SecurityLevel, SecurityScheme, User
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.rights_of_many import rights_of
from tests.tracker.boards import counted
from tests.tracker.site import Site

PERMISSIONS = (
    *("BROWSE_PROJECTS", "EDIT_ISSUES", "DELETE_ISSUES", "MANAGE_WATCHERS", "ADD_COMMENTS"),
    *("SERVICEDESK_AGENT", "MODIFY_REPORTER"),
)


def test_rights_are_the_same_together_and_alone(site: Site) -> None:
    """Of every user, on issues of every space, one of them at a security level."""
    keys = [site.issue(), site.issue(by="dev"), site.issue(project={"key": "OPS"})]
    with site.writing():
        scheme = SecurityScheme.objects.create(id=99_001, name="Secret")
        level = SecurityLevel.objects.create(id=99_001, scheme=scheme, name="Top")
        level.members.create(id=99_001, holder_type="reporter", parameter=None)
        Issue.objects.filter(key=keys[1]).update(security_level=level)
        actor = RoleActor.objects.filter(project__key="OPS")[0]
        RoleActor.objects.create(
            id=99_001,
            role=actor.role,
            project=actor.project,
            user=User.objects.get(account_id=site.ids["guest"]),
        )
    with site.store():
        issues = list(Issue.objects.select_related("project", "issue_type", "status"))
        users = list(User.objects.order_by("id"))
        assert len(users) >= 5
        seen = 0
        for user, rights in zip(users, rights_of(users), strict=True):
            alone = Rights(user)
            assert rights.user == user
            assert (rights.is_admin, rights.group_ids) == (alone.is_admin, alone.group_ids)
            for issue in issues:
                for permission in PERMISSIONS:
                    found = rights.may_on(permission, issue)
                    assert found == alone.may_on(permission, issue)
                    seen += found
        assert 0 < seen < len(users) * len(issues) * len(PERMISSIONS)


def test_many_are_read_with_as_many_statements_as_few(site: Site) -> None:
    """Twenty people cost what two do."""
    site.issue()
    counts = []
    with site.store():
        users = list(User.objects.order_by("id"))
        issue = Issue.objects.select_related("project")[0]
    for some in (users[:2], users * 4):
        with counted(site) as statements, site.store():
            for rights in rights_of(some):
                rights.may_on("BROWSE_PROJECTS", issue)
        counts.append(len(statements))
    assert counts[0] == counts[1]
