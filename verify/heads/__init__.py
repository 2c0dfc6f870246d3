"""Is there a head? The conclusions of theorems 3.3, 3.6, 4.3, 4.6 and C.6, with or without their hypotheses.

Here: heads that are right on all inputs (`linear`, `attention`), evidence that none is (`no_*`), heads that fit some
inputs (`fitted`), or the inputs of many models at once (`served`), and the judge of one given attention head.
Not here: how the paper builds its heads (`constructions`).
"""
