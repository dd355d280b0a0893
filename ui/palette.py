"""The operations' looks, under the name by which the views know them; the core's reports look the same."""

from tted_core.report.palette import OP_STYLES, STYLES, SURFACE, OpStyle, css_colours

__all__ = ["OP_STYLES", "STYLES", "SURFACE", "OpStyle", "css_colours"]
