"""The reports of boards: how sprints went, and how work flows."""
