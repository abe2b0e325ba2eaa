"""What a saved record leads to in other rows."""

from __future__ import annotations

from typing import Final

from clones.crm.domain.new_ids import new_id
from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.stages import Stage, step
from clones.crm.models import model_of

_WATCHED: Final = ("StageName", "Amount", "CloseDate", "Probability")


@step(Stage.FOLLOW_UPS)
def follow_up(change: Change) -> None:
    """Keep the history of an opportunity: a row for each change of stage, sum, day or chance."""
    if change.of.name == "Opportunity" and change.has_changed(*_WATCHED):
        _note_history(change)


def _note_history(change: Change) -> None:
    history = model_of("OpportunityHistory")
    values = {
        "Id": new_id("008", history),
        "OpportunityId": change.get("Id"),
        "CreatedById": change.actor,
        "CreatedDate": change.now,
        "SystemModstamp": change.now,
        **{name: change.get(name) for name in (*_WATCHED, "ExpectedRevenue", "ForecastCategory")},
    }
    values |= {"PrevAmount": change.was("Amount"), "PrevCloseDate": change.was("CloseDate")}
    history(**values).save(force_insert=True)
