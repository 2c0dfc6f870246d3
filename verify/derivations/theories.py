"""The objects of the paper as terms: what every chain has, a hidden Markov model, a memory model and its hypotheses.

docs/certificate-format.md, section 13, lists them. A hidden Markov model has states H and emits by W; the chain of a
memory model has states Hbar = (M_1..M_N, H) and emits by Wbar = W col, where col takes a state to its column (M_J, H).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from verify.derivations.judgments import Judgment, Schema, equal, injection, mapping, nonnegative, positive
from verify.derivations.terms import Term, diag, functions, inv, norm, one, symbols, unit

A, p0, W, Wbar, mu = symbols("A p0 W Wbar mu")
H, X, B, L, Hbar, Hstar, C, R, N, Q, M = symbols("H X B L Hbar Hstar C R N Q M")
p, e, beta, lik, pr, post = functions("p e beta lik pr post")
alpha, tau, law, G, Gbar = functions("alpha tau law G Gbar")
at, back, left, right, paper = functions("at back left right paper")
i, x, y, w, z, v = symbols("i x y w z v")

start, empty, begin = symbols("0 empty begin")
next, cons, snoc, cat = functions("next cons snoc cat")
p1 = p(next(start))

Wplus, in_b, in_star, Wstar, prompt = symbols("Wplus in_b in_star Wstar prompt")

Theta, col, hid, cell, mean, memory, hidden, law0, pi, T = symbols("Theta col hid cell mean memory hidden law0 pi T")
in_r, in_n, in_q, star, value, to_r, atcell = symbols("in_r in_n in_q star value to_r atcell")
emb, Theta1 = functions("emb Theta1")
Ground, U, P, O = symbols("Ground U P O")
in_g, in_u, to_g, in_p, in_o, starp, Wg, hidg, Thetap = symbols("in_g in_u to_g in_p in_o starp Wg hidg Thetap")
Thetap1, kept = functions("Thetap1 kept")
QU, in_qu, to_p, valuep = symbols("QU in_qu to_p valuep")
chosen, unchosen = symbols("chosen unchosen")
behind, prhat, posthat = functions("behind prhat posthat")
a, b, c, h = symbols("a b c h")
ONE = Term("1")


@dataclass(frozen=True, eq=False)
class Theory:
    """What is true of every model, definitions included; and the hypotheses of the statements."""

    name: str
    facts: Mapping[str, Schema]
    hypotheses: Mapping[str, Schema]


def chain_facts(S: Term, emission: Term) -> dict[str, Judgment]:
    """What is true of every chain with states S: its laws, its likelihoods, and the messages of appendix B."""
    seen = emission @ tau(w, y)
    return {
        "p-0": equal(p(start), p0),
        "p-next": equal(p(next(i)), A @ p(i)),
        "beta-empty": equal(beta(empty), one(S)),
        "beta-cons": equal(beta(cons(z, x)), A.T @ (e(z) * beta(x))),
        "lik-empty": equal(lik(i, empty), one(S)),
        "lik-cons": equal(lik(i, cons(z, x)), A.T @ (e(z) * lik(next(i), x))),
        "pr": equal(pr(x), p(start).T @ lik(start, x)),
        "post": equal(post(i, x), (p(i) * lik(i, x)) @ inv(p(i).T @ lik(i, x))),
        "alpha-begin": equal(alpha(begin), p1),
        "alpha-snoc": equal(alpha(snoc(w, z)), A @ (e(z) * alpha(w))),
        "tau": equal(tau(w, y), alpha(w) * beta(y)),
        "law": equal(law(w, y), tau(w, y) @ inv(one(S).T @ tau(w, y))),
        "G": equal(G(w, y), seen @ inv(one(X).T @ seen)),
        "at-begin": equal(at(begin), next(start)),
        "at-snoc": equal(at(snoc(w, z)), next(at(w))),
        "back": equal(back(i), diag(p(i)) @ A.T @ diag(inv(p(next(i))))),
        "left-empty": equal(left(i, empty), p(i)),
        "left-cons": equal(left(i, cons(z, y)), back(i) @ (left(next(i), y) * e(z))),
        "right-begin": equal(right(begin), p1),
        "right-snoc": equal(right(snoc(w, z)), A @ (right(w) * e(z))),
        "paper": equal(paper(w, y), right(w) * left(at(w), y) * inv(p(at(w)))),
        "A-nonnegative": nonnegative(A),
        "A-columns": equal(one(S).T @ A, one(S).T),
        "p0-nonnegative": nonnegative(p0),
        "p0-total": equal(one(S).T @ p0, unit(ONE)),
        "e-nonnegative": nonnegative(e(z)),
    }


def _schemas(facts: Mapping[str, Judgment], sorts: str) -> dict[str, Schema]:
    """Facts as schemas: whichever of these variables a fact mentions, it holds for all of."""
    kinds = dict(zip(*[iter(sorts.split())] * 2, strict=True))
    return {
        name: Schema(name, {v: kind for v, kind in kinds.items() if any(_mentions(t, v) for t in fact.terms)}, (), fact)
        for name, fact in facts.items()
    }


def _mentions(term: Term, name: str) -> bool:
    return term.op == name if not term.args else any(_mentions(arg, name) for arg in term.args)


SORTS = "i time x word y word w past z token "

HMM = Theory(
    "hidden Markov model",
    _schemas(
        chain_facts(H, W)
        | {
            "Gbar": equal(Gbar(v), W @ v @ inv(norm(v))),
            "W-nonnegative": nonnegative(W),
            "W-columns": equal(one(X).T @ W, one(H).T),
            "B-states": injection(in_b),
            "Hstar-states": injection(in_star),
            "prompt": equal(e(prompt), in_b @ one(B)),
        },
        SORTS + "v H",
    ),
    _schemas(
        {
            "3.1": equal(Wplus @ W, unit(H)),
            "3.2:ergodic": positive(A @ one(H)),
            "3.2:full-support": positive(p0),
            "3.5:independence": equal(Wstar @ (W @ in_star), unit(Hstar)),
            "3.5:cover": equal(in_star @ (in_star.T @ mu), mu),
            "3.5:B-inside": equal(in_star @ (in_star.T @ (A @ in_b)), A @ in_b),
            "3.5:B-reaches": positive(in_star.T @ (A @ (in_b @ one(B)))),
        },
        SORTS,
    ),
)

MEMORY = Theory(
    "memory model",
    _schemas(
        chain_facts(Hbar, Wbar)
        | {
            "Wbar": equal(Wbar, W @ col),
            "Gbar": equal(Gbar(v), W @ (col @ v @ mean) @ inv(norm(col @ v @ mean))),
            "mean": positive(mean),
            "W-nonnegative": nonnegative(W),
            "W-columns": equal(one(X).T @ W, one(C).T),
            **{f"{name.op}-map": mapping(name) for name in (col, hid, cell, memory, hidden, star, value, to_r)},
            "R-columns": injection(in_r),
            "N-columns": injection(in_n),
            "Hstar-states": injection(in_star),
            "Q-states": injection(in_q),
            "R-N": equal(one(C), in_r @ one(R) + in_n @ one(N)),
            "R-hidden": equal(star @ in_r.T, in_star.T @ hid),
            "Q-columns": equal(to_r @ in_q.T, in_r.T @ col),
            "Q-values": equal(cell @ in_q, value @ to_r),
            "Ground-columns": injection(in_g),
            "U-states": injection(in_u),
            "P-columns": injection(in_p),
            "O-columns": injection(in_o),
            **{f"{name.op}-map": mapping(name) for name in (to_g, starp, hidg)},
            "Wg": equal(Wg, W @ in_g),
            "hidg": equal(hidg, hid @ in_g),
            "U": equal(cell.T @ chosen, in_u @ one(U)),
            "U-columns": equal(in_g @ to_g, col @ in_u),
            "P-O": equal(one(Ground), in_p @ one(P) + in_o @ one(O)),
            "P-hidden": equal(starp @ in_p.T, in_star.T @ hidg),
            "kept": equal(kept(w, y), to_g @ (in_u.T @ law(behind(w), y))),
            "Thetap1": equal(Thetap1(h), in_star @ (starp @ Thetap) + h @ (one(X).T - one(P).T @ Thetap)),
            "atcell": equal(atcell @ in_r, value),
            "QU-states": injection(in_qu),
            "QU": equal(in_qu @ one(QU), (in_q @ one(Q)) * (cell.T @ chosen)),
            "QU-columns": equal(to_p @ in_qu.T, in_p.T @ (in_g.T @ col)),
            "QU-values": equal(cell @ in_qu, valuep @ to_p),
            "atcell-p": equal(atcell @ (in_g @ in_p), valuep),
            "cat-begin": equal(cat(begin, y), y),
            "cat-snoc": equal(cat(snoc(w, z), y), cat(w, cons(z, y))),
            "cell-stays": equal(cell @ ((A @ a) * b), cell @ (a * (A.T @ b))),
            "cell-kept": equal(A @ ((cell.T @ a) * b), (cell.T @ a) * (A @ b)),
            "memory-stays": equal(A @ ((memory.T @ a) * (hidden.T @ b)), (memory.T @ a) * (hidden.T @ (T @ b))),
            "start": equal(p0, (memory.T @ law0) * (hidden.T @ pi)),
            "prompt": equal(e(prompt), cell.T @ chosen),
            "chosen": equal(diag(chosen) @ mu, mu),
            "chosen-twice": equal(chosen * chosen, chosen),
            "chosen-or-not": equal(chosen + unchosen, one(M)),
            "not-chosen": nonnegative(unchosen),
            "behind-begin": equal(behind(begin), snoc(begin, prompt)),
            "behind-snoc": equal(behind(snoc(w, z)), snoc(behind(w), z)),
            "prhat": equal(prhat(x), one(Hbar).T @ (e(prompt) * p1 * beta(x))),
            "posthat": equal(posthat(x), (e(prompt) * p1 * beta(x)) @ inv(prhat(x))),
            "Theta1": equal(Theta1(h), in_star @ (star @ Theta) + h @ (one(X).T - one(R).T @ Theta)),
        },
        SORTS + "v Hbar a any b any h H",
    ),
    _schemas(
        {"4.2": equal(Theta @ W, in_r.T), "4.4:stationary": equal(T @ pi, pi), "C.5": equal(Thetap @ Wg, in_p.T)}, SORTS
    ),
)
