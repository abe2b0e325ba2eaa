"""The parameter space of H03: batch sizes, desks of what lies between, and the guide's rules."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final, TypeVar

from episodes.families.h03.guide import (
    BILLING,
    HARDWARE,
    LANGUAGE_RULES,
    LOGISTICS,
    STUDIO,
    VIP_RULES,
    GuideVersion,
    Kind,
    LanguageRule,
    Priority,
    VipRule,
)
from episodes.tasks.instances import InstanceId

SIZES: Final = (4, 8, 16)
CONNECTION_DESKS: Final = (STUDIO, HARDWARE)
REFUND_DESKS: Final = (BILLING, LOGISTICS)
STANDSTILLS: Final[tuple[Priority, ...]] = ("high", "urgent")
Value = TypeVar("Value", bound=str)

# The lines that the superseded guide had at another priority.
RAISED_BEFORE: Final[tuple[Kind, ...]] = ("cut_quality", "delivery", "feature_wish", "sign_in")


@dataclass(frozen=True, slots=True)
class Params:
    """One structural variant of H03: how many tickets, and what the guide in force says."""

    size: int
    connection: str
    refunds: str
    standstill: Priority
    vip: VipRule
    language: LanguageRule

    def guide(self, valid_from: date, replaces: date) -> GuideVersion:
        """Return the guide in force."""
        return GuideVersion(
            valid_from,
            replaces,
            connection=self.connection,
            refunds=self.refunds,
            standstill=self.standstill,
            vip=self.vip,
            language=self.language,
        )

    def superseded(self, valid_from: date) -> GuideVersion:
        """Return the guide before it, in which everything that can differ does."""
        return GuideVersion(
            valid_from,
            None,
            connection=_other(CONNECTION_DESKS, self.connection),
            refunds=_other(REFUND_DESKS, self.refunds),
            standstill=_other(STANDSTILLS, self.standstill),
            vip=_other(VIP_RULES, self.vip),
            language=_other(LANGUAGE_RULES, self.language),
            raised=RAISED_BEFORE,
        )


def _other(values: tuple[Value, ...], value: Value) -> Value:
    """Return the value after one, the first after the last."""
    return values[(values.index(value) + 1) % len(values)]


def structural_variants() -> list[Params]:
    """Return all 288 variants, in a fixed order."""
    return [
        Params(size, connection, refunds, standstill, vip, language)
        for size in SIZES
        for connection in CONNECTION_DESKS
        for refunds in REFUND_DESKS
        for standstill in STANDSTILLS
        for vip in VIP_RULES
        for language in LANGUAGE_RULES
    ]


def params_of(instance: InstanceId) -> Params:
    """Return an instance's variant: neighbouring numbers differ in size and most rules."""
    variants = structural_variants()
    # 115 and 288 have no common factor, so 288 numbers in a row meet every variant once.
    return variants[(instance.number * 115) % len(variants)]
