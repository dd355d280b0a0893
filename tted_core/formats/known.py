"""The formats there are: ``FORMATS``, in the order in which they are tried.

The special stand before the general: a text in two of them is taken for the first.
"""

from tted_core.formats.brackets import BRACKET, NEWICK
from tted_core.formats.document import Format
from tted_core.formats.dot import DOT
from tted_core.formats.edges import EDGES
from tted_core.formats.html_outline import HTML
from tted_core.formats.indented import INDENTED, MERMAID
from tted_core.formats.json_graphs import CANVAS, EDIST, NETWORKX
from tted_core.formats.json_programs import JSMIND, KITYMINDER, MARKMIND, MIND_ELIXIR, MINDMUP
from tted_core.formats.markdown import MARKDOWN, SCIARETO
from tted_core.formats.numbered import CMGN, NUMBERED, SENTENCES
from tted_core.formats.object_json import NESTED_JSON, OBJECT_JSON
from tted_core.formats.org import ORG, PLANTUML
from tted_core.formats.records import RECORDS
from tted_core.formats.xmind import XMIND
from tted_core.formats.xml_programs import FREEMIND, MINDMANAGER, OPML, SIMPLEMIND
from tted_core.formats.yaml_outline import YAML

ARCHIVES = (XMIND, MINDMANAGER, SIMPLEMIND)
"""Formats that are zip archives themselves; any other archive holds maps."""

GENERAL = (NUMBERED, YAML, MARKDOWN, INDENTED)
"""Formats that take nearly any text; what they alone match may plainly be something else."""

FORMATS: dict[str, Format] = {
    entry.name: entry
    for entry in (
        *ARCHIVES,
        FREEMIND,
        OPML,
        HTML,
        CMGN,
        MERMAID,
        PLANTUML,
        SENTENCES,
        RECORDS,
        JSMIND,
        KITYMINDER,
        MIND_ELIXIR,
        MINDMUP,
        MARKMIND,
        EDIST,
        CANVAS,
        NETWORKX,
        OBJECT_JSON,
        NESTED_JSON,
        SCIARETO,
        DOT,
        NEWICK,
        BRACKET,
        ORG,
        EDGES,
        *GENERAL,
    )
}
