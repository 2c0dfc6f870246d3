"""Is there a head? The conclusions of theorems 3.3, 3.6, 4.3, 4.6 and C.6, with or without their hypotheses.

Here: heads that are right on all inputs (`linear`, `attention`), prompts for them (`proportions`), evidence that no
head is right (`no_*`, `near_border`), attention heads that fit some inputs (`fitted`), heads for many small models at
once (`served`), and the judge of a single attention head (`one_attention`).
Not here: how the paper builds its heads (`constructions`).
"""
