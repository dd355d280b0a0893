"""Texts that have broken pages and files: shown literally, they harm nobody."""

HOSTILE = {
    "image": "<img src=x onerror=hit()>",
    "script": "</script><script>hit()</script>",
    "style": "</style><svg onload=hit()>",
    "link": '<a href="javascript:hit()">javascript:hit()</a> href',
    "attribute": "\" onmouseover=hit() x='",
    "section": "]]> <![CDATA[ <!-- --> &amp; &lt; &#60;",
    "template": "{{ 7 * 7 }} {% raw %} ${7}",
    "markdown": "**b** `c` [d](javascript:hit()) :red[x] $a$ ~~e~~ # f",
    "right to left": "\u202eabc\u202c \u2067def\u2069",
    "emoji": "😀 👩‍👩‍👧 Байкал 中文",
    "control": "a\x00b\x1b[31mc\x7fd\x85e\ufffe",
    "surrogate": "x\ud800y",
    "LaTeX": r"\input{/etc/passwd} \write18 #1 $x^2$ 100% a_b & ~ {",
    "formula": '=HYPERLINK("http://x.example";"y")',
    "long": "word " * 2000,
}
"""What is wrong -> a label with it."""

EXPRESSIONS = (
    *("if", "constructor", "toString", "hasOwnProperty", "valueOf", "__proto__", "__defineGetter__"),
    *("datum", "datum.value", "signal", "this", "null", "now()", "${x}"),
    *('"', "'", "\\", "\\u0022", "a.b[0]", 'it\'s "x"', "a\u2028b\u2028c", "a\nb", "<b>&amp;"),
)
"""Words that a language of expressions, as Vega's is, could take for more than a text."""

FORBIDDEN = ("anna\x01", "x\uffff", "n\x00", "e\x1b[31m", "s\ud800", "c\x85c", "d\x7f")
"""Names with what no XML may hold, or no terminal should get."""
