"""SOQL and SOSL: from text to a plan. Pure: what an org has, and the time, its caller tells."""
