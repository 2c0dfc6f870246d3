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
C = f"(A (e(z) o {P1}))"
BEHIND = "snoc(begin, prompt)"
CB = f"(A (e(prompt) o {P1}))"
D = "diag(inv(p(0)))"
INPUT = "cat(w, cons(z, y))"

A_1 = """
inverse      i: time, x: word; pr(x) > 0 |- p(i) o inv(p(0)) > 0
defined      i: time, x: word; pr(x) > 0 |- p(i)' lik(i, x) > 0
scale        i: time, x: word; pr(x) > 0 |- pr(x) inv(p(i)' lik(i, x)) > 0
posterior    i: time, x: word; pr(x) > 0 |- post(i, x) = diag(p(i) o inv(p(0))) post(0, x) (pr(x) inv(p(i)' lik(i, x)))
"""

THEOREM_3_3 = f"""
label        x: word; pr(x) > 0 |- label(mu' diag(inv({P1} o inv(p(0)))) Wplus G(begin, x)) = label(mu' post(0, x))
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
    "A.1": statement(HMM, A_1),
    "3.3": statement(HMM, THEOREM_3_3),
}
