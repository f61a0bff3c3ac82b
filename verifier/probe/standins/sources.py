"""The programs that stand in for downloads, and what each data set looks like. Shapes and types are the real ones."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A data set of `keras.datasets`: the true numbers of samples, what they are, and an expression for both parts.

    shrinks  a smaller one serves as well; words: it has an index of words
    """

    sizes: tuple[int, int]
    noun: str
    make: str
    shrinks: bool = True
    words: bool = False


_IMAGES = (
    "lambda given: tuple((images(count, {shape}), labels(count, {high}){column}) for count in ({{train}}, {{test}}))"
)
_GREY = _IMAGES.format(shape="(28, 28)", high="10", column="")
_COLOUR = _IMAGES.format(shape="(32, 32, 3)", high="10", column="[:, None]")
_HUNDRED = _IMAGES.format(shape="(32, 32, 3)", high='100 if given["label_mode"] == "fine" else 20', column="[:, None]")
_REVIEWS = "lambda given: tuple((words(count, given), labels(count, {high})) for count in ({{train}}, {{test}}))"
_TABLE = "lambda given: tuple((table(count, {width}), prices(count)) for count in ({{train}}, {{test}}))"

KERAS = {
    "mnist": Source(sizes=(60000, 10000), noun="images of 28x28", make=_GREY),
    "fashion_mnist": Source(sizes=(60000, 10000), noun="images of 28x28", make=_GREY),
    "cifar10": Source(sizes=(50000, 10000), noun="images of 32x32x3", make=_COLOUR),
    "cifar100": Source(sizes=(50000, 10000), noun="images of 32x32x3", make=_HUNDRED),
    "imdb": Source(
        sizes=(25000, 25000), noun="sequences of word numbers", make=_REVIEWS.format(high=2), words=True
    ),
    "reuters": Source(sizes=(8982, 2246), noun="sequences of word numbers", make=_REVIEWS.format(high=46), words=True),
    "boston_housing": Source(sizes=(404, 102), noun="rows of 13", make=_TABLE.format(width=13), shrinks=False),
    "california_housing": Source(sizes=(16512, 4128), noun="rows of 8", make=_TABLE.format(width=8)),
}  # fmt: skip

LOADER = """\
def _stand_in():
    import functools, inspect, sys
    import numpy, tensorflow
    images = lambda count, shape: numpy.random.default_rng(0).integers(0, 256, (count, *shape), dtype="uint8")
    labels = lambda count, high: (numpy.arange(count) % high).astype("uint8" if high < 256 else "int64")
    table = lambda count, width: numpy.random.default_rng(0).normal(size=(count, width)) + 3
    prices = lambda count: numpy.random.default_rng(1).uniform(5, 50, count)
    def words(count, given):
        generator = numpy.random.default_rng(0)
        high = min(given["num_words"] or 10000, 10000)
        sizes = generator.integers(10, min(given["maxlen"] or 60, 60), count)
        found = numpy.empty(count, dtype=object)
        for place, size in enumerate(sizes):
            found[place] = [given["start_char"] or 1] + generator.integers(2, high, size).tolist()
        return found
    original = tensorflow.keras.datasets.{name}.load_data
    make = {make}
    @functools.wraps(original)
    def load_data(*args, **kwargs):
        given = inspect.signature(original).bind(*args, **kwargs)
        given.apply_defaults()
        return make(given.arguments)
    for module in list(sys.modules.values()):
        if getattr(module, "__dict__", {{}}).get("load_data") is original:
            module.load_data = load_data
_stand_in()
"""

WORD_INDEX = """\
def _stand_in():
    import functools, sys
    import tensorflow
    original = tensorflow.keras.datasets.{name}.get_word_index
    @functools.wraps(original)
    def get_word_index(path="{name}_word_index.json"):
        return {{"word%d" % number: number for number in range(1, 10001)}}
    for module in list(sys.modules.values()):
        if getattr(module, "__dict__", {{}}).get("get_word_index") is original:
            module.get_word_index = get_word_index
_stand_in()
"""

APPLICATION = """\
def _stand_in():
    import functools, inspect, sys
    import {module} as home
    original = home.{name}
    @functools.wraps(original)
    def build(*args, **kwargs):
        given = inspect.signature(original).bind(*args, **kwargs)
        given.apply_defaults()
        if given.arguments.get("weights") == "imagenet":
            given.arguments["weights"] = None
        return original(*given.args, **given.kwargs)
    for module in list(sys.modules.values()):
        if getattr(module, "__dict__", {{}}).get("{name}") is original:
            setattr(module, "{name}", build)
_stand_in()
"""

FETCH = """\
def _stand_in():
    import functools, inspect, os, sys
    import tensorflow
    original = tensorflow.keras.utils.get_file
    @functools.wraps(original)
    def get_file(*args, **kwargs):
        given = inspect.signature(original).bind(*args, **kwargs)
        given.apply_defaults()
        name = given.arguments["fname"] or os.path.basename(given.arguments["origin"])
        return os.path.join("/tmp", "downloads", os.path.basename(name))
    for module in (tensorflow.keras.utils, sys.modules.get("keras.utils")):
        if getattr(module, "get_file", None) is original:
            module.get_file = get_file
_stand_in()
"""

CLASS_INDEX = """\
def _stand_in():
    import sys
    import tensorflow
    tensorflow.keras.applications.imagenet_utils.decode_predictions
    names = {str(number): ["n%08d" % number, "class_%d" % number] for number in range(1000)}
    for module in list(sys.modules.values()):
        if "CLASS_INDEX" in getattr(module, "__dict__", {}):
            module.CLASS_INDEX = names
_stand_in()
"""

# Data set of `tfds` -> its main feature, the shape of a sample (none: a text), and its number of classes.
TFDS_SHAPES: dict[str, tuple[str, tuple[int, ...], int]] = {
    "mnist": ("image", (28, 28, 1), 10),
    "fashion_mnist": ("image", (28, 28, 1), 10),
    "kmnist": ("image", (28, 28, 1), 10),
    "cifar10": ("image", (32, 32, 3), 10),
    "cifar100": ("image", (32, 32, 3), 100),
    "cats_vs_dogs": ("image", (64, 64, 3), 2),
    "horses_or_humans": ("image", (300, 300, 3), 2),
    "rock_paper_scissors": ("image", (300, 300, 3), 3),
    "tf_flowers": ("image", (64, 64, 3), 5),
    "beans": ("image", (500, 500, 3), 3),
    "imdb_reviews": ("text", (), 2),
    "ag_news_subset": ("description", (), 4),
}

TFDS = """\
def _stand_in():
    import sys, types
    import numpy, tensorflow
    shapes = SHAPES
    class Split:
        num_examples = 32
    class Label:
        def __init__(self, count):
            self.num_classes, self.names = count, ["class %d" % number for number in range(count)]
        def int2str(self, number):
            return self.names[int(number)]
        def str2int(self, name):
            return self.names.index(name)
    class Feature:
        def __init__(self, shape):
            self.shape = shape
    class Info:
        def __init__(self, name):
            feature, shape, count = shapes[name]
            self.name, self.splits = name, {"train": Split(), "test": Split(), "validation": Split()}
            self.features = {feature: Feature(shape), "label": Label(count)}
    def load(name, *, split=None, data_dir=None, batch_size=None, shuffle_files=False, download=True,
             as_supervised=False, decoders=None, read_config=None, with_info=False, builder_kwargs=None,
             download_and_prepare_kwargs=None, as_dataset_kwargs=None, try_gcs=False):
        name = name.partition(":")[0].partition("/")[0]
        feature, shape, count = shapes[name]
        labels = (numpy.arange(32) % count).astype("int64")
        samples = numpy.random.default_rng(0).integers(0, 256, (32, *shape), dtype="uint8")
        if not shape:
            samples = numpy.array(["this is text number %d" % number for number in range(32)])
        def part():
            pair = (samples, labels) if as_supervised else {feature: samples, "label": labels}
            found = tensorflow.data.Dataset.from_tensor_slices(pair)
            return found.batch(batch_size) if batch_size else found
        if split is None:
            found = {"train": part(), "test": part()}
        elif isinstance(split, (list, tuple)):
            found = [part() for _ in split]
        else:
            found = part()
        return (found, Info(name)) if with_info else found
    module = types.ModuleType("tensorflow_datasets")
    module.load = load
    module.as_numpy = lambda dataset: dataset.as_numpy_iterator()
    module.disable_progress_bar = module.enable_progress_bar = lambda: None
    sys.modules["tensorflow_datasets"] = module
_stand_in()
""".replace("SHAPES", repr(TFDS_SHAPES))
