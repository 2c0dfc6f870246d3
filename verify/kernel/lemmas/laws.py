"""Evidence on 3.4, C.3 and C.10, laws read off masked outputs: sections 9 and 10 of docs/certificate-format.md.

Write tau for a vector alpha(left) o beta(right), with words left and right (hmm/__init__.py defines alpha and beta).
The masked output at the position between these words is W tau, up to a positive factor, and the posterior there is tau,
up to the same factor.

*3.4* says that one matrix L has L W tau = tau for all these tau. It holds if L W v = v for all v of a space that
contains them. It fails if a weighted sum of some tau is not 0, but W maps it to 0.

A column of W is (m, h): the hidden state h, with the value m in the cell that it reads. Each state of Hbar has one
column. *C.3* is about the law of the column at a position: for each column, the sum of tau over the states of Hbar that
have it. *C.10* is about this law behind the prompt u*. Each says that one matrix maps the masked output to the entries
of the law at the columns (m, h) with h in H*. Dual vectors show it (memory/columns.py). A weighted sum of laws that W
maps to 0, but that is not 0 at such a column, refutes it.

Notation: verify/kernel/hmm/__init__.py and verify/kernel/memory/__init__.py.
"""

from verify.kernel.base.exact import Lengths, Scaled, Vector, elementwise, integers, size, sums
from verify.kernel.base.item import Item
from verify.kernel.hmm.model import Model, check_left_inverse
from verify.kernel.hmm.spans import Subspace, image, read_subspace
from verify.kernel.hmm.words import backward, forward, lifted, read_word
from verify.kernel.memory.model import MemoryModel


def check_inverse(evidence: Item, model: Model) -> None:
    """Check that 3.4 holds, by a left inverse of W, or by a matrix L and spaces that show L W tau = tau for all tau."""
    matrix, spans = evidence.only("inverse", "matrix", "spans")
    if spans.value is not None:
        check_inverse_on_spans(matrix, spans, model)
    else:
        check_left_inverse(matrix, list(range(model.states)), "matrix W = I, as there are no spans", model)


def check_inverse_on_spans(item: Item, spans: Item, model: Model) -> None:
    """Check that L W tau = tau for every tau, by bases of two spaces.

    One contains all predictions: it contains p1, and with v also A(W[z,:] o v) for each token z. The other contains all
    likelihoods: it contains the all-ones vector, and with v also A'(W[z,:] o v). So every tau is a combination of
    vectors a o b, for basis vectors a of the first and b of the second. The rule is L W (a o b) = a o b.
    """
    matrix = Scaled.of(item.matrix(model.states, model.tokens), model.work)
    first, last = spans.parts("predictions", "likelihoods")
    predictions = read_subspace(first, model.p1, "p1", model)
    likelihoods = read_subspace(last, [1] * model.states, "the all-ones vector", model)
    check_closed(predictions, model.transition, model)
    check_closed(likelihoods, model.transition_columns, model)
    unit = model.work.product(matrix.denominator, model.emission.denominator)
    for i, a in enumerate(predictions.basis.rows):
        for j, b in enumerate(likelihoods.basis.rows):
            tau = elementwise(a, b, model.work)
            model.work.spend(model.states, size(unit), size(*tau))
            inverts = matrix.times(model.emission.times(tau)) == [unit * x for x in tau]
            item.must(inverts, "matrix W (a o b) = a o b", f"another vector for basis vectors {i} and {j}")


def check_closed(subspace: Subspace, step: Scaled, model: Model) -> None:
    """Check that v -> step (W[z,:] o v) maps the subspace into itself, for every token z."""
    for z in range(model.tokens):
        for vector in subspace.basis.rows:
            inside = subspace.contains(image(step, z, vector, model))
            subspace.item.must(inside, "the images of all basis vectors in the span", f"no image of token {z}")


def check_no_inverse(evidence: Item, model: Model) -> Lengths:
    """Check that 3.4 fails: for some pairs of words a weighted sum of tau is not 0, but W maps it to 0.

    Return for each pair (left, right) the length of the word (left, z, right), where z is any one token.
    """
    [terms] = evidence.only("no-inverse", "terms")
    total, lengths = weighted_sum(terms, model.p1, model)
    terms.must(any(total), "one other than 0", "a sum of t tau that is 0")
    terms.must(not any(model.emission.times(total)), "one that is 0", "a sum of t W tau other than 0")
    return lengths


def check_no_duals(prompted: bool, evidence: Item, model: MemoryModel) -> Lengths:
    """Check that C.3 fails, or if `prompted` that C.10 fails.

    The evidence names some h in H*, and gives a weighted sum of laws of the column at a position. W must map the sum to
    0, but at some column (m, h) the sum must not be 0.
    """
    state, terms = evidence.only("no-duals", "state", "terms")
    h = state.index(model.hidden)
    state.must(h in model.recoverable, "a state of H*")
    first = model.prompted_prediction() if prompted else model.joint.p1
    total, lengths = weighted_sum(terms, first, model.joint)
    model.work.spend(len(total), size(*total))
    law = model.collected(total)
    terms.must(any(law[h :: model.hidden]), "one other than 0", f"a sum that is 0 at every (m, {h})")
    terms.must(not any(model.emission.times(law)), "W times it is 0", "a sum that W does not map to 0")
    return lengths


def weighted_sum(terms: Item, first: Vector, model: Model) -> tuple[Vector, Lengths]:
    """The sum of t tau over the terms (left, right, t), up to a positive factor; and the lengths of the words.

    tau is alpha(left) o beta(right), with `first` for alpha(empty). The word of a term is (left, z, right), where z is
    any one token. No pair (left, right) may be repeated, and no t may be 0.
    """
    pairs, numbers = [], []
    for item in terms.items():
        before, after, weight = item.items(3)
        pairs.append((read_word(before, 0, model), read_word(after, 0, model)))
        numbers.append(weight.number())
        weight.must(numbers[-1] != 0, "a number other than 0")
    terms.must(len(set(pairs)) == len(pairs), "each once", "a pair of words repeated")
    weights = integers(numbers, model.work)
    lengths = tuple(len(left) + 1 + len(right) for left, right in pairs)
    longest, work = max(lengths, default=0), model.work
    taus = (
        (None, lifted(t, longest - n, model), elementwise(forward(left, first, model), backward(right, model), work))
        for (left, right), t, n in zip(pairs, weights, lengths, strict=True)
    )
    return sums(taus, work).get(None, [0] * model.states), lengths
