"""Documents to claims: what a text asserts that a machine can check. Pure: text in, claims out."""

from verifier.extract.assemble import extract

__all__ = ["extract"]
