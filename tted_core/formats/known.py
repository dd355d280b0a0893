"""The formats there are: ``FORMATS``, in the order in which they are tried.

The special stand before the general: a text in two of them is taken for the first.
"""

from tted_core.formats.document import Format
from tted_core.formats.edges import EDGES
from tted_core.formats.indented import INDENTED, MERMAID
from tted_core.formats.json_programs import PROGRAMS
from tted_core.formats.markdown import MARKDOWN
from tted_core.formats.numbered import CMGN, NUMBERED, SENTENCES
from tted_core.formats.object_json import NESTED_JSON, OBJECT_JSON
from tted_core.formats.plantuml import PLANTUML
from tted_core.formats.records import RECORDS
from tted_core.formats.xmind import XMIND
from tted_core.formats.xml_programs import FREEMIND, MINDMANAGER, OPML, SIMPLEMIND

ARCHIVES = (XMIND, MINDMANAGER, SIMPLEMIND)
"""Formats that are zip archives themselves; any other archive holds maps."""

GENERAL = (NUMBERED, MARKDOWN, INDENTED)
"""Formats that take nearly any text; what they alone match may plainly be something else."""

FORMATS: dict[str, Format] = {
    entry.name: entry
    for entry in (
        *ARCHIVES,
        FREEMIND,
        OPML,
        CMGN,
        MERMAID,
        PLANTUML,
        SENTENCES,
        RECORDS,
        *PROGRAMS,
        OBJECT_JSON,
        NESTED_JSON,
        EDGES,
        *GENERAL,
    )
}
