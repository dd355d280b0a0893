"""Each reader on small texts: what it is recognised as, and the tree that comes out."""

import pytest

from tted_core.errors import MapFormatError
from tted_core.formats import parse_map
from tted_core.tree import TextTree


def outline(tree: TextTree) -> str:
    return " | ".join(
        f"{'-' * (depth - 1)}{label}" for label, depth in zip(tree.labels, tree.depths, strict=True)
    )


READ = [
    # nested-dict JSON
    ("nested-json", '{"a": {"b": {}, "c": {"d": {}}}}', "a | -b | -c | --d"),
    ("nested-json", '{"a": {"b": {}, "b": {"c": {}}}}', "a | -b | -b | --c"),
    ("nested-json", '{"a": {"b": null, "c": [], "d": "", "e": {}}}', "a | -b | -c | -d | -e"),
    (
        "nested-json",
        '{"a": {"b": "text", "c": 12.50, "d": true}}',
        "a | -b | --text | -c | --12.50 | -d | --true",
    ),
    ("nested-json", '{"a": ["x", {"y": ["z"]}, ["w"], "v"]}', "a | -x | -y | --z | -w | -v"),
    ("nested-json", '[{"a": [{"b": {}}, {"b": {}}]}]', "a | -b | -b"),
    ("nested-json", '["only"]', "only"),
    ("nested-json", '{"A": "b\\nc\\nd"}', "A | -b c d"),
    ("nested-json", '{\u00a0"a":\u00a0{"b\u00a0c": {}}}', "a | -b c"),
    ("nested-json", '"only"', "only"),
    ("nested-json", '{"a": {"name": {"b": {}}}}', "a | -name | --b"),
    ("nested-json", '{"\\u041c\\ud83d\\ude00": {}}', "М😀"),
    ("nested-json", "{'a': {'it\\'s': None, \"b\": []}}", "a | -it's | -b"),
    # JSON objects
    ("json", '{"label": "a", "children": [{"label": "b"}, {"label": "c", "children": []}]}', "a | -b | -c"),
    ("json", '{"text": "a", "nodes": ["b", {"name": "c", "nodes": [{"title": "d"}]}]}', "a | -b | -c | --d"),
    ("json", '{"id": 1, "topic": "a", "children": [{"id": 2, "topic": "b", "children": null}]}', "a | -b"),
    ("json", '{"children": [{"label": "b"}], "label": "a"}', "a | -b"),
    ("json", '{"label": "a", "children": {"label": "b"}}', "a | -b"),
    ("json", '{"title": "only"}', "only"),
    (
        "json",
        '{"": [{"text": "a", "children": ["b"]}, {"text": "c", "children": []}]}',
        "(2 roots) | -a | --b | -c",
    ),
    ("json", '{"title": "a", "nodes": ["b", "c"], "edges": []}', "a | -b | -c"),
    (
        "json",
        '{"label": "a", "children": [{"label": "b", "details": ["c"]}, {"label": "d", "details": "e"}]}',
        "a | -b | --c | -d | --e",
    ),
    ("json", '[{"text": "a", "children": ["b"]}]', "a | -b"),
    # numbered outline
    ("numbered", "1. a\n1.1. b\n1.1.1. c\n1.2 d", "a | -b | --c | -d"),
    ("numbered", "1.a\n1.1.b\n1.1.1.c d\n1.2.e", "a | -b | --c d | -e"),
    ("numbered", "Title\n1. a\n1.1 b\n2) c", "Title | -a | --b | -c"),
    ("numbered", "1 - a\n1.1 – b\n2: c\n2.1: d\n3、e", "(3 roots) | -a | --b | -c | --d | -e"),
    ("numbered", "[0] Root\n1. [3] a\n1.1. [4] b\n2. [1] c\n", "Root | -a | --b | -c"),
    ("numbered", "1. a\n   1.1. b\n\n   1.2. c\n        1.2.1. d", "a | -b | -c | --d"),
    ("numbered", "1 a\n1.9 b\n1.10 c\n1.10.1 d", "a | -b | -c | --d"),
    ("numbered", "1. a\n1.1.1 c\n1.2 d", "a | -c | -d"),
    # Markdown
    ("markdown", "# a\n\n## b\n- c\n  - d\n\n## e\n", "a | -b | --c | ---d | -e"),
    ("markdown", "# a\n#### b\n## c\n", "a | -b | -c"),
    ("markdown", "a\n=\n\nb\n-\n\n* c\n+ d\n1. e\n2) f\n", "a | -b | --c | --d | --e | --f"),
    ("markdown", "# a\n- [ ] b\n- [x] c\n- [d] e\n", "a | -b | -c | -[d] e"),
    ("markdown", "# **a** `b` _c_ [d](http://x) ![e](f.png) <b>g</b><br>h &amp; \\*", "a b c d e g h & *"),
    ("markdown", "# List<String>", "List<String>"),
    ("markdown", "# a\nintro\n- b\n  going on\n\n  more\n", "a | -b going on"),
    ("markdown", "---\ntitle: x\n---\n\n# a\n- b", "a | -b"),
    ("markdown", "# a ##\n## b =\n- c", "a | -b = | --c"),
    ("markdown", "# a\n```\n# no heading\n```\n> - no item\n\n- b\n", "a | -b"),
    ("markdown", "# a\n- b\n## c\n- d\n", "a | -b | -c | --d"),
    ("markdown", "# a\n- b\n```\ncommit 1a2b3c4d\n$ ls\n```\n", "a | -b"),
    ("markdown", "# a\n- b\n\n  # c\n", "a | -b | --c"),
    ("markdown", "- a\n  - b\n    - c\n  - **d**", "a | -b | --c | -d"),
    ("markdown", "* a\n * b\n * c", "a | -b | -c"),
    ("markdown", "+ a\n\t1. b\n\t2. c", "a | -b | -c"),
    ("markdown", "# a\n    - b\n        - c\n\n    - d\n", "a | -b | --c | -d"),
    ("markdown", "# a\n## b\n\t- c\n\t\t- d\n## e", "a | -b | --c | ---d | -e"),
    ("markdown", "# a\n- b\n        - c\n                1. d\n- e", "a | -b | --c | ---d | -e"),
    ("markdown", "# a\n- b\n\n  text\n\n            - c\n text\n - d", "a | -b | --c text | --d"),
    ("markdown", "# a\n- b\n  ```\n- no\n  ```\n  - c\n<p>\n- d\n</p>", "a | -b | --c | -d"),
    ("markdown", "# a\n- b\n\n  | - c | d |\n  |---|---|\n  | - e | f |\n- g", "a | -b | -g"),
    ("markdown", "# a\n- 1. b\n- 2) c\n  - b) d\n- * e", "a | -b | -c | --d | -e"),
    (
        "markdown",
        "# a <!-- x -->\n<!--\n- no\n-->\n- b <!-- y --> c\n- `<!-- d -->`",
        "a | -b c | -<!-- d -->",
    ),
    (
        "markdown",
        "# a\n- $x_1 * y_1 \\\\ 2$ and *b*\n- $5 to $10",
        "a | -$x_1 * y_1 \\\\ 2$ and b | -$5 to $10",
    ),
    ("markdown", "# a\n- b:\n  $$\n  c\n  - d\n  $$\n- e", "a | -b: $$ c - d $$ | -e"),
    ("markdown", "# a\n- $f = \\begin{cases} 1 \\end{cases}$", "a | -$f = \\begin{cases} 1 \\end{cases}$"),
    (
        "markdown",
        "# 图\n- **甲：**乙\n- 看**《书》**吧\n- ~~丙。~~丁",
        "图 | -甲：乙 | -看《书》吧 | -丙。丁",
    ),
    (
        "markdown",
        "# a\n- [[b|c]] and [[d]]\n- ==e== f ^id-1\n- g == h == i\n- j %%k%%",
        "a | -c and d | -e f | -g == h == i | -j",
    ),
    ("markdown", "#a\n##b\n- c\n##d", "a | -b | --c | -d"),
    ("markdown", "t:: x\n\n- a\n  id:: 1\n\t- TODO b\n\t  c\n\t  :LOG:\n\t  d\n\t  :END:", "a | -b c"),
    ("markdown", "#t #u\n\n- a\n\t- \n\t\t- std::b\n\t- tags:: y\n\t\t- c", "a | -std::b | -c"),
    ("markdown", "- a\\\n  b\n- c\n  ===", "x | -a b | -c"),
    ("markdown", "---\nt: x\n---\n# a\n**b**\n\n- c\n**d:** no\n\n**e:**\n- f", "a | -b | --c | -e | --f"),
    ("markdown", "# a\n- ![[b.png|300]]\n- ![[c.png|d|20x30]]", "a | -b.png | -d"),
    ("markdown", "---\nt: x\n---\n# a\n1. b\n   1.1 c\n   1.2 d\n2. e", "a | -b | --c | --d | -e"),
    ("markdown", "# a\n- b\n  a) c\n  b) d\n```\nx\n```\n- e", "a | -b | --c | --d | -e"),
    (
        "markdown",
        "# 甲\n```\nx\n```\n一、乙\n1、丙\n2、丁\n二、\nA.戊\nB.己",
        "甲 | -乙 | --丙 | --丁 | -二 | --戊 | --己",
    ),
    ("markdown", '# a\n- b\n  <Row\n    :c="d"\n  />\n- List<String>', "a | -b | -List<String>"),
    ("markdown", "# a\n- ```py\n  b()\n  ```\n  - ```\n    c\n    ```", "a | -b() | --c"),
    ("markdown", "- a\n    - {{[[TODO]]}} b ^^c^^ 2^^3", "a | -b c 2^^3"),
    ("markdown", "# a {#a}\n## b {: .c #d }\n- e {1, 2}", "a | -b | --e {1, 2}"),
    ("markdown", "= a\n\n== b\n\n* c\n** d\n* e", "a | -b | --c | ---d | --e"),
    ("markdown", "- a\n  = b\n- c", "x | -a = b | -c"),
    ("markdown", "a\n-bb\n--cc\n-dd", "a | -bb | --cc | -dd"),
    (
        "markdown",
        "# 民法\n第一章 总论\n- 概念\n第二章 分论\n- 物权",
        "民法 | -第一章 总论 | --概念 | -第二章 分论 | --物权",
    ),
    ("markdown", "# 글\n1. 서론\n가. 배경\n나. 목적\n2. 본론", "글 | -서론 | --배경 | --목적 | -본론"),
    ("markdown", "# a\n**A.** b\n- c\n\n**B.** d\n- e", "a | -b | --c | -d | --e"),
    (
        "markdown",
        "# a\n- \\(b_1 * c_1\\)\n- 2*3*4\n- __init__.py\n- d[^e]\n\n[^e]: f",
        "a | -\\(b_1 * c_1\\) | -2*3*4 | -__init__.py | -d",
    ),
    ("markdown", "# a\n- \\hat{y}_t = f(D_{t-1})\n- {_b_}", "a | -\\hat{y}_t = f(D_{t-1}) | -{b}"),
    ("indented", "User:\n  a\nAssistant:\n  b", "(2 roots) | -User | --a | -Assistant | --b"),
    ("indented", "a\n\nb\n  c\nd", "a | -b | --c | -d"),
    ("indented", "a\n\nb\n  c\n\nd\n  e", "a | -b | --c | -d | --e"),
    ("indented", "a\n\nb\n  c\n\nd", "(3 roots) | -a | -b | --c | -d"),
    ("indented", "=====\na\n=====\n\nb\n  c\nd", "a | -b | --c | -d"),
    ("indented", "a\n-----\nb\n  c\nd", "a | -b | --c | -d"),
    ("markdown", "########\n# a\n########\n- b", "a | -b"),
    ("markdown", "食\n一、果\n苹果\n梨\n二、菜\n白菜", "食 | -果 | --苹果 | --梨 | -菜 | --白菜"),
    ("markdown", "【果】\n苹果\n梨\n【菜】\n白菜", "(2 roots) | -果 | --苹果 | --梨 | -菜 | --白菜"),
    (
        "markdown",
        "1. A long line that is wrapped\nhere.\n2. b",
        "x | -A long line that is wrapped here. | -b",
    ),
    ("markdown", "# a\n-bb\n-cc\n## d\n1.e\n2.f", "a | -bb | -cc | -d | --e | --f"),
    ("markdown", "甲\n一、乙\n1.丙\n（1）丁\n2.戊\n二、己", "甲 | -乙 | --丙 | ---丁 | --戊 | -己"),
    ("markdown", "a\na) b\n  a.1) c\n  a.2) d\nb) e", "a | -b | --c | --d | -e"),
    ("markdown", "# a\n- 3. b\n- 1. c", "a | -3. b | -1. c"),
    ("markdown", "# a\n- 1.5 d\n- 3.11 e", "a | -1.5 d | -3.11 e"),
    ("indented", "a\n2.50 b\n3.00 c\n4.20 d", "a | -2.50 b | -3.00 c | -4.20 d"),
    ("indented", "a\n192.168.0.1 b\n10.0.0.1 c", "a | -192.168.0.1 b | -10.0.0.1 c"),
    ("indented", "a\n9.30 b\n11.00 c\nd\n8.45 e", "(2 roots) | -a | --9.30 b | --11.00 c | -d | --8.45 e"),
    ("indented", "1.5 a\n2.0 b\n3.5 c", "(3 roots) | -1.5 a | -2.0 b | -3.5 c"),
    (
        "markdown",
        "# a\n## b\n9.30 c\n10.00 d\n## e\n19.15 f",
        "a | -b | --9.30 c | --10.00 d | -e | --19.15 f",
    ),
    ("markdown", "# a\n\n1.2.0 (b)\n- c\n\n1.1.0 (d)\n- e", "a | -1.2.0 (b) | --c | -1.1.0 (d) | --e"),
    ("indented", "a\n1.5 b\n2.5 c\n500 d", "a | -1.5 b | -2.5 c | -500 d"),
    ("numbered", "1.A\n1.1Bc\n2.D", "(2 roots) | -A | --Bc | -D"),
    ("indented", "1．甲\n2．乙\n2．1 丙", "(3 roots) | -1．甲 | -2．乙 | -2．1 丙"),
    ("markdown", "가. a\n다. b\n라. c", "(3 roots) | -a | -b | -c"),
    ("markdown", "Ⅰ. a\n  A. b\nⅡ. c", "(2 roots) | -a | --b | -c"),
    ("markdown", "# a\n1.2.0 / b\n  * c\n1.1.0 / d\n  * e", "a | -1.2.0 / b | --c | -1.1.0 / d | --e"),
    ("markdown", "# a\n\n2.3.1\n---\n- b\n\n2.3.0\n---\n- c", "a | -2.3.1 | --b | -2.3.0 | --c"),
    ("numbered", "1. a\n2. b\n2.1. c\n2.2.1. d\n2.2.3. e", "(2 roots) | -a | -b | --c | --d | --e"),
    ("markdown", "# a\n- 1.0 b\n- 1.5 c", "a | -1.0 b | -1.5 c"),
    ("numbered", "1.0 a\n1.1 b\n2.0 c", "(3 roots) | -a | -b | -c"),
    ("markdown", "1. a\nof b\n2. c\nat d", "x | -a of b | -c at d"),
    ("markdown", "1. A\nB\nC\n2. D\nE", "(2 roots) | -A | --B | --C | -D | --E"),
    ("markdown", "1)\na\n2)\nb", "x | -a | -b"),
    ("markdown", "---\nt: x\n---\n- a\n  1.9.0 b\n- c\n  (2) d", "x | -a 1.9.0 b | -c (2) d"),
    ("markdown", "# a\n\n(1) A remark.\n\n- b\n\n```\nc\n```", "a | -b"),
    ("markdown", "# a\n1. b\n2. c\n\n12.x is newer", "a | -b | -c"),
    ("markdown", "1.0.2 / a\n====\n* b\n\n1.0.1 / c\n====\n* d", "x | -1.0.2 / a | --b | -1.0.1 / c | --d"),
    ("markdown", "# a\nⅠ. b\n가. c\nⅡ. d", "a | -b | --c | -d"),
    ("numbered", "1.甲\n1.1乙\n1.1.1丙\n2.丁", "(2 roots) | -甲 | --乙 | ---丙 | -丁"),
    ("indented", "甲\n  2．1 乙", "甲 | -2．1 乙"),
    ("indented", "イ. a\nロ. b\nハ. c", "(3 roots) | -イ. a | -ロ. b | -ハ. c"),
    ("markdown", "- a,\n  -bb\n- c\n  —Ann", "x | -a, -bb | -c —Ann"),
    ("indented", "a\n  -ish\n  -ness", "a | --ish | --ness"),
    ("indented", "-verbose\n-quiet", "(2 roots) | --verbose | --quiet"),
    ("indented", "A.1 a\nA.2 b\nB.1 c", "(3 roots) | -A.1 a | -A.2 b | -B.1 c"),
    ("markdown", "# a\n- \\D [^0-9]\n- b [^c] d", "a | -\\D [^0-9] | -b [^c] d"),
    ("markdown", "# a\n- CSS {.b}", "a | -CSS {.b}"),
    ("markdown", "# =====\n# a\n# =====\n- b", "a | -b"),
    ("markdown", "第一章 总论\n定义\n第二章 分论", "(2 roots) | -第一章 总论 | --定义 | -第二章 分论"),
    (
        "markdown",
        "第一部分 基础\n第1章：甲\n第2章 乙\n第二部分 创建\n第3章 丙",
        "(2 roots) | -第一部分 基础 | --第1章：甲 | --第2章 乙 | -第二部分 创建 | --第3章 丙",
    ),
    (
        "indented",
        "绪论\n背景\n\t甲\n第三章 调度\n\t算法",
        "(3 roots) | -绪论 | -背景 | --甲 | -第三章 调度 | --算法",
    ),
    (
        "markdown",
        "1. Tea\n      Green\n      Black and\n      white\n2. Milk\n   Oat",
        "x | -Tea | --Green | --Black and white | -Milk Oat",
    ),
    (
        "markdown",
        "1 Tea\n1.1 Green\n(cold)\n1.2 Black\n     Assam\n     Ceylon",
        "1 Tea | -Green (cold) | -Black | --Assam | --Ceylon",
    ),
    ("markdown", "plants\nlight\n- water\ndark\n- sugar", "plants | -light | --water | -dark | --sugar"),
    ("markdown", "风险管理\n一、目标\n1. 规划\n2. 角色", "风险管理 | -目标 | --规划 | --角色"),
    ("markdown", "**计划**\n- 甲\n- 乙\n这张图展示了要点。", "计划 | -甲 | -乙"),
    (
        "markdown",
        "# Jobs\n- **Tests:**\n  **node**\n  is used.\n- Last",
        "Jobs | -Tests: node is used. | -Last",
    ),
    ("markdown", "- nan ([Native][])\n- V8\n\n[Native]: https://a.b", "x | -nan (Native) | -V8"),
    ("markdown", "- id:: 123\n  some text\n- A", "A"),
    ("markdown", "1.- Uno\n• eins\n2.- Dos", "(2 roots) | -Uno | --eins | -Dos"),
    ("markdown", "- Tea\n\t§ Green\n\t§ Black", "Tea | -Green | -Black"),
    ("indented", "Tea……\t3\nCoffee……\t4", "(2 roots) | -Tea | -Coffee"),
    (
        "markdown",
        "# a\n\n**User:**\n- b\n\n**Assistant:**\n- c",
        "a | -User | --b | -Assistant | --c",
    ),
    (
        "markdown",
        "# a\n\n**User:** b\n- c d e f\n\n**Assistant:** g\n- h\n- i",
        "a | -User: b | --c d e f | -Assistant: g | --h | --i",
    ),
    ("markdown", "=====\n a\n=====\n\nb c d e.", "a"),
    (
        "markdown",
        "# a\n\n**User:** b c d e\n- f\n\n**Assistant:** g\n- h\n- i",
        "a | -User: b c d e | --f | -Assistant: g | --h | --i",
    ),
    (
        "markdown",
        "# a\n- [b][c] d\n- [e](f g.md)\n- [h][i]\n\n[c]: http://x",
        "a | -b d | -e | -[h][i]",
    ),
    ("markdown", "# a\n\nb:\n- c\n\nd\n- e\n\nNot f.\n- g", "a | -b | --c | -d | --e | --g"),
    ("markdown", "# a\nb\n  * c\nd\n  * e", "a | -b | --c | -d | --e"),
    ("markdown", "**a**\n\nb\n- c\n- d\n\ne\n- f\n- g", "a | -b | --c | --d | -e | --f | --g"),
    # indented text
    ("indented", "a\nUser: b\nAssistant: c", "(3 roots) | -a | -User: b | -Assistant: c"),
    ("indented", "b:\nc\nd:\ne\n\nf\ng", "(4 roots) | -b | --c | -d | --e | -f | -g"),
    ("indented", ">>> a\n  b", ">>> a | -b"),
    ("indented", "a\n\tb\n\t\tc\n\td", "a | -b | --c | -d"),
    ("indented", "a\r\n  b\r\n    c\r\n  d", "a | -b | --c | -d"),
    ("indented", "a\n\u00a0\u00a0b\n\u3000\u3000c", "a | -b | --c"),
    ("indented", "a\n- b\n  - c\n- d", "a | -b | --c | -d"),
    ("indented", "a\n• b\n  ◦ c\n• [x] d", "a | -b | --c | -d"),
    ("indented", "a\n•\tb\n\to\tc", "a | -b | --c"),
    ("indented", "a\n  b ... 4\n  c ... 3", "a | -b ... 4 | -c ... 3"),
    ("indented", "a:\n1. b\n2. c", "a | -b | -c"),
    ("indented", "a\n-bb\n-cc", "a | -bb | -cc"),
    ("indented", "a\n\nb:\nc\nd\n\ne:\nf", "a | -b | --c | --d | -e | --f"),
    ("indented", "a\n├── b\n│   └── c\n\n#chat \n", "a | -b | --c"),
    (
        "indented",
        "a\n|-- b\n|   |-- c\n|   |   Text of c\n|   |   Text below\n`-- d",
        "a | -b | --c | ---Text of c | ---Text below | -d",
    ),
    ("indented", "[a]\n  Beds = 4\n  Tools = spade", "[a] | -Beds = 4 | -Tools = spade"),
    (
        "indented",
        "a\n  -5 b\n  1.5 c\n  3.11 d\n  192.168.0.1 e",
        "a | --5 b | -1.5 c | -3.11 d | -192.168.0.1 e",
    ),
    ("indented", "a\n├── b\n│   ├── c\n│   └── d\n│\n└── e", "a | -b | --c | --d | -e"),
    ("indented", "a\n|-- b\n|   `-- c\n`-- d", "a | -b | --c | -d"),
    ("indented", "a\n+---b\n", "a | -b"),
    ("indented", "  a\n    b\n\n    c", "a | -b | -c"),
    ("indented", "a\n    b\n  c\n    d", "a | -b | -c | --d"),
    ("indented", "Root only", "Root only"),
    ("indented", "C++ -5 *x", "C++ -5 *x"),
    # in a fence
    ("nested-json", 'Sure, here it is:\n```json\n{"a": {"b": {}}}\n```\nAnything else?', "a | -b"),
    ("indented", "```\na\n  b\n```", "a | -b"),
    ("indented", "~~~text\na\n  b", "a | -b"),
]


@pytest.mark.parametrize(("name", "text", "expected"), READ)
def test_read(name, text, expected):
    result = parse_map(text, name="x.md" if name == "markdown" else None)
    assert (result.format, outline(result.tree)) == (name, expected)


NOTICED = [
    ('{"a": {"b": {}, "b": {}}}', "equal keys of one object were kept as siblings: 'a' > 'b'"),
    ('{"a": ["b", null]}', "1 empty list item left out"),
    ("{'a': None}", "read as a Python dict"),
    ('{"a": {},\n}', "commas before closing brackets were ignored"),
    ('{"label": "a", "color": "red"}', "were not read: 'color' (1 time)"),
    ("# a\ntext\n\n> quote\n", "not read: 1 paragraph, 1 quotation"),
    ("# a\n- x\n- y\n```\n- b\n1. c\n```\n", "not read: 1 code block, with 2 lines like list items"),
    ("- a\n  id:: 1\n  :LOGBOOK:\n  :END:", "not read: 1 drawer, 1 property line"),
    ("- a\n  - is-part-of:: b\n  - logseq.order-list-type:: number\n", "not read: 1 property line"),
    ("# a <!-- b -->\n- c", "not read: 1 HTML comment"),
    ('<T1>a</T1>\nb "\n<T1.1>c</T1.1>', "text without a number was left out: 'b \"'"),
    ("# [a](b)", "targets of 1 link or image"),
    ("---\nx: y\n---\n# a", "front matter (lines 1 to 3)"),
    ("\n---\nx: y\n---\n---\n\nz-plugin: b\n\n---\n\n# a", "front matter (lines 1 to 9)"),
    ("---\nx: y\n---\na\n  b", "the front matter was not read"),
    ("# a\n- b\n\n  The words below an item go on.", "not read: 1 paragraph"),
    ("a\n    b\n  c", "line 3 is indented less"),
    ("1. a\n1.1 b\n1.1 c", "numbers that occur more than once, kept as siblings: 1.1 (line 3)"),
    (
        "1. a\n1.1.1 c",
        "no node has the number above these, so they went below the nearest one there is: 1.1.1 (line 2)",
    ),
    ("x\n```\na\n```", "read from the fenced block from line 3 on"),
    ("- a\n  - \n    - b", "went below the node above): line 2"),
    ("#t #u\n\n- a", "not read: 1 line of tags"),
    ("<answer>\n- a\n</answer>", "tags around the map were left out: <answer>"),
    ("<summary>a</summary>\n- b\n- c", "tags around the map were left out: <summary>"),
    (
        "Option 1:\n- a\n  - b\nOption 2:\n- c\n  - d",
        "holds 2 maps (1 'Option 1', 2 'Option 2'); this is the first",
    ),
    (
        "User: a\n\nChatGPT: b\n- c\n  - d",
        "only the longest answer of the conversation was read; left out: 1 other",
    ),
    ("a .... 1\nb .... 12", "page numbers were removed from 2 texts"),
    (
        "- a\n  - \n  - ![](b.png)",
        "2 list items without text left out: line 2, line 3",
    ),
    ("- a\n  - &nbsp;", "1 node without text (kept, as an empty label): line 2 ('a' > '')"),
    ('{"a": {" b\\n c": {}}}', "extra white space was removed from 1 node: 'a' > 'b c'"),
    ('{"a\\u0007": {}}', "control characters were removed from 1 node: 'a\\x07'"),
    ('{"a\\ud800": {}}', "half surrogate pairs"),
    ('{"a\\ufeff": {}}', "invisible characters"),
    ('{"e\\u0301": {}}', "Unicode NFC"),
]


@pytest.mark.parametrize(("text", "notice"), NOTICED)
def test_every_repair_and_omission_is_noticed_once(text, notice):
    notices = parse_map(text).notices
    assert sum(notice in sentence for sentence in notices) == 1, notices


@pytest.mark.parametrize(
    "text",
    [
        "a\n  b",
        '{"a": {"b": {}}}',
        "# a\n- b",
        '{"label": "a", "children": ["b"]}',
        '{"nodes": [{"id": "a a"}, {"id": "b b"}], "links": [{"source": "a a", "target": "b b"}]}',
        '[{"id": 1, "attrs": {"text": {"text": "a a"}}}, {"id": 2, "text": "b", "parent": 1}]',
    ],
)
def test_a_clean_map_has_no_notices(text):
    assert parse_map(text).notices == ()


REFUSED = [
    ('{"a": {"b": ', (1, 13), "the JSON is cut off: expecting value; close its quotes and brackets"),
    ('{\n"a": "b', (2, 6), "the JSON is cut off: unterminated string"),
    ('{"a": {}} x', (1, 11), "the JSON is broken at 'x': extra data"),
    ('{"a" {}}', (1, 6), "expecting ':' delimiter"),
    ('{"a": {}\n "b": {}}', (2, 2), "expecting ',' delimiter"),
    ("{“a”: {}}", (1, 2), "curly"),
    ('{"a\\x": {}}', (1, 4), "invalid \\escape"),
    ("{}", (None, None), "has no nodes"),
    ('{"label": "a", "children": [["b"]]}', (None, None), "but found a list"),
    ('{"label": "a", "children": [{"x": 1}]}', (None, None), "but found an object with the keys 'x'"),
]


@pytest.mark.parametrize(("text", "position", "message"), REFUSED)
def test_broken_text_is_refused_with_its_position(text, position, message):
    with pytest.raises(MapFormatError) as caught:
        parse_map(text)
    assert (caught.value.line, caught.value.column) == position
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_lines_count_in_the_file_and_not_in_the_fenced_block():
    with pytest.raises(MapFormatError, match=r"^line 4, column 6:"):
        parse_map('Hello\n```json\n{"a": {\n"b": }}\n```')


def test_a_numbered_line_without_a_number_is_named():
    with pytest.raises(MapFormatError, match=r"^line 3: 'more' has no number"):
        parse_map("1. a\n1.1 b\nmore", format="numbered")
