"""Opinions: verdicts from evidence. Pure."""

from verifier.judge.decide import decide as decide

__all__ = ["decide"]
