"""Opinions: verdicts from evidence. Pure."""

from verifier.judge.decide import decide as decide
from verifier.judge.releases import worth_retrying as worth_retrying

__all__ = ["decide", "worth_retrying"]
