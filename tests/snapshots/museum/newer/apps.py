"""The museum."""

from django.apps import AppConfig


class MuseumConfig(AppConfig):
    """The same app in each build."""

    name = "tests.snapshots.museum.newer"
    label = "museum"
