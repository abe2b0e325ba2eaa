"""T15, a service desk's queue: requests worked in the order of the time that is left.

Some are done and have to be told, one lacks something, one waits for somebody's approval, and one
for its customer.
"""
