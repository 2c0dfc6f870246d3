"""What terms mean, as exact matrices: an oracle for derivations, on models drawn at random.

Probabilities are sums over hidden paths here, not the recursions that a derivation starts from. A letter is what a
token stands for in a derivation: any embedding that is not negative, a soft prompt too.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from random import Random
from typing import Any

import numpy as np

from constructions.linear import left_inverse
from verify.kernel.judgments import Judgment
from verify.kernel.terms import Term, Type

Matrix = Any  # an array of Fractions, shape (rows, columns)
Letter = tuple[Fraction, ...]


def matrix(rows: Iterable[Iterable[Any]], shape: tuple[int, int]) -> Matrix:
    made = np.full(shape, Fraction(0), object)
    for i, row in enumerate(rows):
        for j, entry in enumerate(row):
            made[i, j] = Fraction(entry)
    return made


def column(entries: Iterable[Any]) -> Matrix:
    listed = list(entries)
    return matrix(([entry] for entry in listed), (len(listed), 1))


def inverse(a: Matrix) -> Matrix:
    """1/a in every entry, and 0 where that is 0."""
    return matrix(([0 if x == 0 else 1 / x for x in row] for row in a), a.shape)


def label(scores: Matrix) -> Matrix:
    """The largest index among those of the largest score."""
    entries = list(scores[:, 0])
    return column([max(i for i, x in enumerate(entries) if x == max(entries))])


OPERATIONS: dict[str, Callable[..., Matrix]] = {
    "mul": lambda a, b: matrix(a @ b, (a.shape[0], b.shape[1])),
    "had": lambda a, b: a * b,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "tr": lambda a: a.T,
    "diag": lambda a: matrix([[a[i, 0] if i == j else 0 for j in range(len(a))] for i in range(len(a))], (len(a),) * 2),
    "inv": inverse,
    "norm": lambda a: column([sum((abs(x) for x in a[:, 0]), Fraction(0))]),
    "label": label,
}


@dataclass
class World:
    """The sizes of index sets, and what symbols mean: a matrix, something else, or a function."""

    sizes: Mapping[str, int]
    meanings: Mapping[str, Any]

    def value(self, term: Term, values: Mapping[str, Any]) -> Any:
        op, args = term
        if op in ("one", "zero", "id") and args and args[0].op in self.sizes:
            n = self.sizes[args[0].op]
            return OPERATIONS["diag"](column([1] * n)) if op == "id" else column([int(op == "one")] * n)
        if op in values:
            return values[op]
        found = [self.value(arg, values) for arg in args]
        meaning = OPERATIONS.get(op) or self.meanings[op]
        return meaning(*found) if args else meaning

    def holds(self, judgment: Judgment, values: Mapping[str, Any]) -> bool:
        found = [self.value(term, values) for term in judgment.terms]
        if judgment.kind == "=":
            return same(*found)
        if judgment.kind in ("> 0", ">= 0"):
            return all(x > 0 if judgment.kind == "> 0" else x >= 0 for x in found[0].flat)
        [a] = found
        a_map = all(x in (0, 1) for x in a.flat) and all(sum(a[:, j]) == 1 for j in range(a.shape[1]))
        return a_map and (judgment.kind == "map" or all(sum(row) <= 1 for row in a))


def same(a: Any, b: Any) -> bool:
    """Equal, as matrices of one shape or as what else they are."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.shape == b.shape and bool((a == b).all())
    return bool(a == b)


# Random matrices


def drawn_matrix(random: Random, rows: int, columns: int, low: int = -2) -> Matrix:
    entries = [Fraction(n, d) for n in range(low, 4) for d in (1, 2, 3)]
    return matrix(([random.choice(entries) for _ in range(columns)] for _ in range(rows)), (rows, columns))


def drawn_map(random: Random, rows: int, columns: int, once: bool = False) -> Matrix:
    """Zeros and ones, one 1 in each column; `once`: at most one in each row."""
    places = random.sample(range(rows), columns) if once else [random.randrange(rows) for _ in range(columns)]
    return matrix(([int(place == i) for place in places] for i in range(rows)), (rows, columns))


def law(random: Random, n: int, zeros: bool = True) -> list[Fraction]:
    weights = [random.randint(0 if zeros else 1, 3) for _ in range(n)]
    if not any(weights):
        weights[random.randrange(n)] = 1
    return [Fraction(x, sum(weights)) for x in weights]


def stochastic(random: Random, rows: int, columns: int, zeros: bool = True) -> Matrix:
    laws = [law(random, rows, zeros) for _ in range(columns)]
    return matrix(zip(*laws, strict=True), (rows, columns))


def selection(chosen: list[int], size: int) -> Matrix:
    """The inclusion of some of `size` indices."""
    return matrix(([int(i == c) for c in chosen] for i in range(size)), (size, len(chosen)))


def independent(random: Random, rows: int, columns: int) -> Matrix:
    """A stochastic matrix with independent columns."""
    while True:
        made = stochastic(random, rows, columns)
        if left_inverse(tuple(map(tuple, made))) is not None:
            return made


def left_inverse_of(a: Matrix) -> Matrix:
    if a.shape[1] == 0:
        return matrix([], (0, a.shape[0]))
    found = left_inverse(tuple(map(tuple, a)))
    assert found is not None
    return matrix(found, (a.shape[1], a.shape[0]))


def share(weights: Matrix) -> Matrix:
    """Weights that sum to 1, or 0."""
    total = sum(weights[:, 0], Fraction(0))
    return weights * (0 if total == 0 else 1 / total)


# A chain, by hidden paths


def chain(p0: Matrix, A: Matrix, emission: Matrix) -> dict[str, Any]:
    """What the symbols that every chain has mean."""
    n = len(p0)
    states = range(n)

    @cache
    def paths(start: int, length: int) -> list[tuple[tuple[int, ...], Fraction]]:
        """The hidden paths from a state that are possible, each with its probability."""
        found: list[tuple[tuple[int, ...], Fraction]] = [((start,), Fraction(1))]
        for _ in range(length):
            found = [((*path, h), q * A[h, path[-1]]) for path, q in found for h in states if A[h, path[-1]]]
        return found

    def weight(path: tuple[int, ...], word: tuple[Letter, ...]) -> Fraction:
        """P(the letters | the states that emit them)."""
        return prod((letter[h] for h, letter in zip(path, word, strict=True)), start=Fraction(1))

    @cache
    def after(state: int, word: tuple[Letter, ...]) -> Fraction:
        """P(the letters that follow | this state)."""
        return sum((q * weight(path[1:], word) for path, q in paths(state, len(word))), Fraction(0))

    @cache
    def before(state: int, word: tuple[Letter, ...]) -> Fraction:
        """P(the letters, then this state)."""
        found = ((path, q * p0[start, 0]) for start in states for path, q in paths(start, len(word) + 1))
        return sum((q * weight(path[1:-1], word) for path, q in found if path[-1] == state), Fraction(0))

    blank = ((Fraction(1),) * n,)

    def p(i: int) -> Matrix:
        return p0 if i == 0 else column(before(h, blank * (i - 1)) for h in states)

    def lik(i: int, x: tuple[Letter, ...]) -> Matrix:
        return column(after(h, x) for h in states)

    def tau(w: tuple[Letter, ...], y: tuple[Letter, ...]) -> Matrix:
        return column(before(h, w) * after(h, y) for h in states)

    def back(i: int) -> Matrix:
        """P(H_i = g | H_{i+1} = h), row g, column h."""
        now, next_one = p(i), p(i + 1)
        rows = ([0 if next_one[h, 0] == 0 else now[g, 0] * A[h, g] / next_one[h, 0] for h in states] for g in states)
        return matrix(rows, (n, n))

    def left(i: int, y: tuple[Letter, ...]) -> Matrix:
        return p(i) if not y else matrix(back(i) @ (left(i + 1, y[1:]) * column(y[0])), (n, 1))

    def right(w: tuple[Letter, ...]) -> Matrix:
        return p(1) if not w else matrix(A @ (right(w[:-1]) * column(w[-1])), (n, 1))

    return {
        "A": A,
        "p0": p0,
        "e": column,
        "p": p,
        "beta": lambda x: lik(0, x),
        "lik": lik,
        "pr": lambda x: column([sum((p0[h, 0] * after(h, x) for h in states), Fraction(0))]),
        "post": lambda i, x: share(p(i) * lik(i, x)),
        "alpha": lambda w: column(before(h, w) for h in states),
        "tau": tau,
        "law": lambda w, y: share(tau(w, y)),
        "G": lambda w, y: share(matrix(emission @ tau(w, y), (len(emission), 1))),
        "at": lambda w: len(w) + 1,
        "back": back,
        "left": left,
        "right": right,
        "paper": lambda w, y: right(w) * left(len(w) + 1, y) * inverse(p(len(w) + 1)),
        "0": 0,
        "next": lambda i: i + 1,
        "empty": (),
        "cons": lambda z, x: (z, *x),
        "begin": (),
        "snoc": lambda w, z: (*w, z),
    }


def normalised_output(W: Matrix, message: Matrix) -> Matrix:
    """W v / ||v||_1, and 0 where v is 0."""
    size = sum((abs(x) for x in message[:, 0]), Fraction(0))
    return matrix(W @ message, (len(W), 1)) * (0 if size == 0 else 1 / size)


def hidden_markov_model(random: Random) -> World:
    """One that meets 3.1, 3.2 and 3.5, with zeros where these allow them."""
    n = random.randint(1, 3)
    k, labels = n + random.randint(0, 1), random.randint(1, 3)
    while True:
        A = stochastic(random, n, n)
        if all(any(row) for row in A):
            break
    W, p0 = independent(random, k, n), column(law(random, n, zeros=False))
    chosen = sorted(random.sample(range(n), random.randint(1, n)))
    star = [h for h in range(n) if any(A[h, f] for f in chosen)]
    mu = drawn_matrix(random, n, labels)
    mu[[h for h in range(n) if h not in star], :] = Fraction(0)
    in_star = selection(star, n)
    prompt = tuple(Fraction(h in chosen) for h in range(n))
    meanings = chain(p0, A, W) | {
        "W": W,
        "mu": mu,
        "Wplus": left_inverse_of(W),
        "in_b": selection(chosen, n),
        "in_star": in_star,
        "Wstar": left_inverse_of(matrix(W @ in_star, (k, len(star)))),
        "prompt": prompt,
        "Gbar": lambda v: normalised_output(W, v),
    }
    return World({"H": n, "X": k, "L": labels, "B": len(chosen), "Hstar": len(star), "1": 1}, meanings)


def memory_model(random: Random) -> World:
    """One that meets 4.2 and 4.4, with one or two cells of two values."""
    cells, syntax, values = random.choice([(1, 1, 2), (1, 2, 2), (2, 1, 2)])
    cell = random.randrange(cells)
    hidden = list(product(range(cells), range(syntax)))
    memories = list(product(range(values), repeat=cells))
    columns = list(product(range(values), range(len(hidden))))
    states = list(product(range(len(memories)), range(len(hidden))))
    kept = sorted(random.sample(range(syntax), random.randint(1, syntax)))
    star = [h for h, (j, s) in enumerate(hidden) if j == cell and s in kept]
    of = [columns.index((memories[m][hidden[h][0]], h)) for m, h in states]

    pi = column(law(random, len(hidden)))
    still, mix = OPERATIONS["diag"](column([1] * len(hidden))), Fraction(random.randint(0, 2), 2)
    swap = still[::-1] if random.random() < 0.5 and len(set(pi[:, 0])) == 1 else still
    T = swap * mix + matrix(pi @ column([1] * len(hidden)).T, (len(hidden),) * 2) * (1 - mix)
    P = column(law(random, len(memories)))
    A = matrix(([T[h, g] if m == l else 0 for l, g in states] for m, h in states), (len(states),) * 2)
    p0 = column(P[m, 0] * pi[h, 0] for m, h in states)

    recoverable = [c for c, (_, h) in enumerate(columns) if h in star]
    others = [c for c in range(len(columns)) if c not in recoverable]
    k = len(columns) + random.randint(0, 1)
    W = independent(random, k, len(columns))
    Theta = left_inverse_of(W)[recoverable, :]
    if len(others) > 1 and random.random() < 0.5:
        W[:, others[0]] = W[:, others[1]]
    within = [s for s, c in enumerate(of) if c in recoverable]
    labels = random.randint(1, 3)
    mean = Fraction(1, values ** (cells - 1))
    col, in_r = maps(of, len(columns)), selection(recoverable, len(columns))
    mu = drawn_matrix(random, values, labels)
    mu[[m for m in range(values) if random.random() < 0.4], :] = Fraction(0)
    chosen = column(int(any(row)) for row in mu)
    prompt = tuple(chosen[memories[m][cell], 0] for m, _ in states)
    ground = [c for c, (m, h) in enumerate(columns) if chosen[m, 0] or hidden[h][0] != cell]
    open_states = [s for s, (m, _) in enumerate(states) if chosen[memories[m][cell], 0]]
    prompted = [g for g, c in enumerate(ground) if c in recoverable]
    unprompted = [g for g in range(len(ground)) if g not in prompted]
    Thetap = Theta[[recoverable.index(ground[g]) for g in prompted], :]
    left = [s for s in within if s in open_states]
    laws = chain(p0, A, matrix(W @ col, (k, len(states))))

    def behind_prompt(x: tuple[Letter, ...]) -> Matrix:
        """P[M, H_1, the prompt, then the letters]."""
        return column(u * q for u, q in zip(prompt, (laws["p"](1) * laws["beta"](x))[:, 0], strict=True))

    meanings = laws | {
        "W": W,
        "Wbar": matrix(W @ col, (k, len(states))),
        "mu": mu,
        "Wg": W[:, ground],
        "hidg": maps([columns[c][1] for c in ground], len(hidden)),
        "in_g": selection(ground, len(columns)),
        "in_u": selection(open_states, len(states)),
        "to_g": maps([ground.index(of[s]) for s in open_states], len(ground)),
        "in_p": selection(prompted, len(ground)),
        "in_o": selection(unprompted, len(ground)),
        "starp": maps([star.index(columns[ground[g]][1]) for g in prompted], len(star)),
        "in_qu": selection(left, len(states)),
        "to_p": maps([prompted.index(ground.index(of[s])) for s in left], len(prompted)),
        "valuep": maps([columns[ground[g]][0] for g in prompted], values),
        "Thetap": Thetap,
        "Thetap1": lambda h: keys(h, Thetap, [columns[ground[g]][1] for g in prompted], k),
        "kept": lambda w, y: column(
            sum((laws["law"]((prompt, *w), y)[s, 0] for s in open_states if of[s] == c), Fraction(0)) for c in ground
        ),
        "prompt": prompt,
        "chosen": chosen,
        "unchosen": column(1 - x for x in chosen[:, 0]),
        "behind": lambda w: (prompt, *w),
        "prhat": lambda x: column([sum(behind_prompt(x)[:, 0], Fraction(0))]),
        "posthat": lambda x: share(behind_prompt(x)),
        "Theta": Theta,
        "emb": embedding(W, columns, states, of),
        "cat": lambda w, y: (*w, *y),
        "col": col,
        "hid": maps([h for _, h in columns], len(hidden)),
        "cell": maps([memories[m][cell] for m, _ in states], values),
        "mean": column([mean]),
        "memory": maps([m for m, _ in states], len(memories)),
        "hidden": maps([h for _, h in states], len(hidden)),
        "law0": P,
        "pi": pi,
        "T": T,
        "in_r": in_r,
        "in_n": selection(others, len(columns)),
        "in_star": selection(star, len(hidden)),
        "in_q": selection(within, len(states)),
        "star": maps([star.index(columns[c][1]) for c in recoverable], len(star)),
        "value": maps([columns[c][0] for c in recoverable], values),
        "to_r": maps([recoverable.index(of[s]) for s in within], len(recoverable)),
        "atcell": matrix(
            ([int(v == m and hidden[h][0] == cell) for v, h in columns] for m in range(values)), (values, len(columns))
        ),
        "Theta1": lambda h: keys(h, Theta, [columns[c][1] for c in recoverable], k),
        "Gbar": lambda v: normalised_output(W, matrix(col @ v, (len(columns), 1)) * mean),
    }
    sizes = {
        **{"Hbar": len(states), "C": len(columns), "H": len(hidden), "M": values, "X": k, "L": labels, "1": 1},
        **{"Ground": len(ground), "U": len(open_states), "P": len(prompted), "O": len(unprompted), "QU": len(left)},
        **{"Mem": len(memories), "R": len(recoverable), "N": len(others), "Hstar": len(star), "Q": len(within)},
    }
    return World(sizes, meanings)


def maps(images: list[int], size: int) -> Matrix:
    """The matrix of a function into `size` indices."""
    return matrix(([int(i == image) for image in images] for i in range(size)), (size, len(images)))


def keys(h: Matrix, Theta: Matrix, hidden_of: list[int], tokens: int) -> Matrix:
    """Rows of dual vectors, summed for each state of H*; and what they leave of the sum of all entries, at h."""
    rows = [
        [sum((Theta[r, z] for r, of in enumerate(hidden_of) if of == g), Fraction(0)) for z in range(tokens)]
        for g in range(len(h))
    ]
    rest = [1 - sum((Theta[r, z] for r in range(len(Theta))), Fraction(0)) for z in range(tokens)]
    return matrix(
        ([x + h[g, 0] * y for x, y in zip(row, rest, strict=True)] for g, row in enumerate(rows)), (len(h), tokens)
    )


def embedding(W: Matrix, columns: list[Any], states: list[Any], of: list[int]) -> Callable[[Letter], Matrix]:
    """W[z,:] of a letter that is a token's, lifted; of another, nothing in particular."""
    lifted = {tuple(row[c] for c in of): row for row in W}

    def emb(letter: Letter) -> Matrix:
        return column(lifted[letter]) if letter in lifted else column([Fraction(1, 2)] * len(columns))

    return emb


# Random values of variables


def drawn(kind: Type, random: Random, world: World, tokens: Matrix) -> Any:
    """A value of this type; a letter is a token's row of `tokens`, or soft."""
    match kind:
        case "time":
            return random.randint(0, 2)
        case "token" if random.random() < 0.5:
            return tuple(random.choice(list(tokens)))
        case "token":
            return tuple(Fraction(random.choice((0, 0, 1, 1, 2)), 2) for _ in range(tokens.shape[1]))
        case "word" | "past":
            return tuple(drawn("token", random, world, tokens) for _ in range(random.randint(0, 2)))
        case (rows, columns):
            n, m = world.sizes[rows], world.sizes[columns]
            if random.random() < 0.5 and m == 1:
                return selection([random.randrange(n)], n)
            return drawn_matrix(random, n, m, random.choice((-2, 0)))
    raise AssertionError(kind)


def tokens_of(world: World) -> Matrix:
    """The embeddings of the tokens: rows over the states of the chain."""
    return world.meanings.get("Wbar", world.meanings["W"])
