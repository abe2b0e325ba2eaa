"""This build with the museum beside its own apps."""

from clones.config.settings.test import *  # noqa: F403 - settings are one namespace
from tests.snapshots.museum.beside import BESIDE

INSTALLED_APPS = [*BESIDE, "tests.snapshots.museum.newer"]
