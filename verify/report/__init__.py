"""The report: HTML pages of the paper's statements and of models, with pictures and certificates, in one folder.

Here: the paper as a graph (paper.toml) with its committed layout (layout.json), the state of each statement, what
stands on each kind of page, the templates and the one style sheet. Not here: what is decided (`prover`), pictures
themselves (`views.plots`), readings of statements (`views`).
"""
