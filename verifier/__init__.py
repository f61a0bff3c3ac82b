"""Checks the TensorFlow code and API claims in documents by running them in a sandbox."""
