"""What the museum held."""

from django.db import models

from clones.core.models.records import Record


class Piece(Record):
    """A piece."""

    id = models.BigIntegerField(primary_key=True)
    title = models.CharField(max_length=40)
    donor = models.TextField(default="")

    class Meta:
        db_table = "museum_piece"
