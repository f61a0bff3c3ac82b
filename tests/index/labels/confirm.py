"""Runs what the labels speak of in one TensorFlow; standard library only, for Python 3.7 to 3.13.

Reads a JSON list of expressions and import statements from stdin, with TensorFlow installed in the interpreter that
runs this. Writes a JSON object to stdout: what was given -> "" when it worked, else the exception in one line.
"""

import json
import os
import sys
import warnings

OBJECTS = {
    "model": "compiled(tf)",
    "dataset": "tf.data.Dataset.range(3)",
    "variable": "tf.Variable(1.0)",
    "tensor": "tf.constant(1.0)",
    "tape": "tf.GradientTape()",
    "optimizer": "tf.keras.optimizers.SGD()",
    "sess": "tf.Session()",
}


def compiled(tf):
    """The smallest model that can be trained."""
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(1,))])
    model.compile(optimizer="sgd", loss="mse")
    return model


def attempt(code, tf):
    """What happened to one expression or statement."""
    space = {"tf": tf, "compiled": compiled}
    try:
        receiver = code.partition(".")[0]
        if receiver in OBJECTS:
            space[receiver] = eval(OBJECTS[receiver], space)
        if code.startswith(("import ", "from ")):
            exec(code, space)
        else:
            eval(code, space)
    except Exception as error:  # noqa: BLE001  whatever it raises is the answer
        return "{}: {}".format(type(error).__name__, " ".join(str(error).split())[:160])
    return ""


def main():
    """Run all and write the answers; whatever TensorFlow prints goes to stderr."""
    answers = os.dup(1)
    os.dup2(2, 1)
    codes = json.load(sys.stdin)
    warnings.simplefilter("ignore")
    import tensorflow as tf

    # An import may put a module where an attribute alone does not find it, so the imports come last.
    codes.sort(key=lambda code: code.startswith(("import ", "from ")))
    outcome = {code: attempt(code, tf) for code in codes}
    with os.fdopen(answers, "w") as out:
        json.dump(outcome, out)


if __name__ == "__main__":
    main()
