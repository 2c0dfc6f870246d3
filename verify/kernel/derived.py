"""What a derivation of each statement concludes: section 13 of docs/certificate-format.md.

Each part is one schema; the witnesses of "there is" are the paper's own: D, r_x, b, u, Theta1, Theta2.
"""

from collections.abc import Mapping
from typing import NamedTuple

from verify.kernel.judgments import Schema
from verify.kernel.rules import read_schema
from verify.kernel.theories import HMM, Theory, chain

P1 = "p(next(0))"
SECOND = "snoc(begin, z)"
C = f"A (e(z) o {P1})"
TOTAL = f"one(H)' tau({SECOND}, x)"
BEHIND = "snoc(begin, prompt)"
BEHIND_C = f"(in_star' (A (e(prompt) o {P1})))"

AGGREGATED = """
first          y: word |- left(next(0), y) = tau(begin, y)
middle         w: past, y: word |- paper(w, y) = tau(w, y)
last           w: past |- right(w) = tau(w, empty)
"""

MESSAGE_PASSING = """
output-first   y: word |- Gbar(left(next(0), y)) = G(begin, y)
output-middle  w: past, y: word |- Gbar(paper(w, y)) = G(w, y)
output-last    w: past |- Gbar(right(w)) = G(w, empty)
"""

BEHIND_PROMPTS = """
output-middle  w: past, y: word |- Gbar(paper(w, y)) = E law(w, y)
output-last    w: past |- Gbar(right(w)) = E law(w, empty)
impossible     w: past, y: word; one(S)' tau(w, y) = zero(1) |- Gbar(tau(w, y)) = zero(X)
"""

LEMMA_3_4 = """
output         w: past, y: word |- G(w, y) = W law(w, y)
posterior      w: past, y: word |- Wplus G(w, y) = law(w, y)
"""

CLAIM_A_1 = """
inverse        i: time, x: word; pr(x) > 0 |- p(i) o inv(p(0)) > 0
defined        i: time, x: word; pr(x) > 0 |- p(i)' lik(i, x) > 0
scale          i: time, x: word; pr(x) > 0 |- pr(x) inv(p(i)' lik(i, x)) > 0
posterior      i: time, x: word; pr(x) > 0 |- post(i, x) = diag(p(i) o inv(p(0))) post(0, x) (pr(x) inv(p(i)' lik(i, x)))
"""

THEOREM_3_3 = f"""
label          x: word; pr(x) > 0 |- label(mu' diag(inv({P1} o inv(p(0)))) Wplus G(begin, x)) = label(mu' post(0, x))
"""

R = f"(pr(x) inv({TOTAL}))"
LEMMA_B_2 = f"""
inverse        |- inv(p(0)) > 0
defined        z: token, x: word; {TOTAL} > 0 |- pr(x) > 0
scale          z: token, x: word; {TOTAL} > 0 |- {R} > 0
posterior      z: token, x: word; {TOTAL} > 0 |- law({SECOND}, x) = diag(inv(p(0))) ({C} o post(0, x)) {R}
"""

GIVEN = f"z: token, x: word; pr(x) > 0; one(H)' ({C}) > 0"
OUTPUT = f"Gbar(paper({SECOND}, x))"
SHAPE = f"W (diag(inv(p(0))) ({C} inv(one(H)' ({C})) o post(0, x)))"
RATIO = f"(pr(x) (one(H)' ({C})) inv({TOTAL}))"
EQUATION_3_3 = f"""
inverse        |- inv(p(0)) > 0
scale          {GIVEN}; {TOTAL} > 0 |- {RATIO} > 0
possible       {GIVEN}; {TOTAL} > 0 |- {OUTPUT} = {SHAPE} {RATIO}
impossible     {GIVEN}; {TOTAL} = zero(1) |- {OUTPUT} = {SHAPE}
"""

HEAD_3_6 = f"(in_star' mu)' diag(in_star' p(0) o inv{BEHIND_C}) Wstar"
THEOREM_3_6 = f"""
label          x: word; pr(x) > 0 |- label({HEAD_3_6} Gbar(paper({BEHIND}, x))) = label(mu' post(0, x))
zero           x: word; one(H)' tau({BEHIND}, x) = zero(1) |- mu' post(0, x) = zero(L)
"""


class Statement(NamedTuple):
    """The theory that a statement is of, and the schemas that it consists of."""

    theory: Theory
    parts: Mapping[str, Schema]


def statement(theory: Theory, table: str) -> Statement:
    """A statement, one part a line."""
    lines = (line.split(maxsplit=1) for line in table.splitlines() if line)
    return Statement(theory, {name: read_schema(text, theory.signature) for name, text in lines})


STATEMENTS = {
    "message-passing": statement(HMM, AGGREGATED + MESSAGE_PASSING),
    "3.4": statement(HMM, LEMMA_3_4),
    "A.1": statement(HMM, CLAIM_A_1),
    "3.3": statement(HMM, THEOREM_3_3),
    "B.1": statement(HMM, AGGREGATED + chain(BEHIND_PROMPTS, "H", "W")),
    "B.2": statement(HMM, LEMMA_B_2),
    "eq-3.3": statement(HMM, EQUATION_3_3),
    "3.6": statement(HMM, THEOREM_3_6),
}
