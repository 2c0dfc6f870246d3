"""What the language model outputs of a memory model: G_i = W P[M_{J_i}, H_i | X_-i = x_-i] (C.1), and Gbar_i (C.2)."""

from verify.derivations.judgments import equal, nonnegative, positive
from verify.derivations.laws import joint
from verify.derivations.lemmas import Lemma, by, chain
from verify.derivations.terms import Term, inv, norm, one, unit, zero
from verify.derivations.theories import ONE, C, G, Gbar, Hbar, W, Wbar, X, col, law, mean, tau, w, y

message = tau(w, y)
total = one(Hbar).T @ message
columns = col @ law(w, y)
ANY = {w: "past", y: "word"}

OUTPUT = Lemma(
    "memory-output",
    "G_i is W times the law of the column (M_{J_i}, H_i)",
    equal(G(w, y), W @ columns),
    [
        chain(
            G(w, y),
            ("G", Wbar @ message @ inv(one(X).T @ (Wbar @ message))),
            ("Wbar, Wbar", W @ col @ message @ inv(one(X).T @ (W @ col @ message))),
            ("associativity", W @ col @ message @ inv(one(X).T @ W @ col @ message)),
            ("W-columns", W @ col @ message @ inv(one(C).T @ col @ message)),
            ("map-columns", W @ col @ message @ inv(total)),
            ("associativity", W @ (col @ (message @ inv(total)))),
            ("law", W @ columns, "C.1"),
        )
    ],
    for_all=ANY,
    paper="C.1",
)


def sums_to_one(name: str, title: str, output_is: Lemma, output: Term, message: Term, posterior: Term) -> Lemma:
    """An output that is W times the law of the column sums to 1, where its message is possible."""
    total = one(Hbar).T @ message
    return Lemma(
        name,
        title,
        equal(one(X).T @ output, unit(ONE)),
        [
            chain(
                one(X).T @ output,
                (output_is.name, one(X).T @ (W @ (col @ posterior))),
                ("associativity", one(X).T @ W @ col @ posterior),
                ("W-columns", one(C).T @ col @ posterior),
                ("map-columns", one(Hbar).T @ posterior),
                ("law", one(Hbar).T @ (message @ inv(total))),
                ("associativity", total @ inv(total)),
                ("scalars-commute", inv(total) @ total),
                ("scalar-inverse", unit(ONE)),
            )
        ],
        for_all=ANY,
        given=[positive(total)],
        uses=[output_is],
    )


LAW = Lemma(
    "memory-law",
    "a posterior is not negative",
    nonnegative(law(w, y)),
    [
        chain(message @ inv(total), ("law", law(w, y))),
        by("nonnegative-equal", nonnegative(law(w, y)), a=message @ inv(total)),
    ],
    for_all=ANY,
    uses=[joint(Hbar)],
)

lifted = col @ message @ mean

SOFT_OUTPUT = Lemma(
    "memory-soft-output",
    "Gbar_i is W times the law of the column that the messages give",
    equal(Gbar(message), W @ columns),
    [
        chain(
            Gbar(message),
            ("Gbar", W @ lifted @ inv(norm(lifted))),
            ("norm", W @ lifted @ inv(one(C).T @ lifted)),
            ("associativity", W @ lifted @ inv(one(C).T @ col @ message @ mean)),
            ("map-columns", W @ lifted @ inv(total @ mean)),
            ("inverse-product", W @ lifted @ (inv(total) @ inv(mean))),
            ("associativity", W @ (col @ message @ (mean @ inv(total) @ inv(mean)))),
            ("scalars-commute", W @ (col @ message @ (inv(total) @ mean @ inv(mean)))),
            ("associativity", W @ (col @ message @ (inv(total) @ (mean @ inv(mean))))),
            ("scalars-commute", W @ (col @ message @ (inv(total) @ (inv(mean) @ mean)))),
            ("scalar-inverse", W @ (col @ message @ (inv(total) @ unit(ONE)))),
            ("identity-right", W @ (col @ message @ inv(total))),
            ("associativity", W @ (col @ (message @ inv(total)))),
            ("law", W @ columns),
        )
    ],
    for_all=ANY,
    uses=[joint(Hbar)],
    paper="C.2, Gbar_i",
)

NO_OUTPUT = Lemma(
    "memory-no-output",
    "where what is given is impossible, Gbar_i = 0",
    equal(Gbar(message), zero(X)),
    [
        nonnegative(message),
        chain(
            Gbar(message),
            ("Gbar", W @ lifted @ inv(norm(lifted))),
            ("nothing", W @ (col @ zero(Hbar) @ mean) @ inv(norm(lifted))),
            ("product-zero", W @ (zero(C) @ mean) @ inv(norm(lifted))),
            ("zero-scale", W @ zero(C) @ inv(norm(lifted))),
            ("product-zero", zero(X) @ inv(norm(lifted))),
            ("zero-scale", zero(X)),
        ),
    ],
    for_all=ANY,
    given=[equal(total, zero(ONE))],
    uses=[joint(Hbar)],
    paper="C.7, last line",
)
