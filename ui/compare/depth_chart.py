"""TTED@k as a small bar chart: where, from the root down, the distance comes from."""

from collections.abc import Sequence

HEIGHT = 30
SHOWN = 20
"""Bars drawn at most; of deeper maps, the first levels."""


def depth_chart(tted_at: Sequence[float]) -> str:
    """HTML with one bar per k, its value as a tooltip (Streamlit's sanitizer lets no SVG through)."""
    shown = tted_at[:SHOWN]
    top = max(shown) or 1.0
    values = ", ".join(f"{value:.3f}" for value in shown)
    bars = "".join(
        f'<div title="TTED@{k} = {value:.4f}" style="text-align:center;font-size:.7rem;line-height:1.1">'
        f'<div style="width:16px;height:{max(1, round(value / top * HEIGHT))}px;background:currentColor;'
        f'opacity:.55;border-radius:2px 2px 0 0"></div>{k}</div>'
        for k, value in enumerate(shown, start=1)
    )
    return (
        f'<div role="img" aria-label="TTED at k: {values}" style="display:flex;gap:5px;align-items:end;'
        f'height:{HEIGHT + 14}px">{bars}</div>'
    )
