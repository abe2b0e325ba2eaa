"""What clones declare of privacy: tables that there are, and a conversation for each name."""

from __future__ import annotations

from django.apps import apps

from clones.core.models.records import AmbientRecord
from clones.core.privacy import codes_in, file_words, privacy_at, texts_in
from clones.core.vendors import clones


def test_clones_declare_tables_and_columns_that_there_are() -> None:
    tables = {model._meta.db_table: model for model in apps.get_models()}
    declared = {clone.name: privacy_at(clone.privacy) for clone in clones() if clone.privacy}
    assert set(declared) >= {"billing", "helpdesk", "mail", "tracker"}
    found = [table for privacy in declared.values() for table in privacy.outgoing]
    assert len(found) == len(set(found))
    assert set(found) <= set(tables)
    # Changes of ambient rows are in no scene: such a door nobody would watch.
    assert not [table for table in found if issubclass(tables[table], AmbientRecord)]


def test_codes_have_letters_and_five_digits() -> None:
    fields = {
        "1": "KT60-2501-0044",
        "2": "KL-104567",
        "3": "FW-1234",
        "4": ["refunded", "PO-31000"],
    }
    assert [fact.value for fact in codes_in(fields, frozenset())] == [
        "KT60-2501-0044",
        "KL-104567",
        "PO-31000",
    ]
    assert list(codes_in("2026-06-16", frozenset())) == []


def test_texts_are_found_at_any_depth() -> None:
    assert list(texts_in([{"a": "b", "c": [1, None, "d"]}])) == ["b", "d"]


def test_files_of_text_are_read_and_no_others() -> None:
    assert file_words("text/csv", b"a,b") == "a,b"
    assert file_words("image/png", b"a,b") == ""
    assert file_words("text/plain", None) == ""
