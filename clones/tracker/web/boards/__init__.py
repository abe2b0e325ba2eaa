"""Boards, backlogs and sprints, as people see them."""
