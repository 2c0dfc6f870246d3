"""Pictures of one model and task, or of a verdict on them, with Matplotlib (the extra `plots`).

Here: one file a picture, each a function that draws exact numbers on an Axes and returns it; and what they share: one
style, the subject, its inputs, exact clipping, and labels that do not cover each other. Not here: the numbers
themselves (`margin`, `shown.explain`, `constructions`), or pages that pictures stand in.

    from verify.shown.plots.simplex import simplex
    simplex(verify("3.3", model, task))
"""
