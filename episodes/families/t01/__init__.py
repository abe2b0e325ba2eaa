"""T01, issue fact: report one fact of a work item that is known only by description."""
