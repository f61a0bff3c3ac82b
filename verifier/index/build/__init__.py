"""Builds the index from published wheels; for maintainers: `python -m verifier.index.build`.

Nothing here is imported by the tool at run time, and nothing of a wheel is ever executed: every fact is read from
the syntax trees of the sources inside. That holds for the oldest releases too: up to 1.7 there are no generated API
modules, and what is public follows from `remove_undocumented`, the lists and the docstrings that it is given.

A full build downloads some 5 GB, keeps 400 MB of sources, and takes about ten minutes of one core.
"""
