"""Mind-map file formats: ``read_map`` and ``parse_map`` recognise a format by its content and read it.

A format is one small module with a ``Format`` record and one line in ``recognition.FORMATS``. Its reader builds
a ``Forest`` of raw labels; decoding, limits, label repair and the way with several roots are shared. Readers of
JSON are made by ``json_format``, and take a parsed value.
"""

from tted_core.formats.document import Format, MindMap
from tted_core.formats.forest import ROOTS
from tted_core.formats.map_collections import AnyMap, as_map, maps_of, pairs_of
from tted_core.formats.reading import parse_map, parse_maps, read_map, read_maps
from tted_core.formats.recognition import FORMATS
from tted_core.formats.writing import WRITERS, Writer, map_text, write_map

__all__ = [
    "FORMATS",
    "ROOTS",
    "WRITERS",
    "AnyMap",
    "Format",
    "MindMap",
    "Writer",
    "as_map",
    "map_text",
    "maps_of",
    "pairs_of",
    "parse_map",
    "parse_maps",
    "read_map",
    "read_maps",
    "write_map",
]
