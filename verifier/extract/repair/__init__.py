"""Repairs: damaged text back to Python. One file for each family of damage."""
