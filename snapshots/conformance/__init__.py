"""What every snapshot engine must do, as tests that ship with the package.

A test module subclasses `SnapshotConformance` once per engine and gives it a fixture `house`. It
needs pytest, and a Django set up with the engine's settings.
"""

from snapshots.conformance.damage import Damage
from snapshots.conformance.fixtures import (
    House,
    Sabotage,
    build_image,
    digest_of,
    identity_of,
    work,
    write_message,
)
from snapshots.conformance.images import Images
from snapshots.conformance.rewind_suite import Past
from snapshots.conformance.traffic import Traffic
from snapshots.conformance.upkeep import UpkeepSuite

__all__ = [
    "House",
    "Sabotage",
    "SnapshotConformance",
    "build_image",
    "digest_of",
    "identity_of",
    "work",
    "write_message",
]


class SnapshotConformance(Past, Images, Damage, UpkeepSuite, Traffic):
    """The promises of `snapshots`, each a test. Subclasses give the fixture `house`."""
