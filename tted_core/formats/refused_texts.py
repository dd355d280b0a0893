"""Texts that aren't maps: source code, licences, logs, settings, pages, and trees in forms that aren't read.

Recognised by a typical pattern, or by the kind of most of their lines. Lines of lists are never taken for code.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import PurePath

from tted_core.formats.document import Document
from tted_core.formats.list_texts import without_pages
from tted_core.formats.markdown import FENCED
from tted_core.formats.programs import root_name

EXPORT = "export the map as OPML or FreeMind (.mm)"
OUTLINE = "export the map as OPML or Markdown"
TABLE_OF_EDGES = "write its edges as a table with the columns id,parent,text"
_ELEMENTS = {
    "svg": f"an SVG picture; {EXPORT} from the program that made it",
    "mxfile": "a draw.io diagram; write the outline as indented text",
    "mxgraphmodel": "a draw.io diagram; write the outline as indented text",
    "graphml": f"a GraphML graph; {TABLE_OF_EDGES}",
    "gexf": f"a GEXF graph; {TABLE_OF_EDGES}",
    "plist": f"a property list; {EXPORT} from the program that made it",
    "simplemind-mindmaps": f"a SimpleMind map; {EXPORT} from SimpleMind",
    "minder": f"a Minder map; {EXPORT} from Minder",
    "vymmap": f"a VYM map; {EXPORT} from VYM",
    "ithoughts": f"an iThoughts map; {EXPORT} from iThoughts",
    "cmap": "a CmapTools map; export the outline as text",
}
# Texts, JSON and pages that are other trees or no maps.
KINDS = {
    "page": f"a web page; {OUTLINE} from the program that made it",
    "dot": f"a DOT graph (Graphviz); {TABLE_OF_EDGES}",
    "newick": f"a Newick tree; {TABLE_OF_EDGES}",
    "brackets": "a tree in bracket notation; write it as nested JSON or a Markdown list",
    "org": f"an Org file; {OUTLINE} from Emacs",
    "yaml": "YAML; write the map as a Markdown list, or save it as JSON",
    "settings": "a file of settings",
    "canvas": "a canvas (Obsidian); write its cards as a Markdown list",
    "network": f"a graph of nodes and edges (networkx); {TABLE_OF_EDGES}",
}

_ENDINGS = {
    **dict.fromkeys((".html", ".htm"), KINDS["page"]),
    **dict.fromkeys((".dot", ".gv"), KINDS["dot"]),
    **dict.fromkeys((".nwk", ".newick"), KINDS["newick"]),
    **dict.fromkeys((".yaml", ".yml"), KINDS["yaml"]),
    ".bracket": KINDS["brackets"],
    ".org": KINDS["org"],
    ".canvas": KINDS["canvas"],
}
# Typical patterns of texts that are trees in an unsupported form, or no trees.
_TEXTS = (
    (
        re.compile(
            r"\A\s*+(?:(?:flowchart|graph\s+(?:TD|TB|BT|LR|RL)|sequenceDiagram|classDiagram|stateDiagram|erDiagram|"
            r"gantt|journey|gitGraph|timeline|quadrantChart|pie(?:\s+title|\s*\n))\b|@start\w)"
        ),
        "another diagram; of Mermaid and PlantUML only mindmap and wbs are read",
    ),
    (
        re.compile(
            r"\A(?:\s|'[^\n]*+)*+(?:<style>|skinparam\b|!(?:theme|define|include|procedure|function)\b)",
            re.IGNORECASE,
        ),
        "a style or settings of PlantUML; give the file with the diagram",
    ),
    (re.compile(r"^> ?__version__=", re.MULTILINE), f"a map of SciaReto; {OUTLINE} from it"),
    (
        re.compile(
            r"\A(?:\s|//[^\n]*+|#[^\n]*+|/\*.*?\*/)*+(?:strict\s+)?(?:di)?graph\b(?:\s*(?:\w+|\"[^\"]*\"))?\s*\{",
            re.DOTALL | re.IGNORECASE,
        ),
        KINDS["dot"],
    ),
    (re.compile(r"\A\s*+(?:\[[^\]]*\]\s*+)?\(.*\)[^()]*;\s*\Z", re.DOTALL), KINDS["newick"]),
    (
        re.compile(r"\S\n[ |│]*/[ ]*(?:[|│][ ]*)*\\[ /|\\│]*\n"),
        "a drawing with slanted lines; write its tree as indented text",
    ),
    (
        re.compile(
            r"^[ \t]*+[|│┌┬┼+](?=[^\n]*[|│┐┬+][ \t]*+$)[-─ \t|│┬┼┴+]++\n[ \t]*+[^\W_][^\n|│]* {3,}[^\W_]",
            re.MULTILINE,
        ),
        "a drawing with several nodes in a row; write its tree as indented text",
    ),
    (
        re.compile(
            r"[^\W_] ?[─━]+ ?(?:┼|[┐┘╮╯┓┛][ \t]*+(?:$|[│┌└├]))|┤[ \t]*+├|[┐╮┓╗][ \t]++[┌╭┏╔]", re.MULTILINE
        ),
        "a drawing with several nodes in a row or branches to the left; write its tree as indented text",
    ),
    (
        re.compile(r"\A(?:(?![ \t]*+[-*+#])[^\n]*+\n){1,4}?[ \t]*+[↓⬇⇩▼]\ufe0f?[ \t]*+$", re.MULTILINE),
        "a flow with arrows; write its tree as indented text",
    ),
    (re.compile(r"\A(?:%YAML\b|\{\s*[^\s\"'{}\[\]:,][^{}\[\]:,\n]*:\s)"), KINDS["yaml"]),
    (re.compile(r"\A\s*+\{(?!\s*+[\"'}]).*\}\s*\Z", re.DOTALL), KINDS["brackets"]),
    (
        re.compile(r"^(?:#\+(?:TITLE|(?:SEQ_)?TODO|OPTIONS):|:PROPERTIES:$)", re.MULTILINE | re.IGNORECASE),
        KINDS["org"],
    ),
    (re.compile(r"\A\s*+#!/"), "a script"),
    (
        re.compile(r"\A\s*+(?:[^\s.]*+\.)++(?:json|md|txt|mm|opml|xmind|csv|mmd|puml)\s*+\Z"),
        "the name of a file; give what is in it (read_map reads a file by its name)",
    ),
    (
        re.compile(
            r"^\.(?:PHONY|SUFFIXES|DEFAULT_GOAL)\b|^\t[^\n$]*+\$(?:\([A-Z_]{2,}+\)|[@<^](?=\s))|"
            r"^[\w.%/-]++:(?:[ \t]++[\w.%/-]++)*+\n\t[@-]?(?:\w++ --?[A-Za-z]|"
            r"(?:rm|cp|mv|mkdir|python3?|pip|npm|npx|cargo|gcc|cc|docker) |go (?:build|test|run|mod|vet) )",
            re.MULTILINE,
        ),
        "a Makefile",
    ),
    (
        re.compile(
            r"\A\s*+(?:[#;][^\n]*+\s*+)*+\[[\w .:\"-]+\]\s*+(?:[a-z][\w.-]*+ ?=|[\w.-]++=)|"
            r"\A[\w-]++:[^:\s]*+:\d++:\d*+:"  # users of a computer
        ),
        KINDS["settings"],
    ),
    (
        re.compile(r"\A\s*+(?:[#%][^\n]*+\s++)*+@[a-z]+\{[^\s,{}]*+,", re.IGNORECASE),
        "a bibliography (BibTeX)",
    ),
    (re.compile(r"\A\s*+BEGIN:V[A-Z]+$", re.MULTILINE), "a calendar or contact"),
    (re.compile(r"^(?:\d\d:)?\d\d:\d\d[,.]\d{3} --> ", re.MULTILINE), "a file of subtitles"),
    (
        re.compile(r"^(?:diff -{2}git |commit [0-9a-f]{7,40}$|--- \S[^\n]*+\n\+\+\+ \S)", re.MULTILINE),
        "a list of changes (diff)",
    ),
    (
        re.compile(
            r"\A\s*+(?:\$ (?:\./|(?:apt|brew|cat|cd|conda|curl|docker|echo|find|git|go|grep|kubectl|ls|make|mkdir|"
            r"npm|pip3?|pytest|python3?|ssh|sudo|uv)\b)|[\w.-]++@[\w.-]++:[^\n$#]*+[$#] \S|PS [A-Z]:\\|"
            r">>> (?:import |from |[a-z_][\w.]*+ ?[=(\[])|"
            r"[A-Z]:\\[^\n>]*+>|Collecting \S++\n|Requirement already satisfied: |"
            r"[^\n]*+\n-{3,}+(?: ++-{3,}+)++[ ]*$)|^[-dl](?:[r-][w-][-xst]){3}[.+@]?[ ]++\d|"
            r"^=++ (?:test session starts|FAILURES|short test summary info) =++$|"
            r"^[^\s:]++::\w\S*+ (?:PASS|FAIL|SKIPP)ED\b",
            re.MULTILINE,
        ),
        "the output of a command",
    ),
    (
        re.compile(
            r"\A\s*+(?:(?:from|to|cc|subject|date|sent|reply-to|received|return-path|mime-version|message-id): "
            r"[^\n]*+(?:\n[ \t]+[^\n]*+)*+\n){3}",
            re.IGNORECASE,
        ),
        "an e-mail",
    ),
)

_LICENCE = re.compile(
    r"\A(?:(?![ \t]*+(?:[-*+]|#{2,6}) )[^\n]*+\n){0,40}?[ \t]*+"
    r"(?:Permission is hereby granted|Redistribution and use in source|Everyone is permitted to copy|"
    r"TERMS AND CONDITIONS FOR USE, REPRODUCTION|"
    r"Licensed under the Apache License|Permission to use, copy, modify|This program is free software|"
    r"THE SOFTWARE IS PROVIDED|THIS SOFTWARE IS PROVIDED|Format: https?://[^\n]*copyright-format)",
    re.IGNORECASE,
)

# Comments and docstrings, closed or not.
_COMMENT = re.compile(
    r"^[ \t]*+/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)|\"{3}(?:[^\"]|\"(?!\"\"))*+(?:\"{3}|\Z)|"
    r"'{3}(?:[^']|'(?!''))*+(?:'{3}|\Z)|^[ \t]*+#(?:[ \t!-/:-@]|$)[^\n]*+",
    re.MULTILINE,
)
_LISTED = re.compile(r"[ \t]*+(?:(?:[-*+>•◦▪·]|\w{1,3}[.)])[ \t]++\S|[├└│╰┌|]|#{2,6} \S)")
_OPERATOR = re.compile(r"\w\(|[\w\])\"'] ?[-+*/|&:]?= ?|->|::")
# Beginnings of lines that are nothing else than code, and of those that may be.
_SURE_ENDS = ("];", "},", "],", "};", "&&", "||", "\\", "*/", "/>", "; do", "; then")
_SURE = re.compile(
    r"[ \t]*+(?:#[ \t]*+(?:include|define|undef|if|ifdef|ifndef|elif|endif|pragma|error)\b|//|"
    r"<\w++ \w[^<>]*=|@[\w.]++\(|\$\{?\w++\}? ?(?:[-+.*]?=|->|[(\[])|<[?%]|\.[A-Z]{2}\b|\.\\\"|[\])}]|"
    r"(?:(?:async|export|default|public|private|protected|static|pub) )*+"
    r"(?:def|function|func|fn|sub|proc) [\w.:*<>]++ ?[({]|"
    r"from [\w.]++ c?import |import \w++\.\w|"
    r"(?:FROM|RUN|COPY|ADD|WORKDIR|CMD|ENV|ARG|EXPOSE|ENTRYPOINT|SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|"
    r"ALTER|DROP) (?=[^\n]*[a-z=(\[/*])\S|(?:use|using) \w++(?:::|\.)|require\([\"']|"
    r"(?:source|gem|require|include|plugin|apply|puts|echo) [\"']|\w++: ?[\w.]++\[.*\]$|"
    r"(?:(?:export|const|let|var|val|local|my|our) )?[\w.$\[\]]++ ?[-:+.]?= ?"
    r"(?:[\"'$]|\w[\w.]*+\(|(?:True|False|None|true|false|null)\b)|"
    r"[\"']use strict|module\.|[\w.]++ <- |(?:el)?if \[|[\w.]++\([\"'$])"
)
_MAYBE = re.compile(
    r"[ \t]*+(?:[\w.:>$!-]++\(.*\)$|</?\w[^<>]*>;?$|[\"'].*[\"'],?$|[\"'][\w. /-]*[\"'] ?: |@[\w.]++$|"
    r"[\w\"']++: .*,$|[^=]*[\w\])\"' .:+*/%|&^<-]=[ \t]?\S|"
    r"(?:if|elif|while|for|with|except|case|when|class|def|async|trait|enum|struct|interface|module) .*:?$|"
    r"(?:else|try|finally|do|then|fi|done|esac|end|begin|break|continue|pass|endif|loop|next)[;:]?$|"
    r"(?:import|from|use|using|require|package|return|raise|throw|yield|await|delete|del|assert|goto|exit|echo|"
    r"export|local|unset|source|extern|typedef|call|cimport|cdef|cpdef|const|let|var|val|static|void|int|char|float|"
    r"double|bool|auto|my|our|pub|mut|impl|namespace|gem|plugin|apply|puts|print) \S)"
)
_YAML_VALUE = re.compile(
    r"[\w\"'-]: (?:[\"'\[{|>&*!$./]|[a-z][\w.-]*+[:/]\w|(?:true|false|null|~)$)|^ *+- [\"'\[{]"
)
# A number or a letter, and a tab in front of an item.
_NUMBER = re.compile(r"^\s*+(?:\d{1,3}(?:\.\d{1,3})*+[.)]?|[A-Za-z][.)])\t(?=[^\W\d_])")
# Typical lines; a text in which most are of one kind is refused.
_LINES = (
    (
        re.compile(
            r"\A\s*+(?:\[ *+\d++\.\d{6}\]|\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d| \[?[A-Z]{4})|"
            r"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d |\d\d:\d\d:\d\d\b|\d{1,3}(?:\.\d{1,3}){3} |"
            r"(?:INFO|DEBUG|WARN|WARNING|ERROR|TRACE)\b)|at [\w.$<>]++\(.*\)$|"
            r"Traceback \(|File \"[^\"]*\", line \d)"
        ),
        "a log",
    ),
    (re.compile(r"\A\s*+(?:- )?[a-z_$][\w.-]*+:(?: \S|$)"), KINDS["yaml"]),
    (
        re.compile(r"\A\s*+(?:[A-Z][A-Z0-9]*+_[A-Z0-9_]*+=|[\w.-]++[=<>~!]=\d|(?:[\d*/,-]++[ \t]+){5}\S)"),
        KINDS["settings"],
    ),
    (
        re.compile(r"\A(?:[!/]?\*{1,2}[./][\w.*/-]+|[!/.][\w.*/-]+|[\w.*-]+/)$"),
        "a list of file names (.gitignore)",
    ),
)

_FORMULAS_AND_CODE = re.compile(r"`{3,}[^`]*`{3,}|`[^`\n]*`|\$\$[^$]*\$\$|\$[^$\n]*\$")
_LATEX = re.compile(r"\\begin\{\w+\*?\}|^[ \t]*+\\(?:item\b|[A-Za-z]{2,}\*?\s?[\[{])", re.MULTILINE)
_PAGE_PARTS = {"body", "main", "article", "section", "div", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6"}


def text_kind(document: Document) -> str | None:
    """The kind of a refused text that only the most general formats accept, if it is recognised."""
    text = document.text
    bare = _FORMULAS_AND_CODE.sub("", text)
    element = root_name(text) or ""
    is_page = element.lower() == "html" or (element.lower() in _PAGE_PARTS and "<li" in text.lower())
    is_xml = text.lstrip().startswith(("<?xml", "<!DOCTYPE")) or text.rstrip().endswith(f"</{element}>")
    other = f"XML with the root element <{element[:40]}>; {EXPORT} from the program that made it"
    return (
        (KINDS["page"] if is_page else None)
        or ("LaTeX; write its tree as indented text" if _LATEX.search(bare) else None)
        or ("a licence" if _LICENCE.search(text) else None)
        or next((kind for sign, kind in _TEXTS if sign.search(bare)), None)
        or _ELEMENTS.get(element.lower(), other if element and is_xml else None)
        or _ENDINGS.get(PurePath(document.name or "").suffix.lower())
        or _kind_of_lines([line for line in bare.split("\n") if line.strip()])
        or ("source code" if is_code(text) else None)
    )


def _kind_of_lines(lines: Sequence[str]) -> str | None:
    """The kind of a text of which the first and most lines are of one kind, if it is recognised."""
    stripped = [line.rstrip() for line in lines if not line.startswith(("#", "---"))]  # without comments
    if len(stripped) < 3:
        return None
    separators = {
        tuple(map(row.count, ",;\t")) for row in without_pages([_NUMBER.sub("", line) for line in lines])
    }
    if len(separators) == 1 and any(*separators) and all(re.match(r"[\w\"']", line) for line in lines):
        return "a table without the columns of an edge list; name them parent,child or id,parent,text"
    is_nested = ": " in stripped[0] and any(line.endswith(":") for line in stripped)
    has_values = 8 * sum(map(bool, map(_YAML_VALUE.search, stripped))) >= len(stripped)
    has_front_matter = lines[0].startswith("---") and any(line.startswith("---") for line in lines[1:])
    found = (
        kind
        for sign, kind in _LINES
        if (
            (is_nested or has_values) and not has_front_matter
            if kind == KINDS["yaml"]
            else sign.search(stripped[0])
        )
        and 2 * sum(map(bool, map(sign.search, stripped))) >= len(stripped)
    )
    return next(found, None)


def is_code(text: str) -> bool:
    """Return True if many lines look like source code, and some can be nothing else.

    Comments don't count, and lines of lists are never code.
    """
    lines = [line.rstrip() for line in _COMMENT.sub("", FENCED.sub("", text)).split("\n") if line.strip()]
    rest = [line for line in lines if not _LISTED.match(line)]
    code = [
        line
        for line in rest
        if line.endswith((";", "}", "):", "),")) or _MAYBE.match(line) or _is_surely_code(line)
    ]
    sure = list(filter(_is_surely_code, code))
    share = 3 if len(lines) > 12 else 2  # of the lines of a short text, half are to look so
    is_most = share * len(code) >= len(rest) and len(code) > 4 * (len(lines) - len(rest))
    heads = {
        above
        for above, line in pairwise(lines)
        if len(above) - len(above.lstrip()) < len(line) - len(line.lstrip())
    }
    # A map of code has one root, and words above others.
    is_map = heads.isdisjoint(code) and all(line[0].isspace() for line in lines[1:])
    return is_most and 10 * len(sure) >= len(rest) and not is_map


def _is_surely_code(line: str) -> bool:
    is_open = any(line.count(left) > line.count(right) for left, right in ("()", "[]", "{}"))
    is_statement = line.endswith((";", "):", "),")) and _OPERATOR.search(line) is not None
    return is_open or is_statement or line.endswith(_SURE_ENDS) or _SURE.match(line) is not None
