"""The apps that a build of the museum has beside it: some of this build's, or all of them.

Some two hundred tables take 16 seconds of processor time to be made by their migrations, and these
tests have that done four times. A store's migration goes by whatever migrations there are: before a
merge the ground floor's, of three steps, and billing's, of two, stand for all. That all apps'
migrations make the tables of a new store is a test of its own (`tests/snapshots/test_tables.py`).
"""

import os

from clones.config.settings.test import INSTALLED_APPS as OURS

SOME = ("django.contrib.staticfiles", "clones.core", "clones.billing")
# As `tests.tiers` reads it, whose import takes longer than all that these settings need.
BESIDE = OURS if os.environ.get("SANDLOT_EVERYTHING") == "1" else SOME
