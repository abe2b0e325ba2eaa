"""Measurements of this machine: `make bench` prints them, nothing asserts them."""
