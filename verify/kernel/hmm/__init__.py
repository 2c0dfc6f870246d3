"""Theorems 3.3 and 3.6 on vanilla models: words and labels, assumptions 3.1, 3.2 and 3.5, and heads that serve.

Notation of all files of this package. A vector has an entry for each of the n hidden states, unless its line says
otherwise:

    u o v, u'v     the elementwise product and the inner product
    A, W           the transition, n x n, and the emission, a row for each of k tokens:
                   A[h',h] = P(H_i = h' | H_{i-1} = h), W[z,h] = P(X_i = z | H_i = h)
    p0, p1         the laws of H_0 and of H_1, p1 = A p0
    beta(y)        the likelihood P[X_{1:|y|} = y | H_0] of a word y:
                   beta(empty) = (1, ..., 1), beta(z y) = A'(W[z,:] o beta(y)) for a token z
    alpha(w)       the prediction P[X_{1:|w|} = w, H_{|w|+1}] after a word w:
                   alpha(empty) = p1, alpha(w z) = A(W[z,:] o alpha(w))
    mu_l           the task, a row for each of K labels; supp(mu) has the states at which some row is not 0
    F*(x)          the label of x: of the scores (mu_l o p0)'beta(x) the largest wins, and of equal scores the largest l
    u, b_l         a prompt, with entries in [0,1], and the rows of a head, one for each label; b_l is over tokens

The probability of a word x is Pr(x) = p0'beta(x). An *input* is a word of length >= 1 and probability > 0. A head
*serves* an input x if it gives x the label F*(x).

Here: also the rules that `memory` uses for Hbar, the chain of memory and state. Not here: rules about memories, and the
lemmas.
"""
