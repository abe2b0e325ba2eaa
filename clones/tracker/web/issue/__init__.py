"""The page of an issue, and what people do there."""
