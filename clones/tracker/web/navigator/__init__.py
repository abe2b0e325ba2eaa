"""The navigator: lists of issues by queries, their export, and changing many of them."""
