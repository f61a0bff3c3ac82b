"""Which of several bindings of a name counts, what is attached to a class later, and which decorators deprecate."""

from __future__ import annotations

import pytest

from verifier.index.build import classes
from verifier.index.build.exports import Hook

TWO = {
    "lib/one.py": "class Variable:\n    def handle(self): pass\ndef only_one(): pass",
    "lib/two.py": "class Variable:\n    def pointer(self): pass\ndef only_two(): pass",
}


def members(exports, path: str) -> set[str]:
    line = exports.classes[exports.paths[path].canonical].mro
    return {name for one in line for name in exports.classes[one].members}


def test_of_alternatives_with_star_imports_the_first_counts(read_package):
    body = "if backend() == 'one':\n    from lib.one import *\nelif backend() == 'two':\n    from lib.two import *"
    found = read_package({"lib/__init__.py": body, **TWO})
    assert "lib.only_one" in found.paths
    assert "lib.only_two" not in found.paths
    assert found.paths["lib.Variable"].canonical == "lib.one.Variable"


def test_a_star_import_after_a_plain_alternative_adds_what_is_missing(read_package):
    body = "try:\n    from lib.one import only_one\nexcept ImportError:\n    from lib.two import *"
    found = read_package({"lib/__init__.py": body, **TWO})
    assert {"lib.only_one", "lib.only_two", "lib.Variable"} <= set(found.paths)


def test_a_binding_after_a_star_import_wins_even_when_the_name_was_bound_before_it(read_package):
    body = "from lib.one import Variable\nfrom lib.two import *\nclass Variable:\n    def mine(self): pass"
    found = read_package({"lib/__init__.py": body, **TWO})
    assert members(found, "lib.Variable") == {"mine"}


def test_a_class_that_extends_its_own_former_self_is_open(read_package):
    body = "from lib.one import *\nBase = Variable\nclass Variable(Base): pass"
    found = read_package({"lib/__init__.py": body, **TWO})
    assert found.paths["lib.Variable"].open
    assert found.paths["lib.Variable"].signature == ""


ATTACHED = """
    class Supervisor:
        def stop(self, wait=True): pass
        limit = 3
    setattr(Supervisor, "Stop", Supervisor.stop)
    Supervisor.halt = Supervisor.stop
    Supervisor.start = lambda self, when: None
    setattr(Supervisor, "_hidden", Supervisor.stop)
    setattr(other, "lost", 1)
    setattr(Supervisor, name, 1)
"""


def test_what_is_attached_to_a_class_is_its_member(read_package):
    found = read_package({"lib/__init__.py": ATTACHED})
    own = found.classes["lib.Supervisor"].members
    assert set(own) == {"stop", "limit", "Stop", "halt", "start"}
    assert own["Stop"] == own["halt"] == own["stop"]
    assert own["start"].signature == "(when)"


EXPORTER = """
    from tool import deprecation
    class export:
        def __init__(self, name): pass
        def __call__(self, thing):
            thing = deprecation.deprecated(None, "Use other.")(thing)
            return thing
    class plain_export:
        def __init__(self, name): pass
        def __call__(self, thing): return thing
    old = deprecation.deprecated("2020-01-01", "Use new.")
"""


@pytest.mark.parametrize(
    ("body", "note"),
    [
        ("@export('a')\ndef f(): pass", "Use other."),
        ("@export('a')\nclass f: pass", "Use other."),
        ("@plain_export('a')\ndef f(): pass", ""),
        ("@export\ndef f(): pass", ""),
        ("@old\ndef f(): pass", "Use new."),
        ("@old\nclass f: pass", "Use new."),
        ("class f:\n    @old\n    def __init__(self): pass", "Use new."),
        ("def g(): pass\nf = old(g)", "Use new."),
        ("def g(): pass\nf = plain_export('a')(old(g))", "Use new."),
        ("def g(): pass\nf = export('a')(g)", "Use other."),
        ("def f(): pass\nf = old(f)", "Use new."),
        ("from lib.unknown import thing\n@thing\ndef f(): pass", ""),
    ],
)
def test_decorators_that_deprecate_by_another_name(read_package, body, note):
    imported = f"from lib.exporter import export, plain_export, old\n{body}"
    found = read_package({"lib/__init__.py": imported, "lib/exporter.py": EXPORTER})
    assert found.paths["lib.f"].deprecated == note


METACLASS = """
    class Maker(type):
        def __call__(cls, inner, *args, **kwargs): pass
    class Plain(type): pass
    class Made(metaclass=Maker): pass
    class Own(metaclass=Maker):
        def __init__(self, size): pass
    class Child(Own, metaclass=Maker): pass
    class Usual(metaclass=Plain): pass
"""


@pytest.mark.parametrize(
    ("name", "signature"),
    [("Made", "(inner, *args, **kwargs)"), ("Own", "(size)"), ("Child", "(size)"), ("Usual", "()")],
)
def test_a_metaclass_says_how_a_class_without_constructor_is_called(read_package, name, signature):
    assert read_package({"lib/__init__.py": METACLASS}).paths[f"lib.{name}"].signature == signature


def test_a_class_that_makes_objects_of_its_subclass_has_their_members_and_the_subclass_its_own_base(
    read_package, monkeypatch
):
    monkeypatch.setitem(classes._INSTANCES, "lib.Front", "lib.Real")
    body = """
        class Base:
            def common(self): pass
        class Front(Base):
            def front(self): pass
        class Middle(Front):
            def middle(self): pass
        class Real(Middle):
            def real(self): pass
    """
    found = read_package({"lib/__init__.py": body})
    assert members(found, "lib.Front") == {"common", "front", "middle", "real"}
    assert members(found, "lib.Middle") == {"common", "front", "middle"}
    assert members(found, "lib.Real") == {"common", "front", "middle", "real"}


def test_a_hooked_module_that_is_hand_written_shows_no_modules_from_elsewhere(read_package):
    files = {
        "lib/__init__.py": "",
        "lib/tool/__init__.py": "",
        "lib/tool/flags.py": "from lib.tool import helper\nfrom lib.one import only_one\ndef define(): pass",
        "lib/tool/helper.py": "def inner(): pass",
        **TWO,
    }
    found = read_package(files, (Hook(path="lib.flags", modules=("lib.tool.flags",)),))
    assert {"lib.flags", "lib.flags.define", "lib.flags.only_one"} == set(found.paths) - {"lib"}


def test_a_second_hook_at_a_path_adds_to_the_first(read_package):
    files = {"lib/__init__.py": "", **TWO}
    found = read_package(files, tuple(Hook(path="lib.summary", modules=(f"lib.{one}",)) for one in ("one", "two")))
    assert {"lib.summary.only_one", "lib.summary.only_two"} <= set(found.paths)
    assert found.paths["lib.summary.Variable"].canonical == "lib.two.Variable"


def test_star_imports_for_the_type_checker_add_what_is_missing(read_package):
    body = "from lib.one import *\nif TYPE_CHECKING:\n    from lib.two import *"
    found = read_package({"lib/__init__.py": body, **TWO})
    assert {"lib.only_one", "lib.only_two"} <= set(found.paths)


def test_a_hooked_module_that_borrows_shows_modules_from_elsewhere(read_package):
    files = {"lib/__init__.py": "", "lib/extra.py": "import lib.one as lite", **TWO}
    for borrows in (False, True):
        found = read_package(files, (Hook(path="lib.contrib", modules=("lib.extra",), borrows=borrows),))
        assert ("lib.contrib.lite.only_one" in found.paths) is borrows
