"""The formats there are: ``FORMATS``, in the order in which they are tried.

The special stand before the general.
"""

from tted_core.formats.document import Format
from tted_core.formats.indented import INDENTED
from tted_core.formats.markdown import MARKDOWN
from tted_core.formats.nested_json import NESTED_JSON
from tted_core.formats.numbered import NUMBERED
from tted_core.formats.object_json import OBJECT_JSON

FORMATS: dict[str, Format] = {
    entry.name: entry for entry in (OBJECT_JSON, NESTED_JSON, NUMBERED, MARKDOWN, INDENTED)
}
