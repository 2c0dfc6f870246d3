"""Outputs of the language model of a hidden Markov model: G_i = W P[H_i | X_-i = x_-i], and Gbar_i."""

from verify.derivations.judgments import equal, nonnegative
from verify.derivations.laws import joint
from verify.derivations.lemmas import Lemma, chain
from verify.derivations.messages import first, last, middle
from verify.derivations.terms import Term, inv, norm, one, zero
from verify.derivations.theories import (
    ONE,
    G,
    Gbar,
    H,
    W,
    X,
    begin,
    empty,
    law,
    left,
    next,
    paper,
    right,
    start,
    tau,
    w,
    y,
)

message = tau(w, y)
total = one(H).T @ message
ANY = {w: "past", y: "word"}

OUTPUT = Lemma(
    "output",
    "G_i is W times the posterior of H_i",
    equal(G(w, y), W @ law(w, y)),
    [
        chain(
            G(w, y),
            ("G", W @ message @ inv(one(X).T @ (W @ message))),
            ("associativity", W @ message @ inv(one(X).T @ W @ message)),
            ("W-columns", W @ message @ inv(total)),
            ("associativity", W @ (message @ inv(total))),
            ("law", W @ law(w, y), "3.4"),
        )
    ],
    for_all=ANY,
    paper="3.4, U = X_i, Z = H_i, V = X_-i",
)

SOFT_OUTPUT = Lemma(
    "soft-output",
    "Gbar_i is W times the law of H_i that the messages give",
    equal(Gbar(message), W @ law(w, y)),
    [
        chain(
            Gbar(message),
            ("Gbar", W @ message @ inv(norm(message))),
            ("norm", W @ message @ inv(total)),
            ("associativity", W @ (message @ inv(total))),
            ("law", W @ law(w, y)),
        )
    ],
    for_all=ANY,
    uses=[joint(H)],
    paper="appendix B, Gbar_i",
)

NO_OUTPUT = Lemma(
    "no-output",
    "where what is given is impossible, Gbar_i = 0",
    equal(Gbar(message), zero(X)),
    [
        nonnegative(message),
        chain(
            Gbar(message),
            ("Gbar", W @ message @ inv(norm(message))),
            ("nothing", W @ zero(H) @ inv(norm(message))),
            ("product-zero", zero(X) @ inv(norm(message))),
            ("zero-scale", zero(X)),
        ),
    ],
    for_all=ANY,
    given=[equal(total, zero(ONE))],
    uses=[joint(H)],
    paper="B.1, last line",
)


def output_at(name: str, aggregated: Lemma, message: Term, exact: Term) -> Lemma:
    """Gbar_i of the paper's message is G_i: at the first, the last or another position."""
    return Lemma(
        f"output-{name}",
        "with the embeddings of tokens, Gbar_i = G_i",
        equal(Gbar(message), G(*exact.args)),
        [
            chain(
                Gbar(message),
                (aggregated.name, Gbar(exact)),
                ("soft-output", W @ law(*exact.args)),
                ("output", G(*exact.args)),
            )
        ],
        for_all=aggregated.for_all,
        uses=[aggregated, SOFT_OUTPUT, OUTPUT],
        paper="appendix B",
    )


AT_FIRST = output_at("first", first(H), left(next(start), y), tau(begin, y))
AT_MIDDLE = output_at("middle", middle(H), paper(w, y), tau(w, y))
AT_LAST = output_at("last", last(H), right(w), tau(w, empty))
