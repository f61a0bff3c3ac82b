"""Who takes an argument: for texts that name one without saying whose it is ("optimizers take `clipnorm`")."""

from __future__ import annotations

from verifier.index import bind
from verifier.index.catalog import Catalog
from verifier.index.store import Store


def takers(keyword: str, store: Store, catalog: Catalog, mask: int) -> tuple[str, ...]:
    """Public functions and classes whose signature names the keyword in the releases of `mask`, most ordinary first.

    Methods are told by their class's canonical name. Nothing here says that others refuse it: many take any keyword.
    """
    texts = {number for number, text in enumerate(store.strings) if keyword in text and bind.accepts(text, keyword)}
    facts = {number for number, fact in enumerate(store.facts) if fact.signature in texts}
    if not facts:
        return ()
    found = [path for path, fact in catalog.paths if fact in facts]
    return tuple(found) or tuple(_methods(facts, store, mask))


def _methods(facts: set[int], store: Store, mask: int) -> list[str]:
    found = []
    for canonical in store.classes:
        record = store.record(canonical)
        for name, state in record.members.items() if record else ():
            pairs = zip(state[::2], state[1::2], strict=True)
            if not name.startswith("_") and any(when & mask and fact in facts for when, fact in pairs):
                found.append(f"{canonical}.{name}")
    return sorted(found)
