"""The mapping as an interactive graph (networkx, drawn by pyvis)."""

from ui.mapping.graph.network import mapping_html

__all__ = ["mapping_html"]
