"""What people write about: topics in the order of their frequency, their domain and their group."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topic:
    """One value of the category field: `domain` names its part of the text bank."""

    key: str
    label: str
    domain: str
    group: str


TOPICS = tuple(
    Topic(*line.split("|"))
    for line in (
        "account_sign_in|Account::Sign-in|login|studio",
        "charge_question|Billing::Charge question|billing|billing",
        "connection_lost|Machine::Connection lost|connect|studio",
        "no_beam|Machine::No or weak beam|beam|hardware",
        "file_import|Studio::File import|files|studio",
        "delivery_status|Orders::Delivery|shipping|logistics",
        "cut_depth|Machine::Cut quality|quality|hardware",
        "crash_after_update|Studio::Crash or freeze|update|studio",
        "homing|Machine::Homing|motion|hardware",
        "refund_request|Billing::Refund|refund|billing",
        "licence_seats|Account::Seats|seats|studio",
        "cancel_plan|Billing::Cancel plan|cancel|billing",
        "library_missing|Cloud::Library|sync|studio",
        "dealer_order|Dealer::Order|dealer|dealers",
        "alignment|Machine::Mirror alignment|beam|hardware",
        "invoice_copy|Billing::Invoice copy|billing|billing",
        "activation|Account::Activation|login|studio",
        "duplicate_charge|Billing::Charged twice|billing|billing",
        "export_format|Studio::Export|files|studio",
        "wrong_part|Orders::Wrong or missing item|shipping|logistics",
        "belts|Machine::Belts and rails|motion|hardware",
        "chiller_alarm|Machine::Cooling alarm|beam|hardware",
        "return_machine|Returns::Machine|refund|logistics",
        "feature_wish|Feedback::Feature wish|wish|support",
        "camera|Machine::Camera|quality|hardware",
        "firmware_fail|Machine::Firmware update|update|studio",
        "wifi_setup|Machine::Network set-up|connect|studio",
        "downgrade|Billing::Plan change|cancel|billing",
        "slow_sync|Cloud::Sync|sync|studio",
        "roles|Account::Permissions|seats|studio",
        "job_api|Cloud::Job API|connect|studio",
        "dealer_demo|Dealer::Demo unit|dealer|dealers",
        "sso|Account::Single sign-on|login|studio",
        "vat|Billing::VAT|billing|billing",
        "lid_sensor|Machine::Interlock|motion|hardware",
        "material_settings|Machine::Material settings|quality|hardware",
        "transit_damage|Orders::Damaged in transit|shipping|logistics",
    )
)
GENERAL = ("general", "General enquiry")
SLOPE = 1.06
WEIGHTS = tuple((topic, (rank + 2) ** -SLOPE) for rank, topic in enumerate(TOPICS))
BY_DOMAIN: dict[str, tuple[Topic, ...]] = {}
for _topic in TOPICS:
    BY_DOMAIN[_topic.domain] = (*BY_DOMAIN.get(_topic.domain, ()), _topic)
DOMAINS = tuple(BY_DOMAIN)

# How much longer than others a domain's problems take.
SLOWNESS = {
    "beam": 1.5,
    "motion": 1.5,
    "quality": 1.2,
    "refund": 1.5,
    "shipping": 1.3,
    "dealer": 1.2,
    "wish": 1.0,
    "login": 0.6,
    "billing": 0.8,
}
