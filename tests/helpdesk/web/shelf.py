"""The help center of the desk with pages: an article for each kind of reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clones.core.journal import act
from clones.core.tenancy import unit_of_work
from clones.helpdesk.domain.article_feedback import comment_on_article
from clones.helpdesk.domain.articles import create_article
from clones.helpdesk.domain.help_center import create_category, create_section
from clones.helpdesk.models import Article, Category, Section, User, UserSegment

if TYPE_CHECKING:
    from tests.helpdesk.web.conftest import Office

HOME = "/hc/en-us"
LENS = "<h2>Wipe it</h2><p>Use <b>alcohol</b>.</p><table><tr><td>1</td></tr></table>"


def fill_shelf(admin: User, reader: User) -> None:
    """Write categories, sections, articles and a comment; the caller holds a transaction."""
    machines = create_category(actor=admin, changes={"name": "Machines", "position": 1})
    orders = create_category(
        actor=admin, changes={"name": "Orders", "position": 2, "description": "What you paid"}
    )
    optics = create_section(machines, actor=admin, changes={"name": "Optics"})
    lenses = {"name": "Lenses", "parent_section_id": optics.id}
    inner = create_section(machines, actor=admin, changes=lenses)
    returns = create_section(orders, actor=admin, changes={"name": "Returns"})
    staff = UserSegment.objects.get(user_type="staff").id
    given: list[tuple[Section, dict[str, object]]] = [
        (inner, {"title": "Clean the lens", "body": LENS, "promoted": True}),
        (optics, {"title": "Align mirrors", "body": "<p>The tape test.</p>"}),
        (returns, {"title": "Return a part", "body": "<p>Within 30 days.</p>"}),
        (returns, {"title": "Who decides", "body": "<p>Lead</p>", "user_segment_id": staff}),
        (returns, {"title": "New terms", "body": "<p>60 days.</p>", "draft": True}),
    ]
    made = [create_article(place, actor=admin, changes=changes) for place, changes in given]
    comment_on_article(made[0], actor=reader, body="With which side up?")


class Shelf:
    """The help center of an office, by the names of what is in it."""

    def __init__(self, office: Office) -> None:
        self.office = office
        with office.bound(), unit_of_work("read"):
            self.articles = dict(Article.objects.values_list("title", "id"))
            self.categories = dict(Category.objects.values_list("name", "id"))
            self.sections = dict(Section.objects.values_list("name", "id"))

    def path(self, title: str) -> str:
        """Return the address of an article's page."""
        return f"{HOME}/articles/{self.articles[title]}"

    def empty(self) -> None:
        """Leave the help center without anything to read."""
        with self.office.bound(), unit_of_work("write"), act(actor="test", label="prepare"):
            Category.objects.all().delete()
