"""Vocabulary: nouns that say what a name is, and words that look like names and are none.

The Chinese nouns are those that stand right behind code marks in the Chinese TensorFlow documentation.
"""

from __future__ import annotations

import re

IDENTIFIER = r"[A-Za-z_](?:[A-Za-z0-9_]|\\_)*"
# `\w` matches Han, so the borders of a name are spelt out. A hyphen or `$` in front makes it something else.
BORDER = r"(?<![A-Za-z0-9_.．\\$%\-])"
END = r"(?![A-Za-z0-9_])"

# Longest first: a loss function is no function, a callback function no function either (both are classes here).
NOUNS_ZH: dict[str, str] = {
    "损失函数": "loss", "激活函数": "activation", "回调函数": "callback", "构造函数": "class", "成员函数": "method",
    "类方法": "method", "静态方法": "method", "关键字参数": "argument", "上下文管理器": "class",
    "初始化器": "initializer",
    "正则化器": "regularizer", "优化器": "optimizer", "装饰器": "decorator", "命名空间": "module", "子模块": "module",
    "算子": "function", "函数": "function", "方法": "method", "接口": "api", "模块": "module", "参数": "argument",
    "属性": "attribute", "回调": "callback", "常量": "constant", "策略": "strategy", "类": "class", "层": "layer",
    "包": "module", "库": "library", "API": "api",
}  # fmt: skip
NOUNS_EN: dict[str, str] = {
    "keyword argument": "argument", "keyword": "argument", "kwarg": "argument", "argument": "argument",
    "parameter": "argument", "option": "argument", "loss function": "loss", "activation function": "activation",
    "callback function": "callback", "context manager": "class", "function": "function", "method": "method",
    "class": "class", "submodule": "module", "module": "module", "package": "module", "namespace": "module",
    "attribute": "attribute", "property": "attribute", "layer": "layer", "optimizer": "optimizer",
    "optimiser": "optimizer", "callback": "callback", "decorator": "decorator", "loss": "loss", "metric": "metric",
    "initializer": "initializer", "regularizer": "regularizer", "constant": "constant", "strategy": "strategy",
    "symbol": "api", "endpoint": "api", "API": "api", "op": "api", "helper": "api", "call": "api",
}  # fmt: skip
_ZH = "|".join(sorted(NOUNS_ZH, key=len, reverse=True))
# What makes another word of the noun: 类似, 参数量, 层次, 包括 …
_ZH_END = (
    r"(?!(?<=类)[似型别比推]|(?<=参数)(?:服务器|量|化|个数|数量|值|名称?空间)"
    r"|(?<=层)[次级数面归间叠]|(?<=包)[括含裹住围]|(?<=库)存|(?<=策略)网络)"
)
NOUN_ZH = rf"(?:{_ZH}){_ZH_END}"
_EN = "|".join(sorted(NOUNS_EN, key=len, reverse=True))
NOUN_EN = rf"(?:{_EN})(?:es|s)?(?![A-Za-z0-9_])"
_SINGULAR = {"propertie": "property", "strategie": "strategy", "losse": "loss", "classe": "class"}


def kind_of(noun: str) -> str:
    """The kind that a noun of either language names, or "" for another word."""
    if noun in NOUNS_ZH:
        return NOUNS_ZH[noun]
    for form in (noun, noun.lower(), noun.lower().removesuffix("s"), noun.lower().removesuffix("es")):
        found = NOUNS_EN.get(form) or NOUNS_EN.get(_SINGULAR.get(form, ""))
        if found:
            return found
    return ""


# Nouns behind a name that make it something else than an API: a file, a column, a value, a variable.
NOT_AN_API = re.compile(
    r"\s*[`”\"'’]?\s*(?:文件|目录|命令|标志|字段|列(?!表)|键|变量|张量|数据集?|样本|图片|标签"
    r"|特征|用户|表(?!示)|环境|脚本|格式|后缀|分支|容器"
    r"|(?:files?|director(?:y|ies)|folders?|commands?|flags?|fields?|columns?|keys?|variables?"
    r"|tensors?|arrays?|datasets?"
    r"|data ?sets?|scripts?|environments?|branch(?:es)?|tables?|features?|suffix(?:es)?"
    r"|extensions?|formats?|dtypes?)(?![A-Za-z]))",
    re.IGNORECASE,
)

_PRODUCTS = """
tensorflow keras python numpy pandas pytorch horovod bert gpt resnet vgg vgg16 vgg19 mobilenet inception
imagenet mnist cifar cifar10 docker kubernetes gpu cpu tpu cuda cudnn xla mkl linux windows macos ubuntu
jupyter colab github gitlab matplotlib savedmodel json csv http https rest sql mysql spark hadoop java
javascript typescript opencv scikit sklearn scipy mxnet caffe theano onnx tensorrt tflite tfx tfjs nvidia
intel google facebook microsoft amazon aws azure anaconda conda pip git api apis ai ml dl nlp cv cnn dnn
mlp gan vae pca svm knn fft ps parameter server worker hdf5 protobuf grpc url uri html css xml yaml pdf
lenet alexnet unet yolo word2vec glove fasttext xgboost lightgbm jax flax deepspeed megatron huggingface
transformers tensorboard chatgpt llm rnns cnns gpus cpus tpus lstms mirrored iot etl hpc nccl mpi ssd ram
rom linkedin kaggle bigquery airflow kafka flink redis mongodb elasticsearch golang rust julia scala
matlab cython numba dask ray pyspark vscode pycharm autograph kubeflow mlflow wandb oop crud utf ascii
"""
_CONCEPTS = """
loss cost objective activation sigmoid tanh softmax kernel hash main reward value policy target mapping
score energy distance likelihood gaussian bayesian newton jacobian euler fourier markov sin cos tan exp
log max min step window utility helper wrapper generator async getter setter callback plain inner outer
inline init custom default boosting bagging ensemble baseline greedy embedding pooling dense conv fully
hidden input output encoder decoder transformer convolution convolutional recurrent linear nonlinear
residual bottleneck momentum model data training learning gradient finetune end string number key first
second third last next previous current other another each every this that these those same whole some
any all no its their our your my his her the a an following above below new old right wrong good bad best
better simple complex single double public private base parent child abstract generic virtual static
dynamic native builtin standard common special main only numeric numerical analytical iterative recursive
naive statistical classical mathematical probabilistic batch object instance type name tuple list dict
dictionary array vector matrix scalar tensor graph session node edge lambda python math user library
function method class module package layer layers optimizer argument parameter attribute property
decorator metric test unit small large big deep shallow wide narrow extra additional optional required
keyword positional unknown missing invalid valid possible necessary important core top low high mid level
higher lower order time real online offline local global remote magic dunder special special-purpose one
two three four five six several many few more most such both either neither and or of in on with without
for from to by as is are was were be been has have had do does did not so if then than which what when
where who how why called named it you we they he she i me us them can could will would may might must
should shall let just also too very much correct incorrect original actual exact general specific
particular certain different similar various deprecated removed missing broken experimental stable legacy
modern early late entire full empty weight weights bias beta alpha gamma epsilon theta sigma mu config
configuration hyper environment env command cmd shell bash sh java c cpp js sql web http rest rpc service
server client third-party open source official chinese english fit-for-purpose neural network
attention-based self supervised unsupervised contrastive adversarial huber-like l1 l2 relu-like mask
normal regular normalized rich flexible powerful handy useful nice great cool
"""
PRODUCTS = frozenset(_PRODUCTS.split())
CONCEPTS = frozenset(_CONCEPTS.split()) | PRODUCTS
# Capitalised English words that start sentences or name concepts and are no class of the library.
NOT_CLASSES = CONCEPTS - {"embedding", "dense", "input", "attention", "lambda", "softmax"} | frozenset(
    {"input", "output"}
)
# Adjectives and gerunds by their endings: "numerical method", "training function".
ADJECTIVE = re.compile(r"(?:ing|ed|tion|sion|al|ive|ic|ous|ment|ful|less|able|ible|ary|ory|ly|ness|ity|est)$")

# What people name their own variables; no evidence for an API by itself.
VARIABLE = re.compile(
    r"^(?:[a-z]|[xyz]_\w+|(?:train|test|val|valid|my|your|num|n|is|new|old|raw|tmp|temp|input"
    r"|output|user|item|pred)_\w+"
    r"|\w+_(?:data|images?|labels?|loss|size|path|dir|file|name|names|df|list|dict|id|ids|rate|len"
    r"|num|count|ds|tensor|model"
    r"|batch|batches|features?|array|var|vars|mask|acc|accuracy|logits|probs?|out|outputs?|inputs?"
    r"|index|idx|key|keys|value|values"
    r"|shape|dim|dims|train|test|val|dataset|config|params|history|version|type|x|y|\d+))$"
)
_METHODS = "train_step test_step predict_step train_on_batch test_on_batch predict_on_batch train_test_split"
FUNCTION_NAMES = frozenset(_METHODS.split())
# Names that begin with a verb are functions whatever they end with.
VERBAL = re.compile(
    r"^(?:get|set|add|apply|from|to|load|save|make|create|build|compute|reset|on|count|fit"
    r"|predict_on|evaluate|experimental|register)_"
)

# Words inside code marks that are values or Python's own, never an API of a library.
_PYTHON = """
True False None self cls def class return import from as if else elif for while with in is not and or lambda try
except finally raise yield async await pass break continue global nonlocal del assert print len range int float str bool
list dict tuple set bytes type isinstance issubclass open zip enumerate sorted sum min max abs round map filter any all
object super staticmethod classmethod property getattr setattr hasattr input iter next id repr format vars dir eval exec
__init__ __call__ __name__ __main__ __len__ __getitem__ __iter__ __next__ __str__ __repr__ __version__ args kwargs
true false null nan inf none ok yes no x y z a b c i j k n m f g h w v t s p q r e d xs ys tmp foo bar baz main
ValueError TypeError KeyError IndexError AttributeError ImportError NameError RuntimeError ModuleNotFoundError
NotImplementedError StopIteration SyntaxError AssertionError OSError IOError FileNotFoundError MemoryError Exception
int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 bfloat16 complex64 complex128 bool_ string
relu sigmoid tanh softmax linear elu selu gelu same valid causal adam sgd rmsprop adagrad adadelta nadam adamw mse mae
accuracy acc auto min max mean channels_last channels_first binary categorical sparse int one_hot multi_hot
categorical_crossentropy sparse_categorical_crossentropy binary_crossentropy glorot_uniform he_normal zeros ones
val_loss val_accuracy imagenet tf np pd plt keras numpy tensorflow pandas matplotlib torch sklearn os sys model net
data dataset df ds layer optimizer sess session graph loss history train test python bash pip conda git java"""
PYTHON_WORDS = frozenset(_PYTHON.split())
# Receivers whose type everybody guesses from the name.
_RECEIVERS_WORDS = """
model models net network layer layers dataset ds data sess session tape strategy optimizer opt history
graph tensor writer saver iterator checkpoint ckpt estimator encoder decoder loss_fn metric callback
generator
"""
RECEIVERS = frozenset(_RECEIVERS_WORDS.split()) - {"models", "layers", "data", "network"} | {"dataset"}
_MATHS_WORDS = (
    "f g h p q o e sin cos tan exp log ln max min sum relu sigmoid tanh softmax argmax argmin sqrt n s es var cov"
)
MATHS = frozenset(_MATHS_WORDS.split())

LIBRARIES: dict[str, str] = {
    "numpy": "numpy", "pandas": "pandas", "pytorch": "torch", "torch": "torch", "matplotlib": "matplotlib",
    "pyplot": "matplotlib", "sklearn": "sklearn",
    "scikit-learn": "sklearn", "scipy": "scipy", "jax": "jax", "flax": "flax",
    "seaborn": "seaborn", "opencv": "cv2", "cv2": "cv2", "beam": "apache_beam", "apache beam": "apache_beam",
    "tensorflow addons": "tensorflow_addons", "tf addons": "tensorflow_addons", "tfa": "tensorflow_addons",
    "tensorflow probability": "tensorflow_probability", "tensorflow hub": "tensorflow_hub",
    "tensorflow datasets": "tensorflow_datasets", "tensorflow transform": "tensorflow_transform",
    "transformers": "transformers", "hugging face": "transformers", "huggingface": "transformers", "mxnet": "mxnet",
    "paddle": "paddle", "paddlepaddle": "paddle", "xgboost": "xgboost", "lightgbm": "lightgbm", "pillow": "PIL",
    "horovod": "horovod", "theano": "theano", "caffe": "caffe", "pyspark": "pyspark", "keras_tuner": "keras_tuner",
    "nltk": "nltk", "plotly": "plotly", "tensorflow.js": "tensorflow.js",
}  # fmt: skip
# Root of a dotted name -> the other library it belongs to.
FOREIGN_ROOTS: dict[str, str] = {
    "np": "numpy", "numpy": "numpy", "pd": "pandas", "pandas": "pandas", "plt": "matplotlib",
    "matplotlib": "matplotlib",
    "sklearn": "sklearn", "scipy": "scipy", "torch": "torch", "jax": "jax", "jnp": "jax", "cv2": "cv2", "PIL": "PIL",
    "tfds": "tensorflow_datasets", "tensorflow_datasets": "tensorflow_datasets", "tfp": "tensorflow_probability",
    "tensorflow_probability": "tensorflow_probability", "hub": "tensorflow_hub", "tensorflow_hub": "tensorflow_hub",
    "tfa": "tensorflow_addons", "tensorflow_addons": "tensorflow_addons", "transformers": "transformers",
    "beam": "apache_beam", "apache_beam": "apache_beam", "sns": "seaborn", "seaborn": "seaborn", "flax": "flax",
    "nn": "torch", "F": "torch", "hvd": "horovod", "tft": "tensorflow_transform", "tfjs": "tensorflow.js",
}  # fmt: skip
