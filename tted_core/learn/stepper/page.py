"""The step player as one HTML file, for slides or the page of a course: it asks for nothing besides.

Its scripts and data stand in the file, and a content security policy forbids every request. The step stands behind
the address as ``#step=12``.
"""

import json
from html import escape
from typing import Any

from tted_core.learn.stepper import FOLDER, SCRIPTS, SHARED_SCRIPTS
from tted_core.report.component import sources
from tted_core.report.palette import SURFACE
from tted_core.version import VERSION

BY_HAND = "Deleting, inserting and replacing cost 1, equal texts 0."
BY_MODEL = "Costs are cosine distances of {encoder}, without context, rounded to three decimals."
KEYS = "Keys: ← and →, or Page Up and Page Down: a step; space: play; f: fill the screen."
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"


def stepper_page(data: dict[str, Any], costs: str) -> str:
    """The page of what ``player_data`` gives; ``costs`` says where the costs come from, as a sentence."""
    component = sources(FOLDER, SCRIPTS, SHARED_SCRIPTS)
    title = escape(data["title"])
    content = json.dumps({**data, "alone": True}).replace("<", "\\u003c")
    script = component.js.replace("export default function", "function mount")
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; {_variables()} }}
body {{ margin: 0; padding: 12px 16px; background: var(--st-background-color); color: var(--st-text-color);
  font: 17px/1.4 var(--st-font); }}
h1 {{ font-size: 1.2em; margin: 0 0 .4em; }}
#stepper {{ --size: 17px; }}
footer {{ margin-top: 1em; font-size: .8em; opacity: .8; }}
</style>
</head>
<body>
<h1>{title}</h1>
<div id="stepper"></div>
<footer>{escape(costs)} {KEYS} TTED {VERSION}</footer>
<script type="application/json" id="run">{content}</script>
<template id="content"><style>{component.css}</style>{component.html}</template>
<script>
"use strict";
{script}
const shadow = document.getElementById("stepper").attachShadow({{ mode: "open" }});
shadow.append(document.getElementById("content").content);
mount({{ parentElement: shadow, data: JSON.parse(document.getElementById("run").textContent) }});
</script>
</body>
</html>
"""


def _variables() -> str:
    """The theme's variables, which follow the reader's preference for light or dark."""
    light, dark = SURFACE["light"], SURFACE["dark"]
    values = {
        "text-color": f"light-dark({light['text']}, {dark['text']})",
        "background-color": f"light-dark({light['background']}, {dark['background']})",
        "secondary-background-color": "light-dark(#f0f2f6, #262730)",
        "primary-color": "light-dark(#2f6fab, #6cb0ee)",
        "font": "system-ui, sans-serif",
    }
    return " ".join(f"--st-{name}: {value};" for name, value in values.items())
