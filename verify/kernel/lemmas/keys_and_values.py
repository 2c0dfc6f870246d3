"""Evidence on keys and values of C.2, C.4, C.9 and C.13: sections 10 and 11 of docs/certificate-format.md.

memory/__init__.py has the notation.

*Keys.* C.2 and C.9 say that some keys attend to exactly Ihat(x), C.9 behind the prompt u*. The rules of
memory/attention.py show it, with one more rule for C.9:all-positions, and two more for C.9. A sum of differences of
outputs that is 0 shows that there are no such keys (memory/positions.py). In C.9 the sum of differences of the
positions' own scores g_i must be 0, too; in C.2 these scores are 0.

*Values.* C.4 says that some values have V_l(G_i(x), e(x_i)) = r mu_l'P[M_j*|X=x] for x in R, i in Ihat(x) and every l,
with an r > 0 that may depend on x and i. C.13 says the same behind the prompt u*. Evidence that they fail has terms: an
input x, a position i of Ihat(x), and a number y_l for each label.

1. The rule: the sum of y_l mu_l'P[M_j*|X=x] over l is >= 0 for each term, and > 0 for one of them. So the sum of
   y_l V_l(G_i(x), e(x_i)) over terms and labels would be > 0.
2. The rule: for each label l and token z, the sum of y_l G_i(x) over the terms with x_i = z is 0. So the sum of y_l
   V_l(G_i(x), e(x_i)) over terms and labels is 0 for all values V, as V_l(G, e(z)) is linear in G.
"""

from fractions import Fraction

from verify.kernel.base.exact import Lengths, Scaled, Tokens, cancel, elementwise, inner, integers, support
from verify.kernel.base.item import Item
from verify.kernel.hmm.words import backward, forward, normalised, output, read_inputs
from verify.kernel.memory.model import MemoryModel
from verify.kernel.memory.positions import check_cancel


def same_positions(prompt: Item, _key: Item, _scores: set[int], model: MemoryModel) -> None:
    """Check *Same positions* of C.9: behind u* the head attends to no position outside Ihat(x).

    The rule, for the support of each tau_i(x): if it has states with m_j* in M*, and all of these have h in H*, then
    all of its states have h in H*.
    """
    supports = model.supports
    for states in supports.common():
        behind = states & supports.named
        same = not behind or behind & ~supports.inside or not states & ~supports.inside
        prompt.must(bool(same), "the same positions", "a position that is sure of H* behind the prompt alone")


def no_law_at_the_end(_prompt: Item, key: Item, scores: set[int], model: MemoryModel) -> None:
    """Check *No law at the end* of C.9. If the last position has output 0, keys attend to it iff it is in Ihat(x).

    An output 0 has key score 0. `scores` has the key scores of the columns of H*. They must be 0 if the position is in
    Ihat(x), and > 0 if it is not.
    """
    supports = model.supports
    for past in supports.closure(supports.first, supports.successors):
        for token in range(len(supports.emits)) if past & supports.named else ():
            states = supports.step(past, token, supports.successors)
            if not states or states & supports.named:
                continue
            sure = not states & ~supports.inside
            right = bool(scores) and all(score == 0 if sure else score > 0 for score in scores)
            expected = "0 at the columns of H*" if sure else "more than 0 at the columns of H*"
            key.must(right, expected, "another score than where there is no law")


def check_no_keys(evidence: Item, model: MemoryModel) -> Lengths:
    """Check that C.2 fails; return the lengths of the inputs used. Position 0 is that of x_1."""
    listed, terms = evidence.only("no-keys", "inputs", "terms")
    inputs = read_inputs(listed, model.joint)
    words = inputs.words
    attended = model.supports.all_attended_in_r(listed, words)
    check_cancel(terms, inputs, attended, lambda n, i: output(words[n], i, model.joint), model.work, own_scores=False)
    return inputs.lengths()


def check_no_prompted_keys(last: bool, evidence: Item, model: MemoryModel) -> Lengths:
    """Check that C.9 fails, or with `last` that C.9:all-positions fails; return the lengths of the inputs used.

    Position 0 is that of the prompt. Behind u* an input must have a law at each position (tauhat_i(x) is not 0).
    Without `last`, its last position is exempt.
    """
    listed, terms = evidence.only("no-prompted-keys", "inputs", "terms")
    inputs, supports = read_inputs(listed, model.joint), model.supports
    words = inputs.words
    attended = supports.all_attended_in_r(listed, words)
    for item, word in zip(listed.inside(), words, strict=True):
        pairs = supports.messages(word, support(model.prompted_prediction()))
        after = supports.step(pairs[0][1], word[0], supports.predecessors)
        laws = [supports.first & after, *(f & b for f, b in pairs)]
        lawful = all(laws if last else laws[:-1])  # the paper's Z leaves out the last position
        item.must(lawful, "tauhat_i(x) other than 0", "an input of which the prompt leaves a position no law")
    chosen = {n: {i + 1 for i in positions} for n, positions in attended.items()}
    check_cancel(terms, inputs, chosen, lambda n, i: prompted_output(words[n], i, model), model.work, prompted=True)
    return inputs.lengths()


def prompted_output(word: Tokens, i: int, model: MemoryModel) -> list[Fraction]:
    """The output Gbar_{i+1} for a word behind u*; i = 0 is the position of the prompt itself. The output may be 0."""
    joint = model.joint
    before = forward(word[: i - 1], model.prompted_prediction(), joint) if i else joint.p1
    return normalised(before, backward(word[i:], joint), joint)


def check_no_values(prompted: bool, evidence: Item, model: MemoryModel) -> Lengths:
    """Check that C.4 fails, or if `prompted` that C.13 fails; return the lengths of the inputs used."""
    listed, items = evidence.only("no-prompted-values" if prompted else "no-values", "inputs", "terms")
    joint, work = model.joint, model.work
    inputs = read_inputs(listed, joint)
    words = inputs.words
    terms: dict[tuple[int, int], list[Fraction]] = {}  # the numbers y_l of a term, by input and position
    gains = []  # of each term the sum over l of y_l mu_l'P[M_j*|X=x], up to a factor > 0
    for item in items.items():
        index, position, weights = item.items(3)
        n = inputs.find(index)
        i = position.index(len(words[n]))
        position.must(i in model.supports.attended(words[n]), "a position of Ihat(x)")
        item.must((n, i) not in terms, "each once", "an input and position repeated")
        terms[n, i] = weights.vector(joint.labels)
        after = elementwise(joint.initial, inputs.listed[n].beta, work)
        scores = [inner(row, after, work) for row in model.lifted.rows]
        gains.append(inner(integers(terms[n, i], work), scores, work))
        weights.must(gains[-1] >= 0, "a sum >= 0", "weights whose sum of y_l mu_l'P[M_j*|X=x] is < 0")
    items.must(any(gains), "one > 0", "sums of y_l mu_l'P[M_j*|X=x] that are all 0")
    outputs = [prompted_output(words[n], i + 1, model) if prompted else output(words[n], i, joint) for n, i in terms]
    items.must(all(map(any, outputs)), "tauhat_i(x) other than 0", "a position to which the prompt leaves no law")
    laws = Scaled.of(outputs, work).rows
    for label in range(joint.labels):
        ys = integers([numbers[label] for numbers in terms.values()], work)
        used = ((words[n][i], y, law) for (n, i), y, law in zip(terms, ys, laws, strict=True))
        items.must(cancel(used, work), "0 at each token", f"a sum other than 0 for label {label}")
    return inputs.lengths()
