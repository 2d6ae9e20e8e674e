"""The documentation as a site: `make docs`."""

from __future__ import annotations

project = "Fliptable"
author = "Fliptable contributors"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["example-plugin", "_build"]
html_theme = "furo"
html_title = "Fliptable"
html_copy_source = False
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_class_signature = "separated"
autodoc_default_options = {"members": True, "show-inheritance": False, "exclude-members": "__init__, __new__"}
# Signatures name types as they are imported; not every one of them has a page.
nitpicky = False
# Pages are read where the project is hosted too, so they link to files outside of docs/.
suppress_warnings = ["myst.xref_missing", "myst.header", "misc.highlighting_failure"]
