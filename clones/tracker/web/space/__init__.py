"""The pages of a whole space: summary, timeline, calendar, list, components; and of people."""
