"""The site: run the notebooks, lay out the pages, swap them in."""
