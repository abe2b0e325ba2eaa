"""Automation: rules that act when something happens, on a schedule, or when somebody asks.

    create_rule(RuleDraft(name=..., trigger={...}, components=[...]), actor=rights)
    update_rule(rule, {...}, actor=rights), set_state, copy_rule, delete_rule
    import_rules(document, actor=rights), export_rules(rules)
    run_manually(rule, issues, inputs, actor=rights), receive_hook(rule, token, body)

`listening` hears what happens and sets a job for each rule that it concerns; `running` carries one
out, as the rule's actor: `conditions` and `branching` decide, `acts` write through the functions
that pages and the API use. What it did is a row of the audit log (`recording`).
"""

from __future__ import annotations
