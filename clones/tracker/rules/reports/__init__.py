"""What reports tell, from the histories of issues: no rows, no pages, no clock."""
