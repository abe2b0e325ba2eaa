"""What Kestrel sells, who works where, and in which countries its customers sit."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

PRESENT = datetime(2026, 6, 16, 14, 0, tzinfo=UTC)
COMPANY = "Kestrel Laser Works"
DOMAIN = "kestrel-laser.example"
SUPPORT = f"support@{DOMAIN}"
# Addresses by group: mail to them goes to the group, by the rules of rules.json.
ADDRESSES = {
    "support": SUPPORT,
    "billing": f"billing@{DOMAIN}",
    "dealers": f"dealers@{DOMAIN}",
    "studio": f"studio@{DOMAIN}",
    "hardware": f"repairs@{DOMAIN}",
    "logistics": f"orders@{DOMAIN}",
}
STATUS_HOST = f"status.{DOMAIN}"
CLOUD_HOST = f"cloud.{DOMAIN}"
STUDIO = "Kestrel Studio"
FOUNDED = datetime(2018, 3, 5, 9, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Machine:
    """A laser cutter: `price` in cents of a euro, `weight` its share of all machines."""

    name: str
    code: str
    watts: int
    price: int
    first_year: int
    last_year: int
    weight: float
    tube: str
    bed: str


MACHINES = (
    Machine("Swift 25", "SW25", 25, 109_000, 2018, 2021, 0.06, "diode module", "300 x 200"),
    Machine("Swift 40", "SW40", 40, 159_000, 2018, 2022, 0.10, "CO2 tube", "400 x 300"),
    Machine("Merlin 30", "MR30", 30, 189_000, 2021, 2026, 0.14, "CO2 tube", "400 x 300"),
    Machine("Merlin 45", "MR45", 45, 259_000, 2021, 2026, 0.24, "CO2 tube", "500 x 300"),
    Machine("Kite 60", "KT60", 60, 449_000, 2020, 2026, 0.20, "CO2 tube", "600 x 400"),
    Machine("Kite 60 Pro", "KT6P", 60, 569_000, 2023, 2026, 0.08, "CO2 tube", "600 x 400"),
    Machine("Osprey 80", "OS80", 80, 849_000, 2020, 2026, 0.09, "CO2 tube", "900 x 600"),
    Machine("Osprey 130", "OS13", 130, 1_249_000, 2021, 2026, 0.06, "RF tube", "1300 x 900"),
    Machine("Harrier F30", "HF30", 30, 1_590_000, 2023, 2026, 0.03, "fibre source", "300 x 300"),
)


@dataclass(frozen=True, slots=True)
class Plan:
    """A subscription to the software: `prices` in minor units by currency."""

    key: str
    name: str
    interval: str
    seats: int
    prices: dict[str, int]
    weight: float


PLANS = (
    Plan("solo_month", "Studio Solo", "month", 1, {"gbp": 1500, "usd": 1900, "eur": 1800}, 0.30),
    Plan("solo_year", "Studio Solo", "year", 1, {"gbp": 14900, "usd": 18900, "eur": 17900}, 0.20),
    Plan("pro_month", "Studio Pro", "month", 2, {"gbp": 3400, "usd": 3900, "eur": 3900}, 0.22),
    Plan("pro_year", "Studio Pro", "year", 2, {"gbp": 34900, "usd": 39900, "eur": 39900}, 0.12),
    Plan("team_month", "Studio Team", "month", 8, {"gbp": 8900, "usd": 9900, "eur": 9900}, 0.09),
    Plan("team_year", "Studio Team", "year", 8, {"gbp": 89000, "usd": 99000, "eur": 99000}, 0.05),
    Plan(
        "school_year",
        "Studio Classroom",
        "year",
        30,
        {"gbp": 24900, "usd": 29900, "eur": 27900},
        0.02,
    ),
)

# Spare parts and accessories: (sku, name, minor units of EUR).
PARTS = (
    ("KP-LENS-20", "50.8 mm focus lens, 20 mm", 4900),
    ("KP-LENS-12", "38 mm focus lens, 12 mm", 3900),
    ("KP-MIR-25", "mirror set, 25 mm molybdenum", 6500),
    ("KP-TUBE-45", "45 W CO2 tube", 32900),
    ("KP-TUBE-60", "60 W CO2 tube", 41900),
    ("KP-TUBE-80", "80 W CO2 tube", 57900),
    ("KP-PSU-60", "60 W laser power supply", 27900),
    ("KP-BELT-X", "X axis belt, 6 mm", 1900),
    ("KP-BELT-Y", "Y axis belt pair, 10 mm", 3200),
    ("KP-AIR-2", "air assist pump, two stage", 12900),
    ("KP-CHIL-5", "CW chiller, 5 l", 54900),
    ("KP-COMB-6", "honeycomb bed, 600 x 400", 15900),
    ("KP-COMB-9", "honeycomb bed, 900 x 600", 24900),
    ("KP-ROT-1", "rotary attachment, roller", 21900),
    ("KP-ROT-2", "rotary attachment, chuck", 34900),
    ("KP-FILT-H", "HEPA filter cartridge", 8900),
    ("KP-FILT-C", "carbon filter cartridge", 7400),
    ("KP-LID-K", "lid hinge and gasket kit", 5900),
    ("KP-CAM-2", "lid camera, second generation", 11900),
    ("KP-SENS-H", "home sensor, X or Y", 2400),
    ("KP-MAIN-3", "mainboard, third revision", 38900),
    ("KP-GOG-6", "safety goggles OD6+", 5400),
    ("KP-PLY-3", "3 mm birch ply, laser grade, 20 sheets", 4600),
    ("KP-ACR-3", "3 mm cast acrylic sampler", 5200),
    ("KP-HOSE-1", "extraction hose, 100 mm, 3 m", 2900),
)

# key -> (name, description)
GROUPS = {
    "support": ("Support", "First line: everything that nobody else owns"),
    "studio": ("Studio & Cloud", "Kestrel Studio, accounts, sync, integrations"),
    "hardware": ("Hardware & Repairs", "Machines: optics, motion, electronics, warranty"),
    "billing": ("Billing", "Charges, invoices, refunds, plan changes"),
    "logistics": ("Returns & Logistics", "Orders, deliveries, returns, spare parts"),
    "dealers": ("Dealer Desk", "Dealers and distributors"),
    "escalations": ("Escalations", "Third line, with engineering"),
}


@dataclass(frozen=True, slots=True)
class Country:
    """Where customers sit: `locale` is the vendor's code, `names` the pool of people's names."""

    code: str
    weight: float
    currency: str
    iana: str
    zone: str
    locale: str
    names: str
    language: str


COUNTRIES = (
    Country("GB", 0.37, "gbp", "Europe/London", "London", "en-GB", "en", "en"),
    Country(
        "US", 0.25, "usd", "America/New_York", "Eastern Time (US & Canada)", "en-US", "en", "en"
    ),
    Country("DE", 0.085, "eur", "Europe/Berlin", "Berlin", "de", "de", "de"),
    Country("NL", 0.05, "eur", "Europe/Amsterdam", "Amsterdam", "nl", "nl", "nl"),
    Country("FR", 0.05, "eur", "Europe/Paris", "Paris", "fr", "fr", "fr"),
    Country("ES", 0.035, "eur", "Europe/Madrid", "Madrid", "es", "es", "es"),
    Country("IT", 0.025, "eur", "Europe/Rome", "Rome", "it", "it", "it"),
    Country("PL", 0.02, "eur", "Europe/Warsaw", "Warsaw", "pl", "pl", "pl"),
    Country("PT", 0.015, "eur", "Europe/Lisbon", "Lisbon", "pt-PT", "pt", "pt"),
    Country("SE", 0.02, "eur", "Europe/Stockholm", "Stockholm", "sv", "sv", "en"),
    Country("IE", 0.025, "eur", "Europe/Dublin", "Dublin", "en-GB", "en", "en"),
    Country("AU", 0.03, "usd", "Australia/Sydney", "Sydney", "en-AU", "en", "en"),
    Country(
        "CA", 0.025, "usd", "America/Toronto", "Eastern Time (US & Canada)", "en-US", "en", "en"
    ),
)
US_ZONES = (
    ("America/New_York", "Eastern Time (US & Canada)", 0.47),
    ("America/Chicago", "Central Time (US & Canada)", 0.28),
    ("America/Denver", "Mountain Time (US & Canada)", 0.08),
    ("America/Los_Angeles", "Pacific Time (US & Canada)", 0.17),
)
STUDIO_VERSIONS = (
    ("4.2.0", datetime(2025, 3, 11, tzinfo=UTC)),
    ("4.2.3", datetime(2025, 5, 20, tzinfo=UTC)),
    ("4.3.0", datetime(2025, 8, 5, tzinfo=UTC)),
    ("4.3.1", datetime(2025, 8, 28, tzinfo=UTC)),
    ("4.4.0", datetime(2025, 11, 18, tzinfo=UTC)),
    ("4.4.2", datetime(2026, 1, 14, tzinfo=UTC)),
    ("5.0.0", datetime(2026, 3, 3, tzinfo=UTC)),
    ("5.0.1", datetime(2026, 3, 12, tzinfo=UTC)),
    ("5.0.4", datetime(2026, 4, 22, tzinfo=UTC)),
    ("5.1.0", datetime(2026, 6, 2, tzinfo=UTC)),
)
FIRMWARES = ("2.6.9", "2.7.2", "2.8.0", "2.8.14", "3.0.1", "3.0.6", "3.1.0")
