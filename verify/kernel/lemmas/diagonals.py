"""Evidence on A.1, B.2 and equation (3.3), diagonals for all inputs: section 9 of docs/certificate-format.md.

Each compares two vectors that are some law times beta(x), entry by entry, up to positive factors: A.1 has P[H_i] and
p0, B.2 and (3.3) have c = A(u o p1) and c o p0. The quotient of the laws is the diagonal, where the supports allow
it; a state at which only one of the two vectors is 0 leaves none.
"""

from verify.kernel.base.exact import Scaled, Vector, elementwise, inner, size
from verify.kernel.base.item import Item, Rejected
from verify.kernel.hmm.heads import prompted, read_prompt
from verify.kernel.hmm.model import Model
from verify.kernel.hmm.patterns import lowest, occupied, support
from verify.kernel.hmm.words import Input, backward, lifted, read_input, read_word, refuse_repeats

MAX_POSITION = 10**6


def check_posteriors(evidence: Item, holds: bool, model: Model) -> tuple[int, ...]:
    """A.1."""
    if holds:
        evidence.only("diagonals")
        check_supports(evidence.where, model)
        return ()
    fields = evidence.only("no-diagonal", "position", "state", "input")
    position, state = fields["position"].integer(1, MAX_POSITION), fields["state"]
    h, x = state.integer(0, model.states - 1), read_input(fields["input"], model)
    if not x.beta[h]:
        raise state.expected("a state h with beta(x)[h] > 0")
    if (model.initial[h] > 0) == bool(occupied(position, model) >> h & 1):
        raise state.expected(f"a state h at which exactly one of P(H_0=h), P(H_{position}=h) is 0")
    return (x.length,)


def check_supports(where: str, model: Model) -> None:
    """Every P[H_i] covers p0, and inputs are impossible from all states that P[H_i] has besides.

    Supports move along monotonically: where that of H_1 contains that of H_0, they grow, and n steps are enough.
    """
    first = support(model.initial)
    missing = first & ~support(model.p1)
    if missing:
        raise Rejected(where, f"P(H_1={lowest(missing)}) = 0", "P(H_i=h) > 0 wherever P(H_0=h) > 0")
    later = occupied(model.states, model) & ~first
    for z in range(model.tokens):
        beta = backward((z,), model)
        besides = later & support(beta)
        if besides and inner(model.initial, beta, model.work):
            found = f"state {lowest(besides)}, from which the input [{z}] is possible"
            raise Rejected(where, found, "P(H_i=h) = 0 there, as P(H_0=h) is")


def check_prompted_posteriors(evidence: Item, holds: bool, model: Model) -> tuple[int, ...]:
    """B.2."""
    if holds:
        check_prior_covers(evidence, model)
        return ()
    fields = evidence.only("prior-misses", "state", "input")
    h, word = fields["state"].integer(0, model.states - 1), read_word(fields["input"], 1, model)
    if model.initial[h] or not model.transition.times(model.p1)[h]:
        raise fields["state"].expected("a state h with p0[h] = 0 and (A p1)[h] > 0")
    if not backward(word, model)[h]:
        raise Rejected(fields["input"].where, f"a word that is impossible from state {h}", "beta(x)[h] > 0")
    return (len(word),)


def check_prior_covers(evidence: Item, model: Model) -> None:
    """p0 > 0 wherever A p1 is; c, which is no larger than A p1, is then 0 wherever p0 is, and D = diag(1/p0)."""
    evidence.only("prior-covers")
    missed = support(model.transition.times(model.p1)) & ~support(model.initial)
    if missed:
        found = f"P(H_0={lowest(missed)}) = 0, P(H_2={lowest(missed)}) > 0"
        raise Rejected(evidence.where, found, "P(H_0=h) > 0 wherever P(H_2=h) > 0")


def check_prompted_outputs(evidence: Item, holds: bool, model: Model) -> tuple[int, ...]:
    """Equation (3.3)."""
    if holds:
        check_prior_covers(evidence, model)
        return ()
    fields = evidence.only("no-output-diagonal", "prompt", "terms")
    c = prompted(read_prompt(fields["prompt"], model), model)
    if not any(c):
        raise Rejected(fields["prompt"].where, "a prompt with u'p1 = 0", "u'p1 > 0")
    inputs, rows = read_terms(fields["terms"], model)
    check_contradiction(fields["terms"], c, inputs, rows, model)
    return tuple(x.length for x in inputs)


def read_terms(terms: Item, model: Model) -> tuple[list[Input], Scaled]:
    """Different inputs x, and their rows y."""
    inputs, numbers = [], []
    for item in terms.items():
        word, row = item.items(2)
        inputs.append(read_input(word, model))
        numbers.append(row.vector(model.tokens))
    refuse_repeats(terms, (x.tokens for x in inputs))
    return inputs, Scaled.of(numbers, model.work)


def check_contradiction(terms: Item, c: Vector, inputs: list[Input], rows: Scaled, model: Model) -> None:
    """The rows combine s_x W(c o beta(x)) = W(d o c o p0 o beta(x)) to a number > 0 on the left, and 0 on the right.

    With q = (W'y) o beta(x), the left side of x is s_x c'q, and the right side is (d o c o p0)'q.
    """
    longest = max((x.length for x in inputs), default=0)
    total, positive = [0] * model.states, False
    for x, y, item in zip(inputs, rows.rows, terms.inside(), strict=True):
        q = elementwise(model.emission_columns.times(y), x.beta, model.work)
        left = inner(c, q, model.work)
        if left < 0:
            raise Rejected(item.where, "y'W(c o beta(x)) < 0", "a number >= 0")
        positive = positive or left > 0
        factor = lifted(1, longest - x.length, model)
        model.work.spend(model.states, size(factor), size(*q))
        total = [entry + factor * more for entry, more in zip(total, q, strict=True)]
    if not positive:
        raise Rejected(terms.where, "y'W(c o beta(x)) = 0 for every x", "one that is > 0")
    if support(total) & support(c) & support(model.initial):
        raise Rejected(terms.where, "a sum of (W'y) o c o p0 o beta(x) other than 0", "one that is 0")
