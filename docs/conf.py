"""Settings of the manual. Built with every warning as an error: scripts/docs."""

import importlib.metadata

project = "Shipbar"
author = "the Shipbar authors"
copyright = author
release = importlib.metadata.version("shipbar")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
]
exclude_patterns = ["_build"]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "description"
# References to our own names must resolve; nobody else's manual is fetched for theirs.
nitpick_ignore_regex = [("py:.*", r"(?!shipbar\b).*")]

html_theme = "furo"
html_title = f"{project} {release}"
