"""Theorems 4.3, 4.6 and C.6 on memory models: R, assumptions 4.2, 4.5 and C.5, and whether an attention head serves.

Notation of all files of this folder (section 10 of docs/certificate-format.md), besides that of hmm/__init__.py:

    (m_1..m_N)     a memory: a value for each of N cells; it is possible if its probability is > 0
    h = (j, s)     a hidden state: the cell j that is read, and a syntax state s
    pi, T          the law of H_0, and the transition of the hidden states
    (m, h)         a column of W, for a value m: W[z,(m,h)] = P(X_i = z | M_j = m, H_i = h) for h = (j, s);
                   or a state of Hbar, for a memory m; the column of this state is (m_j, h)
    Hbar           the vanilla model of the pairs (m, h); A, p0, p1, alpha and beta are those of Hbar
    tau_i(x)       alpha(x_1..x_{i-1}) o beta(x_{i+1}..x_t) = P[state of Hbar at i, X_-i = x_-i]
    j*, mu_l       the task's cell, and its row over values for label l; F*'s score l of x is mu_l'P[M_j* | X = x]
    M*             supp(mu): the values at which some mu_l is not 0
    H*             a set of hidden states (j*, s); a claim names it
    Ihat(x), R     the positions i of x at which tau_i(x) is positive only at states (m, h) with h in H*;
                   R has the inputs x for which Ihat(x) is not empty
    G_i(x)         the masked output: W times the vector of P[the column at i is (m, h) | X_-i = x_-i]
    u, u*          a prompt, over the states of Hbar; u* is 1 where m_j* is in M*, and 0 elsewhere
    tauhat_i(x)    tau_i behind a prompt: with alphahat(empty) = A(u o p1) in the place of alpha(empty) = p1;
                   tauhat_0 = p1 o beta(x) is that of the prompt's own position
    Gbar_{i+1}     the output behind a prompt: as G_i(x), with tauhat_i(x) for tau_i(x); 0 where tauhat_i(x) = 0

An attention head has a vector w = key'query, a number g_i for each position, and vectors v_l(z) = value'(b_l o e(z)),
with an embedding e(z) of each token z. Position i has the score w'G_i + g_i. The head attends to the positions of the
largest score. Score l of x is the sum of v_l(x_i)'G_i over these positions.

Here: rules that use only `base` and `hmm`. Not here: rules that only lemmas C.1 to C.15 need (`lemmas`).
"""
