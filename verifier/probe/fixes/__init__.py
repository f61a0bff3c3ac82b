"""Changes that make failing code run: where ideas for them come from, and the trying that proves them."""
