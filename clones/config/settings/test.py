"""Tests: the embedded settings, with the data directory that the test run gives."""

from clones.config.settings.embedded import *  # noqa: F403 - settings are one namespace
