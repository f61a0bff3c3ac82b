"""What a session tells about its statements."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.sandbox


class TestStatements:
    def test_output_belongs_to_the_statement_that_printed_it(self, run) -> None:
        ran = run("print('one')\nprint('二')\nimport sys\nprint('err', file=sys.stderr)")
        assert [step.stdout for step in ran.steps] == ["one\n", "二\n", "", ""]
        assert ran.last.stderr == "err\n"
        assert ran.printed == "one\n二\n"

    def test_output_of_native_code_and_children_counts_too(self, run) -> None:
        ran = run("import os\nos.write(1, b'raw ')\nos.system('echo shell')")
        assert ran.last.stdout == "shell\n"
        assert ran.steps[1].stdout == "raw "

    def test_odd_characters_survive(self, run) -> None:
        ran = run(r"print('中文 \U0001F600 \ud800')")
        assert ran.last.stdout == "中文 \U0001f600 \\ud800\n"

    @pytest.mark.parametrize(
        ("code", "expected"),
        [
            ("x = 1\ny = x + undefined_name\n", "undefined_name"),
            ("é = '中'; z = ('中文', é.nope)\n", "é.nope"),
            ("values = [1]\nprint(values[0] + values[7])\n", "values[7]"),
            ("int(\n  'x',\n)\n", "int(\n  'x',\n)"),
            ("def f(a):\n    return a / 0\n\nf(3)\n", "a / 0"),
        ],
    )
    def test_the_failing_expression_is_a_character_range(self, run, code: str, expected: str) -> None:
        step = next(step for step in run(code).steps if step.fate == "raised")
        assert step.fault.expression.of(code) == expected

    def test_a_failure_inside_an_earlier_programs_function_points_at_the_call(self, run) -> None:
        second = "y = 1\nbad(y)\n"
        ran = run("def bad(n):\n    return n / 0\n", second)
        assert ran.last.fault.expression.of(second) == "bad(y)"
        assert ran.last.fault.frames == (("p1", 2), ("p0", 2))

    def test_fault_names_and_classes(self, run) -> None:
        ran = run("import math\nmath.nothing\n{}['k']\nimport nosuchlib\nclass E(ValueError): pass\nraise E('m')")
        assert ran.steps[1].fault.type == "AttributeError"
        assert ran.steps[1].fault.name == "nothing"
        assert ran.steps[2].fault.message == "'k'"
        assert ran.steps[3].fault.name == "nosuchlib"
        assert ran.last.fault.type == "__main__.E"
        assert ran.last.fault.mro[:2] == ("__main__.E", "ValueError")

    def test_hostile_exceptions_are_described_all_the_same(self, run) -> None:
        code = "class E(Exception):\n    def __str__(self): raise SystemExit(0)\n    __repr__ = __str__\nraise E()\nprint('on')"
        ran = run(code)
        assert ran.fate == "finished"
        assert ran.steps[1].fault.type == "__main__.E"
        assert ran.printed == "on\n"

    def test_long_messages_are_cut(self, run) -> None:
        assert 4096 <= len(run("raise ValueError('x' * 10**6)").last.fault.message) < 4200

    def test_code_that_does_not_parse_fails_alone(self, run, program) -> None:
        broken = program("a = 1\nb = 2\n", "broken")
        broken = type(broken)(name="broken", code="a = = 1\nb = 2\n", statements=broken.statements)
        ran = run(broken, "print('next')")
        assert ran.fates == ["raised", "not-reached", "finished"]
        assert ran.steps[0].fault.type == "SyntaxError"
        assert ran.fate == "finished"

    def test_recursion_ends_in_an_exception(self, run) -> None:
        ran = run("def f(n):\n    return f(n + 1)\n\nf(0)\nprint('alive')")
        assert ran.steps[1].fault.type == "RecursionError"
        assert len(ran.steps[1].fault.frames) <= 40
        assert ran.printed == "alive\n"

    def test_functions_called_in_the_background_are_waited_for(self, run) -> None:
        ran = run("import threading, time\nthreading.Thread(target=lambda: (time.sleep(0.3), print('late'))).start()")
        assert ran.printed == "late\n"


class TestDependence:
    def test_what_needs_a_failed_name_is_blocked_and_the_rest_runs(self, run) -> None:
        ran = run("a = 1 / 0\nb = a + 1\nc = b\nd = 4\nprint(d)\na = 2\nprint(a)")
        assert ran.fates == ["raised", "blocked", "blocked", "finished", "finished", "finished", "finished"]
        assert ran.steps[2].blocked_by == (0, 0)
        assert ran.printed == "4\n2\n"

    def test_blocking_crosses_programs(self, run) -> None:
        ran = run("model = missing_call()", "model.fit()")
        assert ran.last.fate == "blocked"
        assert ran.last.blocked_by == (0, 0)

    def test_missing_names_are_not_run(self, run, program) -> None:
        ran = run(program("y = x_train * 2\nz = y", "p", missing=("x_train",)))
        assert ran.fates == ["missing", "blocked"]
        assert ran.steps[0].missing == ("x_train",)
        assert ran.last.blocked_by == (0, 0)

    def test_a_name_that_turns_up_is_not_missing(self, run, program) -> None:
        ran = run("exec('x_train = 3')", program("print(x_train)", "p", missing=("x_train",)))
        assert ran.fates == ["finished", "finished"]

    def test_a_half_changed_object_excuses_later_errors_but_not_wrong_names(self, run) -> None:
        setup = "class M:\n    ok = False\n    def build(self): raise ValueError('b')\n    def fit(self):\n        if not self.ok: raise RuntimeError('unbuilt')\n\nm = M()\n"
        ran = run(setup + "m.build()\nm.fit()\nm.nothing()")
        assert ran.fates == ["finished", "finished", "raised", "blocked", "raised"]
        assert ran.steps[3].blocked_by == (0, 2)
        assert ran.last.fault.type == "AttributeError"

    def test_a_failed_call_of_a_module_makes_nothing_suspect(self, run) -> None:
        ran = run("import math\nmath.sqrt(-1)\nmath.sqrt('x')")
        assert ran.fates == ["finished", "raised", "raised"]

    def test_a_function_that_needs_a_failed_global_is_blocked(self, run) -> None:
        ran = run("def f():\n    return data\n\ndata = 1 / 0\nf()")
        assert ran.last.fate == "blocked"
        assert ran.last.blocked_by == (0, 1)

    def test_deleted_names_are_gone(self, run) -> None:
        assert run("a = 1\ndel a\na").last.fault.type == "NameError"


class TestValues:
    def test_values_are_shown_when_wanted(self, run, program) -> None:
        ran = run(program("x = 3\nx\nx + 1", "p", show=(2,)))
        assert [step.value for step in ran.steps] == [None, None, "4"]

    def test_interactive_code_shows_what_a_prompt_shows(self, run, program) -> None:
        ran = run(program("'a'\nNone\nx = 1\n_ * 2", "p", interactive=True))
        assert [step.value for step in ran.steps] == ["'a'", None, None, "'aa'"]

    def test_top_level_await_works_in_cells_only(self, run, program) -> None:
        code = "import asyncio\nasync def f(): return 7\nawait f()"
        assert run(program(code, "p", interactive=True)).last.value == "7"

    def test_long_and_hostile_values_are_cut(self, run, program) -> None:
        code = "class R:\n    def __repr__(self): raise ValueError\n\nR()\n'x' * 10**6"
        ran = run(program(code, "p", interactive=True))
        assert "ValueError" in ran.steps[1].value
        assert len(ran.last.value) < 8300

    def test_future_features_last(self, run, program) -> None:
        ran = run(
            program(
                "from __future__ import annotations\ndef f(x: nowhere): pass\nf.__annotations__['x']", "p", show=(2,)
            )
        )
        assert ran.last.value == "'nowhere'"


class TestWarnings:
    def test_warnings_are_counted_and_not_printed(self, run) -> None:
        ran = run("import warnings\nfor i in range(3): warnings.warn('careful', DeprecationWarning)\nprint(1)")
        warned = ran.steps[1].warnings
        assert [(item.category, item.message, item.count) for item in warned] == [("DeprecationWarning", "careful", 3)]
        assert ran.last.warnings == ()

    def test_a_librarys_deprecations_of_its_own_are_not_the_authors(self, run) -> None:
        library = "open('lib.py', 'w').write('import warnings\\ndef f(level): warnings.warn(\\'old\\', DeprecationWarning, level)')"
        ran = run(library + "\nimport lib\nlib.f(1)\nlib.f(2)")
        assert [len(step.warnings) for step in ran.steps] == [0, 0, 0, 1]

    def test_the_documents_own_filter_is_respected(self, run) -> None:
        ran = run("import warnings\nwarnings.filterwarnings('ignore')\nwarnings.warn('x')")
        assert ran.last.warnings == ()

    def test_tensorflows_deprecations_are_warnings(self, run) -> None:
        ran = run("import tensorflow as tf\ntf.distribute.experimental.MultiWorkerMirroredStrategy()")
        assert any("deprecated" in item.message.lower() for item in ran.last.warnings)


def test_the_value_that_a_statement_assigns_is_shown_when_it_is_wanted(run, program) -> None:
    ran = run(program("x = 1 + 1\ny: int = 3\ny += 1\na, b = 1, 2\nz = 9", show=(0, 1, 2, 3)))
    assert [step.value for step in ran.steps] == ["2", "3", "4", None, None]
