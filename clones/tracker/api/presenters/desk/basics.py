"""Dates, durations, people and pages as service desks show them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.refs import avatar_urls
from clones.tracker.models import User
from clones.tracker.rules.desk.wording import friendly_duration, friendly_moment

Json = dict[str, Any]
ROOT = "/rest/servicedeskapi"
INNER_LIMIT = 50


def present_date(moment: datetime, show: Show) -> Json:
    """Return a moment in the four forms that desks write it in."""
    local = moment.astimezone(show.reader.zone)
    return {
        "iso8601": f"{local:%Y-%m-%dT%H:%M:%S%z}",
        "jira": show.when(moment),
        "friendly": friendly_moment(local, show.reader.asked_at.astimezone(show.reader.zone)),
        "epochMillis": int(moment.astimezone(UTC).timestamp() * 1000),
    }


def present_duration(milliseconds: int) -> Json:
    """Return a duration."""
    return {"millis": milliseconds, "friendly": friendly_duration(milliseconds)}


def present_person(user: User | None, show: Show) -> Json | None:
    """Return a customer, agent or approver."""
    if user is None:
        return None
    address = show.url(f"user?accountId={user.account_id}")
    found: Json = {"accountId": user.account_id}
    if user.email is not None:
        found["emailAddress"] = user.email
    return found | {
        "displayName": user.display_name,
        "active": user.active,
        "timeZone": user.time_zone,
        "_links": {
            "jiraRest": address,
            "avatarUrls": avatar_urls("user", user.account_id, show),
            "self": address,
        },
    }


def self_link(path: str, show: Show) -> Json:
    """Return the links of what has only its own address; `path` is below the desks' root."""
    return {"self": show.at(f"{ROOT}/{path}")}


def inner_page(values: Sequence[Any], path: str, show: Show) -> Json:
    """Return a list inside another record, in the form of a page: its beginning, if it is long.

    `path` is where the whole of it is, below the desks' root.
    """
    shown = list(values[:INNER_LIMIT])
    address = show.at(f"{ROOT}/{path}")
    last = len(values) <= INNER_LIMIT
    links = {"self": f"{address}?start=0&limit={INNER_LIMIT}", "base": show.root, "context": ""}
    if not last:
        links["next"] = f"{address}?start={INNER_LIMIT}&limit={INNER_LIMIT}"
    return {
        "_expands": [],
        "size": len(shown),
        "start": 0,
        "limit": INNER_LIMIT,
        "isLastPage": last,
        "_links": links,
        "values": shown,
    }
