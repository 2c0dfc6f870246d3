"""The settings of the documentation site, which `make docs` builds into build/site.

Its pages are the files as they stand in the repository, whose links to one another lead somewhere there, too. The
report of the paper is copied beside them: HEADPROOF_REPORT names a folder in which it is `report`.
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

project, author = "Headproof", "The Headproof authors"
copyright = author
root_doc = "docs/index"
include_patterns = ["docs/**.md", "notebooks/*.ipynb", "formal/README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
exclude_patterns = ["build", ".*"]
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.extlinks"]

html_theme, html_title = "furo", "Headproof"
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
"""What is markup in reStructuredText, and a letter of ours."""


def setup(app: Sphinx) -> None:
    """Let docstrings and formulas be what they are: plain text, and MathML that needs no script."""
    app.connect("autodoc-process-docstring", docstring)
    app.add_html_math_renderer("mathml", (formula, None), (partial(formula, display="block"), None))
    app.add_lexer("mermaid", TextLexer)


def docstring(app: Sphinx, what: str, name: str, of: Any, options: Any, lines: list[str]) -> None:
    """Turn a docstring into reStructuredText: paragraphs with code between backticks, and what is indented."""
    lines[:] = "\n\n".join(map(paragraph, "\n".join(lines).split("\n\n"))).split("\n")


def paragraph(text: str) -> str:
    """Turn one paragraph, in which code and what is bold are all the markup."""
    if text.startswith("    "):
        return f"::\n\n{text}"
    if text.startswith(">>>"):
        return text
    parts = text.split("`")  # every other one is code
    return "".join(rf"``{one}``\ " if i % 2 else LETTERS.sub(r"\\\1", one) for i, one in enumerate(parts))


def formula(self: Any, node: nodes.math | nodes.math_block, **options: str) -> None:
    """Write a formula in MathML: within a line, or as a block that has one to itself."""
    self.body.append(convert(node.astext().replace(r"\arg", r"\operatorname{arg}"), **options))
    raise nodes.SkipNode
