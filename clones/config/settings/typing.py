"""What the type checker reads: every app, those in the making too."""

from clones.config.settings import test
from clones.config.settings.test import *  # noqa: F403 - settings are read by their names

INSTALLED_APPS = list(dict.fromkeys([*test.INSTALLED_APPS, "clones.tracker"]))
