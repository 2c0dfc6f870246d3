"""The settings of the documentation site, which `make docs` builds into build/site.

Its pages are Markdown files and notebooks of the repository, unchanged: their links work on the site as in the
repository. The report on the paper is copied beside the pages, from the folder `report` in the folder that the
environment variable HEADPROOF_REPORT names.
"""

from __future__ import annotations

import os
import re
import sys
from functools import partial
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

import headproof

project = html_title = "Headproof"
author = copyright = "The Headproof authors"
root_doc = "docs/index"
include_patterns = ["docs/**.md", "notebooks/*.ipynb", "formal/README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
exclude_patterns = ["build", ".*"]
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.extlinks"]

html_theme = "furo"
html_static_path = ["site/style.css"]
html_css_files = ["style.css"]
html_extra_path = ["site/index.html", os.environ["HEADPROOF_REPORT"]]
html_math_renderer = "mathml"
html_copy_source = html_show_sphinx = False

extlinks = {"report": ("../report/%s", "%s")}
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "off"  # the tests execute notebooks, and compare
highlight_language = "text"
smartquotes = False  # p'beta is a transpose
suppress_warnings = ["myst.xref_missing"]  # anchors that are HTML: the tests follow every link

sys.modules["hp"] = headproof  # under which name pages and sessions import it
autodoc_default_options = {"members": True}
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
maximum_signature_line_length = 88


LETTERS = re.compile(r"([\\|_]|(?<!\*)\*(?!\*))")
"""Characters that are markup in reStructuredText, but plain letters in docstrings: backslash, bar, _ and a single *."""


def setup(app: Sphinx) -> None:
    """Tell Sphinx how docstrings become reStructuredText, that formulas become MathML, and that Mermaid stays text."""
    app.connect("autodoc-process-docstring", docstring)
    app.add_html_math_renderer("mathml", (formula, None), (partial(formula, display="block"), None))
    app.add_lexer("mermaid", TextLexer)


def docstring(app: Sphinx, what: str, name: str, of: Any, options: Any, lines: list[str]) -> None:
    """Turn the lines of a docstring into reStructuredText, paragraph by paragraph, in place."""
    lines[:] = "\n\n".join(map(paragraph, "\n".join(lines).split("\n\n"))).split("\n")


def paragraph(text: str) -> str:
    """Turn one paragraph into reStructuredText. The only markup that it may have is `code` and **bold**.

    An indented paragraph becomes a block of code. A doctest stays as it is.
    """
    if text.startswith("    "):
        return f"::\n\n{text}"
    if text.startswith(">>>"):
        return text
    parts = text.split("`")  # every other one is code
    return "".join(rf"``{one}``\ " if i % 2 else LETTERS.sub(r"\\\1", one) for i, one in enumerate(parts))


def formula(self: Any, node: nodes.math | nodes.math_block, **options: str) -> None:
    """Write a formula in MathML: within a line of text, or as a block of its own."""
    self.body.append(convert(node.astext().replace(r"\arg", r"\operatorname{arg}"), **options))
    raise nodes.SkipNode
