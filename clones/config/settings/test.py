"""Tests: the settings of the engine that `SANDLOT_ENGINE` names, embedded if it names none."""

import os

if os.environ.get("SANDLOT_ENGINE") == "postgres":
    from clones.config.settings.stack import *  # noqa: F403 - settings are one namespace
else:
    from clones.config.settings.embedded import *  # noqa: F403 - the same

# One suite for both ways of running: tests of the queue start workers and say so.
JOB_EXECUTOR = os.environ.get("SANDLOT_JOBS", "clones.core.execution.Inline")
WEBHOOK_SENDER = os.environ.get("SANDLOT_WEBHOOKS", "clones.core.webhooks.senders.Nowhere")
