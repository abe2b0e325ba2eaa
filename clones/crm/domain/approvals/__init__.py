"""Approvals: processes that records go through, who decides, what follows, what is locked."""
