"""Settings of the whole site that admins change: properties, time tracking, the banner."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from clones.core.digits import is_digits
from clones.tracker.domain import audit
from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound
from clones.tracker.domain.settings import set_setting, setting
from clones.tracker.queries.rights import Rights

CATEGORY: Final = "general configuration"


@dataclass(frozen=True, slots=True)
class ApplicationProperty:
    """An application property: its key and default are the vendor's, its name is ours."""

    key: str
    default: str
    name: str
    kind: str = "string"
    advanced: bool = True
    allowed: tuple[str, ...] = ()


# What the site looks like: kept and answered, and without effect on the pages here.
_LOOKS: Final = {
    "jira.lf.logo.url": "/images/icon-jira-logo.png",
    "jira.lf.favicon.url": "/favicon.ico",
    "jira.lf.favicon.hires.url": "/images/64jira.png",
    "jira.lf.navigation.bgcolour": "#0747A6",
    "jira.lf.navigation.highlightcolour": "#DEEBFF",
    "jira.lf.hero.button.base.bg.colour": "#3b7fc4",
    "jira.lf.hero.button.text.colour": "#ffffff",
    "jira.lf.text.headingcolour": "#333333",
    "jira.lf.text.linkcolour": "#3b73af",
    "jira.lf.text.activelinkcolour": "#3b73af",
    "jira.lf.menu.bgcolour": "#3b73af",
    "jira.lf.menu.textcolour": "#ffffff",
    "jira.lf.menu.separator": "#f0f0f0",
    "jira.lf.top.bgcolour": "#205081",
    "jira.lf.top.textcolour": "#ffffff",
    "jira.lf.top.hilightcolour": "#296ca3",
    "jira.lf.top.texthilightcolour": "#f0f0f0",
    "jira.lf.top.separator.bgcolor": "#2e3d54",
}


def _looks(key: str, default: str) -> ApplicationProperty:
    return ApplicationProperty(key, default, key.removeprefix("jira.lf."), advanced=False)


_PROPERTIES: Final = (
    ApplicationProperty("jira.clone.prefix", "CLONE -", "What the summaries of clones begin with"),
    ApplicationProperty(
        "jira.date.picker.java.format", "d/MMM/yy", "Dates, as the server writes them"
    ),
    ApplicationProperty(
        "jira.date.picker.javascript.format", "%e/%b/%y", "Dates, as pages write them"
    ),
    ApplicationProperty(
        "jira.date.time.picker.java.format", "dd/MMM/yy h:mm a", "Times of the server"
    ),
    ApplicationProperty(
        "jira.date.time.picker.javascript.format", "%e/%b/%y %I:%M %p", "Times of pages"
    ),
    ApplicationProperty(
        "jira.issue.actions.order", "asc", "Order of comments", allowed=("asc", "desc")
    ),
    ApplicationProperty(
        "jira.view.issue.links.sort.order", "type, status, priority", "Order of links"
    ),
    ApplicationProperty(
        "jira.comment.collapsing.minimum.hidden", "4", "When comments are folded", "number"
    ),
    ApplicationProperty(
        "jira.newsletter.tip.delay.days", "7", "Days until the newsletter", "number"
    ),
    ApplicationProperty("jira.lf.date.time", "h:mm a", "Format of times", advanced=False),
    ApplicationProperty("jira.lf.date.day", "EEEE h:mm a", "Format of days", advanced=False),
    ApplicationProperty(
        "jira.lf.date.complete", "dd/MMM/yy h:mm a", "Format of both", advanced=False
    ),
    ApplicationProperty("jira.lf.date.dmy", "dd/MMM/yy", "Format of dates", advanced=False),
    # The vendor's own misspelling of ISO 8601.
    ApplicationProperty(
        "jira.date.time.picker.use.iso8061", "false", "Weeks begin on Monday", "boolean", False
    ),
    *(_looks(key, default) for key, default in _LOOKS.items()),
    ApplicationProperty(
        "jira.lf.logo.show.application.title", "false", "Title beside the logo", "boolean", False
    ),
    ApplicationProperty("jira.title", "Jira", "Name of the site", advanced=False),
    ApplicationProperty(
        "jira.option.globalsharing", "true", "Filters for everyone", "boolean", False
    ),
    ApplicationProperty(
        "xflow.product.suggestions.enabled", "true", "Other products", "boolean", False
    ),
    ApplicationProperty(
        "jira.issuenav.criteria.autoupdate", "true", "Searches at each choice", "boolean", False
    ),
)
PROPERTIES: Final = {found.key: found for found in _PROPERTIES}


def property_value(key: str) -> str:
    """Return the value of an application property.

    Raises:
        NotFound: there is none of the key.
    """
    found = PROPERTIES.get(key)
    if found is None:
        raise NotFound(f"No property exists with key '{key}'")
    return str(setting(key, found.default))


def set_property_value(key: str, value: str | None, *, actor: Rights) -> str:
    """Set an application property.

    Raises:
        Forbidden: the actor is no admin.
        NotFound: there is none of the key.
        Invalid: the value is of another type, or not among those allowed.
    """
    admins_only(actor)
    before = property_value(key)
    found, text = PROPERTIES[key], "" if value is None else value
    if found.kind == "number" and not is_digits(text.removeprefix("-")):
        raise Invalid(f"The value '{text}' of the property '{key}' is not a valid number.")
    if found.kind == "boolean" and text not in ("true", "false"):
        raise Invalid(f"The value '{text}' of the property '{key}' must be true or false.")
    if found.allowed and text not in found.allowed:
        raise Invalid(f"The value '{text}' of the property '{key}' is not allowed.")
    set_setting(key, text)
    _record("Application property updated", actor, (key, before, text))
    return text


# Time tracking

TRACKING: Final = "time_tracking"
CHOSEN: Final = "time_tracking_provider"
PROVIDER: Final = ("JIRA", "JIRA provided time tracking")
TRACKED: Final[dict[str, Any]] = {
    "workingHoursPerDay": 8.0,
    "workingDaysPerWeek": 5.0,
    "timeFormat": "pretty",
    "defaultUnit": "minute",
}
FORMATS: Final = ("pretty", "days", "hours")
UNITS: Final = ("minute", "hour", "day", "week")


def time_tracking() -> dict[str, Any]:
    """Return how time is tracked, under the vendor's names."""
    return {**TRACKED, **setting(TRACKING, {})}


def set_time_tracking(values: Mapping[str, Any], *, actor: Rights) -> dict[str, Any]:
    """Set how time is tracked; all four values are needed.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: a value is missing or out of its range.
    """
    admins_only(actor)
    hours, days = values["workingHoursPerDay"], values["workingDaysPerWeek"]
    if not 0 < hours <= 24:
        raise Invalid("The working hours per day must be greater than 0 and at most 24.")
    if not 0 < days <= 7:
        raise Invalid("The working days per week must be greater than 0 and at most 7.")
    if values["timeFormat"] not in FORMATS:
        raise Invalid(f"The time format '{values['timeFormat']}' is invalid.")
    if values["defaultUnit"] not in UNITS:
        raise Invalid(f"The default unit '{values['defaultUnit']}' is invalid.")
    set_setting(TRACKING, {name: values[name] for name in TRACKED})
    _record("Time tracking updated", actor)
    return time_tracking()


def select_provider(key: str, *, actor: Rights) -> None:
    """Select what tracks time, which turns time tracking on.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: there is no such provider.
    """
    admins_only(actor)
    if key.upper() != PROVIDER[0]:
        raise Invalid(f"The time tracking provider with the key '{key}' was not found.")
    set_setting(CHOSEN, PROVIDER[0])
    _record("Time tracking updated", actor)


# The announcement banner

BANNER: Final = "announcement_banner"
NO_BANNER: Final[dict[str, Any]] = {
    "message": "",
    "isDismissible": False,
    "isEnabled": False,
    "visibility": "public",
}


def banner() -> dict[str, Any]:
    """Return the announcement that every page bears: message, isEnabled, visibility, hashId."""
    found = {**NO_BANNER, **setting(BANNER, {})}
    text = "|".join(f"{name}={found[name]}" for name in sorted(NO_BANNER))
    return {**found, "hashId": hashlib.sha256(text.encode()).hexdigest()[:32].upper()}


def set_banner(values: Mapping[str, Any], *, actor: Rights) -> None:
    """Change the announcement; what is not given stays.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the message is None, or the visibility neither public nor private.
    """
    if not actor.is_admin:
        raise Forbidden("Only admins can update banner configuration.")
    if "message" in values and values["message"] is None:
        raise Invalid("Banner message cannot be null.")
    visibility = values.get("visibility")
    if visibility is not None and visibility.lower() not in ("public", "private"):
        raise Invalid("Banner visibility must be public or private.")
    given = {name: value for name, value in values.items() if value is not None}
    if visibility is not None:
        given["visibility"] = visibility.lower()
    set_setting(BANNER, {**NO_BANNER, **setting(BANNER, {}), **given})
    _record("Announcement banner updated", actor)


def _record(
    summary: str, actor: Rights, change: tuple[str, str | None, str | None] | None = None
) -> None:
    audit.record(summary, CATEGORY, actor=actor, changes=[] if change is None else [change])
