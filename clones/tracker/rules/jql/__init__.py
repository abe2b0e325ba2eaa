"""JQL: from text to a plan, and back to text. Pure: what a site has is told by its caller.

The way of a query: `parse` makes nodes of a text (or refuses it, with a place); `plan_query`
resolves every name against a `SiteView` and says what is wrong, all of it; what is left is a `Plan`
of resolved fields, ids, moments and numbers, which a compiler turns into SQL without knowing JQL.
"""

from clones.tracker.rules.jql.errors import JqlError, JqlSyntaxError, Message, MessageKind
from clones.tracker.rules.jql.nodes import Query
from clones.tracker.rules.jql.parser import parse
from clones.tracker.rules.jql.plan import Plan
from clones.tracker.rules.jql.planning import Verdict, plan_query, plan_text, require_bounds
from clones.tracker.rules.jql.printing import print_query
from clones.tracker.rules.jql.reference import reference_data, suggestions
from clones.tracker.rules.jql.rewriting import sanitised, with_account_ids
from clones.tracker.rules.jql.site import ResolvedField, SiteField, SiteView, Viewer
from clones.tracker.rules.jql.structure import parsed, structure
from clones.tracker.rules.jql.usage import misuses

__all__ = [
    "JqlError",
    "JqlSyntaxError",
    "Message",
    "MessageKind",
    "Plan",
    "Query",
    "ResolvedField",
    "SiteField",
    "SiteView",
    "Verdict",
    "Viewer",
    "misuses",
    "parse",
    "parsed",
    "plan_query",
    "plan_text",
    "print_query",
    "reference_data",
    "require_bounds",
    "sanitised",
    "structure",
    "suggestions",
    "with_account_ids",
]
