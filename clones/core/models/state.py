"""Time, identity and chance of a sandbox, as rows, so that snapshots hold them."""

from __future__ import annotations

from django.db import models

from clones.core.models.records import AmbientRecord


class SandboxState(AmbientRecord):
    """The one row of a sandbox's clock, step and seed.

    `now` is the sandbox's time. In mode `stepped` it moves by `tick_ms` at each write and by
    explicit advances; in `live` it follows the machine's clock from (`live_from`, `now`) at
    `speed`; in `frozen` it never moves by itself.
    `observed` is the journal position up to which observers have seen the rows. `rate_limit` is how
    many API requests an account may make in a minute of this clock, None for no limit.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    mode = models.CharField(
        max_length=8,
        choices=[("stepped", "stepped"), ("live", "live"), ("frozen", "frozen")],
        default="stepped",
    )
    now = models.DateTimeField()
    tick_ms = models.PositiveIntegerField(default=1000)
    speed = models.FloatField(default=1.0)
    live_from = models.DateTimeField(null=True)
    step = models.PositiveIntegerField(default=0)
    seed = models.CharField(max_length=64)
    observed = models.BigIntegerField(default=0)
    rate_limit = models.PositiveIntegerField(null=True)

    class Meta:
        db_table = "core_state"


class IdSequence(AmbientRecord):
    """The last identifier given out of a named sequence."""

    name = models.CharField(primary_key=True, max_length=60)
    last = models.BigIntegerField()

    class Meta:
        db_table = "core_idsequence"


class RandomStream(AmbientRecord):
    """How many draws a named random stream has made."""

    name = models.CharField(primary_key=True, max_length=120)
    drawn = models.BigIntegerField(default=0)

    class Meta:
        db_table = "core_randomstream"


class RateBucket(AmbientRecord):
    """How many API requests an account has made in the minute that began at `started`."""

    account = models.BigIntegerField(primary_key=True)
    started = models.DateTimeField()
    used = models.PositiveIntegerField(default=0)

    class Meta:
        db_table = "core_ratebucket"
