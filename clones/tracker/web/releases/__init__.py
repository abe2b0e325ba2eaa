"""The releases of a space: the list of its versions, each version, and what is done to them."""
