import pytest

from verifier.documents import load
from verifier.model import Document


def read(html: str, name: str = "a.html") -> Document:
    return load(name, html.encode())


def code(html: str) -> list[tuple[str, str, str]]:
    document = read(html)
    return [(cell.kind, cell.language, cell.span.of(document.text)) for cell in document.cells]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("<h1>Head</h1>words <b>bold</b>  and\n <i>more</i>.", "Head\n\nwords bold and more."),
        ("one<br>two<br/>three", "one\ntwo\nthree"),
        ("<ul><li>one<li>two</ul>", "one\ntwo"),
        ("<table><tr><td>a<td>b<tr><td>c<td>d</table>", "a | b\nc | d"),
        ("<p>&lt;b&gt; &amp;amp; &quot;x&quot; &#20320;</p>", '<b> &amp; "x" 你'),
        ("<p>use <code>tf.abs</code>, or <tt>tf.add</tt>.</p>", "use `tf.abs`, or `tf.add`."),
        ("<p>a <code>x`y</code> b</p>", "a x`y b"),
        ("<p>a <code></code> b <code> c </code></p>", "a b `c`"),
        ("<p>the <code>tf.<wbr>io</code></p>", "the `tf.io`"),
        ("<div>one<div>two</div>three</div>", "one\ntwo\nthree"),
        ("<p>a\u00a0b</p>", "a\u00a0b"),
        ("a<script>alert(1)</script>b<style>c{}</style>c<noscript>d</noscript>", "abc"),
        ("<nav>Home</nav><p>x</p><button>Copy</button><svg><text>s</text></svg>", "x"),
        ("<p>x<!-- gone -->y</p><p hidden>no</p><p style='display: none'>no</p>", "xy"),
        ("<h2>Head<a class='headerlink' href='#h'>¶</a></h2>", "Head"),
        ("<!DOCTYPE html><html><head><title>t</title></head><body></body></html>", ""),
        ("<?xml version='1.0' encoding='utf-8'?><html><body>x</body></html>", "x"),
        ("&xxe;<p>x", "&xxe;\n\nx"),
        ("", ""),
    ],
)
def test_the_text_is_what_a_reader_sees(html: str, text: str) -> None:
    assert read(html).text == text


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ("<pre>x = 1</pre>", ""),
        ("<pre><code class='language-python'>x = 1</code></pre>", "python"),
        ("<pre class='language-py'><code>x = 1</code></pre>", "py"),
        ("<pre class='lang-py prettyprint'>x = 1</pre>", "py"),
        ("<pre class='brush: python; toolbar: false'>x = 1</pre>", "python"),
        ("<pre><code class='hljs python'>x = 1</code></pre>", "python"),
        ("<pre class='sourceCode bash'><code>x = 1</code></pre>", "bash"),
        ("<div class='highlight-source-python'><pre>x = 1</pre></div>", "python"),
        ("<div class='highlight highlight-source-shell'><pre>x = 1</pre></div>", "shell"),
        ("<div class='highlight-python3 notranslate'><div class='highlight'><pre>x = 1</pre></div></div>", "python3"),
        ("<div class='highlight-default notranslate'><div class='highlight'><pre>x = 1</pre></div></div>", ""),
        (
            "<div class='language-python highlighter-rouge'><div class='highlight'><pre class='highlight'><code>x = 1</code></pre></div></div>",
            "python",
        ),
        ("<pre data-lang='JSON'>x = 1</pre>", "json"),
        (
            "<figure class='highlight python'><table><tr><td class='code'><pre>x = 1</pre></td></tr></table></figure>",
            "python",
        ),
        ("<pre class='line-numbers language-python'><code>x = 1</code></pre>", "python"),
        ("<pre><code class='prism language-python has-numbering'>x = 1</code></pre>", "python"),
        ("<textarea class='language-python'>x = 1</textarea>", "python"),
    ],
)
def test_the_language_of_a_code_block(html: str, language: str) -> None:
    assert code(html) == [("code", language, "x = 1")]


BODY = "def f(x):\n    return x < 1"
TWO_CELLS = """<figure class="highlight python"><table><tr>
  <td class="gutter"><pre><span class="line">1</span><br><span class="line">2</span><br></pre></td>
  <td class="code"><pre><span class="line">def f(x):</span><br><span class="line">    return x &lt; 1</span><br></pre></td>
</tr></table></figure>"""
ROWS = """<div class="highlight highlight-source-python"><pre><table class="hljs-ln"><tbody>
<tr><td class="hljs-ln-line hljs-ln-numbers" data-line-number="1"><div class="hljs-ln-n">1</div></td><td class="hljs-ln-code">def f(x):</td></tr>
<tr><td class="hljs-ln-line hljs-ln-numbers" data-line-number="2"></td><td class="hljs-ln-code">    return x &lt; 1</td></tr>
</tbody></table></pre></div>"""
SPANS = """<pre class="language-python"><code><span class="linenos">1</span>def f(x):
<span class="linenos">2</span>    return x &lt; 1
</code></pre>"""
BLOB = """<table class="highlight" data-lang="python">
<tr><td class="blob-num" data-line-number="1"></td><td class="blob-code">def f(x):</td></tr>
<tr><td class="blob-num" data-line-number="2"></td><td class="blob-code">    return x &lt; 1</td></tr></table>"""
NUMBERS_BELOW = """<pre class="lang-python"><code>def f(x):
    return x &lt; 1</code><ul class="pre-numbering"><li>1</li><li>2</li></ul></pre>"""
LISTED = """<pre class="python"><ol><li>def f(x):</li><li>    return x &lt; 1</li></ol></pre>"""
LINE_CODES = """<pre class="lang-python"><code>def f(x):</code>\n<code>    return x &lt; 1</code></pre>"""
BROKEN_LINES = """<pre class="lang-python">def f(x):<br>    return x &lt; 1</pre>"""
COPIED = """<div class="highlight-python"><button class="copybtn">Copy</button><pre><span class="copy-code">Copy</span>def f(x):
    return x &lt; 1</pre><div class="clipboard-copy">Copied!</div></div>"""
COLOURED = """<pre><code class="language-python"><span class="k">def</span> <span class="nf">f</span>(x):
    <span class="k">return</span> x &lt; <span class="m">1</span></code></pre>"""


@pytest.mark.parametrize(
    "html",
    [TWO_CELLS, ROWS, SPANS, BLOB, NUMBERS_BELOW, LISTED, LINE_CODES, BROKEN_LINES, COPIED, COLOURED],
    ids=[
        "two-cells",
        "rows",
        "spans",
        "blob",
        "numbers-below",
        "listed",
        "line-codes",
        "broken-lines",
        "copied",
        "coloured",
    ],
)
def test_code_comes_without_its_decoration(html: str) -> None:
    assert code(f"<p>before</p>{html}<p>after</p>") == [("code", "python", BODY)]
    assert read(f"<p>before</p>{html}<p>after</p>").text == f"before\n\n{BODY}\n\nafter"


def test_a_column_of_numbers_is_data_unless_it_is_a_gutter() -> None:
    assert read("<table><tr><td>1</td><td>x</td></tr></table>").text == "1 | x"


def test_lines_of_a_block_that_is_code_only_by_its_class() -> None:
    html = '<div class="syntaxhighlighter python"><table><tr><td class="gutter"><div>1</div><div>2</div></td><td class="code">'
    html += (
        '<div class="line"><code>x = 1</code></div>\n<div class="line"><code>y = 2</code></div></td></tr></table></div>'
    )
    assert code(html) == [("code", "", "x = 1\ny = 2")]
    assert code("<div class='code'>x = 1<br>\n  y = 2</div>") == [("code", "", "x = 1\ny = 2")]
    assert code("<p>see <code>x = 1<br>y = 2</code></p>") == [("code", "", "x = 1\ny = 2")]


def test_a_container_of_prose_is_no_code_whatever_its_class() -> None:
    document = read("<div class='code'><p>words</p><pre>x = 1</pre></div>")
    assert document.text == "words\n\nx = 1"
    assert [cell.span.of(document.text) for cell in document.cells] == ["x = 1"]


def test_a_page_made_of_a_notebook() -> None:
    html = """<div class="cell"><div class="prompt input_prompt">In&nbsp;[1]:</div><div class="highlight hl-ipython3"><pre>print(1)</pre></div></div>
    <div class="output_area"><div class="prompt">Out[1]:</div><div class="output_text output_subarea"><pre>1</pre></div></div>"""
    assert code(html) == [("code", "", "print(1)"), ("output", "", "1")]
    assert read(html).text == "print(1)\n\n1"


@pytest.mark.parametrize(
    ("raw", "encoding"),
    [
        ("<meta charset=gb2312><p>变量", "gb18030"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=GBK"><p>变量', "gb18030"),
        ("<meta charset='big5'><p>變量", "big5"),
        ("<meta charset='utf-8'><p>变量", "utf-8"),
        ("<meta charset='no-such-thing'><p>变量", "utf-8"),
        ("<p>变量", "utf-8"),
    ],
)
def test_the_page_may_name_its_encoding(raw: str, encoding: str) -> None:
    document = load("a.html", raw.encode(encoding))
    assert document.encoding == encoding
    assert document.text in {"变量", "變量"}


def test_a_page_that_is_nested_without_end_is_read() -> None:
    assert "x" in read("<div>" * 200 + "x").text
    read("<b><p>" * 20_000)


def test_speakers_on_a_page() -> None:
    document = read("<p><b>问题1：</b>为何？</p><p><b>回答：</b></p><pre># 点评：注释</pre><p>点评：好</p>")
    assert [part.role.value for part in document.passages] == ["question", "answer", "review"]
