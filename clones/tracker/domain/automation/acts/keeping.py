"""Values that a run keeps: variables, found issues, properties, lines of the log."""

from __future__ import annotations

from typing import Any, Final

from clones.core.strict_json import read_json
from clones.tracker.domain.automation.acts.registry import performs
from clones.tracker.domain.automation.context import ActFailed, Run
from clones.tracker.domain.errors import Forbidden
from clones.tracker.domain.issue_properties import set_issue_property
from clones.tracker.domain.properties import set_property
from clones.tracker.queries import searching
from clones.tracker.queries.automation_values import things_of
from clones.tracker.queries.automation_values.issues import WITH
from clones.tracker.rules.automation.documents import Component, value_at
from clones.tracker.rules.automation.smart.values import text_of

FOUND: Final = 100  # issues that one look-up finds, as the vendor has it


@performs("jira.create.variable")
def create_variable(run: Run, component: Component) -> str:
    """Keep a value under a name, for what follows in the same branch."""
    name = str(value_at(component["value"], "name/value") or "").strip()
    if not name:
        raise ActFailed("The variable has no name.")
    found = run.value(value_at(component["value"], "query/value"))
    run.names[name] = found
    return f"Variable {name} has been set to: {text_of(found)[:500]}"


@performs("jira.lookup.issues")
def look_up(run: Run, component: Component) -> str:
    """Find issues by a query, for what follows: `{{lookupIssues}}`."""
    query = run.render(value_at(component["value"], "query/value"))
    rows = searching.search(query, run.actor, bounded=False).select_related(*WITH)
    found = list(rows[:FOUND])
    run.names["lookupIssues"] = things_of(found)
    return f"{len(found)} work items were found by: {query[:500]}"


@performs("jira.issue.refresh.issue")
def refetch(run: Run, component: Component) -> str:
    """Let texts show what issues are by now."""
    del component
    run.refetch()
    return f"The data of work items was fetched again: {run.key}"


@performs("jira.set.entity.property")
def keep_property(run: Run, component: Component) -> str:
    """Keep a value with the issue at hand, or with its space."""
    value = component["value"]
    key = run.render(value.get("key")).strip()
    if not key:
        raise ActFailed("The property has no key.")
    told = _json(run.render(value.get("value")))
    issue = run.row()
    if str(value.get("entityType") or "issue") == "project":
        if not run.actor.may("ADMINISTER_PROJECTS", issue.project):
            raise Forbidden("You do not have permission to change properties of this project.")
        set_property("project", str(issue.project_id), key, told)
        return f"The property {key} was set on {issue.project.key}"
    set_issue_property(issue, key, told, actor=run.actor)
    return f"The property {key} was set on {issue.key}"


def _json(text: str) -> Any:
    try:
        return read_json(text)
    except ValueError:
        return text


@performs("codebarrel.action.log")
def log(run: Run, component: Component) -> str:
    """Write a text into the audit log."""
    return run.render(component["value"]) or "(empty)"
