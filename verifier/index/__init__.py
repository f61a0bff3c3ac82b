"""Oracle 1: what every TensorFlow release exports, known without running anything."""

from verifier.index.lookup import Index
from verifier.index.targeted import TargetedIndex, open_index

__all__ = ["Index", "TargetedIndex", "open_index"]
