"""Evidence on keys and values of C.2, C.4, C.9 and C.13: sections 10 and 11 of docs/certificate-format.md.

The rules of memory/attention.py show that keys attend to just the positions of Ihat(x); two readings of C.9 add a rule
each. Inputs whose outputs cancel show that no keys do. Behind the prompt the positions' own scores cancel too; C.2 has
none.

Values as C.4 wants them, or C.13 behind the prompt, would make their weighted sum the sum of r (sum of y_l
mu_l'P[M_j*|X=x]), r > 0, which is > 0. But it is 0, where the outputs combine to 0 in each value row.
"""

from fractions import Fraction

from verify.kernel.base.exact import Lengths, Scaled, Tokens, cancel, elementwise, inner, integers, support
from verify.kernel.base.item import Item
from verify.kernel.hmm.words import backward, forward, normalised, output, read_inputs
from verify.kernel.memory.model import MemoryModel
from verify.kernel.memory.positions import check_cancel


def same_positions(prompt: Item, _key: Item, _scores: set[int], model: MemoryModel) -> None:
    """C.9:all-positions: a position whose states all lie in H* behind u* has states in H* alone without u*, too."""
    supports = model.supports
    for states in supports.common():
        behind = states & supports.named
        same = not behind or behind & ~supports.inside or not states & ~supports.inside
        prompt.must(bool(same), "the same positions", "a position that is sure of H* behind the prompt alone")


def no_law_at_the_end(_prompt: Item, key: Item, scores: set[int], model: MemoryModel) -> None:
    """C.9: a last position without a law behind u* scores as those of Ihat(x) if it is one of them, and less if not."""
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
    """C.2 fails; positions count from 0."""
    listed, terms = evidence.only("no-keys", "inputs", "terms")
    inputs = read_inputs(listed, model.joint)
    words = inputs.words
    attended = model.supports.all_attended_in_r(listed, words)
    check_cancel(terms, inputs, attended, lambda n, i: output(words[n], i, model.joint), model.work, own_scores=False)
    return inputs.lengths()


def check_no_prompted_keys(last: bool, evidence: Item, model: MemoryModel) -> Lengths:
    """C.9 fails; position 0 is that of the prompt. `last`: the last position must have a law, too."""
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
    """Gbar_{i+1}(ehat(x)) behind u*; it may be 0, also at the prompt's own position."""
    joint = model.joint
    before = forward(word[: i - 1], model.prompted_prediction(), joint) if i else joint.p1
    return normalised(before, backward(word[i:], joint), joint)


def check_no_values(prompted: bool, evidence: Item, model: MemoryModel) -> Lengths:
    """C.4 fails, or C.13 behind u*; return the lengths of the inputs used."""
    listed, items = evidence.only("no-prompted-values" if prompted else "no-values", "inputs", "terms")
    joint, work = model.joint, model.work
    inputs = read_inputs(listed, joint)
    words = inputs.words
    terms: dict[tuple[int, int], list[Fraction]] = {}  # y_l for the index of an input and a position
    gains = []  # the sum over l of y_l mu_l'P[M_j*, X=x], times a positive number
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
