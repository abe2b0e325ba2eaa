"""This build with the museum beside its own apps."""

from clones.config.settings.test import *  # noqa: F403 - settings are one namespace
from clones.config.settings.test import INSTALLED_APPS as OURS

INSTALLED_APPS = [*OURS, "tests.snapshots.museum.older"]
