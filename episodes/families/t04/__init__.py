"""T04, plan a sprint: fill the next one within what people can do, for the most that it is worth.

The plan that is worth the most is found by trying all (`planning`), and everything drawn is drawn
anew until no shortcut comes near it (`drawing`).
"""
