"""The mapping as an interactive graph (networkx, drawn by pyvis)."""

from ui.mapping.graph.network import LAYOUTS, mapping_html

__all__ = ["LAYOUTS", "mapping_html"]
