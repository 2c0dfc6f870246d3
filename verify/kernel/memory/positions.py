"""Evidence that no keys attend to exactly the given positions: sections 10 and 11 of docs/certificate-format.md.

A head gives position i the score w'G_i(x) + g_i, where g_i is the position's own score. All positions to which it
attends have the largest score, and all others a smaller one. The evidence is a list of terms (x, i, i', t) with weights
t: the head attends to i in x, and i' is another position. Take the sum of t (score(i) - score(i')) over the terms.

1. A term whose i' is attended to, too, adds 0. Any other term must have t > 0, and adds a number > 0. At least one term
   has an i' that is not attended to. So the sum is > 0.
2. The rules make the sum 0 for every head: the sum of t (G_i(x) - G_i'(x)) is 0, and the g_i cancel.

So no head attends to exactly these positions. If own scores are left out, this is about heads with g_i = 0.

Notation: verify/kernel/memory/__init__.py.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

from verify.kernel.base.exact import Scaled, Work, cancel, integers, size
from verify.kernel.base.item import Item
from verify.kernel.hmm.inputs import Chosen, Inputs


def check_cancel(
    items: Item,
    inputs: Inputs,
    chosen: Chosen,
    law: Callable[[int, int], list[Fraction]],
    work: Work,
    *,
    prompted: bool = False,
    own_scores: bool = True,
) -> None:
    """Check that no keys attend to exactly the positions `chosen`: read terms whose sum is 0 for every head.

    `law` returns G_i(x), for the index of an input x and a position i. If `prompted`, position 0 is that of the prompt,
    and x_i is at position i; otherwise position 0 is that of x_1. Without `own_scores` the heads have g_i = 0.
    """
    pairs, numbers = [], []
    for item in items.items():
        index, first, second, weight = item.items(4)
        n = inputs.find(index, chosen)
        last = inputs.listed[n].length - (not prompted)
        i, other, number = first.integer(0, last), second.integer(0, last), weight.number()
        first.must(i in chosen[n], "a position that is attended to")
        second.must(other != i, "another position")
        nonzero = number > 0 or (number < 0 and other in chosen[n])
        weight.must(nonzero, "a number > 0, or < 0 where both positions are attended to")
        pairs.append((n, i, other))
        numbers.append(number)
    outside = any(other not in chosen[n] for n, _, other in pairs)
    items.must(outside, "another that is not attended to", "attended positions alone")
    weights = integers(numbers, work)
    if own_scores:
        check_own_scores(items, [(i, other) for _, i, other in pairs], weights, work)
    laws = Scaled.of([law(n, p) for n, i, other in pairs for p in (i, other)], work).rows
    signed = [sign * t for t in weights for sign in (1, -1)]
    terms = ((None, t, row) for t, row in zip(signed, laws, strict=True))
    items.must(cancel(terms, work), "a sum of t (G_i - G_i') that is 0", "a sum other than 0")


def check_own_scores(items: Item, pairs: Sequence[tuple[int, int]], weights: Sequence[int], work: Work) -> None:
    """Check that all g_i cancel in the sum of t (g_i - g_i') over the terms; `pairs` has i and i', `weights` t."""
    work.spend(2 * len(pairs), size(*weights))
    totals: Counter[int] = Counter()
    for (i, other), t in zip(pairs, weights, strict=True):
        totals[i] += t
        totals[other] -= t
    items.must(
        not any(totals.values()), "sums that cancel at each position", "weights that leave a position's own score"
    )
