"""API claims in prose: which names a text speaks of, and what it says about them."""
