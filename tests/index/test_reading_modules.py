"""What a module exports, read from its source alone."""

from __future__ import annotations

import pytest

from verifier.index.build.exports import Hook
from verifier.index.build.sources import Sources, parse

IMPL = """
    def first(a, b=1, *rest, key, last=None, **options): pass
    def second(x): pass
    class Thing:
        def __init__(self, size): pass
    LIMIT = 3
    _hidden = 1
"""


def kinds(exports) -> dict[str, str]:
    return {path: fact.kind for path, fact in exports.paths.items()}


def test_imports_are_followed_to_the_definition_and_keep_their_public_name(read_package):
    found = read_package(
        {"lib/__init__.py": "from lib.impl import first as primary, Thing, LIMIT", "lib/impl.py": IMPL}
    )
    assert kinds(found) == {"lib": "module", "lib.primary": "function", "lib.Thing": "class", "lib.LIMIT": "constant"}
    assert found.paths["lib.primary"].canonical == "lib.impl.first"
    assert found.paths["lib.primary"].signature == "(a, b=1, *rest, key, last=None, **options)"
    assert found.paths["lib.Thing"].signature == "(size)"


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("from lib.impl import *", {"first", "second", "Thing", "LIMIT"}),
        ("from .impl import second", {"second"}),
        ("from lib import impl\ndel impl", set()),
        ("try:\n    from lib.impl import first as f\nexcept ImportError:\n    f = None", {"f"}),
        ("if True:\n    from lib.impl import first as f\nelse:\n    def f(): pass", {"f"}),
        ("from lib.impl import first as _f\ng = _f", {"g"}),
        ("a, b = 1, 2", {"a", "b"}),
    ],
)
def test_what_a_package_binds(read_package, body, names):
    found = read_package({"lib/__init__.py": body, "lib/impl.py": IMPL})
    assert {path.removeprefix("lib.") for path in found.paths if path != "lib"} == names


def test_the_first_alternative_wins_and_a_later_statement_overrides(read_package):
    body = """
        try:
            from lib.impl import first as f
        except ImportError:
            def f(fallback): pass
        def g(old): pass
        def g(new): pass
    """
    found = read_package({"lib/__init__.py": body, "lib/impl.py": IMPL})
    assert found.paths["lib.f"].canonical == "lib.impl.first"
    assert found.paths["lib.g"].signature == "(new)"


def test_a_hand_written_module_exports_what_its_all_says(read_package):
    files = {
        "lib/__init__.py": "from lib import tools",
        "lib/tools.py": "import lib.impl as impl\nfrom lib.impl import second\n__all__ = ['second'] + ['own']\ndef own(): pass\ndef other(): pass",
        "lib/impl.py": IMPL,
    }
    assert set(read_package(files).paths) == {"lib", "lib.tools", "lib.tools.second", "lib.tools.own"}


def test_remove_undocumented_keeps_allowed_and_documented_names(read_package):
    pruned = '''
        """Tools.

        @@first
        @@Thing
        """
        import sys as _sys
        from lib.impl import *
        from lib import helpers
        from lib.util import remove_undocumented
        _allowed = ["LIMIT"]
        _allowed.extend(["second"])
        remove_undocumented(__name__, _allowed, [_sys.modules[__name__], helpers])
    '''
    files = {
        "lib/__init__.py": "from lib import tools",
        "lib/tools.py": pruned,
        "lib/impl.py": IMPL + "\n    def extra(): pass\n    def helped(): pass",
        "lib/helpers.py": '"""More.\n\n@@helped\n"""',
        "lib/util.py": "def remove_undocumented(*a): pass",
    }
    found = {path.removeprefix("lib.tools.") for path in read_package(files).paths if path.startswith("lib.tools.")}
    assert found == {"first", "Thing", "LIMIT", "second", "helped"}


@pytest.mark.parametrize(
    ("body", "note"),
    [
        ('@deprecation.deprecated("2030-01-01", "Use lib.b instead.")\ndef f(): pass', "Use lib.b instead."),
        ("@deprecation.deprecated(None, 'Use '\n 'lib.b.')\ndef f(): pass", "Use lib.b."),
        ("@deprecated_endpoints('old.f')\ndef f(): pass", ""),
        ("@deprecation.deprecated_args(None, 'Use b', 'a')\ndef f(a, b): pass", ""),
        ("def f(): pass\nf = deprecation.deprecated(None, 'Gone.')(f)", "Gone."),
        ("def g(): pass\nf = deprecation.deprecated_alias('f', 'lib.g', g)", "use lib.g instead"),
        ("class f:\n    @deprecated(None, 'Use G')\n    def __init__(self): pass", "Use G"),
    ],
)
def test_only_the_deprecation_of_the_object_itself_counts(read_package, body, note):
    assert read_package({"lib/__init__.py": body}).paths["lib.f"].deprecated == note


@pytest.mark.parametrize(
    ("body", "stub"),
    [
        ("def f(a):\n    'Doc.'\n    raise ImportError('needs more')", "ImportError: needs more"),
        ("def f(a):\n    if a:\n        raise ValueError('x')\n    return a", ""),
        ("class f:\n    def __init__(self):\n        raise ImportError('gone')", "ImportError: gone"),
        ("class f:\n    def __init__(self):\n        raise NotImplementedError", ""),
    ],
)
def test_a_body_that_only_raises_is_a_stub(read_package, body, stub):
    assert read_package({"lib/__init__.py": body}).paths["lib.f"].stub == stub


def test_wrapped_functions_keep_their_signature(read_package):
    body = """
        def plain(x, y=2): pass
        Raw = export("raw.Plain")(to_raw_op(plain))
        plain = kwarg_only(plain)
    """
    found = read_package({"lib/__init__.py": body})
    assert found.paths["lib.Raw"].signature == found.paths["lib.plain"].signature == "(x, y=2)"


def test_hooks_put_the_first_existing_module_at_a_public_path(read_package):
    files = {
        "lib/__init__.py": "",
        "other/api.py": "# MACHINE GENERATED\nfrom other.impl import first",
        "other/impl.py": IMPL,
    }
    hook = Hook(path="lib.extra", modules=("missing.api", "other.api"))
    absent = Hook(path="lib.gone.extra", modules=("other.api",), under="lib.gone")
    assert set(read_package(files, (hook, absent)).paths) == {"lib", "lib.extra", "lib.extra.first"}


def test_a_hook_that_refuses_leaves_an_empty_module(read_package):
    files = {"lib/__init__.py": "from lib import old", "lib/old.py": "def gone(): pass\n__all__ = ['gone']"}
    assert "lib.old.gone" in read_package(files).paths
    assert set(read_package(files, (Hook(path="lib.old", refuses=True),)).paths) == {"lib", "lib.old"}


def test_names_of_other_libraries_count_only_where_a_module_lists_them(read_package):
    plain = "from logging import DEBUG\nimport os\ndef own(): pass"
    files = {
        "lib/__init__.py": "from lib import a, b",
        "lib/a.py": plain,
        "lib/b.py": plain + "\n__all__ = ['DEBUG', 'own']",
    }
    paths = set(read_package(files).paths)
    assert paths == {"lib", "lib.a", "lib.a.own", "lib.b", "lib.b.own", "lib.b.DEBUG"}


def test_cycles_of_imports_end(read_package):
    files = {
        "lib/__init__.py": "from lib import a\nfrom lib.a import *\nloop = loop\nx = y\ny = x",
        "lib/a.py": "from lib.b import *\nfrom lib import a\nname = 1",
        "lib/b.py": "from lib.a import *\nfrom lib.b import missing\nother = 2",
    }
    paths = read_package(files).paths
    assert {"lib.a", "lib.a.name", "lib.name"} <= set(paths)


def test_names_from_outside_are_of_unknown_kind_not_absent(read_package):
    found = read_package({"lib/__init__.py": "from lib._native import fast_op"})
    assert found.paths["lib.fast_op"].kind == ""
    assert found.paths["lib.fast_op"].open


def test_split_and_old_wheel_layouts_read_as_one_package(make_wheel):
    split = Sources((make_wheel({"tensorflow/__init__.py": "forward = 1", "tensorflow_core/__init__.py": "real = 1"}),))
    assert "real" in split.module("tensorflow").text
    old = Sources((make_wheel({"lib-1.0.data/purelib/lib/__init__.py": "x = 1"}),))
    assert old.module("lib") is not None


@pytest.mark.parametrize("text", ["def f(async=True): pass", "await = 1\nx = async", "def broken(:", "x = '\x00'"])
def test_sources_of_other_pythons_never_raise(text):
    assert parse(text) is not None
