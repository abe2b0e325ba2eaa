"""The pages of automation: rules of a space and of the site, their builder and audit log."""
