"""The documentation as a site: `make docs`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.addnodes import pending_xref

if TYPE_CHECKING:
    from docutils.nodes import document
    from sphinx.application import Sphinx

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


def _to_readme(app: Sphinx, page: document) -> None:
    """Have links to the README lead to the first page of the site, which includes it."""
    readme = (Path(__file__).parents[1] / "README").as_posix()
    for link in page.findall(pending_xref):
        if link["reftarget"] == readme:
            link["reftarget"] = "index"


def setup(app: Sphinx) -> None:
    """See to it that links work on the site and where the project is hosted."""
    app.connect("doctree-read", _to_readme)
