"""Theorem 3.6: the prompt u = 1(B) and a linear head on Gbar_2(ehat(x)) give every input its label.

c = P[ztilde, H_2] = A (u o P[H_1]) is positive on H* and 0 elsewhere, so that only the columns of W in H* count:
b' = mu' diag(P[H_0] / c) (W[:,H*])^+ on H*. Where (ztilde, x) is impossible, both scores are 0.
"""

from verify.derivations.claim_a_1 import FULL_SUPPORT, POSSIBLE, first
from verify.derivations.judgments import equal, nonnegative, positive
from verify.derivations.laws import joint, same_at_all_times
from verify.derivations.lemma_b_1 import MIDDLE
from verify.derivations.lemma_b_2 import MESSAGE, POSTERIOR
from verify.derivations.lemma_b_2 import SCALE as SCALE_B_2
from verify.derivations.lemmas import Cases, Lemma, by, chain
from verify.derivations.messages import middle
from verify.derivations.outputs import NO_OUTPUT
from verify.derivations.terms import diag, inv, label, one, unit, zero
from verify.derivations.theories import (
    HMM,
    ONE,
    A,
    B,
    Gbar,
    H,
    Hstar,
    L,
    W,
    Wstar,
    X,
    begin,
    beta,
    e,
    in_b,
    in_star,
    law,
    lik,
    mu,
    p,
    p1,
    paper,
    post,
    pr,
    prompt,
    snoc,
    start,
    tau,
    x,
)

THEORY = HMM

behind = snoc(begin, prompt)
u = in_b @ one(B)
c = A @ (e(prompt) * p1)
on_star = in_star.T @ c
prior, now, posterior = p(start), lik(start, x), post(start, x)
total = one(H).T @ tau(behind, x)
r = pr(x) @ inv(total)

mu_star = (in_star.T @ mu).T
back_to_prior = diag((in_star.T @ prior) * inv(on_star))
score = mu_star @ back_to_prior @ Wstar @ Gbar(paper(behind, x))
task = mu.T @ posterior

INSIDE = Lemma(
    "prompt-inside",
    "behind the prompt of B, H_2 is in H*",
    equal(in_star @ on_star, c),
    [
        chain(
            c,
            ("prompt", A @ (u * p1)),
            ("arrangement", A @ (p1 * u)),
            ("projection", A @ (in_b @ ((in_b.T @ p1) * one(B)))),
            ("associativity", A @ in_b @ ((in_b.T @ p1) * one(B))),
            ("3.5:B-inside", in_star @ (in_star.T @ (A @ in_b)) @ ((in_b.T @ p1) * one(B))),
            ("associativity", in_star @ (in_star.T @ (A @ (in_b @ ((in_b.T @ p1) * one(B)))))),
            ("projection", in_star @ (in_star.T @ (A @ (p1 * u)))),
            ("arrangement", in_star @ (in_star.T @ (A @ (u * p1)))),
            ("prompt", in_star @ on_star),
        ),
        chain(in_star @ on_star, ("fact", c)),
    ],
    for_all={},
    paper="supp(A(u o P[H_1])) in H*",
)

step = in_star.T @ (A @ diag(e(prompt)))

REACHED = Lemma(
    "prompt-reaches",
    "behind the prompt of B, H_2 can be every state of H*",
    positive(on_star),
    [
        chain(
            in_star.T @ (A @ u),
            ("prompt", in_star.T @ (A @ e(prompt))),
            ("ones", in_star.T @ (A @ (one(H) * e(prompt)))),
            ("arrangement", in_star.T @ (A @ (e(prompt) * one(H)))),
            ("diagonal", in_star.T @ (A @ (diag(e(prompt)) @ one(H)))),
            ("associativity", step @ one(H)),
        ),
        by("positive-equal", positive(step @ one(H)), a=in_star.T @ (A @ u)),
        by("positive-rows", positive(step @ p1), u=one(H)),
        chain(
            step @ p1,
            ("associativity", in_star.T @ (A @ (diag(e(prompt)) @ p1))),
            ("diagonal", on_star),
        ),
        by("positive-equal", positive(on_star), a=step @ p1),
    ],
    for_all={},
    uses=[FULL_SUPPORT],
    paper="supp(A(u o P[H_1])) = H*",
)

quotient = inv(prior) * posterior
recovered = (in_star.T @ quotient) * on_star

LAW = Lemma(
    "3.6:law",
    "behind the prompt, the posterior of H_2 has its support in H*",
    equal(law(behind, x), in_star @ recovered @ r),
    [
        chain(
            law(behind, x),
            ("B.2:posterior", diag(inv(prior)) @ (c * posterior) @ r, "B.2"),
            ("diagonal", (inv(prior) * (c * posterior)) @ r),
            ("arrangement", (quotient * c) @ r),
            ("prompt-inside", (quotient * (in_star @ on_star)) @ r),
            ("projection", in_star @ recovered @ r),
        )
    ],
    for_all={x: "word"},
    given=[POSSIBLE],
    uses=[POSTERIOR, INSIDE],
    paper="supp(Dv) in H*",
)

TASK = Lemma(
    "3.6:task",
    "mu has its support in H*",
    equal(mu_star @ (in_star.T @ posterior), task),
    [
        chain(
            mu_star @ (in_star.T @ posterior),
            ("associativity", mu_star @ in_star.T @ posterior),
            ("transpose-product", (in_star @ (in_star.T @ mu)).T @ posterior),
            ("3.5:cover", task),
        ),
    ],
    for_all={x: "word"},
)

shared = inv(on_star) * on_star

SCORE = Lemma(
    "3.6:score",
    "the head scores x like the task, up to r_x",
    equal(score, task @ r),
    [
        chain(
            score,
            ("B.1:output-middle", mu_star @ back_to_prior @ Wstar @ (W @ law(behind, x)), "B.1"),
            ("3.6:law", mu_star @ back_to_prior @ Wstar @ (W @ (in_star @ recovered @ r)), "(3.3)"),
            ("associativity", mu_star @ (back_to_prior @ (Wstar @ (W @ in_star) @ recovered)) @ r),
            ("3.5:independence", mu_star @ (back_to_prior @ (unit(Hstar) @ recovered)) @ r),
            ("identity-left", mu_star @ (back_to_prior @ recovered) @ r),
            ("diagonal", mu_star @ ((in_star.T @ prior) * inv(on_star) * recovered) @ r),
            ("arrangement", mu_star @ (shared * ((in_star.T @ prior) * (in_star.T @ quotient))) @ r),
            ("inverse", mu_star @ (one(Hstar) * ((in_star.T @ prior) * (in_star.T @ quotient))) @ r),
            ("ones", mu_star @ ((in_star.T @ prior) * (in_star.T @ quotient)) @ r),
            ("pullback", mu_star @ (in_star.T @ (prior * quotient)) @ r),
            ("arrangement", mu_star @ (in_star.T @ (inv(prior) * prior * posterior)) @ r),
            ("inverse", mu_star @ (in_star.T @ (one(H) * posterior)) @ r),
            ("ones", mu_star @ (in_star.T @ posterior) @ r),
            ("3.6:task", task @ r),
        )
    ],
    for_all={x: "word"},
    given=[POSSIBLE],
    uses=[MIDDLE, LAW, REACHED, FULL_SUPPORT, TASK],
    paper="proof of 3.6",
)

NO_POSTERIOR = Lemma(
    "3.6:zero",
    "where (ztilde, x) is impossible, mu'P[H_0 | x] = 0",
    equal(task, zero(L)),
    [
        nonnegative(tau(behind, x)),
        chain(
            in_star.T @ now,
            ("ones", one(Hstar) * (in_star.T @ now)),
            ("inverse", shared * (in_star.T @ now)),
            ("arrangement", inv(on_star) * (on_star * (in_star.T @ now))),
            ("pullback", inv(on_star) * (in_star.T @ (c * now))),
            ("same-at-all-times", inv(on_star) * (in_star.T @ (c * beta(x)))),
            ("prompted-message", inv(on_star) * (in_star.T @ tau(behind, x))),
            ("nothing", inv(on_star) * (in_star.T @ zero(H))),
            ("product-zero", inv(on_star) * zero(Hstar)),
            ("o-zero", zero(Hstar)),
        ),
        chain(
            task,
            ("3.6:task", mu_star @ (in_star.T @ posterior)),
            ("post", mu_star @ (in_star.T @ ((prior * now) @ inv(first)))),
            ("associativity", mu_star @ (in_star.T @ (prior * now)) @ inv(first)),
            ("pullback", mu_star @ ((in_star.T @ prior) * (in_star.T @ now)) @ inv(first)),
            ("fact", mu_star @ ((in_star.T @ prior) * zero(Hstar)) @ inv(first)),
            ("o-zero", mu_star @ zero(Hstar) @ inv(first)),
            ("product-zero", zero(L) @ inv(first)),
            ("zero-scale", zero(L)),
        ),
    ],
    for_all={x: "word"},
    given=[equal(total, zero(ONE))],
    uses=[joint(H), REACHED, same_at_all_times(H), MESSAGE, TASK],
    paper="proof of 3.6, (ztilde, x) not in supp",
)

LABEL = Lemma(
    "3.6:label",
    "prompt and head give x its label",
    equal(label(score), label(task)),
    Cases(
        total,
        nonnegative=[nonnegative(total)],
        positive=[
            chain(label(score), ("3.6:score", label(task @ r)), ("scaled-label", label(task), "3.6")),
        ],
        zero=[
            chain(
                label(score),
                ("middle", label(mu_star @ back_to_prior @ Wstar @ Gbar(tau(behind, x)))),
                ("no-output", label(mu_star @ back_to_prior @ Wstar @ zero(X)), "B.1"),
                ("product-zero", label(zero(L))),
                ("3.6:zero", label(task), "3.6"),
            )
        ],
    ),
    for_all={x: "word"},
    given=[POSSIBLE],
    uses=[joint(H), SCORE, SCALE_B_2, middle(H), NO_OUTPUT, NO_POSTERIOR],
    paper="3.6",
)

PARTS = {"label": LABEL}
