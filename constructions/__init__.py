"""The paper's mathematics, executable: models, tasks, G and Gbar, assumptions, and the theorems' heads and prompts.

Notation of all files but those of `verify.kernel`, which has its own. There are n hidden states, k tokens and K labels.
A vector has an entry for each state, unless its line says otherwise.

    u o v, u'v     the elementwise product and the inner product; supp(v) has the states at which v is not 0
    A, W           transition (n, n) and emission (k, n), with distributions in their columns:
                   A[h',h] = P(H_i = h' | H_{i-1} = h), W[z,h] = P(X_i = z | H_i = h). H_0 emits no token
    P[H_0]         the law of the start, also p0; P[H_1] = A P[H_0], also p1
    x, X_-i        a text x_1, ..., x_t, and its tokens but for the one at i. An input is a text of probability > 0
    beta(x)        the likelihood P[X = x | H_0]: beta(z x) = A'(W[z,:] o beta(x)), and 1 for the empty text
    tau_i          P[H_i, X_-i = x_-i]
    mu, F*(x)      the task, a row mu_l for each label, and the label arg max_l mu_l'P[H_0 | X = x]: in a tie the
                   largest. A single row mu stands for the rows 0 and mu
    G_i(x)         P[X_i | X_-i = x_-i], (k,): the output of a perfect masked language model; 0 where it is 0/0
    E              a token in front of the text. A linear head reads G_1(E, x), which does not depend on the token
    u, ztilde      a soft prompt: as if a token ztilde with Pr(ztilde | H_1 = h) = u_h in [0, 1] stood in front of E
    Xhat, Gbar_i   the text with the prompt in front, and G behind the prompt. A linear head reads Gbar_2
    b, W+          the rows of a head, b_l (k,), and a left inverse of W
    B, H*          in 3.5 and 3.6: the states at which the prompt is 1, and those to which one step leads from B

With memory (section 4) H_i = (j, s) is the cell j that is read, and a syntax state s.

    M              the memory: a value for each of N cells
    (m, h)         for a value m of one cell: the column of W of hidden state h, if the cell that h reads has this value
    Hbar           the chain of pairs (memory, hidden state), a vanilla HMM
    j*, M*         the task's cell, and supp(mu), a set of its values. F*(x) is arg max_l mu_l'P[M_j* | X = x]
    H*, S*         the hidden states (j*, s) with s in S*, a set of syntax states
    Ihat(x), R     the positions i with supp(P[H_i | X_-i = x_-i]) in H*, and the inputs that have such a position
    q, K, V, Attn  an attention head: position i has the score q'(K(G_i) + beta_i), with an embedding beta_i of the
                   position. Attn is the mean of the values V(G_i, e(x_i)) at the positions with the largest score

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
