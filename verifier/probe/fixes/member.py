"""The attribute that an object turned out not to have, found in the code of a failing statement."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from verifier.probe.fixes.scene import Idea, Scene

_OBJECT = re.compile(r"'?(?:[\w.]+\.)?(?P<cls>\w+)'? object has no attribute '(?P<name>\w+)'")


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """An attribute that an object of a class lacks, and the call of it where it is called."""

    scene: Scene
    node: ast.Attribute
    call: ast.Call | None
    cls: str

    @property
    def name(self) -> str:
        """The attribute."""
        return self.node.attr

    @property
    def receiver(self) -> str:
        """The code of the object."""
        return self.scene.text(self.node.value)

    @property
    def given(self) -> tuple[str, ...]:
        """The code of the arguments, if it is called."""
        return tuple(self.scene.text(item) for item in (*self.call.args, *self.call.keywords)) if self.call else ()

    def renamed(self, name: str, reason: str) -> Idea:
        """Another attribute of the same object."""
        start = self.scene.span(self.node).end - len(self.name)
        return Idea(edits=(self.scene.put(start, self.name, name),), reason=reason)

    def instead(self, text: str, reason: str) -> Idea:
        """Something else for the whole call, or for the attribute where it is not called."""
        return Idea(edits=(self.scene.swap(self.call or self.node, text),), reason=reason)


def missed(scene: Scene) -> Member | None:
    """The attribute that an AttributeError about an object complains of; None when it is about something else."""
    match = _OBJECT.search(scene.message) if scene.raised("AttributeError") else None
    if match is None:
        return None
    node = next((item for item in scene.nodes(ast.Attribute) if item.attr == match["name"]), None)
    if node is None:
        return None
    call = next((item for item in scene.nodes(ast.Call, scene.around()) if item.func is node), None)
    return Member(scene=scene, node=node, call=call, cls=match["cls"])
