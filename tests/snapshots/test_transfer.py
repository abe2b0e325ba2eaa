"""A snapshot goes into one file and comes back the same, or not at all."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pytest

from clones.core.journal import act, content_digest, journal, layout, root_cause, store_digest
from clones.core.models import Job, SandboxState
from clones.core.server import server
from clones.core.tenancy import unit_of_work
from snapshots import transfer
from snapshots.errors import CorruptSnapshot, NameTaken, SchemaMismatch
from snapshots.interface import engine
from snapshots.library import Library
from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes
from snapshots.transfer import export_snapshot, import_snapshot
from tests.conftest import PRESENT, bind
from tests.core.dialects import DIALECT
from tests.core.journal_writes import new_row, populate, raw
from tests.tiers import in_turn_on_postgres

Edit = Callable[[list[Any]], None]
LOGIN = layout().by_name("core_account").columns.index("login")


@pytest.fixture(scope="module")
def blank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("blank") / "blank.sqlite"
    engine().new_store(store)
    return store


@pytest.fixture(autouse=True)
def _quick_stores(blank: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Copy empty stores rather than make each anew, which takes most of a second."""
    monkeypatch.setattr(
        engine(), "new_store", lambda target: engine().copy_sealed(blank, target), raising=False
    )


@pytest.fixture(scope="module")
def image(library: Library) -> Iterator[Manifest]:
    """An image with rows in every table, some with values that no model would store."""
    with library.workshop() as store:
        engine().new_store(store)
        with server().stores.bind(store), unit_of_work("write"):
            SandboxState.objects.create(id=1, now=PRESENT, seed="test", observed=123_456)
            populate(Random(11), rows=4)
            with act(actor="person:ana", label="caused", request="r-1"):
                Job.objects.create(id=77, kind="k", due=PRESENT, cause=1)
            for number, value in enumerate(DIALECT.hostile_blobs):
                blob = layout().by_name("core_blob")
                row = new_row(blob, Random(number))
                raw("INSERT INTO core_blob VALUES (?, ?)", f"hostile {number} {row.pk}", value)
        server().stores.discard(store)
        engine().seal(store)
        manifest = library.add(
            store, world="odd", size="tiny", seed=9, parent="a" * 64, name="to-share"
        )
    yield manifest
    if "to-share" in library.named():
        library.delete("to-share", in_use=set())


@pytest.fixture(scope="module")
def shared(library: Library, image: Manifest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("shared") / "odd.snapshot"
    assert export_snapshot(library, "to-share", target) == image
    return target


def all_files() -> set[Path]:
    return {path for path in server().data.rglob("*") if path.parent != server().data}


def lines_of(path: Path) -> list[Any]:
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def edited(source: Path, target: Path, edit: Edit, *, rehash: bool = True) -> Path:
    """Write a changed file, with a hash that fits unless it should not."""
    lines = lines_of(source)
    edit(lines)
    texts = [
        json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        for line in lines
    ]
    if rehash:
        digest = hashlib.sha256(b"".join(texts[:-1])).hexdigest()
        texts[-1] = json.dumps({"end": digest}).encode() + b"\n"
    target.write_bytes(gzip.compress(b"".join(texts)))
    return target


def refused(library: Library, path: Path, match: str = "cannot", **options: Any) -> None:
    """Check that an import is refused, says of which file, and leaves nothing."""
    before = all_files()
    with pytest.raises(CorruptSnapshot, match=match) as caught:
        import_snapshot(library, path, "refused", **options)
    assert str(path) in str(caught.value)
    assert all_files() == before
    assert "refused" not in library.named()


def test_what_comes_back_is_what_went(
    library: Library, sandboxes: Sandboxes, image: Manifest, shared: Path
) -> None:
    """On a machine that does not have it: the same rows to the bit, and the same facts."""
    original = sandboxes.create(image)
    with bind(original), unit_of_work("read"):
        expected = store_digest()
        acts = journal().export_acts()
    sandboxes.delete(original.id)
    sandboxes.delete_snapshot("to-share")
    assert not library.holds(image.digest)
    manifest = import_snapshot(library, shared, "to-share")
    facts = ("digest", "world", "size", "seed", "schema", "engine", "clock", "parent")
    assert [getattr(manifest, fact) for fact in facts] == [getattr(image, fact) for fact in facts]
    row = sandboxes.create(library.get("to-share"))
    with bind(row), unit_of_work("write"):
        assert content_digest() == image.digest
        state = SandboxState.objects.get()
        assert state.observed == 0
        SandboxState.objects.update(observed=123_456)
        assert store_digest() == expected
        assert journal().export_acts() == acts
        root = root_cause(Job.objects.get(id=77).cause)
        assert root is not None
        assert root.actor == "person:ana"
    assert sandboxes.reset(row.id).mismatches == ()
    with bind(row), unit_of_work("read"):
        assert journal().export_acts() == acts
    assert sandboxes.verify(row.id).intact
    sandboxes.delete(row.id)


def test_a_file_can_be_imported_beside_its_original(
    library: Library, image: Manifest, shared: Path
) -> None:
    before = all_files()
    assert import_snapshot(library, shared, "second").digest == image.digest
    assert all_files() == before | {library.names / "second"}
    library.delete("second", in_use=set())
    assert library.get("to-share").digest == image.digest


def test_equal_snapshots_make_equal_files(
    library: Library, image: Manifest, tmp_path: Path
) -> None:
    """Byte for byte, under any name: a file says nothing of where and when it was made."""
    first, second = tmp_path / "first", tmp_path / "second"
    for target in (first, second, second):
        export_snapshot(library, image.digest, target)
    assert first.read_bytes() == second.read_bytes()
    assert sorted(tmp_path.iterdir()) == [first, second]


def test_taken_names_are_refused(library: Library, shared: Path) -> None:
    before = all_files()
    with pytest.raises(NameTaken):
        import_snapshot(library, shared, "to-share")
    with pytest.raises(ValueError, match="name"):
        import_snapshot(library, shared, "Not A Name")
    assert all_files() == before


@pytest.mark.parametrize("fact", ["schema", "engine"])
def test_another_schema_or_engine_is_refused(
    library: Library, shared: Path, tmp_path: Path, fact: str
) -> None:
    def edit(lines: list[Any]) -> None:
        lines[0]["manifest"][fact] = "another"

    before = all_files()
    path = edited(shared, tmp_path / "x", edit)
    with pytest.raises(SchemaMismatch, match=r"made by (schema|engine) another"):
        import_snapshot(library, path, "refused")
    assert all_files() == before


def test_a_file_that_is_cut_off_is_refused(library: Library, shared: Path, tmp_path: Path) -> None:
    content = shared.read_bytes()
    cut = tmp_path / "cut"
    for size in (0, 1, 10, 100, len(content) // 2, len(content) - 9, len(content) - 1):
        cut.write_bytes(content[:size])
        refused(library, cut)
    whole = gzip.decompress(content).splitlines(keepends=True)
    for kept in (1, 2, len(whole) // 2, len(whole) - 1):
        cut.write_bytes(gzip.compress(b"".join(whole[:kept])))
        refused(library, cut)


def test_bytes_that_were_changed_are_refused(
    library: Library, shared: Path, tmp_path: Path
) -> None:
    chance, content = Random(4), bytearray(shared.read_bytes())
    for _ in range(6):
        spoilt = bytearray(content)
        spoilt[chance.randrange(12, len(content) - 8)] ^= 0x55
        (tmp_path / "x").write_bytes(spoilt)
        refused(library, tmp_path / "x")
    for odd in (b"PK\x03\x04", gzip.compress(b"\xff\xfe\n"), content + b"more", b"[" * 100_000):
        (tmp_path / "x").write_bytes(odd)
        refused(library, tmp_path / "x")
    (tmp_path / "x").write_bytes(gzip.compress(b"[" * 100_000 + b"\n"))
    refused(library, tmp_path / "x")


def test_a_wrong_hash_is_refused(library: Library, shared: Path, tmp_path: Path) -> None:
    def edit(lines: list[Any]) -> None:
        lines[-1] = {"end": "0" * 64}

    refused(library, edited(shared, tmp_path / "x", edit, rehash=False), "hash is wrong")


def first_row(lines: list[Any], table: str = "core_account") -> int:
    """Return the number of the first line of a table's rows."""
    return 1 + next(
        number
        for number, line in enumerate(lines)
        if isinstance(line, dict) and line.get("table") == table
    )


def _drop_a_row(lines: list[Any]) -> None:
    del lines[first_row(lines)]
    lines[0]["tables"]["core_account"] -= 1


def _add_a_row(lines: list[Any]) -> None:
    start = first_row(lines)
    lines.insert(start, [10_000, "crm", "77", *lines[start][3:]])
    lines[0]["tables"]["core_account"] += 1


def _twin_key(lines: list[Any]) -> None:
    start = first_row(lines)
    lines.insert(start, lines[start])
    lines[0]["tables"]["core_account"] += 1


def _orphan(lines: list[Any]) -> None:
    lines[first_row(lines, "core_session")][1] = 987_654


def _set(value: Any) -> Edit:
    def edit(lines: list[Any]) -> None:
        lines[first_row(lines)][LOGIN] = value

    return edit


def _rename(table: str) -> Edit:
    def edit(lines: list[Any]) -> None:
        lines[first_row(lines) - 1]["table"] = table
        counts = lines[0]["tables"]
        counts[table] = counts.pop("core_account")

    return edit


def _columns(change: Callable[[list[str]], list[str]]) -> Edit:
    def edit(lines: list[Any]) -> None:
        header = lines[first_row(lines) - 1]
        header["columns"] = change(header["columns"])

    return edit


def _header(**facts: Any) -> Edit:
    return lambda lines: lines[0].update(facts)


def _manifest(**facts: Any) -> Edit:
    return lambda lines: lines[0]["manifest"].update(facts)


@in_turn_on_postgres
@pytest.mark.parametrize(
    ("edit", "match"),
    [
        (_drop_a_row, "rows are not those"),
        (_add_a_row, "rows are not those"),
        (_twin_key, "UNIQUE|duplicate"),
        (_orphan, "rows are not those"),
        (_set("other"), "rows are not those"),
        (_set(True), "no stored value"),
        (_set(1.5), "no stored value"),
        (_set([1]), "no stored value"),
        (_set({"f": 1}), "no stored value"),
        (_set({"f": "zz"}), "float"),
        (_set({"b": "%%"}), "base64|padding|data"),
        (_set({"y": "no day"}), "Invalid isoformat"),
        (_set({"x": "1"}), "no stored value"),
        (_set(10**30), "large|rows are not those|too long"),
        (_rename("sqlite_master"), "cannot have"),
        (_rename("core_journal"), "cannot have"),
        (_rename("unknown"), "cannot have"),
        (_columns(lambda columns: [*columns[:-1], "other"]), "other columns"),
        (_columns(lambda columns: columns[:-1]), "other columns"),
        (_columns(lambda columns: columns[::-1]), "other columns"),
        (lambda lines: lines[first_row(lines)].append(1), "values"),
        (_header(format=2), "format 2"),
        (_header(tables=[]), "AttributeError"),
        (_header(tables={"core_account": "9"}), "cannot have"),
        (_header(tables={"core_account": -1}), "cannot have"),
        (_header(manifest=None), "manifest"),
        (_manifest(seed="1"), "seed"),
        (_manifest(extra=1), "facts"),
        (_manifest(digest="0" * 64), "rows are not those"),
        (_header(acts=5), "acts"),
        (
            lambda lines: lines[-2].update(acts=[[1, "no time", 0, None, "a", None, "b"]] * 2),
            "Invalid isoformat|acts",
        ),
        (lambda lines: lines.insert(-1, {"table": "core_blob"}), "cannot"),
        (lambda lines: lines.pop(-2), "cannot"),
    ],
)
def test_other_contents_are_refused(
    library: Library, shared: Path, tmp_path: Path, edit: Edit, match: str
) -> None:
    """Even with a hash that fits: whoever changed the file could make that too."""
    refused(library, edited(shared, tmp_path / "x", edit), match)


@pytest.mark.parametrize(
    "value",
    [None, 7, "seven", 0.1, b"\x00\xff", True, PRESENT, date(2026, 6, 16), Decimal("1.50")],
    ids=lambda value: type(value).__name__,
)
def test_whatever_an_engine_stores_has_a_form_in_the_file(value: object) -> None:
    """Of each type, whether tables have a column of it by now or not."""
    told = json.loads(json.dumps(transfer._encode(value)))
    back = transfer._decode(told)
    assert (type(back), back) == (type(value), value)


def test_rows_of_nothing_are_refused(
    library: Library,
    image: Manifest,
    shared: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Though the manifest names just such rows."""
    monkeypatch.setattr(transfer, "content_digest", lambda: image.digest)
    refused(library, edited(shared, tmp_path / "x", _orphan), "(?i)foreign key")


def test_names_that_stand_twice_are_refused(library: Library, shared: Path, tmp_path: Path) -> None:
    texts = gzip.decompress(shared.read_bytes()).splitlines(keepends=True)
    texts[0] = texts[0].replace(b'{"format":1', b'{"format":2,"format":1')
    digest = hashlib.sha256(b"".join(texts[:-1])).hexdigest()
    texts[-1] = json.dumps({"end": digest}).encode() + b"\n"
    (tmp_path / "x").write_bytes(gzip.compress(b"".join(texts)))
    refused(library, tmp_path / "x", "twice")


def test_a_file_that_unpacks_to_too_much_is_refused(
    library: Library, shared: Path, tmp_path: Path
) -> None:
    unpacked = len(gzip.decompress(shared.read_bytes()))
    refused(library, shared, "larger than is allowed", at_most=unpacked - 1)
    import_snapshot(library, shared, "fits", at_most=unpacked)
    library.delete("fits", in_use=set())
    bomb = tmp_path / "bomb"
    bomb.write_bytes(gzip.compress(b'["' + b"x" * 30_000_000, 9))
    assert bomb.stat().st_size < 100_000
    refused(library, bomb, "larger than is allowed", at_most=1_000_000)


def test_a_file_that_is_not_there_is_said_so(library: Library, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        import_snapshot(library, tmp_path / "nothing", "refused")


def test_an_export_that_fails_leaves_what_was_there(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, image: Manifest
) -> None:
    target = tmp_path / "kept"
    target.write_text("before")

    def fail() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(type(journal()), "dump", lambda self: fail())
    with pytest.raises(KeyboardInterrupt):
        export_snapshot(library, "to-share", target)
    assert target.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert list(library.scratch.iterdir()) == []


def test_manifests_are_compared_by_value(image: Manifest) -> None:
    assert replace(image) == image
