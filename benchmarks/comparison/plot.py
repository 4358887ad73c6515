"""Curves as an SVG, with nothing to install."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from comparison.retention import Curve

_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 720, 420, 60, 30, 190, 50
_COLOURS = ("#b3361f", "#1f5fb3", "#2f8f4e", "#8a5fb0", "#7a7a7a", "#c08a1e")


def svg(
    curves: Sequence[Curve], title: str, tick: Callable[[float], str] = lambda share: f"{share:.0%}"
) -> str:
    """Retention against the share of the input that is kept, or against what `tick` writes."""
    most = max((share for curve in curves for share, _ in curve.points), default=0.5)

    def x(share: float) -> float:
        return _LEFT + share / most * (_WIDTH - _LEFT - _RIGHT)

    def y(kept: float) -> float:
        return _TOP + (1 - kept) * (_HEIGHT - _TOP - _BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        f'<text x="{_LEFT}" y="18" font-size="14">{escape(title)}</text>',
    ]
    for step in range(6):
        kept = step / 5
        parts.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(kept):.1f}" y2="{y(kept):.1f}" '
            'stroke="#ddd"/>'
            f'<text x="{_LEFT - 8}" y="{y(kept) + 4:.1f}" text-anchor="end">{kept:.1f}</text>'
        )
    ticks = sorted({share for curve in curves for share, _ in curve.points})
    for share in ticks:
        parts.append(
            f'<text x="{x(share):.1f}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle">'
            f"{tick(share)}</text>"
        )
    for number, curve in enumerate(curves):
        colour = _COLOURS[number % len(_COLOURS)]
        line = " ".join(f"{x(share):.1f},{y(kept):.1f}" for share, kept in curve.points)
        wide = 3 if number == 0 else 1.5
        parts.append(
            f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="{wide}"/>'
        )
        place = _TOP + 18 + number * 20
        parts.append(
            f'<text x="{_WIDTH - _RIGHT + 14}" y="{place}" fill="{colour}">'
            f"{escape(curve.method)}</text>"
        )
    parts.append("</svg>")
    return "\n".join(parts) + "\n"
