"""The only source of identifiers.

Six shapes: `serial` (tickets: 1, 2, 3...), `stamp` (13-14 digits that rise with time, as most
helpdesk rows have), `coded` (a prefix and letters, as billing rows have), `ulid` (26 letters
that begin with the time, as webhooks have), `uuid` (hexadecimal in groups, as skills have) and
`keyed` (three letters of the kind and a number in base 62 that rises, as the CRM's rows have).
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from itertools import islice
from random import Random
from uuid import UUID

from django.db import models

from clones.core import clock, counters, gaps
from clones.core.state import read_state

EPOCH = datetime(2018, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)
STRIDE = 128
SHARD = 19
WINDOW = 1024  # how many stamps to look through at once for free ones
REACH = 2000  # how far from its neighbours in time a planted number may lie
BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
BASE32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
# Two characters at a time, the lower digit first.
PAIRS = tuple(low + high for high in BASE62 for low in BASE62)
UNIX_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class NoFreeId(Exception):
    """Raised when a back-dated row finds no free identifier near its time."""


def stamp_of(moment: datetime) -> int:
    """Return the first stamp of a moment."""
    return (moment - EPOCH) // MILLISECOND * STRIDE + SHARD


def next_stamp(model: type[models.Model]) -> int:
    """Return a new identifier that rises with time, unique among the rows of `model`'s clone.

    Under `clock.at` it is the first that `model` has free from that time on.
    """
    return next_stamps(model, 1)[0]


def next_stamps(model: type[models.Model], count: int) -> list[int]:
    """Return `count` new identifiers of `next_stamp`'s kind, rising, at the cost of one.

    Under `clock.at` they are those that `model` has free from that time on.
    """
    if count <= 0:
        return []
    sequence = f"{model._meta.app_label}.stamp"
    first = stamp_of(clock.now())
    if not clock.is_back_dated():
        top = counters.climb(sequence, floor=first, stride=STRIDE, count=count)
        return [top - index * STRIDE for index in reversed(range(count))]
    numbers = _free_stamps(model, first, count)
    last = counters.last(sequence)
    # A planted stamp that lies ahead of the sequence is remembered too: it would come again.
    if last is None or numbers[-1] > last:
        counters.set_last(sequence, numbers[-1], known=last is not None)
    return numbers


def next_serial(model: type[models.Model], *, dated_by: str = "created_at", first: int = 1) -> int:
    """Return the next number of `model`: 1, 2, 3...

    Under `clock.at` it is the free number nearest in time, so that planted rows lie among others;
    where the sequence's next number is nearer than any gap, it is that one. Where gaps are left
    between planted rows (`gaps.left_between`) it is drawn among those that fit its time. `first` is
    the number with which the vendor begins.

    Raises:
        NoFreeId: no number is free around that time.
    """
    sequence = f"{model._meta.label_lower}.serial"
    if not clock.is_back_dated():
        return counters.take(sequence)
    last = counters.last(sequence)
    rng = gaps.drawn_for(sequence)
    if rng is None:
        number = _nearest_free(model, dated_by, first, (last or 0) + 1)
    else:
        number = _drawn_free(model, dated_by, first, last or 0, rng=rng)
    if number > (last or 0):
        counters.set_last(sequence, number, known=last is not None)
    return number


def next_code(prefix: str, model: type[models.Model], *, length: int = 24) -> str:
    """Return `prefix` and `length` base-62 characters, drawn from the sandbox's own seed."""
    sequence = f"{model._meta.label_lower}.code"
    number = counters.take(sequence)
    return prefix + code_text(f"{read_state().seed}|{sequence}|{number}", length)


def next_ulid(model: type[models.Model]) -> str:
    """Return a ULID: the time in milliseconds, and 80 bits drawn from the sandbox's own seed."""
    sequence = f"{model._meta.label_lower}.ulid"
    return ulid_text(clock.now(), f"{read_state().seed}|{sequence}|{counters.take(sequence)}")


def next_uuid(model: type[models.Model]) -> str:
    """Return a UUID of version 4's form, drawn from the sandbox's own seed."""
    sequence = f"{model._meta.label_lower}.uuid"
    return uuid_text(f"{read_state().seed}|{sequence}|{counters.take(sequence)}")


def next_keyed(prefix: str, model: type[models.Model], *, length: int = 15) -> str:
    """Return `prefix` and the next number of `model` in base 62, `length` characters in all.

    Numbers begin at one that is drawn from the sandbox's own seed, and leave gaps of up to 61, as
    rows of other organizations on the vendor's servers do.
    """
    sequence = f"{model._meta.label_lower}.keyed"
    count = counters.take(sequence)
    return keyed_text(prefix, f"{read_state().seed}|{sequence}", count, length=length)


def keyed_text(prefix: str, material: str, count: int, *, length: int = 15) -> str:
    """Return the `count`-th identifier of `next_keyed`'s kind that is a function of `material`."""
    first = 62**4 + _drawn(material, 62**5 - 62**4)
    number = first + 62 * count + _drawn(f"{material}|{count}", 62)
    return prefix + base62_text(number, length - len(prefix))


def _drawn(material: str, below: int) -> int:
    """Return a number from 0 on and below another, which is a function of `material`."""
    return int.from_bytes(hashlib.blake2b(material.encode(), digest_size=8).digest()) % below


def base62_text(number: int, length: int) -> str:
    """Return a number in base 62, with zeros before it to `length` characters."""
    letters = []
    for _ in range(length):
        number, digit = divmod(number, 62)
        letters.append(BASE62[digit])
    return "".join(reversed(letters))


def uuid_text(material: str) -> str:
    """Return the UUID of version 4's form that is a function of `material`."""
    return str(UUID(bytes=hashlib.blake2b(material.encode(), digest_size=16).digest(), version=4))


def ulid_text(moment: datetime, material: str) -> str:
    """Return the ULID of a moment whose other 80 bits are a function of `material`."""
    rest = hashlib.blake2b(material.encode(), digest_size=10).digest()
    number = (moment - UNIX_EPOCH) // MILLISECOND << 80 | int.from_bytes(rest)
    return "".join(BASE32[number >> shift & 31] for shift in range(125, -1, -5))


def code_text(material: str, length: int) -> str:
    """Return `length` base-62 characters that are a function of `material`."""
    number = int.from_bytes(hashlib.blake2b(material.encode(), digest_size=48).digest())
    pairs = []
    for _ in range(0, length, 2):
        number, pair = divmod(number, len(PAIRS))
        pairs.append(PAIRS[pair])
    return "".join(pairs)[:length]


def _free_stamps(model: type[models.Model], first: int, count: int) -> list[int]:
    """Return the first `count` stamps from `first` on that no row of `model` has."""
    found: list[int] = []
    while len(found) < count:
        span = range(first, first + WINDOW * STRIDE, STRIDE)
        taken = set(
            model._default_manager.filter(pk__gte=first, pk__lt=span.stop).values_list(
                "pk", flat=True
            )
        )
        free = (number for number in span if number not in taken)
        found.extend(islice(free, count - len(found)))
        first = span.stop
    return found


def _nearest_free(model: type[models.Model], dated_by: str, first: int, most: int) -> int:
    manager = model._default_manager
    before = manager.filter(**{f"{dated_by}__lte": clock.now()}).order_by("-pk").first()
    centre = int(before.pk) if before is not None else first
    taken = _taken(model, centre)
    for distance in range(REACH):
        for candidate in (centre + distance, centre - distance):
            if first <= candidate <= most and candidate not in taken:
                return candidate
    raise NoFreeId(f"{model._meta.label} has no free number near {clock.now()}")


def _drawn_free(
    model: type[models.Model], dated_by: str, first: int, last: int, *, rng: Random
) -> int:
    """Return a free number between its neighbours in time, or one after the last of all."""
    manager, present = model._default_manager.values_list("pk", flat=True), clock.now()
    above = manager.filter(**{f"{dated_by}__gt": present}).order_by(dated_by, "pk").first()
    if above is None:
        return gaps.next_beyond(rng, max(last, first - 1))
    below = manager.filter(**{f"{dated_by}__lte": present}).order_by(f"-{dated_by}", "-pk").first()
    centre = int(below) if below is not None else first - 1
    near = range(max(centre - REACH, first), min(centre + REACH, last + 1))
    number = gaps.free_between(rng, centre, int(above), near=near, taken=_taken(model, centre))
    if number is None:
        raise NoFreeId(f"{model._meta.label} has no free number near {present}")
    return number


def _taken(model: type[models.Model], centre: int) -> set[int]:
    """Return the numbers that rows have within reach of one."""
    rows = model._default_manager.filter(pk__gt=centre - REACH, pk__lt=centre + REACH)
    return set(rows.values_list("pk", flat=True))
