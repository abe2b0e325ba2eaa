"""The workflows of a space, and the editor of a workflow."""
