"""H03: triage a batch of new tickets by the routing guide."""
