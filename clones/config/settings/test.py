"""Tests: the settings of the engine that `SANDLOT_ENGINE` names, embedded if it names none."""

import os

if os.environ.get("SANDLOT_ENGINE") == "postgres":
    from clones.config.settings.stack import *  # noqa: F403 - settings are one namespace
else:
    from clones.config.settings.embedded import *  # noqa: F403 - the same
