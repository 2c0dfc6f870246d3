"""The paper's mathematics, executable: models, tasks, G and Gbar, assumptions, heads and prompts, one file per theorem.

Numbers. A model is rational: tuples of `Fraction`. Whatever is computed from it matters only up to a positive scale, so
its working form is integers over a denominator that is dropped (`fields`). Messages and heads are plain array
expressions: the same code serves integers, fractions, float64, rational functions and torch batches. FLINT solves
linear equations (`linear`). No float reaches a verdict.

Here: what the paper defines and builds, the evidence that an assumption holds or fails, how a model file is read, and
how any of these is shown. Not here: verdicts on statements (`verify`), and anything that needs a learning library
(`learned`).
"""

import os

# Near the border of F* small matrices are multiplied by the thousand, and NumPy's threads wait for each other: with one
# for each core that takes ten times the processor time. NumPy reads this when it is loaded; PyTorch's threads are told
# by OMP_NUM_THREADS.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
