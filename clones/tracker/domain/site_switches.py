"""What admins turn on and off for the whole site; webhooks are told of it as `option_*_changed`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from clones.tracker.domain import audit
from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.errors import NotFound
from clones.tracker.domain.events import Event, publish
from clones.tracker.domain.settings import set_setting, setting
from clones.tracker.domain.site_settings import CATEGORY, CHOSEN, PROVIDER
from clones.tracker.queries.rights import Rights


@dataclass(frozen=True, slots=True)
class Switch:
    """A switch: what it is called, its webhook event ("" for none), the vendor's option.

    `on` and `off` are what its setting then holds; one that nobody set is `first`.
    """

    name: str
    event: str
    option: str
    on: str | bool = True
    off: str | bool = False
    first: bool = True


SWITCHES: Final = {
    "voting_enabled": Switch("Voting", "option_voting_changed", "jira.option.voting"),
    "watching_enabled": Switch("Watching", "option_watching_changed", "jira.option.watching"),
    "issue_linking_enabled": Switch(
        "Issue linking", "option_issuelinks_changed", "jira.option.issuelinking"
    ),
    "unassigned_issues_allowed": Switch(
        "Unassigned issues", "option_unassigned_issues_changed", "jira.option.allowunassigned"
    ),
    "attachments_enabled": Switch(
        "Attachments", "option_attachments_changed", "jira.option.allowattachments"
    ),
    "parallel_sprints": Switch("Parallel sprints", "", "", first=False),
    CHOSEN: Switch(
        "Time tracking", "option_timetracking_changed", "jira.option.timetracking", PROVIDER[0], ""
    ),
}


def is_on(key: str) -> bool:
    """Tell whether something is turned on.

    Raises:
        KeyError: there is no such switch.
    """
    return bool(setting(key, SWITCHES[key].first))


def set_switch(key: str, *, on: bool, actor: Rights) -> None:
    """Turn something on or off; where it stands so already, nothing is written.

    Raises:
        Forbidden: the actor is no admin.
        NotFound: there is no such switch.
    """
    admins_only(actor)
    switch = SWITCHES.get(key)
    if switch is None:
        raise NotFound(f"No property exists with key '{key}'")
    before = is_on(key)
    if before == on:
        return
    set_setting(key, switch.on if on else switch.off)
    words = {True: "on", False: "off"}
    changes = [(switch.name, words[before], words[on])]
    audit.record("Global settings updated", CATEGORY, actor=actor, changes=changes)
    if switch.event:
        details = {"key": switch.option, "value": "true" if on else "false"}
        publish(Event(switch.event, actor, details=details))
