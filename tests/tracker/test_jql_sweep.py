"""Every operator with every field of a site: it is run, or refused with a sentence. Nothing else.

A query of letters alone is no exception: only what cannot be read as one is looked for as words.
"""

from __future__ import annotations

from itertools import product
from typing import Final

from clones.tracker.api.search import bounded_search
from clones.tracker.models import User
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.searching import site_of
from clones.tracker.rules.jql import JqlError, parse, plan_query, reference_data
from tests.tiers import EVERYTHING
from tests.tracker.rules.jql.test_operators import OPERATORS
from tests.tracker.site import Site

# What a field may be compared with, so that some of it fits each kind; a merge tries one of each.
EACH: Final = ("x", "1", "LAS", '"2026-01-05"', "currentUser()", "empty")
OPERANDS: Final = EACH if EVERYTHING else ("x", "1")


def test_each_query_is_run_or_refused(site: Site) -> None:
    site.issue("It hums")
    run = refused = 0
    with site.store():
        rights = Rights(User.objects.get(account_id=site.ids["ada"]))
        names = [row["value"] for row in reference_data(site_of(rights))["visibleFieldNames"]]
        assert len(names) > 80
        for name, operator, operand in product(names, OPERATORS, OPERANDS):
            text = OPERATORS[operator]
            if " x" not in text and "(x)" not in text and operand != "x":
                continue
            field = f"{name}[a].b" if name.endswith(".property") else name
            query = f"{field} {text.replace('x', operand) if operator != 'changed' else text}"
            wrong = plan_query(parse(query), site_of(rights)).errors
            try:
                bounded_search(query, rights).found.count()
            except JqlError:  # it cannot be made without a sentence
                refused += 1
            else:
                assert not wrong, (query, wrong)
                run += 1
    assert run > 100, run
    assert refused > 1000, refused
