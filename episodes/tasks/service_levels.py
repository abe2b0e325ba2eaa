"""Service levels in a world: a policy for tickets with a tag, before those that stand."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from clones.core import clock
from clones.core.journal import act
from clones.helpdesk.domain.business_rules import create_sla_policy
from clones.helpdesk.domain.rule_batches import reorder_policies
from clones.helpdesk.models import SlaPolicy, User


def put_policy_first(
    title: str,
    tag: str,
    targets: Mapping[str, Mapping[Any, int]],
    *,
    by: User,
    at: datetime,
) -> SlaPolicy:
    """Make a policy for tickets with a tag, before all others: calendar minutes per priority.

    `targets` maps metrics to minutes by priority.
    """
    metrics = [
        {"priority": priority, "metric": metric, "target": minutes, "business_hours": False}
        for metric, by_priority in targets.items()
        for priority, minutes in by_priority.items()
    ]
    tagged = {"field": "current_tags", "operator": "includes", "value": tag}
    with clock.at(at), act(actor="world", label="policy"):
        made = create_sla_policy(
            actor=by,
            changes={
                "title": title,
                "filter": {"all": [tagged], "any": []},
                "policy_metrics": metrics,
            },
        )
        reorder_policies([made.id], actor=by)
    return made
