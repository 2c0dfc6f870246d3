"""Evidence on C.8, C.12, C.14 and C.15, which shift the time by one: section 10 of docs/certificate-format.md.

Behind the prompt the token x_i is emitted by H_{i+1}; without a prompt it is emitted by H_i. Let T be the transition
of H, pi = P[H_0], and j* the task's cell. If T pi = pi, then H_i and H_{i+1} have one law, and the prompt u* only
leaves out the memories m with m_j* not in M* = supp(mu). So C.8 and C.14 hold. C.12 and C.15 are about supports only,
and need less than T pi = pi.

Notation: verify/kernel/hmm/__init__.py and verify/kernel/memory/__init__.py.
"""

from verify.kernel.base.exact import Lengths, Vector, elementwise, inner, lowest, size, support, united
from verify.kernel.base.item import Item
from verify.kernel.hmm.assumptions import is_stationary
from verify.kernel.hmm.words import backward, read_input, read_word
from verify.kernel.memory.model import MemoryModel


def check_stationary(evidence: Item, model: MemoryModel) -> None:
    """Check that C.8 or C.14 holds: T pi = pi."""
    evidence.only("stationary")
    evidence.must(is_stationary(model.chain), "T pi = pi", "P[H_1] other than P[H_0]")


def check_moved(evidence: Item, model: MemoryModel) -> Lengths:
    """Check that C.8 fails: P(H_1=h) differs from P(H_0=h), and a word x is possible from h. Return the length of x.

    A word is possible from h if it is possible from (m, h) for some possible memory m.
    """
    state, item = evidence.only("moved", "state", "input")
    h, chain = state.index(model.hidden), model.chain
    scores_move = chain.p1[h] != chain.initial[h] * chain.transition.denominator
    state.must(scores_move, "a state h with (T pi)[h] other than pi[h]")
    word = read_word(item, 1, model.joint)
    beta = backward(word, model.joint)
    can = any(beta[i * model.hidden + h] for i in model.possible)
    item.must(can, "beta(x)[(m,h)] > 0", f"a word that is impossible from state {h}")
    return (len(word),)


def newly_possible(model: MemoryModel) -> tuple[int, list[int]]:
    """The hidden states that are possible for H_2 but not for H_1, and the possible memories with m_j* in M*.

    The memories are given by their indices. They are those that u* keeps.
    """
    model.work.spend(model.hidden**2)
    first = support(model.chain.p1)
    return united(model.chain.successors, first) & ~first, model.named


def check_prior_reaches(evidence: Item, model: MemoryModel) -> None:
    """Check that C.12 holds: every h possible for H_2 is possible for H_1, or u* keeps no possible memory.

    Let alpha(w) be the prediction after a word w, and alphahat(w) the one behind u*. In the first case alphahat(w) has
    no hidden state that alpha(w) lacks, for any w. In the second case alphahat(w) is 0.
    """
    evidence.only("prior-reaches")
    states, named = newly_possible(model)
    actual = f"P(H_1={lowest(states)}) = 0, P(H_2={lowest(states)}) > 0"
    evidence.must(not states or not named, "P(H_1=h) > 0 wherever P(H_2=h) > 0", actual)


def check_prior_lacks(evidence: Item, model: MemoryModel) -> Lengths:
    """Check that C.12 fails: some h is possible for H_2 but not for H_1, and u* keeps a possible memory.

    Every word of one token shows this: without the prompt its token is emitted by H_1, and behind u* by H_2. Return
    its length, 1.
    """
    [state] = evidence.only("prior-lacks", "state")
    states, named = newly_possible(model)
    lacks = bool(states >> state.index(model.hidden) & 1)
    state.must(lacks, "a state h with P(H_2=h) > 0 and P(H_1=h) = 0")
    evidence.must(bool(named), "one", "no possible memory with m_j* in M*")
    return (1,)


def check_posterior_moves(evidence: Item, model: MemoryModel) -> Lengths:
    """Check that C.14 fails, by a word x that can follow the prompt u*; return its length.

    Xhat is the prompt's token, then X. The prompt's token is ztilde, and xhat = (ztilde, x). C.14 says that
    mu_l'P[M_j*|Xhat=xhat] is mu_l'P[M_j*|X=x] / P(Xhat_1=ztilde|Xhat_{2:}=x). C.14 fails at x if P(X=x) = 0, or if the
    sides differ.
    """
    [item], joint = evidence.only("posterior-moves", "input"), model.joint
    word = read_word(item, 1, joint)
    beta, left = backward(word, joint), model.masked
    item.must(inner(left, beta, model.work) > 0, "one that can", "a word that cannot follow the prompt")
    before = inner(joint.initial, beta, model.work)
    moved = not before or any(scores_move(row, left, beta, model) for row in model.lifted.rows)
    item.must(moved, "another score, or P(X=x) = 0", "a word with the scores of C.14 behind the prompt")
    return (len(word),)


def scores_move(row: Vector, left: Vector, beta: Vector, model: MemoryModel) -> bool:
    """Whether ((f o u* o p1)'beta)(p0'beta) differs from ((f o p0)'beta)(p1'beta): the sides of C.14 without quotients.

    `row` is f, the task's row mu_l lifted to Hbar. `left` is u* o p1. All vectors are scaled to integers. The scales
    cancel, since `left` has the scale of p1.
    """
    p0, p1, work = model.joint.initial, model.joint.p1, model.work
    prompted, plain = (inner(elementwise(row, law, work), beta, work) for law in (left, p0))
    before, after = inner(p0, beta, work), inner(p1, beta, work)
    work.spend(2, size(prompted, plain), size(before, after))
    return prompted * before != plain * after


def check_first_reaches(evidence: Item, model: MemoryModel) -> None:
    """Check that C.15 holds: every h possible for H_0 is possible for H_1.

    If an input x has a score other than 0 for some label, x is possible from a state (m, h) with m_j* in M* and h
    possible for H_0. As h is possible for H_1, x can follow the prompt u*.
    """
    evidence.only("first-reaches")
    missing = support(model.chain.initial) & ~support(model.chain.p1)
    actual = f"P(H_0={lowest(missing)}) > 0, P(H_1={lowest(missing)}) = 0"
    evidence.must(not missing, "P(H_1=h) > 0 wherever P(H_0=h) > 0", actual)


def check_posterior_remains(evidence: Item, model: MemoryModel) -> Lengths:
    """Check that C.15 fails: an input that cannot follow u* has a score other than 0. Return its length."""
    [item], joint, work = evidence.only("posterior-remains", "input"), model.joint, model.work
    x = read_input(item, joint)
    stopped = not inner(model.masked, x.beta, work)
    item.must(stopped, "(u* o p1)'beta(x) = 0", "an input that can follow the prompt")
    scores = (inner(elementwise(row, joint.initial, work), x.beta, work) for row in model.lifted.rows)
    item.must(any(scores), "one other than 0", "an input whose scores are all 0")
    return (x.length,)
