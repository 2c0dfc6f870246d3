"""What a derivation of each statement concludes: section 13 of docs/certificate-format.md.

Each part is one schema; the witnesses of "there is" are the paper's own: D, r_x, b, u, Theta1, Theta2.
"""

from collections.abc import Mapping
from typing import NamedTuple

from verify.kernel.judgments import Schema
from verify.kernel.rules import read_schema
from verify.kernel.theories import HMM, MEMORY, Theory

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
output-middle  w: past, y: word |- Gbar(paper(w, y)) = W law(w, y)
output-last    w: past |- Gbar(right(w)) = W law(w, empty)
impossible     w: past, y: word; one(H)' tau(w, y) = zero(1) |- Gbar(tau(w, y)) = zero(X)
"""

LEMMA_3_4 = """
output         w: past, y: word |- G(w, y) = W law(w, y)
posterior      w: past, y: word |- Wplus G(w, y) = law(w, y)
"""

D = "diag(p(i) o inv(p(0)))"
CLAIM_A_1 = f"""
inverse        i: time, x: word; pr(x) > 0 |- p(i) o inv(p(0)) > 0
defined        i: time, x: word; pr(x) > 0 |- p(i)' lik(i, x) > 0
scale          i: time, x: word; pr(x) > 0 |- pr(x) inv(p(i)' lik(i, x)) > 0
posterior      i: time, x: word; pr(x) > 0 |- post(i, x) = {D} post(0, x) (pr(x) inv(p(i)' lik(i, x)))
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
"""

ZERO_OF_3_6 = f"""
zero           x: word; one(H)' tau({BEHIND}, x) = zero(1) |- mu' post(0, x) = zero(L)
"""


OF_COLUMNS = """
output-middle  w: past, y: word |- Gbar(paper(w, y)) = W (col law(w, y))
output-last    w: past |- Gbar(right(w)) = W (col law(w, empty))
impossible     w: past, y: word; one(Hbar)' tau(w, y) = zero(1) |- Gbar(tau(w, y)) = zero(X)
"""

CLAIM_C_1 = """
output         w: past, y: word |- G(w, y) = W (col law(w, y))
"""

OUTSIDE = "h: H, w: past, y: word; in_star' h = zero(Hstar); h >= 0; one(H)' h = id(1)"
EVERYTHING = "w: past, y: word; in_star one(Hstar) = one(H)"
SURROUNDED = "one(Hbar)' tau(w, y) > 0"
STATES = "in_star' (hid (col law(w, y)))"
KEYS = "in_star (star Theta) G(w, y)"
CLAIM_C_3 = f"""
values         w: past, y: word |- Theta G(w, y) = in_r' (col law(w, y))
keys           {OUTSIDE} |- in_star' (Theta1(h) G(w, y)) = {STATES}
norm           {OUTSIDE}; {SURROUNDED} |- norm(Theta1(h) G(w, y)) = id(1)
keys-of-all    {EVERYTHING} |- in_star' ({KEYS}) = {STATES}
norm-of-all    {EVERYTHING}; {SURROUNDED} |- norm({KEYS}) = id(1)
"""

INPUT = "cat(w, cons(z, y))"
SCALE = f"(pr({INPUT}) inv(one(Hbar)' tau(w, y)))"
VALUE = "mu' atcell (in_r (Theta G(w, y)) o emb(z))"
TOKEN = "in_q (in_q' tau(w, y)) = tau(w, y); e(z) = col' emb(z)"
LEMMA_C_4 = f"""
scale          w: past, z: token, y: word; pr({INPUT}) > 0 |- {SCALE} > 0
value          w: past, z: token, y: word; pr({INPUT}) > 0; {TOKEN} |- {VALUE} = mu' (cell post(0, {INPUT})) {SCALE}
"""

CLAIM_C_8 = """
joint          i: time, x: word |- p(i) o lik(i, x) = p(0) o lik(0, x)
"""

BEHIND_LAW = "col law(behind(w), y)"
BEHIND_STATES = f"in_star' (hid ({BEHIND_LAW}))"
BEHIND_OUTPUT = "Gbar(tau(behind(w), y))"
BEHIND_POSSIBLE = "one(Hbar)' tau(behind(w), y) > 0"
CLAIM_C_10 = f"""
values         w: past, y: word |- Thetap {BEHIND_OUTPUT} = (in_g in_p)' ({BEHIND_LAW})
keys           {OUTSIDE} |- in_star' (Thetap1(h) {BEHIND_OUTPUT}) = {BEHIND_STATES}
norm           {OUTSIDE}; {BEHIND_POSSIBLE} |- norm(Thetap1(h) {BEHIND_OUTPUT}) = id(1)
keys-of-all    {EVERYTHING} |- in_star' (in_star (starp Thetap) {BEHIND_OUTPUT}) = {BEHIND_STATES}
norm-of-all    {EVERYTHING}; {BEHIND_POSSIBLE} |- norm(in_star (starp Thetap) {BEHIND_OUTPUT}) = id(1)
"""

CLAIM_C_11 = """
support        w: past, y: word |- cell law(behind(w), y) = chosen o cell law(behind(w), y)
"""

EXCLUDED = "hidden (cell' unchosen o tau(w, y))"
CLAIM_C_12 = f"""
rest           w: past, y: word |- {EXCLUDED} >= 0
split          w: past, y: word |- hidden tau(w, y) = hidden tau(behind(w), y) + {EXCLUDED}
"""

BEHIND_VALUE = f"mu' atcell (in_g in_p (Thetap {BEHIND_OUTPUT}) o emb(z))"
AT_INPUT = f"w: past, z: token, y: word; pr({INPUT}) > 0"
BEHIND_SCALE = f"(pr({INPUT}) inv(one(Hbar)' tau(behind(w), y)))"
LEMMA_C_13 = f"""
scale          {AT_INPUT}; {BEHIND_POSSIBLE} |- {BEHIND_SCALE} > 0
value          {AT_INPUT}; {BEHIND_POSSIBLE}; {TOKEN} |- {BEHIND_VALUE} = mu' (cell post(0, {INPUT})) {BEHIND_SCALE}
impossible     w: past, z: token, y: word; prhat({INPUT}) = zero(1); e(z) = col' emb(z) |- {BEHIND_VALUE} = zero(L)
"""

QUOTIENT = "(prhat(x) inv(p(next(0))' lik(next(0), x)))"
CLAIM_C_14 = f"""
defined        x: word; prhat(x) > 0 |- pr(x) > 0
posterior      x: word; prhat(x) > 0 |- mu' (cell posthat(x)) = mu' (cell post(0, x)) inv({QUOTIENT})
"""

CLAIM_C_15 = """
zero           x: word; prhat(x) = zero(1) |- mu' (cell post(0, x)) = zero(L)
"""


class Statement(NamedTuple):
    """The theory that a statement is of, its hypotheses, and the schemas that it consists of."""

    theory: Theory
    hypotheses: Mapping[str, Schema]
    parts: Mapping[str, Schema]


def statement(theory: Theory, assumptions: str, *tables: str) -> Statement:
    """A statement: the assumptions that it makes, and its parts, one a line."""
    own = {name: schema for name, schema in theory.hypotheses.items() if name.split(":")[0] in assumptions.split()}
    lines = (line.split(maxsplit=1) for table in tables for line in table.splitlines() if line)
    return Statement(theory, own, {name: read_schema(text, theory.signature) for name, text in lines})


STATEMENTS = {
    "message-passing": statement(HMM, "3.2", AGGREGATED, MESSAGE_PASSING),
    "3.4": statement(HMM, "3.1", LEMMA_3_4),
    "A.1": statement(HMM, "3.2", CLAIM_A_1),
    "3.3": statement(HMM, "3.1 3.2", THEOREM_3_3),
    "B.1": statement(HMM, "3.2", AGGREGATED, BEHIND_PROMPTS),
    "B.2": statement(HMM, "3.2", LEMMA_B_2),
    "eq-3.3": statement(HMM, "3.2", EQUATION_3_3),
    "3.6": statement(HMM, "3.2 3.5", THEOREM_3_6),
    "3.6:zero": statement(HMM, "3.2 3.5", ZERO_OF_3_6),
    "C.1": statement(MEMORY, "", CLAIM_C_1),
    "C.3": statement(MEMORY, "4.2", CLAIM_C_3),
    "C.4": statement(MEMORY, "4.2", LEMMA_C_4),
    "C.7": statement(MEMORY, "", AGGREGATED, OF_COLUMNS),
    "C.8": statement(MEMORY, "4.4", CLAIM_C_8),
    "C.10": statement(MEMORY, "4.4 C.5", CLAIM_C_10),
    "C.11": statement(MEMORY, "4.4", CLAIM_C_11),
    "C.12": statement(MEMORY, "4.4", CLAIM_C_12),
    "C.13": statement(MEMORY, "4.4 C.5", LEMMA_C_13),
    "C.14": statement(MEMORY, "4.4", CLAIM_C_14),
    "C.15": statement(MEMORY, "4.4", CLAIM_C_15),
}
