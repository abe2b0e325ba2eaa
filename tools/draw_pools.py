"""Draw the committed pools of names, places and firm words with Faker, once.

Run by hand when a pool is added: `python tools/draw_pools.py`. Worlds read the files, never Faker,
so a new version of Faker changes no world. Each pool is split into a train and a test half that
share no value.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from faker import Faker

POOLS = Path(__file__).resolve().parents[1] / "seeds" / "pools"
SEED = 20260616

LOCALES = {
    "en": ("en_GB", "en_US", "en_AU", "en_IE"),
    "de": ("de_DE", "de_AT"),
    "fr": ("fr_FR", "fr_BE"),
    "es": ("es_ES", "es_MX"),
    "nl": ("nl_NL", "nl_BE"),
    "it": ("it_IT",),
    "pl": ("pl_PL",),
    "pt": ("pt_PT",),
    "sv": ("sv_SE",),
}
NAMES = {
    "en": 1800,
    "de": 900,
    "fr": 700,
    "es": 700,
    "nl": 700,
    "it": 600,
    "pl": 500,
    "pt": 400,
    "sv": 400,
}

# Invented words: no firm is called after them as far as a search could tell, because both halves
# are drawn apart and joined here.
FRONTS = (
    "Alder Amber Anvil Arc Ash Aster Barley Beacon Birch Black Blue Bolt Border Bracken"
    " Bramble Brass Bright Brindle Broad Burr Calder Candle Cedar Chalk Cinder Clay Clover Cob"
    " Copper Coral Corn Cove Crane Crow Cut Dale Dapple Dawn Dove Drift Dune East Edge Elder"
    " Elm Ember Fair Falcon Fallow Fern Field Finch Flax Flint Fold Forge Fox Frost Gable Gilt"
    " Glade Glen Gold Gorse Grain Granite Gravel Green Grey Grove Gull Hale Hammer Harbour"
    " Hart Haven Hawk Hazel Heath Hedge Heron High Hive Holly Hollow Honey Horn Ink Iron Ivory"
    " Ivy Jade Jay Juniper Keel Kiln Knot Lake Lantern Larch Lark Laurel Leaf Lever Lime Line"
    " Linnet Loam Lock Loom Low Lumen Lyme Maple Marble Marl Marsh May Meadow Mellow Mill Mint"
    " Mist Moor Moss Mulberry Nettle New Night North Oak Oar Ochre Old Olive Onyx Orchard"
    " Otter Owl Oxen Paper Peat Pebble Penny Pepper Petal Pine Pitch Plane Plum Poplar Prism"
    " Quarry Quartz Quill Rain Raven Red Reed Ridge River Rook Rose Rowan Rush Rust Saddle"
    " Sage Salt Sand Scarlet Sedge Shale Silver Slate Sloe Snow Sorrel South Spark Spindle"
    " Spruce Steel Stone Storm Straw Summer Sun Swan Swift Tall Tansy Teal Thistle Thorn Tide"
    " Timber Tin Topaz Tower Trout Twine Umber Upper Vale Velvet Vine Violet Walnut Wander"
    " Water Weld West Wheat White Wick Wild Willow Wind Winter Wold Wood Wren Yarrow Yew"
).split()
BACKS = (
    "acre bank barn beam beck berry bloom bridge brook burn bury by cliff combe cote craft"
    " crest croft cross dale dell den down fell field fold ford forge gate glow grain grove"
    " hall ham haven hill hold holm holt house hurst kiln land lane lea leaf leigh light line"
    " lock loft loom mark mead mere mill moor mount nest notch peak pier point pool port reach"
    " ridge rise row shaw shed shore side smith spar spring stead stock stone thorpe ton top"
    " tor vale view wade wall ware watch way well wharf wick wood works worth wright yard"
).split()


def main() -> None:
    """Draw every pool and write both halves."""
    for language, locales in LOCALES.items():
        fakers = [_faker(locale) for locale in locales]
        wanted = NAMES[language]
        write(f"given_{language}", _distinct([f.first_name for f in fakers], wanted // 2))
        write(f"family_{language}", _distinct([f.last_name for f in fakers], wanted))
        if language == "en":
            write("city_en", _towns(900))
            write("street_en", _streets(fakers, 1200))
            continue
        write(f"city_{language}", _distinct([f.city for f in fakers], min(wanted, 1000)))
        write(f"street_{language}", _distinct([f.street_name for f in fakers], wanted))
    write("firm_stems", _stems(2400))


def _faker(locale: str) -> Faker:
    fake = Faker(locale, use_weighting=False)
    fake.seed_instance(f"{SEED}-{locale}")
    return fake


def _distinct(draws: Iterable[Callable[[], str]], wanted: int) -> list[str]:
    """Return up to `wanted` distinct values, taking from each source in turn."""
    sources = list(draws)
    found: dict[str, None] = {}
    for attempt in range(wanted * 40):
        value = sources[attempt % len(sources)]().strip()
        if re.fullmatch(r"[^\W\d_][\w .'\u2019-]{1,38}", value):
            found.setdefault(value)
        if len(found) == wanted:
            break
    return list(found)


def _towns(wanted: int) -> list[str]:
    """Return invented English place names: Faker's are visibly put together."""
    chance = random.Random(f"{SEED}-towns")  # noqa: S311 - names, not secrets
    ends = (
        "ton ham bury ford field wick by mouth leigh worth stead combe den ley minster thorpe well"
        " church"
    ).split()
    found: dict[str, None] = {}
    while len(found) < wanted:
        front, end = chance.choice(FRONTS), chance.choice(ends)
        prefix = chance.choice(
            ("", "", "", "", "", "", "Great ", "Little ", "North ", "Upper ", "Market ")
        )
        if front[-1].lower() != end[0]:
            found.setdefault(f"{prefix}{front}{end}")
    return list(found)


def _streets(fakers: list[Faker], wanted: int) -> list[str]:
    chance = random.Random(f"{SEED}-streets")  # noqa: S311 - names, not secrets
    kinds = "Street Road Lane Avenue Way Close Yard Court Hill Row Drive Terrace Mews".split()
    found: dict[str, None] = {}
    while len(found) < wanted:
        name = chance.choice(FRONTS) if chance.random() < 0.4 else fakers[0].last_name()
        found.setdefault(f"{name} {chance.choice(kinds)}")
    return list(found)


def _stems(wanted: int) -> list[str]:
    chance = random.Random(SEED)  # noqa: S311 - names, not secrets
    found: dict[str, None] = {}
    while len(found) < wanted:
        front, back = chance.choice(FRONTS), chance.choice(BACKS)
        if front.lower() != back and front[-1].lower() != back[0]:
            found.setdefault(front + back)
    return list(found)


def write(name: str, values: list[str]) -> None:
    """Write the two halves of a pool, in an order that is a function of the values."""
    chance = random.Random(f"{SEED}-{name}")  # noqa: S311 - names, not secrets
    shuffled = sorted(values)
    chance.shuffle(shuffled)
    middle = len(shuffled) * 2 // 3
    for half, part in (("train", shuffled[:middle]), ("test", shuffled[middle:])):
        target = POOLS / half / f"{name}.txt"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("\n".join(part) + "\n", encoding="utf-8")
    print(f"{name}: {len(values)}")


if __name__ == "__main__":
    main()
