"""Evidence on statement 3.4: section 9 of docs/certificate-format.md.

3.4 says that one matrix L turns every masked output G_i(x), that is W tau up to a positive factor, into the posterior,
tau up to the same factor. Every tau is a prediction alpha(left) times, entry by entry, a likelihood beta(right). So
it holds if L W v = v for all v in a space that contains them, and fails if a combination of some tau other than 0 is
mapped to 0 by W.
"""

from verify.kernel.base.exact import Scaled, Vector, elementwise, size
from verify.kernel.base.item import Item, Rejected
from verify.kernel.hmm.model import Model, is_left_inverse
from verify.kernel.hmm.subspaces import Subspace, image, read_subspace
from verify.kernel.hmm.words import Tokens, backward, forward, lifted, read_word


def check_inverse(evidence: Item, holds: bool, model: Model) -> tuple[int, ...]:
    """3.4; returns the lengths of the words that show that there is no L."""
    if not holds:
        return check_no_inverse(evidence.only("no-inverse", "terms")["terms"], model)
    fields = evidence.only("inverse", "matrix", "spans")
    matrix, spans = fields["matrix"], fields["spans"]
    numbers = matrix.matrix(model.states, model.tokens)
    if spans.value is not None:
        check_inverse_on_spans(matrix.where, Scaled.of(numbers, model.work), spans, model)
    elif not is_left_inverse(numbers, list(range(model.states)), model):
        raise Rejected(matrix.where, "another product", "matrix W = I, as there are no spans")
    return ()


def check_inverse_on_spans(where: str, matrix: Scaled, spans: Item, model: Model) -> None:
    """L W (a o b) = a o b for bases of spaces that contain every prediction a and every likelihood b."""
    fields = spans.fields("predictions", "likelihoods")
    predictions = read_subspace(fields["predictions"], model.p1, "p1", model)
    likelihoods = read_subspace(fields["likelihoods"], [1] * model.states, "the all-ones vector", model)
    check_closed(predictions, model.transition, model)
    check_closed(likelihoods, model.transition_columns, model)
    model.work.spend(1, size(matrix.denominator), size(model.emission.denominator))
    one = matrix.denominator * model.emission.denominator
    for i, a in enumerate(predictions.basis.rows):
        for j, b in enumerate(likelihoods.basis.rows):
            tau = elementwise(a, b, model.work)
            model.work.spend(model.states, size(one), size(*tau))
            if matrix.times(model.emission.times(tau)) != [one * x for x in tau]:
                raise Rejected(where, f"another vector for basis vectors {i} and {j}", "matrix W (a o b) = a o b")


def check_closed(subspace: Subspace, step: Scaled, model: Model) -> None:
    """A further token does not lead out of the subspace."""
    for z in range(model.tokens):
        for vector in subspace.basis.rows:
            if not subspace.contains(image(step, z, vector, model)):
                raise Rejected(subspace.where, f"no image of token {z}", "the images of all basis vectors in the span")


def check_no_inverse(terms: Item, model: Model) -> tuple[int, ...]:
    """Words whose weighted sum of tau is not 0, while that of W tau is."""
    total, lengths = weighted_sum(terms, model.p1, model)
    if not any(total):
        raise Rejected(terms.where, "a sum of t tau that is 0", "one other than 0")
    if any(model.emission.times(total)):
        raise Rejected(terms.where, "a sum of t W tau other than 0", "one that is 0")
    return lengths


def weighted_sum(terms: Item, first: Vector, model: Model) -> tuple[Vector, tuple[int, ...]]:
    """The sum of t tau up to a positive factor, where alpha(empty) is `first`; and the lengths of the words."""
    pairs, weights = read_terms(terms, model)
    total, longest = [0] * model.states, max((len(left) + len(right) for left, right in pairs), default=0)
    for (left, right), t in zip(pairs, weights, strict=True):
        tau = elementwise(forward(left, first, model), backward(right, model), model.work)
        factor = lifted(t, longest - len(left) - len(right), model)
        model.work.spend(model.states, size(factor), size(*tau))
        total = [x + factor * y for x, y in zip(total, tau, strict=True)]
    return total, tuple(len(left) + 1 + len(right) for left, right in pairs)


def read_terms(terms: Item, model: Model) -> tuple[list[tuple[Tokens, Tokens]], list[int]]:
    """Different pairs of words, and their weights t over one denominator."""
    pairs, weights = [], []
    for item in terms.items():
        left, right, weight = item.items(3)
        pairs.append((read_word(left, 0, model), read_word(right, 0, model)))
        weights.append(weight.number())
        if not weights[-1]:
            raise weight.expected("a number other than 0")
    if len(set(pairs)) < len(pairs):
        raise Rejected(terms.where, "a pair of words repeated", "each once")
    return pairs, Scaled.of([weights], model.work).rows[0]
