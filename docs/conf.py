"""The documentation as a site: `make docs`."""

from __future__ import annotations

from dataclasses import is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, get_args, get_type_hints

from sphinx.addnodes import pending_xref
from sphinx.pycode import ModuleAnalyzer

import fliptable
import fliptable.testing
import fliptable_api.testing

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


def _describe_fields() -> None:
    """Have the fields of dataclasses whose texts are in ``Annotated`` shown as if these were docstrings."""
    for module in (fliptable, fliptable.testing, fliptable_api.testing):
        for kind in [getattr(module, name) for name in module.__all__]:
            if not (isinstance(kind, type) and is_dataclass(kind)):
                continue
            source = ModuleAnalyzer.for_module(kind.__module__)
            source.analyze()
            hints = get_type_hints(kind, include_extras=True)
            for name, hint in hints.items():
                for text in [extra for extra in get_args(hint)[1:] if isinstance(extra, str)]:
                    source.attr_docs[kind.__qualname__, name] = [text, ""]
            kind.__annotations__ = get_type_hints(kind)
            kind.__init__.__annotations__ = {**kind.__annotations__, "return": None}


def _to_readme(app: Sphinx, page: document) -> None:
    """Have links to the README lead to the first page of the site, which includes it."""
    readme = (Path(__file__).parents[1] / "README").as_posix()
    for link in page.findall(pending_xref):
        if link["reftarget"] == readme:
            link["reftarget"] = "index"


def setup(app: Sphinx) -> None:
    """See to it that links work on the site and where the project is hosted."""
    _describe_fields()
    app.connect("doctree-read", _to_readme)
