"""What the museum holds: pieces lie in rooms now, and who gave them is forgotten."""

from django.db import models

from clones.core.models.records import Record


class Room(Record):
    """A room."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=40)

    class Meta:
        db_table = "museum_room"


class Piece(Record):
    """A piece."""

    id = models.BigIntegerField(primary_key=True)
    title = models.CharField(max_length=80)
    room = models.ForeignKey(Room, models.PROTECT)

    class Meta:
        db_table = "museum_piece"
