"""Actions of triggers, automations and macros: what they would change and whom they would tell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clones.helpdesk.rules.system_fields import names_where
from clones.helpdesk.rules.tags import add_tags, drop_tags, split_tags

CUSTOM = re.compile(r"custom_fields_(\d+)")
DIRECT = frozenset(names_where(lambda item: item.rules is not None and item.rules.action))
TAGS = {"set_tags": "tags", "current_tags": "additional_tags", "remove_tags": "remove_tags"}
NOTICES = frozenset({"notification_user", "notification_group"})
WEBHOOK = "notification_webhook"
SCHEDULE = "set_schedule"
COMMENTS = frozenset({"comment_value", "comment_value_html", "comment_mode_is_public"})
# Accepted in rules and without effect here: nothing leaves a sandbox, and there is one language.
SILENT = frozenset(
    {
        "notification_target",
        "notification_sms_user",
        "notification_sms_group",
        "locale_id",
        "share_ticket",
        "deflection",
        "side_conversation_slack",
        "side_conversation_msteams",
    }
)
# Of triggers and automations; the description of what rules can say leaves them out.
SIDES = frozenset({"side_conversation", "side_conversation_ticket"})
_SUPPORT = re.compile(r".*/group/(\d+)(?:/(?:user|agent)/(\d+))?")


@dataclass(frozen=True, slots=True)
class Notice:
    """A message to send: `kind` is user or group, `target` who, the texts still unrendered."""

    kind: str
    target: str
    subject: str
    body: str


@dataclass(frozen=True, slots=True)
class Call:
    """A webhook to call, and what to send it: a text, or pairs, still unrendered."""

    webhook: str
    content: Any


@dataclass(frozen=True, slots=True)
class Start:
    """A side conversation to start: with addresses, or with a group. Texts are unrendered."""

    subject: str
    body: str
    is_html: bool
    emails: tuple[str, ...] = ()
    group: str | None = None
    agent: str | None = None

    def recipients(self) -> list[dict[str, str]]:
        """Return whom it goes to, as participants are given."""
        if self.group is None:
            return [{"email": email} for email in self.emails]
        given = {"support_group_id": self.group}
        return [given if self.agent is None else {**given, "support_agent_id": self.agent}]


@dataclass(slots=True)
class Effect:
    """What a rule's actions come to. `changes` has the attribute names of ticket updates.

    `schedule` is the id of the business hours that the ticket gets.
    """

    changes: dict[str, Any] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    starts: list[Start] = field(default_factory=list)
    schedule: str | None = None
    comment: str | None = None
    comment_html: str | None = None
    comment_is_public: bool | None = None


def names() -> frozenset[str]:
    """Return the fields that actions of every account may name."""
    return (
        DIRECT
        | TAGS.keys()
        | NOTICES
        | COMMENTS
        | SILENT
        | SIDES
        | {WEBHOOK, SCHEDULE, "cc", "follower"}
    )


def is_known(name: str) -> bool:
    """Tell whether actions may name this field."""
    return bool(name in names() or CUSTOM.fullmatch(name))


def effect_of(
    actions: Iterable[Mapping[str, Any]],
    *,
    values: Mapping[str, Any],
    actor_id: int | None,
    actor_group: int | None,
) -> Effect:
    """Return what actions come to for a ticket of these values, done by this actor.

    `actor_group` is the group that `current_groups` stands for: the actor's default one.
    """
    found = Effect()
    for action in actions:
        name, value = str(action["field"]), action.get("value")
        if name in DIRECT:
            found.changes[name] = _special(value, values, actor_id, actor_group)
        elif name in TAGS:
            _retag(found.changes, TAGS[name], value)
        elif name in NOTICES:
            found.notices.append(_notice(name, value))
        elif name == WEBHOOK:
            found.calls.append(_call(value))
        elif name in SIDES:
            found.starts.append(_start(name, value))
        elif name == SCHEDULE:
            found.schedule = str(value)
        elif name in ("cc", "follower"):
            key = "email_ccs" if name == "cc" else "followers"
            person = _special(value, values, actor_id, actor_group)
            found.changes.setdefault(key, []).append({"user_id": person, "action": "put"})
        elif name in COMMENTS:
            _say(found, name, value)
        else:
            custom = CUSTOM.fullmatch(name)
            if custom is not None:
                found.changes.setdefault("custom_fields", {})[custom.group(1)] = value
    return found


def _retag(changes: dict[str, Any], key: str, value: Any) -> None:
    """Note a change of tags after those before it: sets replace, the others add up.

    Additions and removals are kept apart, so of one tag the later of the two counts.
    """
    if key == "tags":
        changes.pop("additional_tags", None)
        changes.pop("remove_tags", None)
        changes[key] = value
        return
    other = "remove_tags" if key == "additional_tags" else "additional_tags"
    both = set(split_tags(changes.get(other))) & set(split_tags(value))
    if both:
        left = drop_tags(split_tags(changes.pop(other)), " ".join(both))
        if left:
            changes[other] = " ".join(left)
    changes[key] = " ".join(add_tags(split_tags(changes[key]), value)) if key in changes else value


def _special(
    value: Any, values: Mapping[str, Any], actor_id: int | None, actor_group: int | None
) -> Any:
    if value == "current_user":
        return actor_id
    if value in ("requester_id", "assignee_id"):
        return values.get(str(value))
    if value == "current_groups":
        return actor_group
    return None if value == "" else value


def _notice(name: str, value: Any) -> Notice:
    parts: Sequence[Any] = value if isinstance(value, list) else [value]
    target, subject, body = [*(str(part) for part in parts[:3]), "", "", ""][:3]
    return Notice(name.removeprefix("notification_"), target, subject, body)


def _call(value: Any) -> Call:
    parts: Sequence[Any] = value if isinstance(value, list) else [value]
    webhook, content = [*parts[:2], None, None][:2]
    return Call(str(webhook), content)


def _start(name: str, value: Any) -> Start:
    """Read [subject, message, recipients, content type]; a group is given by its path."""
    parts = [str(part) for part in value] if isinstance(value, list) else [str(value)]
    subject, body, target, kind = [*parts[:4], "", "", "", ""][:4]
    is_html = kind == "text/html"
    if name == "side_conversation":
        emails = tuple(part.strip() for part in re.split(r"[,;\s]+", target) if part.strip())
        return Start(subject, body, is_html, emails)
    found = _SUPPORT.fullmatch(target)
    group, agent = (found.group(1), found.group(2)) if found is not None else ("", None)
    return Start(subject, body, is_html, group=group, agent=agent)


def _say(found: Effect, name: str, value: Any) -> None:
    if name == "comment_mode_is_public":
        found.comment_is_public = str(value).lower() == "true"
    elif name == "comment_value_html":
        found.comment_html = str(value)
    else:
        parts = value if isinstance(value, list) else ["channel:all", value]
        found.comment = str(parts[-1])
