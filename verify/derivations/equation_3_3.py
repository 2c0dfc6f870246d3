"""Equation (3.3): Gbar_2(ehat(x)) = r_x W D (P[H_2 | Xhat_1 = ztilde] o P[H_0 | X = x]), D = diag(1 / P[H_0]).

Where (ztilde, x) is possible r_x is a quotient of probabilities; where it is not, both sides are 0, and r_x = 1 does.
"""

from verify.derivations.claim_a_1 import POSSIBLE, first
from verify.derivations.judgments import equal, nonnegative, positive
from verify.derivations.laws import joint, same_at_all_times
from verify.derivations.lemma_b_1 import MIDDLE
from verify.derivations.lemma_b_2 import FOLLOWS, INVERSE, MESSAGE, POSTERIOR, c, second, total
from verify.derivations.lemma_b_2 import r as r_b_2
from verify.derivations.lemmas import Lemma, chain
from verify.derivations.messages import middle
from verify.derivations.outputs import NO_OUTPUT
from verify.derivations.terms import diag, inv, one, unit, zero
from verify.derivations.theories import HMM, ONE, Gbar, H, W, X, beta, law, lik, p, paper, post, pr, start, tau, x, z

THEORY = HMM

weight = one(H).T @ c
prompted = c @ inv(weight)
D = diag(inv(p(start)))
posterior = post(start, x)
r = pr(x) @ weight @ inv(total)
shape = W @ (D @ (prompted * posterior))
ANY = {z: "token", x: "word"}
PROMPT = positive(weight)

SCALE = Lemma("eq-3.3:scale", "r_x > 0", positive(r), [positive(r)], for_all=ANY, given=[POSSIBLE, PROMPT, FOLLOWS])

OUTPUT = Lemma(
    "eq-3.3:possible",
    "behind a prompt, Gbar_2 is W D times both posteriors, up to r_x",
    equal(Gbar(paper(second, x)), shape @ r),
    [
        chain(
            Gbar(paper(second, x)),
            ("B.1:output-middle", W @ law(second, x), "B.1"),
            ("B.2:posterior", W @ (D @ (c * posterior) @ r_b_2), "B.2"),
            ("identity-right", W @ (D @ ((c * posterior) @ unit(ONE)) @ r_b_2)),
            ("scalar-inverse", W @ (D @ ((c * posterior) @ (inv(weight) @ weight)) @ r_b_2)),
            ("associativity", W @ (D @ ((c * posterior) @ inv(weight))) @ (weight @ pr(x)) @ inv(total)),
            ("scalars-commute", W @ (D @ ((c * posterior) @ inv(weight))) @ (pr(x) @ weight) @ inv(total)),
            ("associativity", W @ (D @ ((c * posterior) @ inv(weight))) @ r),
            ("arrangement", W @ (D @ ((posterior * c) @ inv(weight))) @ r),
            ("scale", W @ (D @ (posterior * prompted)) @ r),
            ("arrangement", shape @ r, "3.3"),
        )
    ],
    for_all=ANY,
    given=[POSSIBLE, PROMPT, FOLLOWS],
    uses=[MIDDLE, POSTERIOR],
    paper="(3.3)",
)

now = lik(start, x)
nothing = zero(H)

IMPOSSIBLE = Lemma(
    "eq-3.3:impossible",
    "where (ztilde, x) is impossible both sides are 0",
    equal(Gbar(paper(second, x)), shape),
    [
        nonnegative(tau(second, x)),
        chain(
            c * now,
            ("same-at-all-times", c * beta(x)),
            ("prompted-message", tau(second, x)),
            ("nothing", nothing),
        ),
        chain(
            Gbar(paper(second, x)),
            ("middle", Gbar(tau(second, x))),
            ("no-output", zero(X), "B.1"),
            ("product-zero", W @ nothing),
            ("product-zero", W @ (D @ nothing)),
            ("zero-scale", W @ (D @ (nothing @ inv(weight)))),
            ("zero-scale", W @ (D @ (nothing @ inv(first) @ inv(weight)))),
            ("o-zero", W @ (D @ ((p(start) * nothing) @ inv(first) @ inv(weight)))),
            ("fact", W @ (D @ ((p(start) * (c * now)) @ inv(first) @ inv(weight)))),
            ("arrangement", W @ (D @ ((c * (p(start) * now)) @ inv(first) @ inv(weight)))),
            ("scale", W @ (D @ ((c * ((p(start) * now) @ inv(first))) @ inv(weight)))),
            ("post", W @ (D @ ((c * posterior) @ inv(weight)))),
            ("arrangement", W @ (D @ ((posterior * c) @ inv(weight)))),
            ("scale", W @ (D @ (posterior * prompted))),
            ("arrangement", shape, "3.3"),
        ),
    ],
    for_all=ANY,
    given=[POSSIBLE, PROMPT, equal(total, zero(ONE))],
    uses=[middle(H), NO_OUTPUT, joint(H), MESSAGE, same_at_all_times(H)],
    paper="(3.3), r_x = 1",
)

PARTS = {"inverse": INVERSE, "scale": SCALE, "possible": OUTPUT, "impossible": IMPOSSIBLE}
