"""From records to the vendor's JSON: one presenter per resource."""
