"""Bytes -> Document: finding documents, reading their formats, telling who speaks where."""

from verifier.documents.find import find_documents
from verifier.documents.loading import load

__all__ = ["find_documents", "load"]
