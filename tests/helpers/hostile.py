"""Texts that something between a map and the screen could take for markup, code or a command."""

HOSTILE = (
    "<img src=x onerror=window.top.hits++>",
    "</script><script>window.top.hits++</script>",
    "[a](javascript:window.top.hits++) href=x {{ 7 * 7 }}",
    "**b** _i_ `c` :red[x] $a$ ~~s~~ # h",
    "\u202egnihtyreve snruter\u202c",  # right-to-left override
    "👩‍🔬 العربية mixed with English 🏳️‍🌈",
    "long " * 1998 + "<b>the end",  # 10,000 characters
)

COUNT_HITS = "window.hits = 0"
"""Run this in the page before anything else; whatever runs of the texts raises the count."""
