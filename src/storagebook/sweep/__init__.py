"""A reader's own sweep: points of any supported tool, curves, saturation, published tables."""
