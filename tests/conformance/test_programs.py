"""Programs see what they would see when run from a file: their own source, themselves as __main__, their plots."""

from __future__ import annotations

import base64

import pytest

pytestmark = pytest.mark.sandbox


class TestSource:
    def test_autograph_reads_the_authors_code(self, run) -> None:
        ran = run(
            "import tensorflow as tf\n@tf.function\ndef f(x):\n    if tf.reduce_sum(x) > 0:\n        return x\n    else:\n        return -x\n\nprint(f(tf.constant([-2.0])).numpy())"
        )
        assert ran.printed == "[2.]\n"
        assert ran.last.warnings == ()

    def test_a_failure_under_autograph_names_the_authors_line(self, run) -> None:
        ran = run("import tensorflow as tf\n@tf.function\ndef f(x):\n    y = x + 1\n    return tf.nothing(y)\n\nf(1)")
        assert ran.last.fault.type == "AttributeError"
        assert ("p0", 5) in ran.last.fault.frames

    def test_inspect_sees_functions_and_classes_of_every_program(self, run) -> None:
        ran = run(
            "def f():\n    return 1  # here\n",
            "import inspect\ndef g(): return 2\nprint(inspect.getsource(f), inspect.getsource(g))",
        )
        assert ran.printed == "def f():\n    return 1  # here\n def g(): return 2\n\n"

    def test_pickling_finds_the_programs_own_classes(self, run) -> None:
        ran = run("import pickle\nclass A: x = 1\nprint(pickle.loads(pickle.dumps(A())).x, A.__module__)")
        assert ran.printed == "1 __main__\n"

    def test_the_main_guard_runs(self, run) -> None:
        assert run("if __name__ == '__main__': print('main', __file__.endswith('.py'))").printed == "main True\n"

    def test_processes_can_be_started(self, run) -> None:
        ran = run(
            "from multiprocessing import Pool\ndef f(x): return x * x\nwith Pool(2) as pool: print(pool.map(f, [1, 2, 3]))"
        )
        assert ran.printed == "[1, 4, 9]\n"
        assert ran.fate == "finished"

    def test_programs_cannot_shadow_a_library(self, run, program) -> None:
        ran = run(program("import tensorflow as tf\nprint(tf.__name__)", "tensorflow"))
        assert ran.printed == "tensorflow\n"

    def test_the_guest_is_not_importable(self, run) -> None:
        assert run("import guest").last.fault.type == "ModuleNotFoundError"

    def test_a_module_written_by_the_document_can_be_imported(self, run) -> None:
        assert run("open('helper.py', 'w').write('n = 5')\nimport helper\nprint(helper.n)").printed == "5\n"


class TestTrace:
    CODE = "def called(x):\n    if x:\n        return 1\n    return 2\n\ndef uncalled():\n    return tf.nothing\n\nclass C:\n    def m(self):\n        return 3\n\ncalled(1)\nf = lambda: (\n    4)\n"

    def test_lines_that_ran(self, run, program) -> None:
        lines = run(program(self.CODE, "p", trace=True)).outcome.ran_lines[0]
        assert {2, 3, 13} <= set(lines)
        assert not {4, 7, 11, 15} & set(lines)

    def test_later_programs_run_functions_of_earlier_ones(self, run, program) -> None:
        ran = run(program("def f():\n    return 1\n", "a", trace=True), program("f()", "b", trace=True))
        assert 2 in ran.outcome.ran_lines[0]

    def test_functions_rewritten_by_autograph_ran(self, run, program) -> None:
        code = "import tensorflow as tf\n@tf.function\ndef f(x):\n    return x + 1\n\ndef g(x):\n    return x\n\nf(1)"
        lines = run(program(code, "p", trace=True)).outcome.ran_lines[0]
        assert 4 in lines
        assert 7 not in lines

    def test_nothing_is_recorded_without_being_asked(self, run) -> None:
        assert run("x = 1").outcome.ran_lines == ((),)


class TestFigures:
    def test_shown_figures_belong_to_their_statement(self, run) -> None:
        ran = run("import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\nprint(plt.get_fignums())")
        assert [len(step.figures) for step in ran.steps] == [0, 0, 1, 0]
        figure = ran.steps[2].figures[0]
        assert base64.b64decode(figure.png).startswith(b"\x89PNG")
        assert (figure.width, figure.height) == (640, 480)
        assert ran.steps[2].warnings == ()
        assert ran.printed == "[]\n"

    def test_figures_that_were_not_shown_are_kept_at_the_end_of_a_program(self, run) -> None:
        ran = run(
            "import matplotlib.pyplot as plt\nfor i in range(3): plt.figure(i).gca().plot([i])",
            "x = plt.get_fignums()\nprint(x)",
        )
        assert len(ran.steps[1].figures) == 3
        assert ran.printed == "[]\n"

    def test_there_is_a_limit_to_figures(self, run) -> None:
        ran = run("import matplotlib.pyplot as plt\nfor i in range(6): plt.plot([i]); plt.show()", figures=2)
        assert ran.fate == "finished"
        assert len(ran.last.figures) == 2

    def test_a_huge_figure_is_drawn_smaller(self, run) -> None:
        ran = run("import matplotlib.pyplot as plt\nplt.figure(figsize=(300, 300)); plt.plot([1]); plt.show()")
        assert max(ran.last.figures[-1].width, ran.last.figures[-1].height) <= 2048

    def test_a_figure_that_cannot_be_drawn_raises_where_it_is_shown(self, run) -> None:
        ran = run("import matplotlib.pyplot as plt\nplt.title('$\\\\nosuch{$')\nplt.show()")
        assert ran.last.fate == "raised"


class TestKeras:
    def test_a_model_is_built_trained_and_saved(self, run) -> None:
        ran = run(
            "import numpy as np\nimport tensorflow as tf\n"
            "model = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(2)])\n"
            "model.compile('adam', 'mse')\nmodel.fit(np.zeros((8, 4)), np.zeros((8, 2)), verbose=0)\n"
            "model.save('m.keras')\nprint(tf.keras.models.load_model('m.keras').count_params())"
        )
        assert ran.fates == ["finished"] * 7
        assert ran.printed == "10\n"

    def test_a_wrong_layer_name(self, run) -> None:
        ran = run("import tensorflow as tf\nm = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nm.get_layer('Dense')")
        assert ran.last.fault.type == "ValueError"
        assert "Dense" in ran.last.fault.message

    def test_the_native_log_stays_out_of_the_statements(self, run) -> None:
        ran = run("import tensorflow as tf\nprint(tf.matmul(tf.ones((2, 2)), tf.ones((2, 2))).numpy())")
        assert ran.last.stderr == ""
