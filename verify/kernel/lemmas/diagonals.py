"""Evidence on A.1, B.2 and equation (3.3), on a diagonal D for all inputs: docs/certificate-format.md, section 9.

Each of the three says that some invertible diagonal D takes the vector q o beta(x) to r o beta(x), up to a positive
factor, for all inputs x at once; in B.2 for all words x that are possible behind the prompt. Here p0 = P[H_0], p1 =
P[H_1], and o is the elementwise product:

- A.1: q = p0 and r = P[H_i], with a D for each i >= 1.
- B.2: q = c o p0 and r = c, where c = A(u o p1), with a D for each prompt u.
- (3.3): q and r as in B.2, but the vectors need to agree only behind W: W(r o beta(x)) and W D (q o beta(x)) are equal,
  up to a positive factor.

Call a state reached if beta(x) > 0 there for some such x. If q and r have the same support among the reached states, D
is r/q on that support and 1 elsewhere. Otherwise A.1 and B.2 fail: at a reached state exactly one of q and r is 0. For
a failure of (3.3) see check_no_output_diagonal.

Notation: verify/kernel/hmm/__init__.py and verify/kernel/memory/__init__.py.
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
    """Check that A.1 holds, by two conditions. Let S_i be the support of P[H_i].

    1. S_1 contains S_0. Then S_{i+1} contains S_i for every i, and S_n contains all S_i, for n states.
    2. No input of one token is possible from a state h of S_n outside S_0. Then beta(x)[h] = 0 for every input x: the
       first token of x is itself an input, and it is impossible from h.

    So at the states where beta(x) > 0 for some input x, P[H_i] and p0 have the same support.
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
    """Check that A.1 fails; return the length of the input x.

    For some i >= 1 and some state h with beta(x)[h] > 0, exactly one of p0[h] and P(H_i=h) is 0.
    """
    item, state, word = evidence.only("no-diagonal", "position", "state", "input")
    position = item.integer(1, MAX_POSITION)
    h, x = state.index(model.states), read_input(word, model)
    state.must(x.beta[h] > 0, "a state h with beta(x)[h] > 0")
    differ = (model.initial[h] > 0) != bool(model.occupied(position) >> h & 1)
    state.must(differ, f"a state h at which exactly one of P(H_0=h), P(H_{position}=h) is 0")
    return (x.length,)


def check_prior_covers(evidence: Item, model: Model) -> None:
    """Check that B.2, or equation (3.3), holds: p0 > 0 wherever A p1 > 0.

    The support of c = A(u o p1) is in that of A p1. So p0 > 0 wherever c > 0, and D = diag(1/p0) there.
    """
    evidence.only("prior-covers")
    missed = support(model.transition.times(model.p1)) & ~support(model.initial)
    actual = f"P(H_0={lowest(missed)}) = 0, P(H_2={lowest(missed)}) > 0"
    evidence.must(not missed, "P(H_0=h) > 0 wherever P(H_2=h) > 0", actual)


def check_prior_misses(evidence: Item, model: Model) -> Lengths:
    """Check that B.2 fails for the prompt u = 1, where c = A p1; return the length of the word x.

    At some state h, p0[h] = 0, c[h] > 0 and beta(x)[h] > 0.
    """
    state, item = evidence.only("prior-misses", "state", "input")
    h, word = state.index(model.states), read_word(item, 1, model)
    missed = not model.initial[h] and model.transition.times(model.p1)[h] > 0
    state.must(missed, "a state h with p0[h] = 0 and (A p1)[h] > 0")
    item.must(backward(word, model)[h] > 0, "beta(x)[h] > 0", f"a word that is impossible from state {h}")
    return (len(word),)


def check_no_output_diagonal(evidence: Item, model: Model) -> Lengths:
    """Check that (3.3) fails: no vector d and numbers s_x > 0 have s_x W(c o beta(x)) = W(d o c o p0 o beta(x)).

    The evidence has a prompt u, inputs x, and for each x a row y over tokens. Write q_x = (W'y) o beta(x). Multiply the
    equation of x by y', and add up over x:

        sum of s_x c'q_x = (d o c o p0)'(sum of q_x).

    By the rules each c'q_x is >= 0, and one is > 0: the left side is > 0. And the sum of q_x is 0 at each state at
    which c and p0 are > 0: the right side is 0.
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

    def rights() -> Iterator[tuple[None, int, Vector]]:  # the q, one at a time, as they may be long
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
