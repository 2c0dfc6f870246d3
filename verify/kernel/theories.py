"""What derivations are about: section 13 of docs/certificate-format.md, its symbols, definitions and hypotheses.

Two theories: of a hidden Markov model (states H), and of a memory model, whose chain is that of Hbar (states Hbar, and
columns C of W). What both say of a chain is written once, of states S that emit by E.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from verify.kernel.judgments import Schema
from verify.kernel.rules import INDEX_VARIABLES, read_schema
from verify.kernel.terms import UNIT, Signature, Type, read_type

CONSTRUCTORS: dict[str, tuple[str, str, str | None]] = {
    "time": ("0", "next", None),
    "word": ("empty", "cons", "token"),
    "past": ("begin", "snoc", "token"),
}
"""Sorts with induction: the first value, what makes the next one of one value, and what else goes into that."""

SORTED = {
    "0": ((), "time"),
    "next": (("time",), "time"),
    "empty": ((), "word"),
    "cons": (("token", "word"), "word"),
    "begin": ((), "past"),
    "snoc": (("past", "token"), "past"),
}

CHAIN = """
A: S x S   p0: S   e: token -> S
p: time -> S   beta: word -> S   lik: time, word -> S   pr: word -> scalar   post: time, word -> S
alpha: past -> S   tau: past, word -> S   law: past, word -> S   G: past, word -> X   Gbar: S -> X
at: past -> time   back: time -> S x S   left: time, word -> S   right: past -> S   paper: past, word -> S
"""

CHAIN_FACTS = """
p-0              |- p(0) = p0
p-next           i: time |- p(next(i)) = A p(i)
beta-empty       |- beta(empty) = one(S)
beta-cons        z: token, x: word |- beta(cons(z, x)) = A' (e(z) o beta(x))
lik-empty        i: time |- lik(i, empty) = one(S)
lik-cons         i: time, z: token, x: word |- lik(i, cons(z, x)) = A' (e(z) o lik(next(i), x))
pr               x: word |- pr(x) = p(0)' lik(0, x)
post             i: time, x: word |- post(i, x) = (p(i) o lik(i, x)) inv(p(i)' lik(i, x))
alpha-begin      |- alpha(begin) = p(next(0))
alpha-snoc       w: past, z: token |- alpha(snoc(w, z)) = A (e(z) o alpha(w))
tau              w: past, y: word |- tau(w, y) = alpha(w) o beta(y)
law              w: past, y: word |- law(w, y) = tau(w, y) inv(one(S)' tau(w, y))
G                w: past, y: word |- G(w, y) = E tau(w, y) inv(one(X)' (E tau(w, y)))
at-begin         |- at(begin) = next(0)
at-snoc          w: past, z: token |- at(snoc(w, z)) = next(at(w))
back             i: time |- back(i) = diag(p(i)) A' diag(inv(p(next(i))))
left-empty       i: time |- left(i, empty) = p(i)
left-cons        i: time, z: token, y: word |- left(i, cons(z, y)) = back(i) (left(next(i), y) o e(z))
right-begin      |- right(begin) = p(next(0))
right-snoc       w: past, z: token |- right(snoc(w, z)) = A (right(w) o e(z))
paper            w: past, y: word |- paper(w, y) = right(w) o left(at(w), y) o inv(p(at(w)))
A-nonnegative    |- A >= 0
A-columns        |- one(S)' A = one(S)'
p0-nonnegative   |- p0 >= 0
p0-total         |- one(S)' p0 = id(1)
e-nonnegative    z: token |- e(z) >= 0
"""

HMM_SYMBOLS = """
W: X x H   mu: H x L   Wplus: H x X
in_b: H x B   in_star: H x Hstar   Wstar: Hstar x X   prompt: token
"""

HMM_FACTS = """
Gbar             v: H |- Gbar(v) = W v inv(norm(v))
W-nonnegative    |- W >= 0
W-columns        |- one(X)' W = one(H)'
B-states         |- injection in_b
Hstar-states     |- injection in_star
prompt           |- e(prompt) = in_b one(B)
"""

HMM_HYPOTHESES = """
3.1              |- Wplus W = id(H)
3.2:ergodic      |- A one(H) > 0
3.2:full-support |- p0 > 0
3.5:independence |- Wstar (W in_star) = id(Hstar)
3.5:cover        |- in_star (in_star' mu) = mu
3.5:B-inside     |- in_star (in_star' (A in_b)) = A in_b
3.5:B-reaches    |- in_star' (A (in_b one(B))) > 0
"""

MEMORY_SYMBOLS = """
W: X x C   Wbar: X x Hbar   mu: M x L   Theta: R x X   emb: token -> C   cat: past, word -> word
col: C x Hbar   hid: H x C   cell: M x Hbar   mean: scalar
memory: Mem x Hbar   hidden: H x Hbar   law0: Mem   pi: H   T: H x H
in_r: C x R   in_n: C x N   in_star: H x Hstar   in_q: Hbar x Q   star: Hstar x R   value: M x R   to_r: R x Q
atcell: M x C   Theta1: H -> H x X
in_g: C x Ground   in_u: Hbar x U   to_g: Ground x U   in_p: Ground x P   in_o: Ground x O   starp: Hstar x P
Wg: X x Ground   hidg: H x Ground   Thetap: P x X   Thetap1: H -> H x X   kept: past, word -> Ground
in_qu: Hbar x QU   to_p: P x QU   valuep: M x P
prompt: token   chosen: M   unchosen: M   behind: past -> past   prhat: word -> scalar   posthat: word -> Hbar
"""

MEMORY_FACTS = """
Wbar             |- Wbar = W col
Gbar             v: Hbar |- Gbar(v) = W (col v mean) inv(norm(col v mean))
mean             |- mean > 0
W-nonnegative    |- W >= 0
W-columns        |- one(X)' W = one(C)'
col-map          |- map col
hid-map          |- map hid
cell-map         |- map cell
memory-map       |- map memory
hidden-map       |- map hidden
star-map         |- map star
value-map        |- map value
to_r-map          |- map to_r
R-columns        |- injection in_r
N-columns        |- injection in_n
Hstar-states     |- injection in_star
Q-states         |- injection in_q
R-N              |- one(C) = in_r one(R) + in_n one(N)
R-hidden         |- star in_r' = in_star' hid
Q-columns        |- to_r in_q' = in_r' col
Q-values         |- cell in_q = value to_r
Ground-columns   |- injection in_g
U-states         |- injection in_u
P-columns        |- injection in_p
O-columns        |- injection in_o
to_g-map         |- map to_g
starp-map        |- map starp
hidg-map         |- map hidg
Wg               |- Wg = W in_g
hidg             |- hidg = hid in_g
U                |- cell' chosen = in_u one(U)
U-columns        |- in_g to_g = col in_u
P-O              |- one(Ground) = in_p one(P) + in_o one(O)
P-hidden         |- starp in_p' = in_star' hidg
kept             w: past, y: word |- kept(w, y) = to_g (in_u' law(behind(w), y))
Thetap1          h: H |- Thetap1(h) = in_star (starp Thetap) + h (one(X)' - one(P)' Thetap)
atcell           |- atcell in_r = value
QU-states        |- injection in_qu
QU               |- in_qu one(QU) = in_q one(Q) o cell' chosen
QU-columns       |- to_p in_qu' = in_p' (in_g' col)
QU-values        |- cell in_qu = valuep to_p
atcell-p         |- atcell (in_g in_p) = valuep
cat-begin        y: word |- cat(begin, y) = y
cat-snoc         w: past, z: token, y: word |- cat(snoc(w, z), y) = cat(w, cons(z, y))
cell-stays       a: Hbar, b: Hbar |- cell (A a o b) = cell (a o A' b)
cell-kept        a: M, b: Hbar |- A (cell' a o b) = cell' a o A b
memory-stays     a: Mem, b: H |- A (memory' a o hidden' b) = memory' a o hidden' (T b)
start            |- p0 = memory' law0 o hidden' pi
prompt           |- e(prompt) = cell' chosen
chosen           |- diag(chosen) mu = mu
chosen-twice     |- chosen o chosen = chosen
chosen-or-not    |- chosen + unchosen = one(M)
not-chosen       |- unchosen >= 0
behind-begin     |- behind(begin) = snoc(begin, prompt)
behind-snoc      w: past, z: token |- behind(snoc(w, z)) = snoc(behind(w), z)
prhat            x: word |- prhat(x) = one(Hbar)' (e(prompt) o p(next(0)) o beta(x))
posthat          x: word |- posthat(x) = (e(prompt) o p(next(0)) o beta(x)) inv(prhat(x))
Theta1           h: H |- Theta1(h) = in_star (star Theta) + h (one(X)' - one(R)' Theta)
"""

MEMORY_HYPOTHESES = """
4.2              |- Theta W = in_r'
4.4:stationary   |- T pi = pi
C.5              |- Thetap Wg = in_p'
"""


class Theory(NamedTuple):
    """The symbols; what is true of every model, definitions included; and the hypotheses of the statements."""

    signature: Signature
    facts: Mapping[str, Schema]
    hypotheses: Mapping[str, Schema]


def read_symbols(text: str, indices: frozenset[str]) -> dict[str, tuple[tuple[Type, ...], Type]]:
    """The symbols that a text declares, three spaces or a new line between any two."""
    symbols: dict[str, tuple[tuple[Type, ...], Type]] = dict(SORTED)
    for piece in text.replace("\n", "   ").split("   "):
        name, _, kind = piece.strip().partition(": ")
        arguments, _, result = kind.rpartition(" -> ")
        if name:
            kinds = tuple(read_type(one, indices) for one in arguments.split(", ") if one)
            symbols[name] = (kinds, read_type(result, indices))
    return symbols


def chain(text: str, states: str, emission: str) -> str:
    """What is said of every chain, said of this one."""
    return re.sub(r"\bE\b", emission, re.sub(r"\bS\b", states, text))


def theory(indices: str, symbols: str, facts: str, hypotheses: str) -> Theory:
    """A theory, written as above. ValueError: something is not well typed."""
    names = frozenset((*indices.split(), UNIT))
    if names & set(INDEX_VARIABLES):
        raise ValueError("an index variable of the rules as an index")
    signature = Signature(names, read_symbols(symbols, names))
    return Theory(signature, read_facts(facts, signature), read_facts(hypotheses, signature))


def read_facts(table: str, signature: Signature) -> dict[str, Schema]:
    """One fact a line: its name, and the schema."""
    lines = (line.split(maxsplit=1) for line in table.splitlines() if line)
    return {name: read_schema(text, signature) for name, text in lines}


HMM = theory(
    "H X L B Hstar",
    chain(CHAIN, "H", "W") + HMM_SYMBOLS,
    chain(CHAIN_FACTS, "H", "W") + HMM_FACTS,
    HMM_HYPOTHESES,
)
MEMORY = theory(
    "Hbar C H M X L Mem R N Hstar Q Ground U P O QU",
    chain(CHAIN, "Hbar", "Wbar") + MEMORY_SYMBOLS,
    chain(CHAIN_FACTS, "Hbar", "Wbar") + MEMORY_FACTS,
    MEMORY_HYPOTHESES,
)
