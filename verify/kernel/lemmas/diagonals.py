"""Evidence on A.1, B.2 and equation (3.3), diagonals for all inputs: section 9 of docs/certificate-format.md.

Each compares two vectors that are some law times beta(x), entry by entry, up to positive factors: A.1 has P[H_i] and
p0, B.2 and (3.3) have c = A(u o p1) and c o p0. The diagonal is the quotient of the two laws. There is none if at
some state only one of the two vectors is 0.
"""

from collections.abc import Iterator

from verify.kernel.base.exact import Lengths, Scaled, Vector, elementwise, inner, lowest, sums, support
from verify.kernel.base.item import Item
from verify.kernel.hmm.heads import prompted, read_prompt
from verify.kernel.hmm.inputs import refuse_repeats
from verify.kernel.hmm.model import Model
from verify.kernel.hmm.words import backward, lifted, read_input, read_word

MAX_POSITION = 10**6


def check_posteriors(evidence: Item, model: Model) -> None:
    """A.1 holds: P[H_i] > 0 wherever p0 > 0, and no input is possible from any other state of H_i.

    Where the support of H_1 contains that of H_0, that of H_{i+1} contains that of H_i, and that of H_n all of them.
    """
    evidence.only("diagonals")
    first = support(model.initial)
    missing = first & ~support(model.p1)
    evidence.must(not missing, "P(H_i=h) > 0 wherever P(H_0=h) > 0", f"P(H_1={lowest(missing)}) = 0")
    later = model.occupied(model.states) & ~first
    for z in range(model.tokens):
        beta = backward((z,), model)
        besides = later & support(beta)
        impossible = not besides or not inner(model.initial, beta, model.work)
        actual = f"state {lowest(besides)}, from which the input [{z}] is possible"
        evidence.must(impossible, "P(H_i=h) = 0 there, as P(H_0=h) is", actual)


def check_no_posteriors(evidence: Item, model: Model) -> Lengths:
    """A.1 fails."""
    item, state, word = evidence.only("no-diagonal", "position", "state", "input")
    position = item.integer(1, MAX_POSITION)
    h, x = state.index(model.states), read_input(word, model)
    state.must(x.beta[h] > 0, "a state h with beta(x)[h] > 0")
    differ = (model.initial[h] > 0) != bool(model.occupied(position) >> h & 1)
    state.must(differ, f"a state h at which exactly one of P(H_0=h), P(H_{position}=h) is 0")
    return (x.length,)


def check_prior_covers(evidence: Item, model: Model) -> None:
    """B.2, (3.3): p0 > 0 wherever A p1 is; c, no larger than A p1, is then 0 wherever p0 is, and D = diag(1/p0)."""
    evidence.only("prior-covers")
    missed = support(model.transition.times(model.p1)) & ~support(model.initial)
    actual = f"P(H_0={lowest(missed)}) = 0, P(H_2={lowest(missed)}) > 0"
    evidence.must(not missed, "P(H_0=h) > 0 wherever P(H_2=h) > 0", actual)


def check_prior_misses(evidence: Item, model: Model) -> Lengths:
    """B.2 fails."""
    state, item = evidence.only("prior-misses", "state", "input")
    h, word = state.index(model.states), read_word(item, 1, model)
    missed = not model.initial[h] and model.transition.times(model.p1)[h] > 0
    state.must(missed, "a state h with p0[h] = 0 and (A p1)[h] > 0")
    item.must(backward(word, model)[h] > 0, "beta(x)[h] > 0", f"a word that is impossible from state {h}")
    return (len(word),)


def check_no_output_diagonal(evidence: Item, model: Model) -> Lengths:
    """Equation (3.3) fails: rows y combine s_x W(c o beta(x)) = W(d o c o p0 o beta(x)) to a number > 0 and to 0.

    With q = (W'y) o beta(x), the left side of x is s_x c'q, and the right side is (d o c o p0)'q.
    """
    prompt, terms = evidence.only("no-output-diagonal", "prompt", "terms")
    c = prompted(read_prompt(prompt, model), model)
    prompt.must(any(c), "u'p1 > 0", "a prompt with u'p1 = 0")
    inputs, numbers = [], []
    for item in terms.items():
        word, row = item.items(2)
        inputs.append(read_input(word, model))
        numbers.append(row.vector(model.tokens))
    refuse_repeats(terms, inputs)
    rows, longest, lefts = Scaled.of(numbers, model.work).rows, max((x.length for x in inputs), default=0), [0]

    def rights() -> Iterator[tuple[None, int, Vector]]:  # one at a time, as they may be long
        for x, y, item in zip(inputs, rows, terms.inside(), strict=True):
            q = elementwise(model.emission_columns.times(y), x.beta, model.work)
            lefts.append(inner(c, q, model.work))
            item.must(lefts[-1] >= 0, "a number >= 0", "y'W(c o beta(x)) < 0")
            yield None, lifted(1, longest - x.length, model), q

    total = sums(rights(), model.work)
    terms.must(any(lefts), "one that is > 0", "y'W(c o beta(x)) = 0 for every x")
    nothing = not support(total[None]) & support(c) & support(model.initial)
    terms.must(nothing, "one that is 0", "a sum of (W'y) o c o p0 o beta(x) other than 0")
    return tuple(x.length for x in inputs)
