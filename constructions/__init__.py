"""The paper's mathematics, executable: models, tasks, G and Gbar, assumptions, and the theorems' heads and prompts.

Numbers. A model has rational numbers, tuples of `Fraction`. Messages and scores matter only up to a positive scale, so
they are computed in integers, without a denominator (`fields`). Messages and heads are plain array expressions: the
same code works on integers, fractions, float64, rational functions and torch batches. FLINT solves linear equations
(`linear`). No verdict depends on floats.

Here: the objects that the paper defines and builds, evidence that an assumption holds or fails, reading of model files,
and views of all these. Not here: verdicts on statements (`verify`), and code that needs a learning library (`learned`).
"""

import os

# Near the border of F* thousands of products of small matrices are computed. With a thread for each core, NumPy's
# threads wait for each other, and take ten times the processor time. NumPy reads this variable when it is loaded.
# PyTorch reads OMP_NUM_THREADS instead.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
