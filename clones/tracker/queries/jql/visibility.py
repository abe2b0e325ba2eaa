"""What a query may look at: all that its viewer sees, or everything for the site's own rules."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from zoneinfo import ZoneInfo

from django.db.models import Exists, OuterRef, Q, QuerySet

from clones.core import clock
from clones.tracker.domain.settings import setting
from clones.tracker.models import Filter, Issue, Project, RoleActor, User
from clones.tracker.queries.comments import seen_condition
from clones.tracker.queries.rights import Rights, visible_issues, visible_projects
from clones.tracker.queries.sharing import visible_filters
from clones.tracker.rules.jql import Viewer

NOTHING = Q(pk__in=[])
UTC = ZoneInfo("UTC")


@dataclass
class VisibilityScope:
    """What one viewer sees. Without rights it is everything: goals of SLAs, rules, webhooks.

    It keeps what it read, so it lives as long as a request.
    """

    rights: Rights | None
    # Filters that are being looked through, so that none is looked through inside itself.
    inside: tuple[int, ...] = field(default=())
    # How many conditions were made, those of filters in it too: no engine takes any number.
    made: list[int] = field(default_factory=lambda: [0])

    @property
    def user(self) -> User | None:
        """Who looks; None for somebody anonymous and for the site itself."""
        return None if self.rights is None else self.rights.user

    @cached_property
    def viewer(self) -> Viewer:
        """Who asks, when, and by which calendar."""
        return Viewer(
            account_id=None if self.user is None else self.user.account_id,
            now=clock.now(),
            zone=UTC if self.rights is None else self.rights.zone,
            first_weekday=int(setting("first_weekday", 6)),
        )

    @cached_property
    def issues(self) -> QuerySet[Issue]:
        """The issues that are seen, in no order; archived ones are not."""
        if self.rights is None:
            return Issue.objects.filter(
                archived_at=None, project__archived_at=None, project__deleted_at=None
            )
        return visible_issues(self.rights)

    @cached_property
    def projects(self) -> QuerySet[Project]:
        """The spaces that are seen, in no order."""
        if self.rights is None:
            return Project.objects.filter(deleted_at=None)
        return visible_projects(self.rights).order_by()

    @cached_property
    def filters(self) -> QuerySet[Filter]:
        """The filters that are seen, in no order."""
        return Filter.objects.all() if self.rights is None else visible_filters(self.rights)

    @cached_property
    def seen_texts(self) -> Q:
        """The condition of the comments, or work logs, that are seen."""
        return Q() if self.rights is None else seen_condition(self.rights)

    def within(self, saved: int) -> VisibilityScope:
        """Return the same sight from inside a filter."""
        inner = replace(self, inside=(*self.inside, saved))
        # What was read stays read.
        inner.__dict__.update(self.__dict__ | {"inside": inner.inside})
        return inner

    def filling(self, role: int) -> QuerySet[Project]:
        """Return the spaces in which the viewer fills a role."""
        if self.rights is None or self.user is None:
            return self.projects.none()
        mine = Q(user=self.user) | Q(group__in=sorted(self.rights.group_ids))
        actors = RoleActor.objects.filter(mine, project=OuterRef("pk"), role=role)
        return self.projects.filter(Exists(actors))
