"""Whom something is for, as one list in groups: `group:UUID`, `projectRole:ID`, `reporter:`."""

from __future__ import annotations

from collections.abc import Iterable

from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.holders import Held, checked_holder
from clones.tracker.models import CustomField
from clones.tracker.queries.holder_names import LABELS, PRODUCTS, RECIPIENTS
from clones.tracker.web.admin.inputs import Pairs, grouped, groups, people, roles
from clones.tracker.web.settings.forms import Input
from clones.tracker.web.vocabulary import speaker

PREFIX = "com.atlassian.jira.plugin.system.customfieldtypes:"
OF_USERS = (f"{PREFIX}userpicker", f"{PREFIX}multiuserpicker", f"{PREFIX}people")
OF_GROUPS = (f"{PREFIX}grouppicker", f"{PREFIX}multigrouppicker")


def _values(kind: str, pairs: Pairs) -> list[tuple[str, str]]:
    return [(f"{kind}:{value}", label) for value, label in pairs]


def _fields(types: Iterable[str]) -> list[tuple[str, str]]:
    rows = CustomField.objects.filter(type__in=list(types), trashed_at=None, project=None)
    return [(row.key, row.name) for row in rows.order_by("name", "id")]


def holder_input(name: str, label: str, *, public: bool = True) -> Input:
    """Return the list of those who can hold a permission, or see a level's items (not `public`)."""
    lone = ["reporter", "assignee", "projectLead", "sd.customer.portal.only"]
    if public:
        lone.insert(0, "anyone")
    products = [("", "Any logged in user"), *((key, text) for key, text in PRODUCTS.items())]
    spoken = speaker()
    return grouped(
        name,
        label,
        [
            ("Anybody who is", [(f"{kind}:", spoken(LABELS[kind])) for kind in lone]),
            (spoken(LABELS["projectRole"]), _values("projectRole", roles())),
            (LABELS["group"], _values("group", groups())),
            (LABELS["applicationRole"], _values("applicationRole", products)),
            (LABELS["user"], _values("user", people(apps=True))),
            (LABELS["userCustomField"], _values("userCustomField", _fields(OF_USERS))),
            (LABELS["groupCustomField"], _values("groupCustomField", _fields(OF_GROUPS))),
        ],
        none="Choose",
        required=True,
    )


def read_holder(text: str) -> Held:
    """Return the holder that was chosen.

    Raises:
        Invalid: none was, or there is none such.
    """
    kind, _, about = text.partition(":")
    if not kind:
        raise Invalid(fields={"holder": "Choose who it is granted to."})
    return checked_holder(kind, about)


def recipient_input(name: str, label: str) -> Input:
    """Return the list of those who can be told of something."""
    lone = ("CurrentUser", "CurrentAssignee", "Reporter", "ProjectLead", "ComponentLead",
            "AllWatchers")  # fmt: skip
    spoken = speaker()
    return grouped(
        name,
        label,
        [
            ("Anybody who is", [(f"{kind}:", spoken(RECIPIENTS[kind])) for kind in lone]),
            (spoken(RECIPIENTS["ProjectRole"]), _values("ProjectRole", roles())),
            (RECIPIENTS["Group"], _values("Group", groups())),
            (RECIPIENTS["User"], _values("User", people())),
            (RECIPIENTS["UserCustomField"], _values("UserCustomField", _fields(OF_USERS))),
            (RECIPIENTS["GroupCustomField"], _values("GroupCustomField", _fields(OF_GROUPS))),
        ],
        none="Choose",
        required=True,
    )
