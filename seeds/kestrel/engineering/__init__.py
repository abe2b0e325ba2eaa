"""The engineering side of the story: who builds what, and the work they track."""
