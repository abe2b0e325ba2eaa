"""Custom fields, screens and configurations, as on a fresh site.

Numbers of custom fields are those that the vendor's new sites have, as far as they are known. Team
is a plain choice from a list here: the clone has no teams.
"""

from __future__ import annotations

from typing import Final

from clones.core import clock
from clones.tracker.domain.numbering import next_id, next_ids
from clones.tracker.models import (
    CustomField,
    FieldConfiguration,
    FieldConfigurationItem,
    FieldContext,
    FieldOption,
    IssueTypeScreenScheme,
    IssueTypeScreenSchemeItem,
    Screen,
    ScreenScheme,
    ScreenTab,
    ScreenTabField,
)
from clones.tracker.rules.field_catalogue import PREFIX, custom_type

SOFTWARE: Final = "com.pyxis.greenhopper.jira:"
DESK: Final = "com.atlassian.servicedesk:"
TEAM: Final = 10001
REQUEST_TYPE: Final = 10010
EPIC_NAME: Final = 10011
EPIC_LINK: Final = 10014
START_DATE: Final = 10015
ESTIMATE: Final = 10016
ISSUE_COLOR: Final = 10017
RANK: Final = 10019
SPRINT: Final = 10020
FLAGGED: Final = 10021
STORY_POINTS: Final = 10026
IMPEDIMENT: Final = 10019  # the number of Flagged's one option
ORGANIZATIONS: Final = 10002
APPROVERS: Final = 10003
PARTICIPANTS: Final = 10022

# Number, name, type, whether it is the site's own, description, options.
Given = tuple[int, str, str, bool, str, tuple[str, ...]]
FIELDS: Final[tuple[Given, ...]] = (
    (TEAM, "Team", PREFIX + "select", False, "The team that does the work.", ()),
    (REQUEST_TYPE, "Request Type", DESK + "vp-origin", True, "What a customer asked for.", ()),
    (EPIC_NAME, "Epic Name", SOFTWARE + "gh-epic-label", True, "A short name of the epic.", ()),
    (EPIC_LINK, "Epic Link", SOFTWARE + "gh-epic-link", True, "The epic that it belongs to.", ()),
    (START_DATE, "Start date", PREFIX + "datepicker", False, "When the work is to begin.", ()),
    (ESTIMATE, "Story point estimate", SOFTWARE + "jsw-story-points", True, "How much work.", ()),
    (ISSUE_COLOR, "Issue color", SOFTWARE + "jsw-issue-color", True, "Its colour on plans.", ()),
    (RANK, "Rank", SOFTWARE + "gh-lexo-rank", True, "Its place among all others.", ()),
    (SPRINT, "Sprint", SOFTWARE + "gh-sprint", True, "The sprints that it is and was in.", ()),
    (FLAGGED, "Flagged", PREFIX + "multicheckboxes", True, "What stands in its way.", ()),
    (STORY_POINTS, "Story Points", PREFIX + "float", False, "How much work it is thought.", ()),
)
DESK_FIELDS: Final[tuple[Given, ...]] = (
    (
        ORGANIZATIONS,
        "Organizations",
        DESK + "sd-customer-organizations",
        True,
        "The organizations that share the request.",
        (),
    ),
    (APPROVERS, "Approvers", PREFIX + "multiuserpicker", True, "Who must approve it.", ()),
    (
        10004,
        "Impact",
        PREFIX + "select",
        False,
        "How much is affected.",
        (
            "Extensive / Widespread",
            "Significant / Large",
            "Moderate / Limited",
            "Minor / Localized",
        ),
    ),
    (
        10005,
        "Change type",
        PREFIX + "select",
        False,
        "What kind of change it is.",
        ("Standard", "Normal", "Emergency"),
    ),
    (
        10006,
        "Change risk",
        PREFIX + "select",
        False,
        "How risky the change is.",
        ("Critical", "High", "Medium", "Low"),
    ),
    (
        10007,
        "Change reason",
        PREFIX + "select",
        False,
        "Why the change is made.",
        ("Repair", "Upgrade", "Maintenance", "New functionality", "Other"),
    ),
    (10008, "Change start date", PREFIX + "datetime", False, "When the change begins.", ()),
    (10009, "Change completion date", PREFIX + "datetime", False, "When the change ends.", ()),
    (
        PARTICIPANTS,
        "Request participants",
        DESK + "sd-request-participants",
        True,
        "Who takes part beside the reporter.",
        (),
    ),
    (
        10024,
        "Urgency",
        PREFIX + "select",
        False,
        "How soon it must be solved.",
        ("Critical", "High", "Medium", "Low"),
    ),
    (10025, "Root cause", PREFIX + "textarea", False, "What lay behind it.", ()),
)

DEFAULT_SCREEN: Final = "Default Screen"
WORKFLOW_SCREEN: Final = "Workflow Screen"
RESOLVE_SCREEN: Final = "Resolve Issue Screen"
TAB: Final = "Field Tab"
# What stands on every screen on which work items are made and changed.
BASIC: Final = (
    "summary",
    "issuetype",
    "parent",
    "description",
    "assignee",
    "reporter",
    "priority",
    "labels",
    "components",
    "fixVersions",
    "duedate",
    "timetracking",
    "security",
    "attachment",
    "issuelinks",
)
REQUIRED: Final = ("summary", "issuetype", "reporter")


def install_fields() -> None:
    """Make the custom fields, screens, schemes and the configuration of a fresh site."""
    make_fields(FIELDS)
    FieldOption.objects.create(
        id=IMPEDIMENT,
        context=FieldContext.objects.filter(field=FLAGGED).order_by("id")[0],
        value="Impediment",
        position=0,
    )
    configuration = FieldConfiguration.objects.create(
        id=next_id(FieldConfiguration),
        name="Default Field Configuration",
        description="What counts for spaces without a scheme of their own.",
        is_default=True,
    )
    FieldConfigurationItem.objects.bulk_create(
        [
            FieldConfigurationItem(
                id=key, configuration=configuration, field=field, is_required=True
            )
            for key, field in zip(
                next_ids(FieldConfigurationItem, len(REQUIRED)), REQUIRED, strict=True
            )
        ]
    )
    default = make_screen(
        DEFAULT_SCREEN,
        [*BASIC, "versions", "environment", *custom(START_DATE, SPRINT, STORY_POINTS, EPIC_NAME)],
        "For making and changing work items, with all fields of the system.",
    )
    make_screen(WORKFLOW_SCREEN, ["assignee"], "For giving work items to people on their way.")
    make_screen(
        RESOLVE_SCREEN,
        ["resolution", "fixVersions", "assignee"],
        "For ending work items: with their resolution.",
    )
    scheme = make_screen_scheme(
        "Default Screen Scheme", default, description="The default screen for all operations."
    )
    screens = make_type_screens(
        "Default Issue Type Screen Scheme", {None: scheme}, "The default screens for all types."
    )
    screens.is_default = True
    screens.save(update_fields=["is_default"])


def desk_fields() -> None:
    """Make the custom fields of service desks; the first desk brings them."""
    have = set(
        CustomField.objects.filter(id__in=[given[0] for given in DESK_FIELDS]).values_list(
            "id", flat=True
        )
    )
    make_fields([given for given in DESK_FIELDS if given[0] not in have])


def make_fields(wanted: list[Given] | tuple[Given, ...]) -> None:
    """Make custom fields of the site, each with a context for all spaces and its options."""
    now = clock.now()
    fields = [
        CustomField(
            id=number,
            name=name,
            description=description,
            type=kind,
            searcher=next(iter(custom_type(kind).searchers), None),
            is_locked=locked,
            created=now,
        )
        for number, name, kind, locked, description, _ in wanted
    ]
    CustomField.objects.bulk_create(fields)
    contexts = [
        FieldContext(
            id=key,
            field=field,
            name=f"Default Configuration Scheme for {field.name}",
            description="Made with the field.",
        )
        for key, field in zip(next_ids(FieldContext, len(fields)), fields, strict=True)
    ]
    FieldContext.objects.bulk_create(contexts)
    options = [
        (context, value, position)
        for context, given in zip(contexts, wanted, strict=True)
        for position, value in enumerate(given[5])
    ]
    FieldOption.objects.bulk_create(
        [
            FieldOption(id=key, context=context, value=value, position=position)
            for key, (context, value, position) in zip(
                next_ids(FieldOption, len(options)), options, strict=True
            )
        ]
    )


def custom(*numbers: int) -> list[str]:
    """Return the ids of custom fields."""
    return [f"customfield_{number}" for number in numbers]


def make_screen(name: str, fields: list[str], description: str = "") -> Screen:
    """Make a screen with one tab that has these fields in this order."""
    screen = Screen.objects.create(id=next_id(Screen), name=name, description=description)
    tab = ScreenTab.objects.create(id=next_id(ScreenTab), screen=screen, name=TAB, position=0)
    ScreenTabField.objects.bulk_create(
        [
            ScreenTabField(id=key, tab=tab, field=field, position=position)
            for position, (key, field) in enumerate(
                zip(next_ids(ScreenTabField, len(fields)), fields, strict=True)
            )
        ]
    )
    return screen


def make_screen_scheme(name: str, default: Screen, *, description: str = "") -> ScreenScheme:
    """Make a scheme that has one screen for all operations."""
    return ScreenScheme.objects.create(
        id=next_id(ScreenScheme), name=name, description=description, default=default
    )


def make_type_screens(
    name: str, schemes: dict[int | None, ScreenScheme], description: str = ""
) -> IssueTypeScreenScheme:
    """Make a scheme of screens by type; None stands for the types that are not named."""
    row = IssueTypeScreenScheme.objects.create(
        id=next_id(IssueTypeScreenScheme), name=name, description=description
    )
    IssueTypeScreenSchemeItem.objects.bulk_create(
        [
            IssueTypeScreenSchemeItem(
                id=key, scheme=row, issue_type_id=kind, screen_scheme=screen_scheme
            )
            for key, (kind, screen_scheme) in zip(
                next_ids(IssueTypeScreenSchemeItem, len(schemes)), schemes.items(), strict=True
            )
        ]
    )
    return row
