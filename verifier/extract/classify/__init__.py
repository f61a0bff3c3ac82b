"""What a block of text holds: Python, or one of the many things that stand in documents beside it."""
