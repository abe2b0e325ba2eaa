"""An app in three builds: as it was, as it has become by a migration, and with its past rewritten.

Each build is run in a process of its own, by the settings beside this file.
"""
