"""H08: empty the queue of held mail: let in what is real, delete what is not."""
