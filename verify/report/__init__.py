"""The report: HTML pages of the paper's statements and of models, with pictures and certificates, in one folder.

Here: the paper as a graph (paper.toml) with its committed layout (layout.json), the state of each statement,
the contents of each kind of page, the templates and the one style sheet. Not here: decisions (`prover`), the drawing of
pictures (`views.plots`), sentences about many verdicts (`views`).
"""
