"""T05, close a sprint: complete it, carry work over by the team's rule, start the next one."""
