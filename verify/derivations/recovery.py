"""What dual vectors read off an output: the proof of C.3, and, behind a prompt, that of C.10.

An output is W' times a law of columns D, some of which, R, are those of H*. The rows of Theta are dual vectors, so that
Theta W' is the selection of R: they read the law of R. Row h of Theta1 is the sum of those rows of Theta that belong to
h; one more row, for a state outside H*, is what makes the entries sum to 1. If there is no such state, they do without.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from verify.derivations.judgments import Judgment, equal, nonnegative
from verify.derivations.lemmas import Lemma, chain
from verify.derivations.terms import Term, norm, one, unit, zero
from verify.derivations.theories import ONE, H, Hstar, X, h, in_star, w, y

ANY = {w: "past", y: "word"}
OUTSIDE = [equal(in_star.T @ h, zero(Hstar)), nonnegative(h), equal(one(H).T @ h, unit(ONE))]
"""h is the unit vector of a state outside H*."""
EVERYTHING = equal(in_star @ one(Hstar), one(H))


@dataclass(frozen=True, eq=False)
class Reading:
    """An output and the law of its columns; index sets; the dual vectors; and the names of the facts about them.

    `output_is`: output = emission @ law. `law_is`: what makes law >= 0. `total`: the output sums to 1, if `possible`.
    `sums`: so do the columns of the emission matrix. `duals`: Theta @ emission = in_rows.T. `hidden_of`:
    star @ in_rows.T = in_star.T @ hid. `split`: a column is in `rows` or in `others`.
    """

    claim: str
    output: Term
    law: Term
    emission: Term
    columns: Term
    rows: Term
    others: Term
    Theta: Term
    Theta1: Callable[..., Term]
    in_rows: Term
    in_others: Term
    star: Term
    hid: Term
    output_is: Lemma
    law_is: Lemma
    total: Lemma
    possible: Judgment
    sums: str
    duals: str
    hidden_of: str
    split: str
    sums_lemma: Sequence[Lemma] = ()

    @property
    def keys(self) -> Term:
        """The rows of Theta, summed for each state of H*."""
        return self.star @ self.Theta

    @property
    def rest(self) -> Term:
        """What these rows leave of the sum of all entries."""
        return one(X).T - one(self.rows).T @ self.Theta

    @property
    def states(self) -> Term:
        """The law of the hidden state."""
        return self.hid @ self.law

    @property
    def known(self) -> Term:
        """The probability of the columns of H*."""
        return (self.in_rows @ one(self.rows)).T @ self.law

    @property
    def unknown(self) -> Term:
        """The probability of all others."""
        return (self.in_others @ one(self.others)).T @ self.law


def values(of: Reading) -> Lemma:
    """Theta reads the law of the columns of H*."""
    return Lemma(
        f"{of.claim}:values",
        "Theta2 reads P[M_j*, H_i = h | X_-i] for h in H*",
        equal(of.Theta @ of.output, of.in_rows.T @ of.law),
        [
            chain(
                of.Theta @ of.output,
                (of.output_is.name, of.Theta @ (of.emission @ of.law)),
                ("associativity", of.Theta @ of.emission @ of.law),
                (of.duals, of.in_rows.T @ of.law, of.claim),
            )
        ],
        for_all=ANY,
        uses=[of.output_is],
        paper=f"{of.claim}, Theta2",
    )


def keys_on_star(of: Reading, values: Lemma) -> Lemma:
    """Sums of rows of Theta read the law of the hidden state, on H*."""
    return Lemma(
        f"{of.claim}:keys-on-star",
        "sums of dual vectors read P(H_i = h | X_-i) for h in H*",
        equal(of.keys @ of.output, in_star.T @ of.states),
        [
            chain(
                of.keys @ of.output,
                ("associativity", of.star @ (of.Theta @ of.output)),
                (values.name, of.star @ (of.in_rows.T @ of.law)),
                ("associativity", of.star @ of.in_rows.T @ of.law),
                (of.hidden_of, in_star.T @ of.hid @ of.law),
                ("associativity", in_star.T @ of.states),
            )
        ],
        for_all=ANY,
        uses=[values],
    )


def last_row(of: Reading, values: Lemma) -> Lemma:
    """The last row reads the probability that is left."""
    total, rows = one(X).T @ of.output, one(of.rows).T
    return Lemma(
        f"{of.claim}:rest",
        "the last row reads the probability of all states outside H*",
        equal(of.rest @ of.output, of.unknown),
        [
            chain(
                of.rest @ of.output,
                ("subtract-product", total - rows @ of.Theta @ of.output),
                ("associativity", total - rows @ (of.Theta @ of.output)),
                (values.name, total - rows @ (of.in_rows.T @ of.law)),
                ("associativity", total - rows @ of.in_rows.T @ of.law),
                ("transpose-product", total - of.known),
                (of.output_is.name, one(X).T @ (of.emission @ of.law) - of.known),
                ("associativity", one(X).T @ of.emission @ of.law - of.known),
                (of.sums, one(of.columns).T @ of.law - of.known),
                (
                    of.split,
                    (of.in_rows @ one(of.rows) + of.in_others @ one(of.others)).T @ of.law - of.known,
                ),
                (
                    "transpose-add",
                    ((of.in_rows @ one(of.rows)).T + (of.in_others @ one(of.others)).T) @ of.law - of.known,
                ),
                ("add-product", of.known + of.unknown - of.known),
                ("add-subtract", of.unknown),
            )
        ],
        for_all=ANY,
        uses=[values, of.output_is, *of.sums_lemma],
        paper=f"{of.claim}, 1'B",
    )


def all_rows(of: Reading, keys: Lemma, rest: Lemma) -> Lemma:
    """What Theta1 reads."""
    on_star, output = in_star @ (in_star.T @ of.states), of.output
    return Lemma(
        f"{of.claim}:split",
        "Theta1 reads the states of H*, and all others together",
        equal(of.Theta1(h) @ output, on_star + h @ of.unknown),
        [
            chain(
                of.Theta1(h) @ output,
                (of.Theta1(h).op, (in_star @ of.keys + h @ of.rest) @ output),
                ("add-product", in_star @ of.keys @ output + h @ of.rest @ output),
                ("associativity", in_star @ (of.keys @ output) + h @ of.rest @ output),
                (keys.name, on_star + h @ of.rest @ output),
                ("associativity", on_star + h @ (of.rest @ output)),
                (rest.name, on_star + h @ of.unknown),
            )
        ],
        for_all={h: "H", **ANY},
        uses=[keys, rest],
    )


def states(of: Reading, split: Lemma) -> Lemma:
    """On H*, that is the law of the hidden state."""
    on_star, left = in_star.T @ of.states, in_star.T @ (h @ of.unknown)
    return Lemma(
        f"{of.claim}:keys",
        "Theta1 reads P(H_i = h | X_-i) for h in H*",
        equal(in_star.T @ (of.Theta1(h) @ of.output), on_star),
        [
            chain(
                in_star.T @ (of.Theta1(h) @ of.output),
                (split.name, in_star.T @ (in_star @ on_star + h @ of.unknown)),
                ("product-add", in_star.T @ (in_star @ on_star) + left),
                ("associativity", in_star.T @ in_star @ on_star + left),
                ("injection", unit(Hstar) @ on_star + left),
                ("identity-left", on_star + left),
                ("associativity", on_star + in_star.T @ h @ of.unknown),
                ("fact", on_star + zero(Hstar) @ of.unknown),
                ("zero-scale", on_star + zero(Hstar)),
                ("add-zero", on_star, of.claim),
            )
        ],
        for_all={h: "H", **ANY},
        given=OUTSIDE,
        uses=[split],
        paper=f"{of.claim}, Theta1",
    )


def sum_of_states(of: Reading, split: Lemma) -> Lemma:
    """All that Theta1 reads sums to 1, and is not negative."""
    read, keys, rest = in_star @ (in_star.T @ of.states) + h @ of.unknown, of.keys, of.rest
    return Lemma(
        f"{of.claim}:norm",
        "what Theta1 reads sums to 1",
        equal(norm(of.Theta1(h) @ of.output), unit(ONE)),
        [
            nonnegative(read),
            chain(
                norm(of.Theta1(h) @ of.output),
                (split.name, norm(read)),
                ("norm", one(H).T @ read),
                (split.name, one(H).T @ (of.Theta1(h) @ of.output)),
                (of.Theta1(h).op, one(H).T @ ((in_star @ keys + h @ rest) @ of.output)),
                ("associativity", one(H).T @ (in_star @ keys + h @ rest) @ of.output),
                ("product-add", (one(H).T @ (in_star @ keys) + one(H).T @ (h @ rest)) @ of.output),
                ("associativity", (one(H).T @ (in_star @ keys) + one(H).T @ h @ rest) @ of.output),
                ("fact", (one(H).T @ (in_star @ keys) + unit(ONE) @ rest) @ of.output),
                ("identity-left", (one(H).T @ (in_star @ keys) + rest) @ of.output),
                ("associativity", (one(H).T @ in_star @ of.star @ of.Theta + rest) @ of.output),
                ("map-columns", (one(Hstar).T @ of.star @ of.Theta + rest) @ of.output),
                ("map-columns", (one(of.rows).T @ of.Theta + rest) @ of.output),
                ("subtract-add", one(X).T @ of.output),
                (of.total.name, unit(ONE), of.claim),
            ),
        ],
        for_all={h: "H", **ANY},
        given=[*OUTSIDE, of.possible],
        uses=[split, of.law_is, of.total],
        paper=f"{of.claim}, 1-norm",
    )


def states_of_all(of: Reading, keys: Lemma) -> Lemma:
    """Where H* is everything, the rows of H* alone."""
    return Lemma(
        f"{of.claim}:keys-of-all",
        "the same where H* is everything",
        equal(in_star.T @ (in_star @ of.keys @ of.output), in_star.T @ of.states),
        [
            chain(
                in_star.T @ (in_star @ of.keys @ of.output),
                ("associativity", in_star.T @ in_star @ (of.keys @ of.output)),
                ("injection", unit(Hstar) @ (of.keys @ of.output)),
                ("identity-left", of.keys @ of.output),
                (keys.name, in_star.T @ of.states, of.claim),
            )
        ],
        for_all=ANY,
        given=[EVERYTHING],
        uses=[keys],
        paper=f"{of.claim}, Theta1",
    )


def sum_of_all(of: Reading, values: Lemma, keys: Lemma) -> Lemma:
    """Where H* is everything, they sum to 1."""
    in_rows, star, hid = of.in_rows, of.star, of.hid
    read = in_star @ (in_star.T @ of.states)
    return Lemma(
        f"{of.claim}:norm-of-all",
        "the same where H* is everything",
        equal(norm(in_star @ of.keys @ of.output), unit(ONE)),
        [
            chain(
                in_rows @ one(of.rows),
                ("pullback-ones", in_rows @ (star.T @ one(Hstar))),
                ("transpose-twice", in_rows.T.T @ (star.T @ one(Hstar))),
                ("associativity", in_rows.T.T @ star.T @ one(Hstar)),
                ("transpose-product", (star @ in_rows.T).T @ one(Hstar)),
                (of.hidden_of, (in_star.T @ hid).T @ one(Hstar)),
                ("transpose-product", hid.T @ in_star.T.T @ one(Hstar)),
                ("transpose-twice", hid.T @ in_star @ one(Hstar)),
                ("associativity", hid.T @ (in_star @ one(Hstar))),
                ("fact", hid.T @ one(H)),
                ("pullback-ones", one(of.columns)),
            ),
            chain(
                norm(in_star @ of.keys @ of.output),
                ("associativity", norm(in_star @ (of.keys @ of.output))),
                (keys.name, norm(read)),
                ("norm", one(H).T @ read),
                (keys.name, one(H).T @ (in_star @ (of.keys @ of.output))),
                ("associativity", one(H).T @ in_star @ star @ (of.Theta @ of.output)),
                ("map-columns", one(Hstar).T @ star @ (of.Theta @ of.output)),
                ("map-columns", one(of.rows).T @ (of.Theta @ of.output)),
                (values.name, one(of.rows).T @ (in_rows.T @ of.law)),
                ("associativity", one(of.rows).T @ in_rows.T @ of.law),
                ("transpose-product", of.known),
                ("fact", one(of.columns).T @ of.law),
                (of.sums, one(X).T @ of.emission @ of.law),
                ("associativity", one(X).T @ (of.emission @ of.law)),
                (of.output_is.name, one(X).T @ of.output),
                (of.total.name, unit(ONE), of.claim),
            ),
        ],
        for_all=ANY,
        given=[EVERYTHING, of.possible],
        uses=[keys, values, of.law_is, of.output_is, of.total, *of.sums_lemma],
        paper=f"{of.claim}, 1-norm",
    )


def recovered(of: Reading) -> dict[str, Lemma]:
    """Theta2; and Theta1 with its norm, with a state outside H* or without."""
    of_values = values(of)
    keys = keys_on_star(of, of_values)
    split = all_rows(of, keys, last_row(of, of_values))
    return {
        "values": of_values,
        "keys": states(of, split),
        "norm": sum_of_states(of, split),
        "keys-of-all": states_of_all(of, keys),
        "norm-of-all": sum_of_all(of, of_values, keys),
    }
