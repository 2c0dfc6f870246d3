"""Evidence on C.8, C.12, C.14 and C.15, which move the time: section 10 of docs/certificate-format.md.

Where T pi = pi, H_1 has the law of H_0, and so what follows the prompt is what is read without it, but for the memories
that the prompt leaves out. Less is enough where a statement speaks of supports alone.
"""

from verify.kernel.base.exact import Vector, elementwise, inner, size
from verify.kernel.base.item import Item, Rejected
from verify.kernel.hmm.assumptions import is_stationary
from verify.kernel.hmm.patterns import lowest, onward, support
from verify.kernel.hmm.words import backward, read_input, read_word
from verify.kernel.memory.model import MemoryModel
from verify.kernel.memory.prompts import masked


def check_stationary(evidence: Item, model: MemoryModel) -> None:
    """T pi = pi."""
    evidence.only("stationary")
    if not is_stationary(model.chain):
        raise Rejected(evidence.where, "P[H_1] other than P[H_0]", "T pi = pi")


def check_moves(state: Item, model: MemoryModel) -> int:
    """A hidden state h with (T pi)[h] != pi[h]."""
    h, chain = state.integer(0, model.hidden - 1), model.chain
    if chain.p1[h] == chain.initial[h] * chain.transition.denominator:
        raise state.expected("a state h with (T pi)[h] other than pi[h]")
    return h


def check_shift(evidence: Item, holds: bool, model: MemoryModel) -> tuple[int, ...]:
    """C.8."""
    if holds:
        check_stationary(evidence, model)
        return ()
    fields = evidence.only("moved", "state", "input")
    h, word = check_moves(fields["state"], model), read_word(fields["input"], 1, model.joint)
    beta = backward(word, model.joint)
    if not any(beta[i * model.hidden + h] for i in model.possible):
        raise Rejected(fields["input"].where, f"a word that is impossible from state {h}", "beta(x)[(m,h)] > 0")
    return (len(word),)


def check_hidden_supports(evidence: Item, holds: bool, model: MemoryModel) -> tuple[int, ...]:
    """C.12; the words that show that it fails are those of one token."""
    model.work.spend(model.hidden**2)
    first = support(model.chain.p1)
    lacking, named = onward(first, model.chain) & ~first, set(model.named).intersection(model.possible)
    if holds:
        evidence.only("prior-reaches")
        if lacking and named:
            h = lowest(lacking)
            raise Rejected(evidence.where, f"P(H_1={h}) = 0, P(H_2={h}) > 0", "P(H_1=h) > 0 wherever P(H_2=h) > 0")
        return ()
    state = evidence.only("prior-lacks", "state")["state"]
    if not lacking >> state.integer(0, model.hidden - 1) & 1:
        raise state.expected("a state h with P(H_2=h) > 0 and P(H_1=h) = 0")
    if not named:
        raise Rejected(evidence.where, "no possible memory with m_j* in M*", "one")
    return (1,)


def check_prompted_scores(evidence: Item, holds: bool, model: MemoryModel) -> tuple[int, ...]:
    """C.14."""
    if holds:
        check_stationary(evidence, model)
        return ()
    item, joint = evidence.only("posterior-moves", "input")["input"], model.joint
    word = read_word(item, 1, joint)
    beta = backward(word, joint)
    left = masked(joint.p1, model.named, model)
    if not inner(left, beta, model.work):
        raise Rejected(item.where, "a word that cannot follow the prompt", "one that can")
    before = inner(joint.initial, beta, model.work)
    if before and not any(moves(row, left, beta, model) for row in scores(model)):
        raise Rejected(item.where, "a word with the scores of C.14 behind the prompt", "another score, or P(X=x) = 0")
    return (len(word),)


def moves(row: Vector, left: Vector, beta: Vector, model: MemoryModel) -> bool:
    """Whether (f o u* o p1)'beta p0'beta is not (f o p0)'beta p1'beta; both have the same positive factors."""
    p0, p1 = model.joint.initial, model.joint.p1
    prompted, plain = (
        inner(elementwise(row, left, model.work), beta, model.work),
        inner(elementwise(row, p0, model.work), beta, model.work),
    )
    before, after = inner(p0, beta, model.work), inner(p1, beta, model.work)
    model.work.spend(2, size(prompted, plain), size(before, after))
    return prompted * before != plain * after


def check_impossible_scores(evidence: Item, holds: bool, model: MemoryModel) -> tuple[int, ...]:
    """C.15."""
    joint = model.joint
    if holds:
        evidence.only("first-reaches")
        missing = support(model.chain.initial) & ~support(model.chain.p1)
        if missing:
            h = lowest(missing)
            raise Rejected(evidence.where, f"P(H_0={h}) > 0, P(H_1={h}) = 0", "P(H_1=h) > 0 wherever P(H_0=h) > 0")
        return ()
    item = evidence.only("posterior-remains", "input")["input"]
    x = read_input(item, joint)
    if inner(masked(joint.p1, model.named, model), x.beta, model.work):
        raise Rejected(item.where, "an input that can follow the prompt", "(u* o p1)'beta(x) = 0")
    if not any(inner(elementwise(row, joint.initial, model.work), x.beta, model.work) for row in scores(model)):
        raise Rejected(item.where, "an input whose scores are all 0", "one other than 0")
    return (x.length,)


def scores(model: MemoryModel) -> list[Vector]:
    """mu_l lifted to Hbar: mu_l[m_j*] at every state."""
    return [[row[m[model.cell]] for m in model.memories for _ in range(model.hidden)] for row in model.mu.rows]
