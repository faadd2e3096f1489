"""Figures of pages as SVG, drawn from rows.

Horizontal positions are in percent; vertical ones and text are in pixels. So one picture fits
phones and wide screens without shrinking its text, and what does not overlap at the narrowest width
never overlaps. Colours and sizes are in `style/`, by class.
"""
