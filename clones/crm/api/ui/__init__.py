"""What pages are built from: records with shown values, layouts, lists, lookups, apps."""
